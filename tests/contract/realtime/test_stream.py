"""The connection that changes are read from, when it ends: no other connection is affected."""

import asyncio
import os
import socket

import pytest

from emulator.db.pipeline import PipelineConnection
from emulator.db.statement import Statement
from emulator.realtime.postgres_changes.stream import ReplicationStream, StreamEnded
from tests.support.postgres import Database


async def ended(database: Database) -> ReplicationStream:
    """A stream whose connection broke without a message, read until it raised."""
    stream = await ReplicationStream.open(
        database.dsn("supabase_admin"), "ends_here", lambda _: True, lambda _: False, may_last=False
    )
    with socket.socket(fileno=os.dup(stream._socket)) as end:
        end.shutdown(socket.SHUT_RDWR)
    with pytest.raises(StreamEnded):
        async with asyncio.timeout(10):
            while True:
                await stream.read()
    return stream


async def test_a_connection_with_its_former_descriptor_keeps_its_reader(database: Database) -> None:
    """The descriptor is free once libpq saw the end: the next connection has its number before the stream is closed."""
    stream = await ended(database)
    other = await PipelineConnection.connect(database.dsn())
    try:
        assert other._socket == stream._socket
        async with asyncio.timeout(10):
            await stream.close()
            assert await other.execute([Statement("select 1::text")]) == [[(b"1",)]]
    finally:
        await other.close()
