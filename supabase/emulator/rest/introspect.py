"""Runs the catalog queries and builds the schema cache from their rows. I/O."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import psycopg

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


# What the queries read. Each change of a definition writes a row of another transaction, and copies of a database have
# the very rows of the original: how many there are since initdb, and the sum of their transactions, counted from the
# first one by age, which is quicker than a cast of xid. A fifteenth of the time of reading them.
_READ = (
    "pg_class", "pg_attribute", "pg_proc", "pg_constraint", "pg_type", "pg_namespace", "pg_rewrite", "pg_cast",
    "pg_description", "pg_depend", "pg_auth_members",
)  # fmt: skip
_FINGERPRINT = "select " + ", ".join(
    "(select concat(count(*), ' ', sum(pg_catalog.age(xmin)) - count(*) * pg_catalog.age('3'::pg_catalog.xid))"
    f" from pg_catalog.{name} where xmin <> '1')"
    for name in _READ
)


class Catalogs:
    """The schema caches that one process has read, so that copies of a database share one. A few are kept."""

    MOST = 8

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[object, ...], SchemaCache] = OrderedDict()

    async def load(
        self,
        connection: psycopg.AsyncConnection[Any],
        schemas: Sequence[str],
        extra_search_path: Sequence[str],
        hoisted_settings: Sequence[str],
    ) -> SchemaCache:
        """As load_schema_cache; the cache of an equal catalog if that is known."""
        row = await (await connection.execute(_FINGERPRINT.encode())).fetchone()
        key = (row, tuple(schemas), tuple(extra_search_path), tuple(hoisted_settings))
        found = self._known.get(key)
        if found is None:
            found = await load_schema_cache(connection, schemas, extra_search_path, hoisted_settings)
            self._known[key] = found
            if len(self._known) > self.MOST:
                self._known.popitem(last=False)
        self._known.move_to_end(key)
        return found
