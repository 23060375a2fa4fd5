"""Bodies of requests: read whole, refused when too large, given up when the client leaves."""

from collections.abc import Sequence

import pytest

from emulator.asgi.body import BodyTooLarge, ClientDisconnected, capped, read_body, wait_for_disconnect
from emulator.asgi.types import Message, Receive

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


async def test_a_capped_body_ends_as_if_the_client_had_left() -> None:
    receive = capped(receiving(*parts(b"123", b"45", b"6")), limit=5)
    assert [(await receive())["type"] for _ in range(3)] == ["http.request", "http.request", "http.disconnect"]


async def test_a_client_that_leaves_is_noticed() -> None:
    receive = receiving(*parts(b"late"), GONE)
    await wait_for_disconnect(receive)
