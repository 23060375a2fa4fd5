"""pgmq_public: the queues of pgmq through the API, for projects whose api.schemas name it.

The original's dashboard makes it when queues are exposed; a project that has it in its migrations keeps its own.
"""

import psycopg

from emulator.paths import EXTENSIONS

SCHEMA = "pgmq_public"
_WANTED = """
select to_regnamespace('pgmq_public') is null and exists (select from pg_catalog.pg_extension where extname = 'pgmq')
"""


def expose_queues(connection: psycopg.Connection) -> bool:
    """Make the functions where the extension is and they are not; whether it did. `connection` is of role postgres."""
    if connection.execute(_WANTED).fetchone() != (True,):
        return False
    with connection.transaction():
        connection.execute((EXTENSIONS / "pgmq" / "public.sql").read_bytes())
    return True
