"""Runs the catalog queries and builds the schema cache from their rows; shares it among copies of a database. I/O."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import psycopg

from emulator.rest.query.pre_query import RoleSettings
from emulator.rest.schema_cache.build import build_schema_cache
from emulator.rest.schema_cache.cache import SchemaCache
from emulator.rest.schema_cache.catalog_queries import SCHEMA_CACHE_QUERIES, CatalogRows


async def load_schema_cache(
    connection: psycopg.AsyncConnection[Any],
    schemas: Sequence[str],
    extra_search_path: Sequence[str],
    hoisted_settings: Sequence[str],
) -> SchemaCache:
    """Read the catalog in one transaction, so that all queries see one state of it. Raises psycopg.Error."""
    arguments = {"schemas": list(schemas), "path": [*schemas, *extra_search_path]}
    async with connection.transaction():
        await connection.execute("set transaction isolation level repeatable read, read only")
        # The queries cost PostgreSQL's planner so much that it would compile them, which takes seconds.
        await connection.execute(
            "select pg_catalog.set_config('search_path', '', true), pg_catalog.set_config('jit', 'off', true)"
        )
        rows = {
            name: await (await connection.execute(query.encode(), arguments)).fetchall()
            for name, query in SCHEMA_CACHE_QUERIES.items()
        }
    return build_schema_cache(CatalogRows(**rows), schemas, frozenset(hoisted_settings))


# What the queries and the functions that they call read.
_OF_DATABASE = (
    "pg_attrdef", "pg_attribute", "pg_cast", "pg_class", "pg_constraint", "pg_depend", "pg_description", "pg_enum",
    "pg_foreign_data_wrapper", "pg_foreign_server", "pg_foreign_table", "pg_namespace", "pg_proc", "pg_rewrite",
    "pg_trigger", "pg_type",
)  # fmt: skip
# What the settings of roles are read from (database_config.py), and what decides which ones the service may set.
_OF_CLUSTER = ("pg_auth_members", "pg_parameter_acl")
# A version of a row is told by its place and by the transaction that wrote it: no other database of the cluster has
# that transaction's rows but copies, which have them in the same places until VACUUM FULL writes another file. Which
# rows there are, and not only how many and how new: one copy may drop what another keeps. The number of a transaction
# is had from its age, as a cast of it costs more than all the rest, and rows of initdb, which can't be dropped, have
# none. A fifteenth of the time of reading the catalog.
_VERSIONS = """(
select pg_catalog.concat(
  pg_catalog.count(*), ' ', pg_catalog.pg_relation_filenode('pg_catalog.{name}'), ' ',
  pg_catalog.sum(pg_catalog.hashtidextended(ctid, pg_catalog.age('3'::pg_catalog.xid) - pg_catalog.age(xmin)))
)
from pg_catalog.{name} where xmin <> '1'
)"""
# Every copy has rows of its own for the settings of roles in it: their text.
_ROLES = """(
select pg_catalog.concat(
  current_user, ' ', (select rolsuper from pg_catalog.pg_roles where rolname = current_user), ' ',
  pg_catalog.string_agg(
    pg_catalog.concat_ws(' ', setrole::pg_catalog.regrole, setdatabase = 0, setconfig), ' '
    order by setdatabase = 0, setrole
  )
)
from pg_catalog.pg_db_role_setting
where setdatabase in (0, (select oid from pg_catalog.pg_database where datname = pg_catalog.current_database()))
)"""
# Equal in two databases of a cluster only if the catalog and the settings of roles are.
FINGERPRINT = "select pg_catalog.concat_ws('|', {})".format(
    ", ".join((*(_VERSIONS.format(name=name) for name in (*_OF_DATABASE, *_OF_CLUSTER)), _ROLES))
)


async def read_fingerprint(connection: psycopg.AsyncConnection[Any]) -> str:
    """What tells the state of a database from others. Raises psycopg.Error."""
    row = await (await connection.execute(FINGERPRINT.encode())).fetchone()
    assert row is not None
    return str(row[0])


@dataclass(frozen=True)
class StoredConfig:
    """What the database says of configuration: the service's own settings, and those of the roles it switches to."""

    settings: Mapping[str, str]
    roles: dict[str, RoleSettings]


Arguments = tuple[Sequence[str], Sequence[str], Sequence[str]]  # of load_schema_cache, without the connection


@dataclass(frozen=True)
class Known:
    """What was read of a database: `cache` with `arguments`, which are of the service's settings."""

    config: StoredConfig
    arguments: Arguments
    cache: SchemaCache


class Catalogs:
    """What one process has read of databases that are copies of each other, by fingerprint. A few are kept."""

    MOST = 8

    def __init__(self) -> None:
        self._known: OrderedDict[str, Known] = OrderedDict()

    def find(self, fingerprint: str) -> Known | None:
        """What is known of a database with this fingerprint."""
        found = self._known.get(fingerprint)
        if found is not None:
            self._known.move_to_end(fingerprint)
        return found

    def keep(self, fingerprint: str, known: Known) -> None:
        """Remember what was read; what nobody has asked for longest is forgotten."""
        self._known[fingerprint] = known
        self._known.move_to_end(fingerprint)
        if len(self._known) > self.MOST:
            self._known.popitem(last=False)
