"""Cross-origin requests: any origin by default, or those of server-cors-allowed-origins."""

from emulator.rest.cors import cors_policy

PREFLIGHT = [
    (b"origin", b"http://a.b"),
    (b"access-control-request-method", b"POST"),
    (b"access-control-request-headers", b"foo ,bar"),
]


def test_any_origin_is_allowed_by_default() -> None:
    headers = dict(cors_policy(None).preflight(PREFLIGHT) or [])
    assert headers[b"access-control-allow-origin"] == b"*"
    assert headers[b"access-control-allow-methods"] == b"GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD"
    assert headers[b"access-control-allow-headers"] == (
        b"Authorization, foo, bar, Accept, Accept-Language, Content-Language"
    )
    assert headers[b"access-control-max-age"] == b"86400"


def test_a_listed_origin_is_named_with_credentials() -> None:
    headers = dict(cors_policy(["http://a.b", "http://c.d"]).apply([], b"http://a.b"))
    assert headers[b"access-control-allow-origin"] == b"http://a.b"
    assert headers[b"access-control-allow-credentials"] == b"true"
    assert b"Content-Range" in headers[b"access-control-expose-headers"]


def test_another_origin_gets_no_permission() -> None:
    policy = cors_policy(["http://c.d"])
    assert policy.preflight(PREFLIGHT) is None
    assert policy.apply([], b"http://a.b") == []
