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
