"""The connection that changes are read from, when it ends: nobody else's connection suffers from it."""

import asyncio
import os
import socket

import pytest

from emulator.db.pipeline import PipelineConnection
from emulator.db.statement import Statement
from emulator.realtime.postgres_changes.stream import Stream, StreamEnded
from tests.support.postgres import Database


async def ended(database: Database) -> Stream:
    """A stream whose line broke without a word, read until it said so."""
    stream = await Stream.open(
        database.dsn("supabase_admin"), "ends_here", lambda _: True, lambda _: False, durable=False
    )
    with socket.socket(fileno=os.dup(stream._socket)) as line:
        line.shutdown(socket.SHUT_RDWR)
    with pytest.raises(StreamEnded):
        async with asyncio.timeout(10):
            while True:
                await stream.pieces()
    return stream


async def test_who_got_the_number_of_its_socket_keeps_its_reader(database: Database) -> None:
    """The descriptor is free once libpq saw the end: the next connection has its number before the stream is closed."""
    stream = await ended(database)
    other = await PipelineConnection.connect(database.dsn())
    try:
        assert other._socket == stream._socket
        async with asyncio.timeout(10):
            await stream.close()
            assert await other.run([Statement("select 1::text")]) == [[(b"1",)]]
    finally:
        await other.close()
