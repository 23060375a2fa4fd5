"""What PostgreSQL's catalogue says: published tables, their columns and keys, and whether filters fit them. I/O."""

import re
from collections.abc import Sequence
from typing import Any

import psycopg
from psycopg import sql

from emulator.realtime import errors
from emulator.realtime.postgres_changes.stream import CHANGES_PUBLICATION
from emulator.realtime.postgres_changes.subscriptions.conditions import PATTERN_OPERATORS, Condition
from emulator.realtime.postgres_changes.subscriptions.filters import MAX_IN_VALUES, Binding, Filter, like_matches
from emulator.realtime.postgres_changes.subscriptions.tables import Column, Table
from emulator.realtime.postgres_changes.wal.progress import Since

Connection = psycopg.AsyncConnection[tuple[Any, ...]]

KNOWN_S = 1.0
_MOMENT = "select pg_current_snapshot()::text, pg_current_wal_insert_lsn() - '0/0'::pg_lsn"
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
      coalesce(l.collisdeterministic, true)::text
    ]
    from pg_catalog.pg_attribute a
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
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)
_SMALL_INT = re.compile(r"0|-?[1-9][0-9]{0,3}", re.ASCII)


class Knowledge:
    """What a moment ago was published and readable: a flood of joins asks once. Refusals are never taken from it."""

    def __init__(self) -> None:
        self._until = 0.0
        self.published: list[tuple[str, str]] | None = None
        self.tables: dict[tuple[str, str], Table | None] = {}
        self.readable: dict[tuple[int, str], frozenset[str]] = {}

    @property
    def is_empty(self) -> bool:
        return self.published is None

    def refresh(self, now: float) -> None:
        """Forget what is older than KNOWN_S."""
        if now > self._until:
            self.forget()
            self._until = now + KNOWN_S

    def forget(self) -> None:
        """Ask everything again."""
        self.published, self.tables, self.readable = None, {}, {}


async def read_moment(connection: Connection) -> Since:
    """Now, as the log and other transactions see it. The snapshot is older than the place in the log."""
    row = await (await connection.execute(_MOMENT)).fetchone()
    assert row is not None
    return Since.parse(int(row[1]), str(row[0]))


async def read_table(connection: Connection, oid: int) -> Table | None:
    """The table of an oid, None when it is gone."""
    return _table(await (await connection.execute(_BY_OID, (oid,))).fetchone())


async def find_tables(connection: Connection, known: Knowledge, binding: Binding) -> list[Table]:
    """The published tables that a binding names; raises errors.SubscriptionRefused when there is none."""
    if known.published is None:
        known.published = await (await connection.execute(_PUBLISHED, (CHANGES_PUBLICATION,))).fetchall()
    found = []
    for schema, name in known.published:
        if like_matches(binding.schema, schema) and like_matches(binding.table, name):
            if (schema, name) not in known.tables:
                row = await (await connection.execute(_BY_NAME, (schema, name))).fetchone()
                known.tables[schema, name] = _table(row)
            found.append(known.tables[schema, name])
    tables = [table for table in found if table is not None]
    if not tables:
        raise errors.table_not_published(binding.describe())
    return tables


def _table(row: Sequence[Any] | None) -> Table | None:
    if row is None:
        return None
    oid, schema, name, has_rls, key, columns = row
    by_name = {
        column[0]: Column(column[0], int(column[1]), column[2], column[3], column[4], column[5], column[6] == "true")
        for column in columns
    }
    return Table(oid, schema, name, has_rls, tuple(key), by_name)


async def check_binding(
    connection: Connection, known: Knowledge, binding: Binding, table: Table, role: str
) -> tuple[Condition, ...]:
    """A binding's filters, ready for the table; raises errors.SubscriptionRefused in the service's words."""
    if not binding.filters and binding.selected is None:
        return ()
    if (table.oid, role) not in known.readable:
        rows = await (await connection.execute(_READABLE, (table.oid, role))).fetchall()
        known.readable[table.oid, role] = frozenset(row[0] for row in rows)
    readable = known.readable[table.oid, role]
    for name in binding.selected or ():
        if name not in readable:
            raise _exception(binding, f"invalid column for select {name}")
    return tuple([await _check_filter(connection, binding, one, table, readable) for one in binding.filters])


async def _check_filter(
    connection: Connection, binding: Binding, one: Filter, table: Table, readable: frozenset[str]
) -> Condition:
    column = table.columns.get(one.column)
    if column is None or one.column not in readable:
        raise _exception(binding, f"invalid column for filter {one.column}")
    type_name = re.sub(r"\(.*\)", "", column.sql_type)
    if one.operator == "in" and len(one.values) > MAX_IN_VALUES:
        raise _exception(binding, f"too many values for `in` filter. Maximum {MAX_IN_VALUES}")
    if one.operator == "is":
        return Condition(column, "is", (_check_is(binding, one, column, type_name),), one.negated)
    if one.operator in PATTERN_OPERATORS:
        if not column.is_text_like:
            text = f"operator {one.operator} requires a text-compatible column type, got {type_name}"
            raise _exception(binding, text)
        if one.operator in ("match", "imatch"):
            await _check_regex(connection, binding, one)
        return Condition(column, one.operator, one.values, one.negated)
    values = [None if value is None else await _canonical(connection, binding, column, value) for value in one.values]
    return Condition(column, one.operator, tuple(values), one.negated)


def _check_is(binding: Binding, one: Filter, column: Column, type_name: str) -> str:
    value = str(one.values[0]).lower()
    if value not in ("null", "true", "false", "unknown"):
        raise _exception(binding, "invalid value for is filter: must be null, true, false, or unknown")
    if value != "null" and column.base_name != "bool":
        raise _exception(binding, f"is {value} filter requires a boolean column, got {type_name}")
    return value


async def _check_regex(connection: Connection, binding: Binding, one: Filter) -> None:
    try:
        await connection.execute("select '' ~ %s", (one.values[0],))
    except psycopg.DataError as error:
        text = f"invalid regular expression for match filter: {error.diag.message_primary}"
        raise _exception(binding, text) from error


async def _canonical(connection: Connection, binding: Binding, column: Column, value: str) -> str:
    """A value as its type prints it: the log prints the same."""
    if "\0" not in value:
        if column.base_name == "text":
            return value
        if column.base_name == "uuid" and _UUID.fullmatch(value):
            return value
        if column.base_name in ("int2", "int4", "int8") and _SMALL_INT.fullmatch(value):
            return value
    cast = sql.SQL("select pg_catalog.format('%%s', %s::{})").format(raw(column.sql_type))
    try:
        row = await (await connection.execute(cast, (value,))).fetchone()
    except psycopg.DataError as error:
        name = re.sub(r"(?<!^)(?=[A-Z])", "_", type(error).__name__).lower()
        text = f"ERROR {error.sqlstate or '22P02'} ({name}) {error.diag.message_primary or error}"
        raise errors.subscription_exception(binding.describe(), text) from error
    assert row is not None
    return str(row[0])


def raw(text: str) -> sql.SQL:
    """Text from our own tables or from the catalogue (format_type), never from a client."""
    return sql.SQL(text.replace("%", "%%"))


def _exception(binding: Binding, text: str) -> errors.SubscriptionRefused:
    return errors.subscription_exception(binding.describe(), f"ERROR P0001 (raise_exception) {text}")
