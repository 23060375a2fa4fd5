"""Handshakes: path, version and token, or the answer that refuses them."""

import pytest
from websockets.datastructures import Headers
from websockets.http11 import Request

from emulator.realtime.serve.handshake import Handshake, RawHeaders, Refusal, no_rewrite, read_handshake


def request(path: str, **headers: str) -> Request:
    return Request(path, Headers({name.replace("_", "-"): value for name, value in headers.items()}))


HANDSHAKES = [
    pytest.param(request("/socket/websocket?apikey=a&vsn=2.0.0"), Handshake(2, "a", {}), id="key-in-the-query"),
    pytest.param(request("/websocket/", X_Api_Key="a"), Handshake(1, "a", {"x-api-key": "a"}), id="key-in-a-header"),
    pytest.param(request("/socket/websocket"), Refusal(401, "API key is missing"), id="no-key"),
    pytest.param(request("/elsewhere?apikey=a"), Refusal(404, "Not Found"), id="another-path"),
    pytest.param(request("/websocket?apikey=a&vsn=9.0.0"), Refusal(403, ""), id="another-version"),
]


@pytest.mark.parametrize(("asked", "want"), HANDSHAKES)
def test_handshakes(asked: Request, want: Handshake | Refusal) -> None:
    assert read_handshake(asked, no_rewrite) == want


def test_a_gateway_may_rewrite_or_refuse() -> None:
    def rewrite(_path: str, _query: bytes, headers: RawHeaders) -> tuple[str, bytes, RawHeaders]:
        return "/websocket", b"apikey=mapped", headers

    assert read_handshake(request("/anything"), rewrite) == Handshake(1, "mapped", {})
    refusal = read_handshake(request("/websocket"), lambda *_: 401)
    assert refusal == Refusal(401, "API key is missing")
    assert isinstance(refusal, Refusal)
    assert refusal.response().body == b'{"error":"API key is missing"}'
