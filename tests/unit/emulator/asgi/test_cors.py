"""Cross-origin permissions: how a preflight is answered, and what other answers get."""

from typing import Any

import pytest

from emulator.asgi.cors import CorsPolicy, requested_or
from emulator.asgi.response import respond
from emulator.asgi.types import Headers, Message

ANY = CorsPolicy(b"GET, POST", requested_or(b"authorization"), exposed=b"Location", varies=True)
NAMED = CorsPolicy(b"GET", lambda asked: b"accept, " + asked, max_age_s=None, origins=frozenset({b"https://a.test"}))
PREFLIGHT: Headers = [(b"origin", b"https://a.test"), (b"access-control-request-method", b"POST")]


def test_a_preflight_from_anywhere_is_permitted() -> None:
    assert ANY.preflight(PREFLIGHT) == [
        (b"access-control-allow-origin", b"*"),
        (b"access-control-allow-methods", b"GET, POST"),
        (b"access-control-allow-headers", b"authorization"),
        (b"access-control-max-age", b"86400"),
        (b"vary", b"Access-Control-Request-Headers"),
    ]


def test_the_policy_decides_about_the_requested_headers() -> None:
    asked = [*PREFLIGHT, (b"access-control-request-headers", b"x-a"), (b"access-control-request-headers", b"x-b")]
    assert (b"access-control-allow-headers", b"x-a, x-b") in (ANY.preflight(asked) or [])
    assert NAMED.preflight(asked) == [
        (b"access-control-allow-origin", b"https://a.test"),
        (b"access-control-allow-credentials", b"true"),
        (b"access-control-allow-methods", b"GET"),
        (b"access-control-allow-headers", b"accept, x-a, x-b"),
    ]


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param(PREFLIGHT[:1], id="no-method"),
        pytest.param(PREFLIGHT[1:], id="no-origin"),
        pytest.param([(b"origin", b"https://b.test"), PREFLIGHT[1]], id="another-origin"),
    ],
)
def test_nothing_else_is_a_preflight(headers: Headers) -> None:
    assert NAMED.preflight(headers) is None


def test_an_answer_gets_the_permission() -> None:
    exposed = (b"access-control-expose-headers", b"Location")
    assert ANY.apply([(b"a", b"1")], b"x") == [(b"a", b"1"), (b"access-control-allow-origin", b"*"), exposed]
    assert NAMED.apply([], b"https://a.test") == [
        (b"access-control-allow-origin", b"https://a.test"),
        (b"access-control-allow-credentials", b"true"),
    ]


def test_an_answer_keeps_its_own_permission_and_another_origin_gets_none() -> None:
    own: Headers = [(b"Access-Control-Allow-Origin", b"https://own.test")]
    assert ANY.apply(own, b"x") == own
    assert NAMED.apply([], b"https://b.test") == []


async def test_the_permission_is_added_to_the_head_of_an_answer() -> None:
    sent: list[Message] = []

    async def send(message: Any) -> None:
        sent.append(message)

    await respond(ANY.applied(send, b"https://a.test"), 200, [], b"yes")
    assert (b"access-control-allow-origin", b"*") in sent[0]["headers"]
    assert sent[1]["body"] == b"yes"
