"""Schema `auth` as GoTrue's own migrations leave it, brought about and recorded as the real service does at its start.

GoTrue has one file per version; here all of them are one script of the final state (schema.sql). The versions are those
of the real service up to v2.197.0, in its own table, so that a database moves between the two either way.
"""

from pathlib import Path

import psycopg

SCHEMA = Path(__file__).with_name("schema.sql")
# The first seven are recorded by the image's init script.
VERSIONS = tuple(
    """
    20171026211738 20171026211808 20171026211834 20180103212743 20180108183307 20180119214651 20180125194653
    00 20210710035447 20210722035447 20210730183235 20210909172000 20210927181326 20211122151130 20211124214934
    20211202183645 20220114185221 20220114185340 20220224000811 20220323170000 20220429102000 20220531120530
    20220614074223 20220811173540 20221003041349 20221003041400 20221011041400 20221020193600 20221021073300
    20221021082433 20221027105023 20221114143122 20221114143410 20221125140132 20221208132122 20221215195500
    20221215195800 20221215195900 20230116124310 20230116124412 20230131181311 20230322519590 20230402418590
    20230411005111 20230508135423 20230523124323 20230818113222 20230914180801 20231027141322 20231114161723
    20231117164230 20240115144230 20240214120130 20240306115329 20240314092811 20240427152123 20240612123726
    20240729123726 20240802193726 20240806073726 20241009103726 20250717082212 20250731150234 20250804100000
    20250901200500 20250903112500 20250904133000 20250925093508 20251007112900 20251104100000 20251111201300
    20251201000000 20260115000000 20260121000000 20260219120000 20260302000000 20260625000000
    """.split()
)
OF_THE_IMAGE = frozenset(VERSIONS[:7])
_LOCK = 0x6175_7468  # "auth": two services that start at once take turns


def migrate(connection: psycopg.Connection) -> list[str]:
    """Bring schema `auth` up to date; returns the versions that were new.

    `connection` is autocommit, and of the role that shall own the tables. Raises psycopg.Error; nothing is done then.
    """
    if not _missing(connection):
        return []
    with connection.transaction():
        connection.execute("select pg_advisory_xact_lock(%s)", (_LOCK,))
        missing = _missing(connection)
        if missing:
            if connection.execute("select to_regnamespace('auth') is null").fetchone() == (True,):
                connection.execute("create schema auth")
            connection.execute(SCHEMA.read_bytes())
            connection.execute(
                "insert into auth.schema_migrations (version) select unnest(%s::text[]) on conflict do nothing",
                (list(VERSIONS),),
            )
    return missing


def _missing(connection: psycopg.Connection) -> list[str]:
    """GoTrue's versions that the database lacks, in their order."""
    if connection.execute("select to_regclass('auth.schema_migrations') is null").fetchone() == (True,):
        return list(VERSIONS)
    rows = connection.execute("select version from auth.schema_migrations").fetchall()
    recorded = {str(row[0]) for row in rows} | OF_THE_IMAGE
    return [version for version in VERSIONS if version not in recorded]
