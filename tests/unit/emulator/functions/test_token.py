"""verify_jwt: which calls are refused, and with which code."""

import pytest

from emulator.functions.errors import FunctionError
from emulator.functions.token import check_token
from emulator.jwt import KeySet, sign

SECRET = "a-secret-of-more-than-thirty-two-characters"
KEYS = KeySet.parse(SECRET)
NOW = 1_000.0


def refusal(authorization: str | None) -> tuple[int, str, str] | None:
    headers = [] if authorization is None else [(b"authorization", authorization.encode())]
    try:
        check_token(headers, KEYS, NOW)
    except FunctionError as error:
        return error.status, error.code, error.message
    return None


@pytest.mark.parametrize("claims", [{"role": "anon"}, {"exp": 1_001}, {"aud": "anybody", "exp": 5_000.5}])
def test_a_token_of_ours_that_still_holds_is_enough(claims: dict[str, object]) -> None:
    assert refusal(f"Bearer {sign(claims, SECRET)}") is None


@pytest.mark.parametrize(
    ("authorization", "code", "message"),
    [
        (None, "UNAUTHORIZED_NO_AUTH_HEADER", "Missing authorization header"),
        ("", "UNAUTHORIZED_INVALID_JWT_FORMAT", "Invalid JWT"),
        ("Bearer", "UNAUTHORIZED_INVALID_JWT_FORMAT", "Invalid JWT"),
        ("Basic dXNlcjpwYXNz", "UNAUTHORIZED_INVALID_JWT_FORMAT", "Invalid JWT"),
        ("Bearer a b", "UNAUTHORIZED_INVALID_JWT_FORMAT", "Invalid JWT"),
        ("Bearer no.jwt", "UNAUTHORIZED_INVALID_JWT_FORMAT", "Invalid JWT"),
        (f"Bearer {sign({'exp': 999}, SECRET)}", "UNAUTHORIZED_JWT", "Invalid JWT"),
        (f"Bearer {sign({'exp': 'soon'}, SECRET)}", "UNAUTHORIZED_JWT", "Invalid JWT"),
        (f"Bearer {sign({}, SECRET + 'x')}", "UNAUTHORIZED_JWT", "Invalid JWT"),
        (
            f"Bearer {sign({}, SECRET, {'alg': 'none'})}", "UNAUTHORIZED_UNSUPPORTED_TOKEN_ALGORITHM",
            "Unsupported JWT algorithm none",
        ),
        (
            f"Bearer {sign({}, SECRET, {'alg': ['HS256']})}", "UNAUTHORIZED_UNSUPPORTED_TOKEN_ALGORITHM",
            "Unsupported JWT algorithm ['HS256']",
        ),
        (f"Bearer {sign({}, SECRET, {'alg': 'ES256'})}", "UNAUTHORIZED_ASYMMETRIC_JWT", "Invalid JWT"),
    ],
)  # fmt: skip
def test_other_tokens_are_refused(authorization: str | None, code: str, message: str) -> None:
    assert refusal(authorization) == (401, code, message)
