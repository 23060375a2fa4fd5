"""Runs the catalog queries and builds the schema cache from their rows. I/O."""

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
