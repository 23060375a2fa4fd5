"""Opaque keys become the role's token; unknown keys and users' tokens stay what they are."""

import pytest

from emulator.asgi.types import Headers
from emulator.gateway.apikey import ApiKeys, KeyTable

KEYS = ApiKeys(anon="a.n.on", service_role="s.r.k", publishable="sb_publishable_x", secret="sb_secret_x")


@pytest.mark.parametrize(
    ("key", "known", "service"),
    [
        (b"a.n.on", True, False),
        (b"sb_publishable_x", True, False),
        (b"s.r.k", True, True),
        (b"sb_secret_x", True, True),
        (b"sb_secret_X", False, False),
        (b"", False, False),
    ],
)
def test_keys_are_compared_literally(key: bytes, known: bool, service: bool) -> None:
    swap = KeyTable(KEYS)
    assert (swap.known(key), swap.is_service(key)) == (known, service)


@pytest.mark.parametrize(
    ("headers", "want"),
    [
        pytest.param(
            [(b"apikey", b"sb_publishable_x")],
            [(b"apikey", b"a.n.on"), (b"authorization", b"Bearer a.n.on")],
            id="missing-authorization-is-filled",
        ),
        pytest.param(
            [(b"authorization", b"Bearer sb_secret_x"), (b"apikey", b"sb_secret_x")],
            [(b"authorization", b"Bearer s.r.k"), (b"apikey", b"s.r.k")],
            id="opaque-bearer-is-swapped",
        ),
        pytest.param(
            [(b"apikey", b"sb_publishable_x"), (b"authorization", b"Bearer user.to.ken")],
            [(b"apikey", b"a.n.on"), (b"authorization", b"Bearer user.to.ken")],
            id="a-users-token-is-never-replaced",
        ),
        pytest.param(
            [(b"apikey", b"sb_secret_x"), (b"authorization", b"Basic sb_secret_x")],
            [(b"apikey", b"s.r.k"), (b"authorization", b"Basic sb_secret_x")],
            id="other-schemes-are-left-alone",
        ),
        pytest.param([(b"apikey", b"unknown")], [(b"apikey", b"unknown")], id="an-unknown-key-gives-no-token"),
    ],
)
def test_headers_are_rewritten(headers: Headers, want: Headers) -> None:
    apikey = dict(headers).get(b"apikey")
    assert KeyTable(KEYS).rewrite(headers, apikey) == want
