"""Settings from the container's variables."""

import pytest

from emulator.realtime.settings import RealtimeSettings
from emulator.settings import SettingsError


@pytest.mark.parametrize(
    "wrong",
    [
        {"API_JWT_SECRET": ""},
        {"PORT": "many"},
        {"POLICY_RECHECK_S": "soon"},
        {"JWT_CLAIM_VALIDATORS": "[1]"},
        {"JWT_CLAIM_VALIDATORS": "x"},
        {"API_JWT_JWKS": '{"keys": [{"kty": "?"}]}'},
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_unusable_settings_are_named(wrong: dict[str, str]) -> None:
    with pytest.raises(SettingsError, match=next(iter(wrong))):
        RealtimeSettings.from_env({"API_JWT_SECRET": "x" * 32, **wrong})


def test_settings_are_the_container_s() -> None:
    settings = RealtimeSettings.from_env({"API_JWT_SECRET": "x" * 32, "TENANT_MAX_CHANNELS_PER_CLIENT": "7"})
    assert settings.limits.channels_per_connection == 7
    assert settings.limits.broadcast_bytes == 3_000_500


def test_more_of_the_container_s_variables() -> None:
    env = {"DB_SSL": "true", "DB_SSL_CA_CERT": "/ca.pem", "JWT_CLAIM_VALIDATORS": '{"iss": "x"}'}
    settings = RealtimeSettings.from_env({"API_JWT_SECRET": "x" * 32, **env})
    assert settings.claim_validators == {"iss": "x"}
    assert "sslmode=verify-ca sslrootcert=/ca.pem" in settings.database.conninfo
    without = RealtimeSettings.from_env({"API_JWT_SECRET": "x" * 32, "DB_SSL": "true"})
    assert "sslmode=require" in without.database.conninfo
