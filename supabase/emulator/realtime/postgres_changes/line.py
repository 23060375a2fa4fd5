"""A connection to PostgreSQL driven by hand: prepared statements in one pipeline, one round trip, little CPU. I/O.

psycopg's own pipeline costs several times as much; here every commit passes.
"""

import asyncio
from collections.abc import Sequence

import psycopg
from psycopg.pq import ExecStatus

Row = list[bytes | None]
Call = tuple[bytes, Sequence[bytes | None]]


class Line:
    """One connection in pipeline mode. After an error that is not the connection's it can be used again."""

    def __init__(self, connection: psycopg.AsyncConnection[tuple[object, ...]]) -> None:
        self._connection = connection
        self._pg = connection.pgconn
        self._socket = connection.pgconn.socket
        self._pg.enter_pipeline_mode()
        self._known: dict[str, bytes] = {}
        self._count = 0

    def statement(self, text: str) -> bytes:
        """The name of a statement; it is prepared with the next calls when it is new."""
        name = self._known.get(text)
        if name is None:
            self._count += 1  # a name is never used again: after a failure nobody knows which were made
            name = self._known[text] = f"line_{self._count}".encode()
            self._pg.send_prepare(name, text.encode())
        return name

    def command(self, text: str) -> None:
        """A statement without rows, run once before the next calls."""
        self._pg.send_query_params(text.encode(), [])

    async def call(self, calls: Sequence[Call]) -> list[list[Row]]:
        """Execute statements in order; the rows of each. Raises psycopg.Error: one failed, and none was done."""
        for name, parameters in calls:
            self._pg.send_query_prepared(name, parameters)
        self._pg.pipeline_sync()
        results: list[list[Row]] = []
        failure: psycopg.Error | None = None
        await self._flush()
        while True:
            result = await self._result()
            if result is None:
                continue
            if result.status == ExecStatus.PIPELINE_SYNC:
                break
            if result.status == ExecStatus.TUPLES_OK:
                results.append([[result.get_value(row, column) for column in range(result.nfields)]
                                for row in range(result.ntuples)])  # fmt: skip
            elif result.status == ExecStatus.FATAL_ERROR and failure is None:
                failure = psycopg.errors.error_from_result(result)
        if failure is not None:
            self._known.clear()
            raise failure
        return results

    async def _flush(self) -> None:
        while self._pg.flush() == 1:
            await self._ready(write=True)
            self._pg.consume_input()

    async def _result(self) -> psycopg.pq.abc.PGresult | None:
        while self._pg.is_busy():
            await self._ready()
            self._pg.consume_input()
        return self._pg.get_result()

    async def _ready(self, *, write: bool = False) -> None:
        loop = asyncio.get_running_loop()
        ready: asyncio.Future[None] = loop.create_future()
        loop.add_reader(self._socket, _wake, ready)
        if write:
            loop.add_writer(self._socket, _wake, ready)
        try:
            await ready
        finally:
            loop.remove_reader(self._socket)
            if write:
                loop.remove_writer(self._socket)

    async def close(self) -> None:
        """Close the connection."""
        await self._connection.close()


def _wake(ready: "asyncio.Future[None]") -> None:
    if not ready.done():
        ready.set_result(None)


def array(texts: Sequence[str]) -> bytes:
    """A text[] literal."""
    quoted = (text.replace("\\", "\\\\").replace('"', '\\"') for text in texts)
    return ("{" + ",".join(f'"{text}"' for text in quoted) + "}").encode()


def elements(literal: bytes | None) -> list[str]:
    """The elements of an array literal of numbers or booleans."""
    inner = (literal or b"{}")[1:-1].decode()
    return inner.split(",") if inner else []
