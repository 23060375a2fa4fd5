"""The write-ahead log as a stream: one replication connection, committed changes in commit order.

The socket is read here rather than by psycopg: cancelling psycopg's own wait would end the stream. The reader is armed
only while waiting, so a slow consumer pushes back on PostgreSQL instead of filling memory.
"""

import asyncio
import struct
import time
from collections.abc import Callable, Sequence
from typing import Self

import psycopg
from psycopg import sql
from psycopg.pq import ConnStatus

from emulator.realtime.database.session import SESSION_OPTIONS
from emulator.realtime.postgres_changes.publications import CHANGES_PUBLICATION, MESSAGES_PUBLICATION
from emulator.realtime.postgres_changes.slots import ReplicationConnection, create_slot, find_slot
from emulator.realtime.postgres_changes.wal.chunks import ChunkAssembler, CommitChunk
from emulator.realtime.postgres_changes.wal.decoder import Relation
from emulator.realtime.postgres_changes.wal.progress import CommitInfo

PUBLICATIONS = (CHANGES_PUBLICATION, MESSAGES_PUBLICATION)
CONFIRM_EVERY_S = 1.0
END_S = 2.0
MAX_BATCH_BYTES = 8 * 1024 * 1024
KEEPALIVE = ord("k")  # how far the log is, and whether the server wants a reply
_PG_EPOCH_S = 946684800


class StreamEnded(Exception):
    """The replication connection is gone."""


class ReplicationStream:
    """One replication slot being read. Use `open`, then `read` until StreamEnded, then `close`."""

    def __init__(
        self,
        connection: ReplicationConnection,
        chunks: ChunkAssembler,
        *,
        resumed: bool,
        system: tuple[str, ...],
    ) -> None:
        self._connection = connection
        self._pg = connection.pgconn
        self._socket = connection.pgconn.socket
        self._chunks = chunks
        self._confirmed_lsn = 0
        self._next_confirmation = 0.0
        self.resumed = resumed  # whether the slot was there before, so that nothing was missed
        self.system = system  # which log this is: the cluster and its timeline

    @classmethod
    async def open(
        cls,
        conninfo: str,
        slot: str,
        is_wanted: Callable[[Relation], bool],
        is_delivered: Callable[[int], bool],
        *,
        may_last: bool,
    ) -> Self:
        """Connect and begin to stream: commits not delivered yet, and of them the tables that are wanted when read.

        `slot` is how its name begins. One that lasts is created once and found again. Raises psycopg.Error.
        """
        found = await find_slot(conninfo, slot, may_last=may_last)
        connection = await psycopg.AsyncConnection.connect(
            conninfo,
            autocommit=True,
            replication="database",
            options=SESSION_OPTIONS,
            application_name="realtime_stream",
        )
        try:
            row = await (await connection.execute("IDENTIFY_SYSTEM")).fetchone()
            system = tuple(str(one) for one in row[:2]) if row is not None else ()
            if not found.exists:
                await create_slot(connection, found)
            names = ", ".join(f'"{name}"' for name in PUBLICATIONS)
            start = sql.SQL("START_REPLICATION SLOT {} LOGICAL 0/0 (proto_version '1', publication_names {})")
            await connection.execute(start.format(sql.Identifier(found.name), sql.Literal(names)).as_string(connection))
        except BaseException:
            await connection.close()
            raise
        return cls(connection, ChunkAssembler(is_wanted, is_delivered), resumed=found.exists, system=system)

    async def read(self) -> Sequence[CommitChunk]:
        """What has arrived, at least one chunk; raises StreamEnded."""
        loop = asyncio.get_running_loop()
        while True:
            found: list[CommitChunk] = []
            state, size = 1, 0
            while size < MAX_BATCH_BYTES:
                state, data = self._pg.get_copy_data(1)
                if state <= 0:
                    break
                size += len(data)
                chunk = self._take(bytes(data))
                if chunk is not None:
                    found.append(chunk)
            if found:
                return found
            if state < 0:
                raise StreamEnded(self._reason())
            await self._readable(loop)

    async def _readable(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._pg.status != ConnStatus.OK:
            # libpq has closed the socket: its descriptor may be another connection's by now, with a reader of its own.
            raise StreamEnded("closed")
        ready: asyncio.Future[None] = loop.create_future()
        loop.add_reader(self._socket, _wake, ready)
        try:
            await ready
        finally:
            loop.remove_reader(self._socket)
        try:
            self._pg.consume_input()
        except psycopg.OperationalError as error:
            raise StreamEnded(str(error).strip()) from error

    def _take(self, data: bytes) -> CommitChunk | None:
        if data[0] != KEEPALIVE:
            return self._chunks.take(data)
        end_lsn, _, wants_reply = struct.unpack_from(">QqB", data, 1)
        if wants_reply:
            self._send_status(self._confirmed_lsn)
        return None if self._chunks.is_in_commit else CommitChunk(CommitInfo(end_lsn, 0, 0), (), end_lsn=end_lsn)

    def confirm(self, lsn: int) -> None:
        """Everything up to `lsn` has been delivered: PostgreSQL may drop it. Sent at most once a second."""
        self._confirmed_lsn = max(self._confirmed_lsn, lsn)
        now = time.monotonic()
        if now >= self._next_confirmation:
            self._next_confirmation = now + CONFIRM_EVERY_S
            self._send_status(self._confirmed_lsn)

    def _send_status(self, lsn: int) -> None:
        clock_us = int((time.time() - _PG_EPOCH_S) * 1_000_000)
        try:
            self._pg.put_copy_data(b"r" + struct.pack(">QQQqB", lsn, lsn, lsn, clock_us, 0))
            self._pg.flush()
        except psycopg.OperationalError as error:
            raise StreamEnded(str(error).strip()) from error

    def _reason(self) -> str:
        result = self._pg.get_result()
        return result.error_message.decode(errors="replace").strip() if result is not None else "closed"

    async def close(self) -> None:
        """Confirm what was delivered, and close."""
        try:
            self._send_status(self._confirmed_lsn)
            await asyncio.wait_for(self._end(), END_S)
        except (StreamEnded, psycopg.Error, TimeoutError):
            pass  # gone already: the slot stays at the last confirmation
        await self._connection.close()

    async def _end(self) -> None:
        """End the copy, so that the slot is free for the next reader when this returns."""
        self._pg.put_copy_end()
        self._pg.flush()
        loop = asyncio.get_running_loop()
        while True:
            state, _ = self._pg.get_copy_data(1)
            if state < 0:
                return
            if state == 0:
                await self._readable(loop)


def _wake(ready: asyncio.Future[None]) -> None:
    if not ready.done():
        ready.set_result(None)
