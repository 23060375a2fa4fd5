"""Heads that were read before: whatever is sent is answered as if every head went through the parser."""

import asyncio
import json
from typing import Any

import pytest
from uvicorn.server import ServerState

from emulator.asgi.body import ClientDisconnected, read_body
from emulator.asgi.known_heads import KnownHeads
from emulator.asgi.response import respond
from emulator.asgi.server import make_server

HEADERS = b"Host: x\r\nAccept: */*\r\nX-Two: a\r\nX-Two: b\r\n"
POST = b"POST /p HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n"


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Tell what was understood."""
    try:
        body = await read_body(receive)
    except ClientDisconnected:
        return
    seen = [
        scope["method"],
        scope["path"],
        *map(str, (scope["raw_path"], scope["query_string"], scope["headers"], body)),
    ]
    await respond(send, 200, [(b"content-type", b"application/json")], json.dumps(seen).encode())


class Wire(asyncio.Transport):
    """A connection to nobody: keeps what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.written = b""
        self.is_closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written += data

    def get_write_buffer_size(self) -> int:
        return 0

    def is_closing(self) -> bool:
        return self.is_closed

    def close(self) -> None:
        self.is_closed = True

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass


async def converse(pieces: list[bytes]) -> bytes:
    """What a connection answers to pieces, each of which comes when the one before has been served."""
    server, wire = make_server(echo, lifespan="off"), Wire()
    state = ServerState()
    made: Any = server.config.http_protocol_class
    line = made(server.config, state, {}, asyncio.get_running_loop())
    line.connection_made(wire)
    for piece in pieces:
        line.data_received(piece)
        while state.tasks and not line.cycle.more_body:  # noqa: ASYNC110 (uvicorn offers no event for it)
            await asyncio.sleep(0)
    line.connection_lost(None)
    while state.tasks:  # noqa: ASYNC110
        await asyncio.sleep(0)
    return wire.written


def get(target: bytes, headers: bytes = HEADERS, version: bytes = b"HTTP/1.1", method: bytes = b"GET") -> bytes:
    return method + b" " + target + b" " + version + b"\r\n" + headers + b"\r\n"


CASES = {
    "plain": [get(b"/a?b=c")],
    "escapes": [get(b"/a%20b/%C3%A9?x=%20&y=%"), get(b"/a%zz")],
    "other methods": [get(b"/", method=name) for name in (b"HEAD", b"DELETE", b"PATCH", b"PUT", b"OPTIONS", b"BREW")],
    "a body": [POST + b"abc", POST + b"\r\n\r"],
    "a body in two pieces": [POST + b"a", b"bc"],
    "a body that is too long for its length": [POST + b"abcd"],
    "a head in two pieces": [b"GET /a HT", b"TP/1.1\r\n" + HEADERS + b"\r\n"],
    "two requests at once": [get(b"/1") + get(b"/2")],
    "a request after a body": [POST + b"abc" + get(b"/2")],
    "chunks": [b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"],
    "two framings": [b"POST / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
    "two lengths": [b"POST / HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc"],
    "an old version": [get(b"/", version=b"HTTP/1.0")],
    "no version": [get(b"/", version=b"HTTP/9.9"), get(b"/", version=b"")],
    "a target with a fragment": [get(b"/a?b#c")],
    "a target with a host": [get(b"http://other/a")],
    "a target with a control character": [get(b"/a\x01b")],
    "a target with a tab": [get(b"/a\tb")],
    "a target with other bytes": [get(b"/\xc3\xa9")],
    "two blanks": [get(b" /a"), get(b"/a ")],
    "no target": [get(b"")],
    "an asterisk": [get(b"*", method=b"OPTIONS")],
    "an upgrade": [get(b"/", HEADERS + b"Connection: upgrade\r\nUpgrade: h2c\r\n")],
    "an expectation": [b"POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n", b"a"],
    "a folded line": [get(b"/", b"Host: x\r\nX-Long: a\r\n b\r\n")],
    "a bare line feed": [get(b"/", b"Host: x\nX-Next: a\r\n")],
    "a bare return": [get(b"/", b"Host: x\rX-Next: a\r\n")],
    "a line that is no header": [get(b"/", b"Host: x\r\nnothing\r\n")],
    "a blank before a colon": [get(b"/", b"Host: x\r\nContent-Length : 3\r\n")],
    "empty lines first": [b"\r\n\r\n" + get(b"/a"), b"\r\n", get(b"/b")],
    "no headers": [get(b"/", b"")],
    "nothing that is HTTP": [b"\x16\x03\x01\x02\x00\x01"],
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
async def test_what_is_known_is_answered_as_what_is_not(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = [get(b"/first"), *CASES[case], *CASES[case], POST + b"abc", *CASES[case], get(b"/last")]
    known = [await converse(pieces) for _ in range(2)]
    monkeypatch.setattr(KnownHeads, "read", lambda *_: None)
    parsed = await converse(pieces)
    assert known == [parsed, parsed]


def test_only_whole_requests_of_which_nothing_is_special_are_known() -> None:
    heads, headers = KnownHeads(), [(b"host", b"x")]
    block = b"Host: x\r\n\r\n"
    for data in (
        b"GET / HTTP/1.1\r\n" + block + b"more",
        b"BREW / HTTP/1.1\r\n" + block,
        b"GET / HTTP/1.0\r\n" + block,
    ):
        heads.keep(data, headers)
        assert heads.read(data) is None
    for other in ([(b"connection", b"close")], [*headers, (b"x", b"a header from nowhere")]):
        heads.keep(b"GET / HTTP/1.1\r\n" + block, other)
        assert heads.read(b"GET / HTTP/1.1\r\n" + block) is None
    heads.keep(b"GET / HTTP/1.1\r\n" + block, headers)
    assert heads.read(b"PUT /other?a=b HTTP/1.1\r\n" + block) == ("PUT", b"/other?a=b", headers, b"")
    assert heads.read(b"GET / HTTP/1.1\r\nHost: y\r\n\r\n") is None


def test_they_are_few_and_short() -> None:
    heads = KnownHeads()
    for number in range(2_000):
        value = b"%d" % number
        heads.keep(b"GET / HTTP/1.1\r\nx: %b\r\n\r\n" % value, [(b"x", value)])
    assert sum(heads.read(b"GET / HTTP/1.1\r\nx: %d\r\n\r\n" % number) is not None for number in range(2_000)) <= 512
    value = b"y" * 5_000
    heads.keep(b"GET / HTTP/1.1\r\nx: %b\r\n\r\n" % value, [(b"x", value)])
    assert heads.read(b"GET / HTTP/1.1\r\nx: %b\r\n\r\n" % value) is None
