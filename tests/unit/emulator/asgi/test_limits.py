"""What an answer is written to: the head joins the first piece of its body, and waits for nothing else."""

import asyncio
from collections.abc import Iterable

from emulator.asgi.limits import AnswerTransport


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


async def test_head_and_body_go_out_together() -> None:
    wire = Wire()
    answer = AnswerTransport(wire, asyncio.get_running_loop())
    for piece in (b"head ", b"body", b" more"):
        answer.write(piece)
    assert wire.calls == [b"head body", b" more"]
    answer.close()
    assert answer.is_closing()


async def test_a_head_does_not_wait_for_a_body_of_later() -> None:
    wire = Wire()
    answer = AnswerTransport(wire, asyncio.get_running_loop())
    answer.write(b"head")
    await asyncio.sleep(0)
    assert wire.calls == [b"head"]
    answer.write(b"first")
    answer.write(b"second")
    assert wire.calls == [b"head", b"first", b"second"]


async def test_a_head_alone_goes_out_before_the_end() -> None:
    wire = Wire()
    answer = AnswerTransport(wire, asyncio.get_running_loop())
    answer.write(b"head")
    answer.close()
    assert (wire.calls, wire.is_closed) == ([b"head"], True)
    await asyncio.sleep(0)
    assert wire.calls == [b"head"]


async def test_nothing_is_written_to_a_lost_connection() -> None:
    wire = Wire()
    answer = AnswerTransport(wire, asyncio.get_running_loop())
    answer.write(b"head")
    wire.close()
    await asyncio.sleep(0)
    assert wire.calls == []
