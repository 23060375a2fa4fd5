"""Whether a subscription's filters fit a table: columns, operators, values, which become canonical texts. I/O."""

import re

import psycopg
from psycopg import sql

from emulator.realtime import errors
from emulator.realtime.database.pool import Connection
from emulator.realtime.postgres_changes.catalog import CatalogCache, readable_columns, trusted_sql
from emulator.realtime.postgres_changes.subscriptions.conditions import PATTERN_OPERATORS, Condition
from emulator.realtime.postgres_changes.subscriptions.filters import MAX_IN_VALUES, Binding, Filter
from emulator.realtime.postgres_changes.subscriptions.tables import Column, Table

# Values that their types write as they were written, so that PostgreSQL need not be asked for the canonical text.
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)
_SMALL_INT = re.compile(r"0|-?[1-9][0-9]{0,3}", re.ASCII)


async def check_filters(
    connection: Connection, cache: CatalogCache, binding: Binding, table: Table, role: str
) -> tuple[Condition, ...]:
    """A binding's filters, ready for the table; raises errors.SubscriptionRefused with the original's text."""
    if not binding.filters and binding.selected is None:
        return ()
    readable = await readable_columns(connection, cache, table, role)
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
    """A value as its type's output function writes it, which is how the log writes it, too."""
    if "\0" not in value:
        if column.base_name == "text":
            return value
        if column.base_name == "uuid" and _UUID.fullmatch(value):
            return value
        if column.base_name in ("int2", "int4", "int8") and _SMALL_INT.fullmatch(value):
            return value
    cast = sql.SQL("select pg_catalog.format('%%s', %s::{})").format(trusted_sql(column.sql_type))
    try:
        row = await (await connection.execute(cast, (value,))).fetchone()
    except psycopg.DataError as error:
        name = re.sub(r"(?<!^)(?=[A-Z])", "_", type(error).__name__).lower()
        text = f"ERROR {error.sqlstate or '22P02'} ({name}) {error.diag.message_primary or error}"
        raise errors.subscription_exception(binding.describe(), text) from error
    assert row is not None
    return str(row[0])


def _exception(binding: Binding, text: str) -> errors.SubscriptionRefused:
    return errors.subscription_exception(binding.describe(), f"ERROR P0001 (raise_exception) {text}")
