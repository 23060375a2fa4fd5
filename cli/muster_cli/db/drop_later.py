"""`python -m muster_cli.db.drop_later NAME`: drop a database that nobody uses, on the server of MUSTER_DROP_DSN.

PostgreSQL writes a checkpoint before it drops one, which takes seconds after a large migration; a reset does not wait.
"""

import os
import subprocess
import sys

import psycopg
from psycopg import sql

DSN = "MUSTER_DROP_DSN"


def drop_later(dsn: str, name: str) -> None:
    """Start a process that drops it. What it leaves behind, the next reset drops."""
    subprocess.Popen(
        [sys.executable, "-m", "muster_cli.db.drop_later", name], env={**os.environ, DSN: dsn}, cwd="/",
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip


def main(name: str) -> int:
    """Drop it; 1 when the server is gone."""
    try:
        with psycopg.connect(os.environ[DSN], autocommit=True) as connection:
            connection.execute(sql.SQL("drop database if exists {} with (force)").format(sql.Identifier(name)))
    except psycopg.Error:
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
