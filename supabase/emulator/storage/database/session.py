"""Transactions as somebody: role, claims and the facts of the request are set for the transaction alone. I/O.

A transaction is one pipelined round trip where its statements are known beforehand. None is held while a body is read
or written.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import psycopg

from emulator.db.pipeline import PipelineConnection
from emulator.db.pool import PipelinePool, PoolLimits
from emulator.db.statement import (
    ConnectionFailed,
    ConnectionLost,
    PoolTimeout,
    Row,
    Statement,
    StatementError,
)  # fmt: skip
from emulator.principal import Principal
from emulator.storage.errors import from_database, invalid_value

BEGIN = Statement("begin")
COMMIT = Statement("commit")
ROLLBACK = Statement("rollback")
_PRELUDE = (
    "select set_config('role', $1, true), set_config('request.jwt.claim.role', $1, true),"
    " set_config('request.jwt.claim.sub', $2, true), set_config('request.jwt', $3, true),"
    " set_config('request.jwt.claims', $4, true), set_config('request.headers', $5, true),"
    " set_config('request.method', $6, true), set_config('request.path', $7, true),"
    " set_config('storage.operation', $8, true), set_config('storage.allow_delete_query', 'true', true),"
    " set_config('search_path', 'storage, public, extensions', true), set_config('statement_timeout', $9, true)"
)
# Row security does not bind the service role, and reading fires no trigger: nothing asks for the facts of the request.
_READER = (
    "select set_config('role', 'service_role', true), set_config('search_path', 'storage, public, extensions', true),"
    " set_config('statement_timeout', $1, true)"
)
Value = str | int | bool | dict[str, Any] | list[str] | None
FAILURES = (StatementError, ConnectionFailed, ConnectionLost, PoolTimeout)


@dataclass(frozen=True)
class Actor:
    """Who a transaction acts as, and the request that it serves. `token` is the raw one."""

    principal: Principal
    token: str
    headers_json: str
    method: str
    path: str
    operation: str

    def acting_as(self, principal: Principal, token: str) -> "Actor":
        """The same request by somebody else."""
        return replace(self, principal=principal, token=token)


def statement(text: str, *values: Value, key: str = "") -> Statement:
    """A statement with its values. Raises StatementError for text that PostgreSQL can't hold."""
    return Statement(text, [_bound(value) for value in values], key)


def _bound(value: Value) -> bytes | None:
    if value is None:
        return None
    if isinstance(value, bool):
        return b"true" if value else b"false"
    if isinstance(value, list):
        text = "{" + ",".join('"' + item.replace("\\", "\\\\").replace('"', '\\"') + '"' for item in value) + "}"
    elif isinstance(value, dict):
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    else:
        text = str(value)
    raw = text.encode("utf-8", "surrogatepass")
    if b"\0" in raw:
        message = 'invalid byte sequence for encoding "UTF8": 0x00'
        raise invalid_value(message)
    return raw


def documents(rows: Sequence[Row]) -> list[Any]:
    """The first column of each row, which is JSON."""
    return [None if row[0] is None else json.loads(row[0]) for row in rows]


class Transaction:
    """Statements one after the other within one transaction."""

    def __init__(self, connection: PipelineConnection) -> None:
        self._connection = connection

    async def run(self, *statements: Statement) -> list[list[Row]]:
        """The rows of each. Raises StorageError."""
        try:
            return await self._connection.execute(statements)
        except FAILURES as error:
            raise from_database(error) from error


class Reader:
    """A connection that reads as the service role, one question after the other, for who can't wait in a task."""

    def __init__(self, pool: PipelinePool, connection: PipelineConnection, prelude: Statement) -> None:
        self._pool = pool
        self._connection = connection
        self._prelude = prelude

    def ask(self, question: Statement) -> asyncio.Future[list[list[Row]]]:
        """What will have the rows of the question as its last, or one of FAILURES; raises ConnectionLost."""
        return self._connection.begin((self._prelude, question))

    def put_back(self) -> None:
        """Ask no more; the last question has been answered."""
        self._pool.put_back(self._connection)


class Database:
    """The pool, and the ways to use it. Methods raise StorageError."""

    def __init__(self, url: str, size: int, acquire_timeout_s: float, statement_timeout_ms: int) -> None:
        conninfo = psycopg.conninfo.make_conninfo(url, fallback_application_name="storage")
        self.pool = PipelinePool(conninfo, PoolLimits(size, acquire_timeout_s))
        self._timeout = str(statement_timeout_ms)
        self._reader = statement(_READER, self._timeout)

    async def run(self, actor: Actor, *statements: Statement) -> list[list[Row]]:
        """One round trip, one transaction; the rows of each statement."""
        return (await self._send([self.become(actor), *statements]))[1:]

    async def look_up(self, *statements: Statement) -> list[list[Row]]:
        """Read as the service role, in one round trip; the rows of each statement."""
        return (await self._send([self._reader, *statements]))[1:]

    def idle_reader(self) -> Reader | None:
        """A connection for several questions, if one is open that nobody uses."""
        connection = self.pool.take_idle()
        return None if connection is None else Reader(self.pool, connection, self._reader)

    async def reader(self) -> Reader:
        """The same, opened or waited for."""
        try:
            return Reader(self.pool, await self.pool.acquire(), self._reader)
        except FAILURES as error:
            raise from_database(error) from error

    async def probe(self, actor: Actor, *statements: Statement) -> list[list[Row]]:
        """The same, and nothing of it stays: whether the caller may do it."""
        return (await self._send([BEGIN, self.become(actor), *statements, ROLLBACK]))[2:-1]

    @asynccontextmanager
    async def transaction(self, actor: Actor) -> AsyncIterator[Transaction]:
        """Several round trips; committed at the end, rolled back by an exception."""
        try:
            connection = await self.pool.acquire()
        except FAILURES as error:
            raise from_database(error) from error
        try:
            transaction = Transaction(connection)
            await transaction.run(BEGIN, self.become(actor))
            yield transaction
            await transaction.run(COMMIT)
        finally:
            await self.pool.release(connection)

    async def _send(self, statements: Sequence[Statement]) -> list[list[Row]]:
        try:
            connection = await self.pool.acquire()
            try:
                return await connection.execute(statements)
            finally:
                if connection.is_settled:
                    self.pool.put_back(connection)
                else:
                    await self.pool.release(connection)
        except FAILURES as error:
            raise from_database(error) from error

    def become(self, actor: Actor) -> Statement:
        """The statement that sets the rest of a transaction to somebody."""
        who = actor.principal
        try:
            return statement(
                _PRELUDE, who.role, who.subject, actor.token, who.claims_json, actor.headers_json, actor.method,
                actor.path, actor.operation, self._timeout,
            )  # fmt: skip
        except StatementError as error:
            raise from_database(error) from error
