"""Tokens of sockets and channels, and why they are refused."""

import pytest

from emulator.jwt import KeySet, sign
from emulator.realtime.errors import Refused
from emulator.realtime.wire.tokens import read_token

SECRET = "a-secret-of-at-least-thirty-two-characters"
TOKENS = [
    ({"role": "anon", "exp": 100}, "Token has expired 50 seconds ago"),
    ({"role": "anon"}, "Fields `role` and `exp` are required in JWT"),
    ({"role": 1, "exp": 999}, "Fields `role` and `exp` are required in JWT"),
    ({"role": "anon", "exp": "soon"}, "Token expiration time is invalid"),
    ({"role": "anon", "exp": True}, "Token expiration time is invalid"),
    ({"role": "anon", "exp": 999, "nbf": 181}, "Token is not valid yet"),
]


@pytest.mark.parametrize(("claims", "want"), TOKENS)
def test_tokens_are_refused(claims: dict[str, object], want: str) -> None:
    with pytest.raises(Refused) as refused:
        read_token(sign(claims, SECRET), KeySet.parse(SECRET), 150.0)
    assert refused.value.text == want


def test_a_token_is_a_principal() -> None:
    principal = read_token(
        f" {sign({'role': 'r', 'exp': 200, 'sub': 's', 'nbf': 179}, SECRET)}\n", KeySet.parse(SECRET), 150.0
    )
    assert (principal.role, principal.subject, principal.expires_at) == ("r", "s", 200.0)


def test_required_claims() -> None:
    token = sign({"role": "anon", "exp": 999, "iss": "us"}, SECRET)
    assert read_token(token, KeySet.parse(SECRET), 150.0, {"iss": "us"}).role == "anon"
    with pytest.raises(Refused, match="not a valid JWT"):
        read_token(token, KeySet.parse(SECRET), 150.0, {"iss": "them"})
