"""Cross-origin requests as GoTrue answers them."""

import pytest

from emulator.asgi.types import Headers
from emulator.auth.api.cors import Cors

ORIGIN = (b"origin", b"https://app.example")
ANYBODY: Headers = [(b"access-control-allow-origin", b"*"), (b"access-control-allow-credentials", b"true")]


def preflight(cors: Cors, *headers: tuple[bytes, bytes]) -> dict[bytes, bytes] | None:
    answer = cors.preflight({"method": "OPTIONS", "headers": list(headers)})
    return None if answer is None else dict(answer)


@pytest.mark.parametrize(
    ("asked", "more", "is_permitted"),
    [
        pytest.param(b"", (), True, id="none"),
        pytest.param(b"authorization,content-type,x-client-info", (), True, id="listed"),
        pytest.param(b"content-type,authorization", (), False, id="in another order, which no browser sends"),
        pytest.param(b"authorization,authorization", (), False, id="twice"),
        pytest.param(b"authorization, content-type", (), False, id="with a blank"),
        pytest.param(b"Authorization", (), False, id="in capitals"),
        pytest.param(b"apikey,authorization", (), False, id="the gateway's"),
        pytest.param(b"apikey,authorization", ("ApiKey",), True, id="the gateway's, configured"),
        pytest.param(b"," * 100_000, (), False, id="commas"),
    ],
)
def test_a_preflight_permits_listed_headers(asked: bytes, more: tuple[str, ...], is_permitted: bool) -> None:
    named = [(b"access-control-request-headers", asked)] if asked else []
    answer = preflight(Cors(more), ORIGIN, (b"access-control-request-method", b"PUT"), *named)
    assert answer is not None
    assert answer.pop(b"vary") == b"Origin, Access-Control-Request-Method, Access-Control-Request-Headers"
    allowed = {**dict(ANYBODY), b"access-control-allow-methods": b"PUT"}
    if asked:
        allowed[b"access-control-allow-headers"] = asked
    assert answer == (allowed if is_permitted else {})


def test_a_preflight_permits_methods_of_the_api() -> None:
    for method in (b"HEAD", b"TRACE", b"put"):
        assert list(preflight(Cors(), ORIGIN, (b"access-control-request-method", method)) or {}) == [b"vary"]
    assert list(preflight(Cors(), (b"access-control-request-method", b"PUT")) or {}) == [b"vary"], "no origin"
    assert preflight(Cors(), ORIGIN) is None
    assert preflight(Cors(), ORIGIN, (b"access-control-request-method", b"")) is None


@pytest.mark.parametrize(
    ("method", "headers", "is_open"), [("GET", [ORIGIN], True), ("GET", [], False), ("HEAD", [ORIGIN], False)]
)
def test_any_origin_may_read(method: str, headers: Headers, is_open: bool) -> None:
    exposed = (b"access-control-expose-headers", b"X-Total-Count, Link, X-Supabase-Api-Version")
    more = [*ANYBODY, exposed] if is_open else []
    assert Cors().headers({"method": method, "headers": headers}) == [(b"vary", b"Origin"), *more]
