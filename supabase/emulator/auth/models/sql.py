"""Statements that every table needs, and how rows become dataclasses.

Names of tables and columns come from this package only, never from a request.
"""

from collections.abc import Callable, Hashable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime
from functools import cache
from typing import Any, Generic, TypeVar, cast, get_args, get_type_hints
from uuid import UUID

from psycopg import AsyncConnection, sql
from psycopg.rows import class_row, tuple_row
from psycopg.types.json import Jsonb

T = TypeVar("T")
Db = AsyncConnection[Any]
_EXPRESSIONS = {"ip": "host({0}ip) as ip", "ip_address": "host({0}ip_address) as ip_address"}


@cache
def columns(cls: Hashable, alias: str = "") -> str:
    """The select list that fills `cls`; `alias` is the table's name in the statement."""
    assert isinstance(cls, type)
    assert is_dataclass(cls)
    dot = f"{alias}." if alias else ""
    plain_text = cls.__name__ == "AuditLogEntry"
    return ", ".join(
        dot + field.name if plain_text else _EXPRESSIONS.get(field.name, "{0}" + field.name).format(dot)
        for field in fields(cls)
    )


async def fetch_one(db: Db, cls: type[T], statement: str | bytes, params: Any = ()) -> T | None:
    """The first row."""
    async with db.cursor(row_factory=class_row(cls)) as cursor:
        await cursor.execute(statement, params)
        return await cursor.fetchone()


async def fetch_all(db: Db, cls: type[T], statement: str | bytes, params: Any = ()) -> list[T]:
    """Every row."""
    async with db.cursor(row_factory=class_row(cls)) as cursor:
        await cursor.execute(statement, params)
        return await cursor.fetchall()


async def fetch_value(db: Db, statement: str, params: Any = ()) -> Any:
    """The first column of the first row, None without one."""
    row = await (await db.execute(statement, params)).fetchone()
    return row[0] if row else None


@dataclass(frozen=True)
class Query(Generic[T]):
    """A statement whose rows fill `cls`."""

    cls: type[T]
    statement: str | bytes
    params: Any = ()


async def fetch_together(db: Db, *queries: Query[Any]) -> list[list[Any]]:
    """The rows of several queries, sent in one round trip."""
    async with AsyncExitStack() as open_cursors:
        cursors = []
        async with db.pipeline():
            for query in queries:
                cursor = await open_cursors.enter_async_context(db.cursor(row_factory=class_row(query.cls)))
                await cursor.execute(query.statement, query.params)
                cursors.append(cursor)
        return [await cursor.fetchall() for cursor in cursors]


async def select_together(db: Db, *queries: Query[Any]) -> list[list[Any]]:
    """The rows of several queries that only read, as one statement: half of what `fetch_together` costs.

    PostgreSQL puts the rows of each in order into a JSON array.
    """
    statement = _select_text(tuple(query.statement for query in queries))
    parameters = [parameter for query in queries for parameter in query.params]
    async with db.cursor(row_factory=tuple_row) as cursor:
        await cursor.execute(statement, parameters)
        row = await cursor.fetchone()
    assert row is not None
    return [[_of_json(query.cls, one) for one in found] for query, found in zip(queries, row, strict=True)]


@cache
def _select_text(statements: tuple[str | bytes, ...]) -> str:
    parts = [one if isinstance(one, str) else one.decode() for one in statements]
    return "select " + ", ".join(f"(select coalesce(json_agg(q), '[]') from ({one}) q)" for one in parts)


def _of_json(cls: type[T], row: dict[str, Any]) -> T:
    for name, convert in _conversions(cast(Hashable, cls)):
        value = row[name]
        if value is not None:
            row[name] = convert(value)
    return cls(**row)


@cache
def _conversions(cls: Hashable) -> tuple[tuple[str, Callable[[str], Any]], ...]:
    """What JSON has as texts: which fields, and how they are read."""
    assert isinstance(cls, type)
    hints = get_type_hints(cls)
    kinds = ((UUID, UUID), (datetime, datetime.fromisoformat))
    return tuple(
        (name, convert) for name, hint in hints.items() for kind, convert in kinds if kind in (hint, *get_args(hint))
    )


async def insert(db: Db, table: str, values: Mapping[str, Any]) -> None:
    """Insert one row."""
    await db.execute(_insert_text(table, tuple(values)), [_bound(value) for value in values.values()])


@cache
def _insert_text(table: str, names: tuple[str, ...]) -> bytes:
    """Composed once per set of columns, of which there are few."""
    identifiers = sql.SQL(", ").join([sql.Identifier(name) for name in names])
    statement = sql.SQL("insert into {} ({}) values ({})").format(
        sql.Identifier("auth", table), identifiers, sql.SQL(", ").join(sql.Placeholder() * len(names))
    )
    return statement.as_bytes(None)


async def update(db: Db, table: str, cls: type[T], row_id: UUID, changes: Mapping[str, Any]) -> T | None:
    """Change one row by its id; returns it as it is now, None when it is gone."""
    query = update_query(table, cls, row_id, changes)
    return await fetch_one(db, query.cls, query.statement, query.params)


def update_query(table: str, cls: type[T], row_id: UUID, changes: Mapping[str, Any]) -> Query[T]:
    """The same for fetch_together."""
    params, row_class = [*(_bound(value) for value in changes.values()), row_id], cast(Hashable, cls)
    return Query(cls, _update_text(table, row_class, tuple(changes)), params)


@cache
def _update_text(table: str, cls: Hashable, names: tuple[str, ...]) -> bytes:
    assignments = [sql.SQL("{} = {}").format(sql.Identifier(name), sql.Placeholder()) for name in names]
    statement = sql.SQL("update {} set {} where id = {} returning " + columns(cls)).format(
        sql.Identifier("auth", table), sql.SQL(", ").join(assignments), sql.Placeholder()
    )
    return statement.as_bytes(None)


def _bound(value: Any) -> Any:
    return Jsonb(value) if isinstance(value, dict) else value


NIL_UUID = UUID(int=0)
