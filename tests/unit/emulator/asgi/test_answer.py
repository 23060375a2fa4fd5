"""One request and its answer: what goes out, by how many system calls, and what an application may not send."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import pytest
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.server import ServerState

from emulator.asgi.answer import Answer
from emulator.asgi.status import Status
from emulator.asgi.types import CLIENT_CLOSED_REQUEST, Header, Message, Observer, Receive, Scope, Send

App = Callable[[Scope, Receive, Send], Awaitable[None]]


class Wire(asyncio.Transport):
    """Keeps what it is given, one entry for each system call that it would take."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[bytes] = []
        self.is_closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.calls.append(bytes(data))

    def writelines(self, list_of_data: Iterable[bytes | bytearray | memoryview]) -> None:
        self.calls.append(b"".join(list_of_data))

    def is_closing(self) -> bool:
        return self.is_closed

    def close(self) -> None:
        self.is_closed = True


class Line:
    """A connection that counts its complete answers."""

    def __init__(self) -> None:
        self.wire = Wire()
        self.transport: asyncio.Transport = self.wire
        self.flow = FlowControl(self.wire)
        self.server_state = ServerState()
        self.server_state.default_headers = [(b"date", b"today")]
        self.observer: Observer | None = None
        self.completed = 0

    def on_response_complete(self) -> None:
        self.completed += 1


def begin(line: Line, method: str = "GET", *, keep_alive: bool = True, awaits_continue: bool = False) -> Answer:
    return Answer(line, {"method": method}, keep_alive=keep_alive, awaits_continue=awaits_continue)


def start(*headers: tuple[bytes, bytes], status: int = 200, **more: Any) -> Message:
    return {"type": "http.response.start", "status": status, "headers": list(headers), **more}


def body(piece: bytes, **more: Any) -> Message:
    return {"type": "http.response.body", "body": piece, **more}


LENGTH_2 = (b"Content-Length", b"2")
HEAD = b"HTTP/1.1 200 OK\r\ndate: today\r\n"
LARGE = b"x" * 100_000

SENT: dict[str, tuple[str, list[Message], list[bytes]]] = {
    "head and body together": (
        "GET",
        [start(LENGTH_2), body(b"ok")],
        [HEAD + b"content-length: 2\r\n\r\nok"],
    ),
    "one message": ("GET", [start(LENGTH_2, body=b"ok")], [HEAD + b"content-length: 2\r\n\r\nok"]),
    "a large body": (
        "GET",
        [start((b"content-length", b"100000"), body=LARGE)],
        [HEAD + b"content-length: 100000\r\n\r\n" + LARGE],
    ),
    "pieces": (
        "GET",
        [start(LENGTH_2), body(b"o", more_body=True), body(b"k")],
        [HEAD + b"content-length: 2\r\n\r\no", b"k"],
    ),
    "no length": (
        "GET",
        [start(), body(b"ok", more_body=True), body(b"")],
        [HEAD + b"transfer-encoding: chunked\r\n\r\n2\r\nok\r\n", b"0\r\n\r\n"],
    ),
    "no length, one message": (
        "GET",
        [start(body=b"ok")],
        [HEAD + b"transfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"],
    ),
    "HEAD": ("HEAD", [start(LENGTH_2), body(b"")], [HEAD + b"content-length: 2\r\n\r\n"]),
    "HEAD with a body": ("HEAD", [start(LENGTH_2, body=b"ok")], [HEAD + b"content-length: 2\r\n\r\n"]),
    "no content": ("GET", [start(status=204), body(b"")], [b"HTTP/1.1 204 No Content\r\ndate: today\r\n\r\n"]),
    "a phrase": (
        "GET",
        [start(status=Status(404, "Not here\r\nX: y")), body(b"")],
        [b"HTTP/1.1 404 Not here X: y\r\ndate: today\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"],
    ),
    "no phrase": ("GET", [start(LENGTH_2, status=799, body=b"ok")],
        [b"HTTP/1.1 799 \r\ndate: today\r\ncontent-length: 2\r\n\r\nok"]),
}  # fmt: skip


@pytest.mark.parametrize("case", SENT)
async def test_an_answer_as_it_is_sent(case: str) -> None:
    method, messages, want = SENT[case]
    line = Line()
    answer = begin(line, method)
    for message in messages:
        await answer.send(message)
    assert (line.wire.calls, line.completed, line.wire.is_closed) == (want, 1, False)
    assert await answer.receive() == {"type": "http.disconnect"}


async def test_a_head_does_not_wait_for_a_body_of_later() -> None:
    line = Line()
    answer = begin(line)
    await answer.send(start(LENGTH_2))
    assert line.wire.calls == []
    await asyncio.sleep(0)
    assert line.wire.calls == [HEAD + b"content-length: 2\r\n\r\n"]
    await answer.send(body(b"ok"))
    assert line.wire.calls[1:] == [b"ok"]


@pytest.mark.parametrize("closes", [True, False], ids=["said by the application", "asked for by the client"])
async def test_a_connection_is_closed_after_its_answer(*, closes: bool) -> None:
    line = Line()
    headers = [LENGTH_2, *([(b"Connection", b"upgrade, Close")] if closes else [])]
    await begin(line, keep_alive=closes).send(start(*headers, body=b"ok"))
    assert line.wire.calls[0].lower().count(b"close") == 1
    assert line.wire.is_closed


