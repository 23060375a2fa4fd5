"""The official Supabase CLI, for what it does in its own process with any two databases: types and differences."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit, urlunsplit

from muster_cli.output import UserError
from muster_cli.stack.install import OFFICIAL_CLI, ensure_official_cli

TIMEOUT_S = 300


def find_official_cli(project: Path) -> Path:
    """The program: the checkout's locked one, else the project's, else the one on the PATH. Raises UserError."""
    if (OFFICIAL_CLI / "package-lock.json").exists():
        ensure_official_cli()
        return OFFICIAL_CLI / "node_modules" / ".bin" / "supabase"
    own = project / "node_modules" / ".bin" / "supabase"
    found = str(own) if own.exists() else shutil.which("supabase")
    if found is None:
        raise UserError("this needs the official Supabase CLI (no Docker): npm install --save-dev supabase")
    return Path(found)


def run_official_cli(project: Path, arguments: Sequence[str], password_of: str) -> str:
    """What it prints on stdout. `password_of` is a URL whose password every database of the arguments has.

    Arguments have URLs without passwords, which the process list would show. Raises UserError.
    """
    parts = urlsplit(password_of)
    environment = {
        **os.environ, "PGPASSWORD": unquote(parts.password or ""), "SUPABASE_TELEMETRY_DISABLED": "1",
        "DO_NOT_TRACK": "1", "PGSSLMODE": "disable" if parts.hostname == "127.0.0.1" else "require",
    }  # fmt: skip
    command = [str(find_official_cli(project)), "--agent", "no", "--workdir", str(project), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=TIMEOUT_S)
    if done.returncode != 0:
        words = [line for line in done.stderr.splitlines() if line.strip() and not line.startswith("Try rerunning")]
        raise UserError(f"the official CLI failed: {words[-1].strip() if words else 'it gave no reason'}")
    return done.stdout


def without_password(url: str, database: str | None = None) -> str:
    """A database's URL as an argument of the official CLI; perhaps of another database of the server."""
    parts = urlsplit(url)
    netloc = f"{parts.username}@{parts.hostname}:{parts.port or 5432}"
    return urlunsplit(parts._replace(netloc=netloc, path=parts.path if database is None else f"/{database}"))
