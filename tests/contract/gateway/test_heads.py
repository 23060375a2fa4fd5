"""Heads that never end, never come, or are too long: the connection is closed, the server goes on, memory stays."""

import asyncio
import gc
import socket
import threading
import time
import weakref
from collections.abc import Iterator
from typing import Any

import pytest

from emulator.asgi import limits as http
from emulator.asgi.limits import MAX_HEAD_BYTES, LimitedHttp
from emulator.asgi.response import respond
from emulator.asgi.server import bind, make_server
from tests.support.stack import wait_until


async def answer(scope: Any, _receive: Any, send: Any) -> None:
    """A service that tells how much of a head it saw."""
    if scope["type"] == "http":
        await respond(send, 200, [], str(sum(len(name) + len(value) for name, value in scope["headers"])).encode())


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A server that waits half a second for a head."""
    monkeypatch.setattr(http, "HEAD_S", 0.5)
    listener = bind("127.0.0.1", 0)
    server = make_server(answer, lifespan="off")
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])), daemon=True)
    thread.start()
    wait_until(lambda: server.started)
    yield int(listener.getsockname()[1])
    server.should_exit = True
    thread.join(15)


def line(port: int) -> socket.socket:
    made = socket.create_connection(("127.0.0.1", port), timeout=10)
    made.settimeout(10)
    return made


def all_of(connection: socket.socket) -> bytes:
    """Everything until the line is closed (or broken)."""
    found = b""
    try:
        while part := connection.recv(65536):
            found += part
    except ConnectionResetError:
        pass
    return found


async def exchange(app: Any, request: bytes, ws_protocol: type[asyncio.Protocol] | None = None) -> bytes:
    """Everything that a server of this application answers until it closes the line."""
    listener = bind("127.0.0.1", 0)
    server = make_server(app, lifespan="off", ws_protocol=ws_protocol)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:  # noqa: ASYNC110 (uvicorn offers no event for it)
        await asyncio.sleep(0.005)
    reader, writer = await asyncio.open_connection(*listener.getsockname())
    writer.write(request)
    async with asyncio.timeout(20):
        found = await reader.read()
    writer.close()
    server.should_exit = True
    await serving
    return found


def head(size: int, *, pieces: int = 1) -> list[bytes]:
    """A request whose headers have about that many bytes, in so many pieces."""
    lines = b"".join(b"X-%d: %s\r\n" % (number, b"y" * (size // 8 - 10)) for number in range(8))
    whole = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + lines + b"\r\n"
    step = -(-len(whole) // pieces)
    return [whole[at : at + step] for at in range(0, len(whole), step)]


@pytest.mark.parametrize("pieces", [1, 7])
@pytest.mark.parametrize(
    ("size", "status"), [(MAX_HEAD_BYTES - 2000, b"200"), (MAX_HEAD_BYTES + 2000, b"431"), (200_000, b"431")]
)
def test_a_head_has_a_limit(port: int, size: int, status: bytes, pieces: int) -> None:
    with line(port) as connection:
        for piece in head(size, pieces=pieces):
            try:
                connection.sendall(piece)
            except (BrokenPipeError, ConnectionResetError):  # refused before all of it was sent
                break
        assert all_of(connection).split(b" ")[1:2] == [status]


@pytest.mark.parametrize("endless", [b"X-%d: yyyyyyyyyyyyyyyyyyyyyyyyy\r\n", b"%dyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy"])
def test_a_head_that_never_ends_is_cut_off(port: int, endless: bytes) -> None:
    """Many headers, or one of any length."""
    sent = 0
    with line(port) as connection, pytest.raises((BrokenPipeError, ConnectionResetError)):
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX: ")
        for number in range(10**6):
            connection.sendall(endless % number)
            sent += len(endless)
    assert sent < 20 * 1024 * 1024
    with line(port) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert b"200 OK" in all_of(connection)


@pytest.mark.parametrize("said", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: x\r\n"])
def test_a_head_that_does_not_come_is_given_up(port: int, said: bytes) -> None:
    with line(port) as connection:
        connection.sendall(said)
        assert all_of(connection).startswith(b"HTTP/1.1 408 ")


def test_the_next_request_of_a_connection_has_its_own_time(port: int) -> None:
    with line(port) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HT")
        found = all_of(connection)
    assert found.startswith(b"HTTP/1.1 200 OK")
    assert b"HTTP/1.1 408 " in found


def test_a_large_body_is_no_head(port: int) -> None:
    with line(port) as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 300000\r\n\r\n")
        connection.sendall(b"z" * 300_000)
        assert b"200 OK" in all_of(connection)


def test_a_connection_is_closed_when_nothing_more_is_asked_for(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not while requests follow each other, however long the first was ago."""
    monkeypatch.setattr(http, "KEEP_ALIVE_S", 0.2)
    with line(port) as connection:
        began = time.monotonic()
        while time.monotonic() - began < 0.5:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            assert connection.recv(65536).startswith(b"HTTP/1.1 200 OK")
            time.sleep(0.02)
        assert all_of(connection) == b""
        assert time.monotonic() - began < 5


@pytest.mark.parametrize(
    ("target", "path", "query"),
    [
        (b"/a%2Fb?c=%20d", "/a/b", b"c=%20d"),
        (b"/a?b?c", "/a", b"b?c"),
        (b"/a?b#c", "/a", b"b"),
        (b"//a/b?", "//a/b", b""),
        (b"http://other.example/a?b", "/a", b"b"),
    ],
)
def test_the_target_of_a_request(target: bytes, path: str, query: bytes) -> None:
    async def tell(scope: Any, _receive: Any, send: Any) -> None:
        await respond(send, 200, [], repr((scope["path"], scope["query_string"])).encode())

    request = b"GET %b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" % target
    assert asyncio.run(exchange(tell, request)).endswith(repr((path, query)).encode())


def test_a_connection_that_ends_leaves_nothing_for_the_collector(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands may come between two of its turns."""
    made: list[weakref.ref[LimitedHttp]] = []
    begin = LimitedHttp.connection_made

    def remember(connection: LimitedHttp, transport: Any) -> None:
        made.append(weakref.ref(connection))
        begin(connection, transport)

    monkeypatch.setattr(LimitedHttp, "connection_made", remember)
    gc.disable()
    try:
        for rest in (b"\r\n", b"Connection: close\r\n\r\n", b"X", b"Content-Length: 9\r\n\r\nhalf"):
            with line(port) as connection:
                connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n" + rest)
                if rest != b"X":
                    assert connection.recv(65536).startswith(b"HTTP/1.1 200 OK")
        wait_until(lambda: len(made) == 4 and not any(one() for one in made))
    finally:
        gc.enable()


@pytest.mark.parametrize(
    ("method", "protocol"), [("PUT", "websocket"), ("HEAD", "websocket"), ("GET", "h2c"), ("POST", "h2c")]
)
def test_a_request_that_is_no_handshake_is_answered_without_an_upgrade(method: str, protocol: str) -> None:
    class Silent(asyncio.Protocol):
        """What a handshake would be handed to."""

        def __init__(self, **_: Any) -> None:
            raise AssertionError("no handshake")

    head = f"{method} / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: {protocol}\r\n\r\n"
    found = asyncio.run(exchange(answer, head.encode(), ws_protocol=Silent))
    assert found.startswith(b"HTTP/1.1 200 OK")
    assert b"connection: close" in found
