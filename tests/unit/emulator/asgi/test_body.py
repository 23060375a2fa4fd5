"""Bodies of requests: read whole, refused when too large, given up when the client leaves."""

from collections.abc import Sequence

import pytest

from emulator.asgi.body import BodyLimit, BodyTooLarge, ClientDisconnected, read_body, wait_for_disconnect
from emulator.asgi.response import respond
from emulator.asgi.types import Headers, Message, Receive, Scope, Send

GONE: Message = {"type": "http.disconnect"}


def receiving(*messages: Message) -> Receive:
    """A `receive` with these messages in order."""
    left = list(messages)

    async def receive() -> Message:
        return left.pop(0)

    return receive


def parts(*bodies: bytes) -> Sequence[Message]:
    """The messages of a body in several parts."""
    last = len(bodies) - 1
    return [{"type": "http.request", "body": body, "more_body": n < last} for n, body in enumerate(bodies)]


@pytest.mark.parametrize(
    ("messages", "want"),
    [
        pytest.param(parts(b"whole"), b"whole", id="one-message"),
        pytest.param(parts(b"in ", b"", b"parts"), b"in parts", id="several"),
        pytest.param([{"type": "http.request"}], b"", id="no-body-key"),
    ],
)
async def test_a_body_is_read_whole(messages: Sequence[Message], want: bytes) -> None:
    assert await read_body(receiving(*messages)) == want
    assert await read_body(receiving(*messages), limit=len(want)) == want


@pytest.mark.parametrize("messages", [parts(b"12345"), parts(b"123", b"45"), parts(b"1", b"2", b"345", b"never read")])
async def test_a_body_beyond_the_limit_is_refused(messages: Sequence[Message]) -> None:
    with pytest.raises(BodyTooLarge) as caught:
        await read_body(receiving(*messages), limit=4)
    assert caught.value.limit == 4


@pytest.mark.parametrize("messages", [[GONE], [*parts(b"half", b"")[:1], GONE]])
async def test_a_client_that_leaves_ends_the_reading(messages: Sequence[Message]) -> None:
    with pytest.raises(ClientDisconnected):
        await read_body(receiving(*messages))


async def reads_it_all(_scope: Scope, receive: Receive, send: Send) -> None:
    """An application that answers with the size of its body, or 400 when the client leaves before its end."""
    try:
        await respond(send, 200, [], b"%d" % len(await read_body(receive)))
    except ClientDisconnected:
        await respond(send, 400, [], b"gone")


@pytest.mark.parametrize(
    ("headers", "messages", "want"),
    [
        pytest.param([(b"content-length", b"5")], parts(b"12345"), 200, id="as-long-as-allowed"),
        pytest.param([(b"content-length", b"6")], [], 413, id="declared"),
        pytest.param([(b"transfer-encoding", b"chunked")], parts(b"123", b"45"), 200, id="chunked"),
        pytest.param([(b"transfer-encoding", b"chunked")], parts(b"123", b"45", b"6"), 413, id="chunked-and-too-long"),
        pytest.param([], parts(b""), 200, id="none"),
    ],
)
async def test_a_service_that_stands_alone_has_a_limit(
    headers: Headers, messages: Sequence[Message], want: int
) -> None:
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "POST", "path": "/", "headers": headers}
    await BodyLimit(reads_it_all, 5)(scope, receiving(*messages), send)
    assert [message["status"] for message in sent if message["type"] == "http.response.start"] == [want]


async def test_a_client_that_leaves_is_noticed() -> None:
    receive = receiving(*parts(b"late"), GONE)
    await wait_for_disconnect(receive)
