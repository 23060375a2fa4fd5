"""Verifying access tokens: what is kept of one, and what is asked again each time."""

from datetime import UTC, datetime

import pytest

from emulator.auth.conf.jwt import JwtSettings
from emulator.auth.crypto.keyring import Keyring
from emulator.errors import ApiError

NOW = datetime(2026, 1, 1, tzinfo=UTC)
NOW_S = int(NOW.timestamp())


@pytest.fixture
def keys() -> Keyring:
    return Keyring.from_settings(JwtSettings.from_env({"GOTRUE_JWT_SECRET": "a secret of at least thirty-two letters"}))


def test_times_of_a_token_that_was_verified_are_asked_again(keys: Keyring) -> None:
    token = keys.sign({"sub": "ada", "role": "authenticated", "exp": NOW_S + 60})
    for _ in range(2):
        assert keys.verify(token, NOW).role == "authenticated"
    with pytest.raises(ApiError, match="expired"):
        keys.verify(token, datetime.fromtimestamp(NOW_S + 60, UTC))


def test_a_forged_token_is_not_kept(keys: Keyring) -> None:
    token = keys.sign({"sub": "ada", "role": "anon"})
    principal = keys.verify(token, NOW)
    for forged in (token[:-4] + "AAAA", token.replace(".", ".A", 1)):
        for _ in range(2):
            with pytest.raises(ApiError):
                keys.verify(forged, NOW)
    assert keys.verify(token, NOW) is principal
