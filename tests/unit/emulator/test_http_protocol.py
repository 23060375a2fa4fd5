"""The head of an answer and its body in one write, and nothing kept back that nobody follows up."""

import asyncio
from collections.abc import Callable

import pytest

from emulator.http_protocol import HeldHead

HEAD = b"HTTP/1.1 200 OK\r\n\r\n"


class Written(asyncio.Transport):
    """A transport that notes what it is given."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[bytes] = []
        self.closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Note a write."""
        self.writes.append(bytes(data))

    def close(self) -> None:
        """Note the end."""
        self.closed = True

    def is_closing(self) -> bool:
        """Whether it has ended."""
        return self.closed


def joined(held: HeldHead) -> None:
    held.write(HEAD)
    held.write(b"body")
    held.write(b"more")


def large(held: HeldHead) -> None:
    held.write(HEAD)
    held.write(b"x" * 70_000)


def told_to_go_on(held: HeldHead) -> None:
    held.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    held.write(HEAD)
    held.write(b"")


def closed(held: HeldHead) -> None:
    held.write(HEAD)
    held.close()


@pytest.mark.parametrize(
    ("exchange", "want"),
    [
        pytest.param(joined, [HEAD + b"body", b"more"], id="head and body are one write"),
        pytest.param(large, [HEAD, b"x" * 70_000], id="a large body is not copied"),
        pytest.param(told_to_go_on, [b"HTTP/1.1 100 Continue\r\n\r\n", HEAD], id="100 Continue goes at once"),
        pytest.param(closed, [HEAD], id="closing sends what is held"),
    ],
)
async def test_an_exchange_is_written(exchange: Callable[[HeldHead], None], want: list[bytes]) -> None:
    transport = Written()
    exchange(HeldHead(transport, asyncio.get_running_loop()))
    assert transport.writes == want


async def test_a_head_without_a_body_goes_out_by_itself() -> None:
    """A stream's headers reach the client before its first event does."""
    transport = Written()
    held = HeldHead(transport, asyncio.get_running_loop())
    held.write(HEAD)
    assert (transport.writes, held.is_closing()) == ([], False)
    await asyncio.sleep(0)
    assert transport.writes == [HEAD]
