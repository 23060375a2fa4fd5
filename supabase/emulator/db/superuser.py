"""The migration runner's way to a superuser, for single statements: extensions.execute_as_superuser and its token."""

import hashlib
import secrets
from typing import Any

import psycopg
from psycopg import sql

from emulator.db.extensions import created_extensions
from emulator.db.packaged import provide
from emulator.db.sql_kinds import SuperuserStatement
from emulator.db.sql_split import SqlStatement

# What the image's supautils installs for role postgres as a superuser.
INSTALLABLE = frozenset(
    "address_standardizer address_standardizer_data_us autoinc bloom btree_gin btree_gist citext cube dblink dict_int "
    "dict_xsyn earthdistance fuzzystrmatch hstore http hypopg index_advisor insert_username intarray isn ltree "
    "moddatetime pg_cron pg_graphql pg_hashids pg_jsonschema pg_net pg_partman pg_prewarm pg_repack pg_stat_monitor "
    "pg_stat_statements pg_tle pg_trgm pg_walinspect pgaudit pgcrypto pgjwt pgmq pgroonga pgroonga_database pgrouting "
    "pgrowlocks pgsodium pgstattuple pgtap plpgsql plpgsql_check postgis postgis_raster postgis_sfcgal "
    "postgis_tiger_geocoder postgis_topology postgres_fdw refint rum seg sslinfo supabase_vault tablefunc tcn "
    "tsm_system_rows tsm_system_time unaccent uuid-ossp vector wrappers".split()
)
_EXTENSION_NEEDS_IT = """
select v.superuser and not v.trusted from pg_catalog.pg_available_extensions as e
inner join pg_catalog.pg_available_extension_versions as v on v.name = e.name and v.version = e.default_version
where e.name = %s
"""
_FOREIGN_EXTENSION = """
select from pg_catalog.pg_extension where extname = %s and extowner <> 'postgres'::pg_catalog.regrole
"""
_FOREIGN_PUBLICATION = """
select from pg_catalog.pg_publication where pubname = %s and pubowner <> 'postgres'::pg_catalog.regrole
"""


class SuperuserGate:
    """Signs in as the superuser when the first such statement comes, and takes the token back at the end."""

    def __init__(self, superuser_dsn: str) -> None:
        self._dsn = superuser_dsn
        self._token: str | None = None

    def provide(self, script: str) -> list[str]:
        """Download what a script's extensions need and the server lacks; returns what failed."""
        names = created_extensions(script)
        if not names:
            return []
        with psycopg.connect(self._dsn, autocommit=True) as superuser:
            return provide(superuser, names)

    def execute(self, connection: psycopg.Connection, statement: SqlStatement, reserved: SuperuserStatement) -> bool:
        """Run a reserved statement in the transaction of `connection`; False when postgres may run it itself."""
        # One statement and no more: these have no semicolon in them.
        if ";" in statement.body or not _needs_superuser(connection, reserved):
            return False
        token = self._issue()
        call = "select extensions.execute_as_superuser(%s, %s)"
        connection.execute(call, (statement.text, token))
        if reserved.kind == "foreign data wrapper" and reserved.verb == "create":
            grant = sql.SQL("grant usage on foreign data wrapper {} to postgres with grant option")
            granted = grant.format(sql.Identifier(reserved.name)).as_string(connection)
            connection.execute(call, (granted, token))
        return True

    def close(self) -> None:
        """Make the token worthless."""
        if self._token is not None:
            self._change("delete from _muster.runner_token where digest = %s", self._token)
            self._token = None

    def _issue(self) -> str:
        if self._token is None:
            token = secrets.token_hex(32)
            self._change("insert into _muster.runner_token values (%s)", token)
            self._token = token
        return self._token

    def _change(self, statement: Any, token: str) -> None:
        with psycopg.connect(self._dsn, autocommit=True) as superuser:
            superuser.execute(statement, (hashlib.sha256(token.encode()).digest(),))


def _needs_superuser(connection: psycopg.Connection, reserved: SuperuserStatement) -> bool:
    """Whether this object needs one: extensions and publications may be postgres' own."""
    if reserved.kind == "extension":
        if reserved.name not in INSTALLABLE:
            return False
        query = _EXTENSION_NEEDS_IT if reserved.verb == "create" else _FOREIGN_EXTENSION
        row = connection.execute(query, (reserved.name,)).fetchone()
        return row is not None and row != (False,)
    if reserved.kind == "publication" and reserved.verb != "create":
        return connection.execute(_FOREIGN_PUBLICATION, (reserved.name,)).fetchone() is not None
    return True
