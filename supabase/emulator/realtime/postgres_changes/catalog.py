"""Queries of PostgreSQL's catalog: published tables, their columns and keys, what roles may read. I/O."""

from collections.abc import Sequence
from typing import Any

from psycopg import sql

from emulator.realtime import errors
from emulator.realtime.database.pool import Connection
from emulator.realtime.postgres_changes.publications import CHANGES_PUBLICATION
from emulator.realtime.postgres_changes.subscriptions.filters import Binding, like_matches
from emulator.realtime.postgres_changes.subscriptions.tables import Column, Table
from emulator.realtime.postgres_changes.wal.progress import StartPoint

CACHE_S = 1.0
_START_POINT = "select pg_current_snapshot()::text, pg_current_wal_insert_lsn() - '0/0'::pg_lsn"
_PUBLISHED = """
select t.schemaname, t.tablename from pg_catalog.pg_publication_tables t where t.pubname = %s
"""
_TABLE = """
select c.oid::bigint, n.nspname, c.relname, c.relrowsecurity,
  array(
    select a.attname::text from pg_catalog.pg_index i
    join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
    where i.indrelid = c.oid and i.indisprimary order by a.attnum
  ),
  array(
    select array[
      a.attname, a.attnum::text, t.typname, b.typname, b.typtype::text,
      pg_catalog.format_type(b.oid, case when t.typtype = 'd' then t.typtypmod else a.atttypmod end),
      coalesce(l.collisdeterministic, true)::text,
      case when a.attgenerated = 's' then pg_catalog.pg_get_expr(d.adbin, d.adrelid) end
    ]
    from pg_catalog.pg_attribute a
    left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    join pg_catalog.pg_type t on t.oid = a.atttypid
    join pg_catalog.pg_type b on b.oid = case when t.typtype = 'd' then t.typbasetype else t.oid end
    left join pg_catalog.pg_collation l on l.oid = a.attcollation
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attnum
  )
from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
"""
_BY_OID = _TABLE + "where c.oid = %s"
_BY_NAME = _TABLE + "where n.nspname = %s and c.relname = %s"
_READABLE = """
select a.attname::text from pg_catalog.pg_attribute a, pg_catalog.pg_roles r
where a.attrelid = %s and a.attnum > 0 and not a.attisdropped and r.rolname = %s
  and pg_catalog.has_column_privilege(r.oid, a.attrelid, a.attnum, 'select')
"""


class CatalogCache:
    """What a moment ago was published and readable: many joins at once ask once. No join is refused because of it."""

    def __init__(self) -> None:
        self._until = 0.0
        self.published: list[tuple[str, str]] | None = None
        self.tables: dict[tuple[str, str], Table | None] = {}
        self.readable: dict[tuple[int, str], frozenset[str]] = {}

    @property
    def is_empty(self) -> bool:
        return self.published is None

    def refresh(self, now: float) -> None:
        """Drop what is older than CACHE_S."""
        if now > self._until:
            self.clear()
            self._until = now + CACHE_S

    def clear(self) -> None:
        self.published, self.tables, self.readable = None, {}, {}


async def read_start_point(connection: Connection) -> StartPoint:
    """Now, as the log and other transactions see it. The snapshot is older than the place in the log."""
    row = await (await connection.execute(_START_POINT)).fetchone()
    assert row is not None
    return StartPoint.parse(int(row[1]), str(row[0]))


async def read_table(connection: Connection, oid: int) -> Table | None:
    """The table of an oid, None when it is gone."""
    return _table(await (await connection.execute(_BY_OID, (oid,))).fetchone())


async def find_tables(connection: Connection, cache: CatalogCache, binding: Binding) -> list[Table]:
    """The published tables that a binding names; raises errors.SubscriptionRefused when there is none."""
    if cache.published is None:
        cache.published = await (await connection.execute(_PUBLISHED, (CHANGES_PUBLICATION,))).fetchall()
    found = []
    for schema, name in cache.published:
        if like_matches(binding.schema, schema) and like_matches(binding.table, name):
            if (schema, name) not in cache.tables:
                row = await (await connection.execute(_BY_NAME, (schema, name))).fetchone()
                cache.tables[schema, name] = _table(row)
            found.append(cache.tables[schema, name])
    tables = [table for table in found if table is not None]
    if not tables:
        raise errors.table_not_published(binding.describe())
    return tables


def _table(row: Sequence[Any] | None) -> Table | None:
    if row is None:
        return None
    oid, schema, table, has_rls, key, columns = row
    by_name = {
        name: Column(
            name, int(number), type_name, base_name, base_kind, sql_type, is_deterministic == "true", expression
        )
        for name, number, type_name, base_name, base_kind, sql_type, is_deterministic, expression in columns
    }
    return Table(oid, schema, table, has_rls, tuple(key), by_name)


async def readable_columns(connection: Connection, cache: CatalogCache, table: Table, role: str) -> frozenset[str]:
    """The columns of a table that a role may select."""
    if (table.oid, role) not in cache.readable:
        rows = await (await connection.execute(_READABLE, (table.oid, role))).fetchall()
        cache.readable[table.oid, role] = frozenset(row[0] for row in rows)
    return cache.readable[table.oid, role]


def trusted_sql(text: str) -> sql.SQL:
    """Text of our own or from the catalog (format_type), never from a client, as SQL."""
    return sql.SQL(text.replace("%", "%%"))