class Named:
    """An observer that gives every request the same header."""

    def __init__(self) -> None:
        self.statuses: list[int] = []

    def begin(self, scope: Scope) -> tuple[Header, Scope]:
        return (b"x-request-id", b"ours"), scope

    def end(self, scope: Scope, begun: Scope, status: int) -> None:
        assert begun is scope
        self.statuses.append(status)


async def test_what_is_usual_yields_to_an_application_and_that_to_an_observer() -> None:
    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send(start((b"X-Request-Id", b"theirs"), (b"Date", b"tomorrow"), LENGTH_2, body=b"ok"))

    line, observer = Line(), Named()
    line.observer = observer
    line.server_state.default_headers.append((b"x-usual", b"yes"))
    await begin(line).run(app)
    [sent] = line.wire.calls
    assert sent == (
        b"HTTP/1.1 200 OK\r\nx-usual: yes\r\ndate: tomorrow\r\ncontent-length: 2\r\nx-request-id: ours\r\n\r\nok"
    )
    await begin(line).run(silent)
    gone = begin(line)
    gone.disconnected = True
    await gone.run(silent)
    assert observer.statuses == [200, 500, CLIENT_CLOSED_REQUEST]


REFUSED: dict[str, list[Message]] = {
    "a body first": [body(b"ok")],
    "a second head": [start(LENGTH_2), start(LENGTH_2)],
    "a body too many": [start(LENGTH_2, body=b"ok"), body(b"")],
    "too long": [start(LENGTH_2), body(b"long")],
    "too long at once": [start(LENGTH_2, body=b"long")],
    "too short": [start(LENGTH_2), body(b"o")],
    "a header in a value": [start((b"x", b"y\r\nset-cookie: a=b"), LENGTH_2)],
    "a line feed in a value": [start((b"x", b"y\nset-cookie: a=b"), LENGTH_2)],
    "a return in a value": [start((b"x", b"y\rz"), LENGTH_2)],
    "NUL in a value": [start((b"x", b"y\0z"), LENGTH_2)],
    "a header in a name": [start((b"x: y\r\nset-cookie", b"a=b"), LENGTH_2)],
    "a blank in a name": [start((b"x y", b"a=b"), LENGTH_2)],
}


@pytest.mark.parametrize("case", REFUSED)
async def test_what_cannot_be_sent_is_refused(case: str, caplog: pytest.LogCaptureFixture) -> None:
    line = Line()
    *before, last = REFUSED[case]

    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        for message in before:
            await send(message)
        with pytest.raises(RuntimeError):
            await send(last)
        raise LookupError("the application's error")

    await begin(line).run(app)
    written = b"".join(line.wire.calls)
    assert b"set-cookie" not in written
    assert "the application's error" in caplog.text
    if before or "at once" in case:
        assert written.count(b"HTTP/1.1") <= 1
        assert line.wire.is_closed or line.completed
    else:
        assert written.startswith(b"HTTP/1.1 500 Internal Server Error\r\n")
        assert line.wire.is_closed


async def silent(_scope: Scope, _receive: Receive, _send: Send) -> None:
    """Send nothing."""


async def half(_scope: Scope, _receive: Receive, send: Send) -> None:
    """Send a head and a part of the body."""
    await send(start(LENGTH_2))
    await send(body(b"o", more_body=True))


@pytest.mark.parametrize(("app", "want"), [(silent, b"HTTP/1.1 500 "), (half, HEAD)])
async def test_an_application_that_leaves_its_answer_open_is_an_error(
    app: App, want: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    line = Line()
    await begin(line).run(app)
    assert b"".join(line.wire.calls).startswith(want)
    assert line.wire.is_closed
    assert "without completing" in caplog.text


async def test_nothing_is_written_to_who_has_left() -> None:
    line = Line()
    answer = begin(line)
    await answer.send(start(LENGTH_2))
    answer.disconnected = True
    answer.news()
    await answer.send(body(b"ok"))
    await asyncio.sleep(0)
    assert line.wire.calls == []
    assert await answer.receive() == {"type": "http.disconnect"}
    await answer.run(silent)
    assert line.wire.calls == []


async def test_a_body_is_received_as_it_comes() -> None:
    line = Line()
    answer = begin(line, "POST", awaits_continue=True)
    answer.take(b"one ")
    answer.take(b"two ")
    answer.news()
    assert await answer.receive() == {"type": "http.request", "body": b"one two ", "more_body": True}
    assert line.wire.calls == [b"HTTP/1.1 100 Continue\r\n\r\n"]
    waiting = [asyncio.ensure_future(answer.receive()) for _ in range(2)]
    await asyncio.sleep(0)
    assert not any(one.done() for one in waiting)
    answer.take(b"three")
    answer.more_body = False
    answer.news()
    first = await waiting[0]
    assert first == {"type": "http.request", "body": b"three", "more_body": False}
    answer.disconnected = True
    answer.news()
    assert await waiting[1] in ({"type": "http.disconnect"}, {"type": "http.request", "body": b"", "more_body": False})
    assert line.wire.calls == [b"HTTP/1.1 100 Continue\r\n\r\n"]
