"""Whole answers: their length, and those without a body."""

from typing import Any

import pytest

from emulator.asgi.response import respond
from emulator.asgi.types import Headers, Message


@pytest.mark.parametrize(
    ("body", "head", "want"),
    [
        pytest.param(b"four", False, ([(b"content-length", b"4")], b"four"), id="body"),
        pytest.param(b"four", True, ([(b"content-length", b"4")], b""), id="head"),
        pytest.param(None, False, ([], b""), id="no-content"),
    ],
)
async def test_an_answer_is_sent(body: bytes | None, head: bool, want: tuple[Headers, bytes]) -> None:
    sent: list[Message] = []

    async def send(message: Any) -> None:
        sent.append(message)

    await respond(send, 204, [], body, head=head)
    assert (sent[0]["status"], sent[0]["headers"], sent[1]["body"]) == (204, *want)


async def test_a_given_length_stays() -> None:
    sent: list[Message] = []

    async def send(message: Any) -> None:
        sent.append(message)

    await respond(send, 200, [(b"Content-Length", b"9")], b"", head=True)
    assert sent[0]["headers"] == [(b"Content-Length", b"9")]
