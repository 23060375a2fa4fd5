"""A database as a local project has it, its workers, and a server that the requests go to."""

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from typing import Any

import psycopg
import pytest
import uvloop

from emulator.platform.app import Platform
from emulator.platform.settings import PlatformSettings
from tests.support.postgres import Database, free_port

Connection = psycopg.Connection[tuple[Any, ...]]
Connect = Callable[[str], Connection]


@pytest.fixture(scope="module")
def connect(module_database: Database) -> Iterator[Connect]:
    """Connect as a role; every connection is closed at the end of the module."""
    with ExitStack() as stack:
        yield lambda role: stack.enter_context(psycopg.connect(module_database.dsn(role), autocommit=True))


@pytest.fixture(scope="module")
def postgres(connect: Connect) -> Connection:
    """The role of migrations, no superuser."""
    return connect("postgres")


@dataclass
class Target:
    """An HTTP server that counts: /echo answers what it got, /slow never, /moved leads to /echo, /text is no JSON."""

    port: int
    hits: "Counter[str]" = field(default_factory=Counter)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, one request; none when it ends before, or is no text."""
        with closing(writer), suppress(OSError, asyncio.IncompleteReadError, UnicodeDecodeError):
            await self._answer(reader, writer)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = next((int(line[15:]) for line in head.lower().split("\r\n") if line.startswith("content-length:")), 0)
        body = await reader.readexactly(length) if length else b""
        method, path, _ = head.split(" ", 2)
        self.hits[path] += 1
        if path == "/slow":
            await reader.read(1)
        elif path == "/moved":
            writer.write(b"HTTP/1.1 302 Found\r\nlocation: /echo\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        elif path == "/text":
            writer.write(
                b"HTTP/1.1 404 Not Found\r\nX-Kind: text\r\ncontent-length: 4\r\nconnection: close\r\n\r\na\0b\xff"
            )
        else:
            told = f"{method} {path} {body.decode()}\n{head}".encode()
            about = b"Content-Type: text/plain\r\nX-A: 1\r\nConnection: close\r\nContent-Length: %d" % len(told)
            writer.write(b"HTTP/1.1 200 OK\r\n" + about + b"\r\n\r\n")
            writer.write(told)


class Workers:
    """The platform's workers in a thread, on one database; killed and started at will."""

    def __init__(self, database: Database, target: Target) -> None:
        self._settings = PlatformSettings(
            host=str(database.cluster.sockets), database_port=database.cluster.port, database=database.name,
            password=database.cluster.password, own_port=target.port,
        )  # fmt: skip
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping: asyncio.Event | None = None

    def start(self) -> None:
        """Start them and wait until they take work."""
        started = threading.Event()

        async def main() -> None:
            self._loop, self._stopping = asyncio.get_running_loop(), asyncio.Event()
            async with Platform(self._settings).working():
                started.set()
                await self._stopping.wait()

        def work() -> None:
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                runner.run(main())

        self._thread = threading.Thread(target=work)
        self._thread.start()
        assert started.wait(30)

    def stop(self) -> None:
        """End them as a stack that is stopped does."""
        assert self._loop is not None
        assert self._stopping is not None
        assert self._thread is not None
        self._loop.call_soon_threadsafe(self._stopping.set)
        self._thread.join(30)
        assert not self._thread.is_alive()


@pytest.fixture(scope="module")
def target() -> Iterator[Target]:
    """The server that requests go to, in a thread of its own."""
    made = Target(free_port())
    started, loops = threading.Event(), list[asyncio.AbstractEventLoop]()

    async def main() -> None:
        loops.append(asyncio.get_running_loop())
        async with await asyncio.start_server(made.serve, "127.0.0.1", made.port, backlog=1000) as server:
            started.set()
            await server.serve_forever()

    def serve() -> None:
        with asyncio.Runner() as runner:
            task = runner.get_loop().create_task(main())
            loops.append(runner.get_loop())
            ends.append(task)
            runner.get_loop().run_until_complete(asyncio.gather(task, return_exceptions=True))

    ends: list[asyncio.Task[None]] = []
    thread = threading.Thread(target=serve)
    thread.start()
    assert started.wait(30)
    yield made
    loops[0].call_soon_threadsafe(ends[0].cancel)
    thread.join(30)


@pytest.fixture(scope="module")
def workers(module_database: Database, target: Target) -> Iterator[Workers]:
    """The workers of the module's database."""
    made = Workers(module_database, target)
    made.start()
    yield made
    made.stop()
