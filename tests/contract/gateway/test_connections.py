"""Connections that only cost: slow bodies, answers that nobody reads, too many at once, a pipeline left behind."""

import asyncio
import logging
import socket
import struct
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from emulator.addresses import Networks
from emulator.asgi import limits as http
from emulator.asgi import server as asgi_server
from emulator.asgi.body import ClientDisconnected, read_body
from emulator.asgi.connections import ConnectionLimits
from emulator.asgi.response import respond
from emulator.asgi.server import bind, make_server
from tests.support.stack import wait_until

LARGE = 32 * 1024 * 1024
HEAD = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n"
GET = b"GET %s HTTP/1.1\r\nHost: x\r\n\r\n"


class Service:
    """Reads its body, answers as the path says, and remembers what became of its requests and its lifespan."""

    def __init__(self) -> None:
        self.open = 0
        self.ended = ""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        self.open += 1
        try:
            if scope["path"] == "/waits":
                await asyncio.sleep(600)
            size = len(await read_body(receive))
            await respond(send, 200, [], b"x" * LARGE if scope["path"] == "/large" else b"%d" % size)
        except ClientDisconnected:
            pass
        finally:
            self.open -= 1

    async def _live(self, receive: Any, send: Any) -> None:
        for phase in ("startup", "shutdown"):
            assert (await receive())["type"] == f"lifespan.{phase}"
            await send({"type": f"lifespan.{phase}.complete"})
        self.ended = "in order"


class Running:
    """A server in a thread of its own."""

    def __init__(self, service: Service) -> None:
        self.service = service
        listener = bind("127.0.0.1", 0)
        self.port = int(listener.getsockname()[1])
        self.server = make_server(service)
        self.thread = threading.Thread(target=self._run, args=(listener,), daemon=True)
        self.thread.start()
        wait_until(lambda: self.server.started)

    def _run(self, listener: socket.socket) -> None:
        with asyncio.Runner(loop_factory=self.server.config.get_loop_factory()) as runner:
            runner.run(self.server.serve(sockets=[listener]))

    def line(self, buffer_bytes: int | None = None) -> socket.socket:
        made = socket.socket()
        if buffer_bytes is not None:
            made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer_bytes)
        made.settimeout(10)
        made.connect(("127.0.0.1", self.port))
        return made

    def answers(self) -> bool:
        with self.line() as connection:
            connection.sendall(GET % b"/" + b"")
            return connection.recv(1000).startswith(b"HTTP/1.1 200 ")


@pytest.fixture
def running(monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    """A server whose patience is a fraction of a second."""
    monkeypatch.setattr(http, "BODY_S", 0.4)
    monkeypatch.setattr(http, "BODY_CHECK_S", 0.1)
    monkeypatch.setattr(http, "UNSENT_S", 0.4)
    made = Running(Service())
    yield made
    made.server.should_exit = True
    made.thread.join(15)


def all_of(connection: socket.socket) -> bytes:
    """Everything until the line is closed (or broken)."""
    found = bytearray()
    try:
        while part := connection.recv(65536):
            found += part
    except ConnectionResetError:
        pass
    return bytes(found)


@pytest.mark.parametrize("sent", [b"", b"some"])
def test_a_body_that_does_not_come_is_given_up(running: Running, sent: bytes) -> None:
    with running.line() as connection:
        connection.sendall(HEAD % 1000 + sent)
        assert all_of(connection).startswith(b"HTTP/1.1 408 ")
    wait_until(lambda: running.service.open == 0)


def test_a_body_that_drips_is_given_up(running: Running) -> None:
    """A byte now and then keeps no line open: what counts is the average."""
    with running.line() as connection:
        connection.sendall(HEAD % 10_000)
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            for _ in range(10_000):
                connection.sendall(b"z")
                time.sleep(0.01)


def test_a_long_body_that_keeps_coming_is_taken(running: Running) -> None:
    """Longer than the first check, at far more than the least rate."""
    with running.line() as connection:
        connection.sendall(HEAD % 80_000)
        for _ in range(8):
            connection.sendall(b"z" * 10_000)
            time.sleep(0.1)
        assert connection.recv(1000).startswith(b"HTTP/1.1 200 ")


def test_an_answer_that_nobody_reads_is_cut_off(running: Running) -> None:
    """Also when the server has closed its side: what it wrote must not stay in memory."""
    with running.line(buffer_bytes=4096) as connection:
        connection.sendall(GET % b"/large")
        wait_until(lambda: running.server.server_state.connections)  # none are left before there is one
        wait_until(lambda: running.service.open == 0 and not running.server.server_state.connections)
        assert len(all_of(connection)) < LARGE


def test_an_answer_that_is_read_slowly_is_sent_whole(running: Running) -> None:
    size = 0
    with running.line() as connection:
        connection.sendall((GET % b"/large").replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        while part := connection.recv(4 * 1024 * 1024):
            size += len(part)
            time.sleep(0.02)
    assert size > LARGE


def test_who_leaves_a_pipeline_leaves_no_error(running: Running, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, "uvicorn.error"):
        for requests in ((GET % b"/") * 50, (HEAD % 100_000 + b"z" * 100_000) * 3):
            with running.line() as connection:
                connection.sendall(requests)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        wait_until(lambda: running.service.open == 0 and not running.server.server_state.connections)
    assert caplog.records == []


def test_one_address_has_so_many_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asgi_server, "ConnectionLimits", lambda _: ConnectionLimits(Networks(), per_address=3))
    made = Running(Service())
    held = [made.line() for _ in range(3)]
    wait_until(lambda: len(made.server.server_state.connections) == 3)
    with made.line() as refused:
        assert all_of(refused).startswith(b"HTTP/1.1 503 ")
    held.pop().close()
    wait_until(lambda: len(made.server.server_state.connections) == 2)
    assert made.answers()
    for connection in held:
        connection.close()
    made.server.should_exit = True
    made.thread.join(15)


def test_a_stop_in_a_hurry_still_ends_in_order(running: Running, caplog: pytest.LogCaptureFixture) -> None:
    with running.line() as connection:
        connection.sendall(GET % b"/waits")
        wait_until(lambda: running.service.open == 1)
        running.server.should_exit = running.server.force_exit = True
        running.thread.join(15)
    assert (running.service.open, running.service.ended) == (0, "in order")
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []
