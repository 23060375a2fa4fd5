"""GOTRUE_* variables: defaults, values, what is unusable, what has no effect."""

import pytest

from emulator.auth.conf.settings import AuthSettings
from emulator.rate_limit import Rate
from emulator.settings import SettingsError

REQUIRED = {
    "GOTRUE_DB_DATABASE_URL": "postgresql://x", "API_EXTERNAL_URL": "http://a", "GOTRUE_SITE_URL": "http://b",
    "GOTRUE_JWT_SECRET": "a-secret-that-is-long-enough",
}  # fmt: skip


def test_defaults_are_gotrues() -> None:
    settings = AuthSettings.from_env(REQUIRED)
    assert (settings.jwt.exp_s, settings.mailer.otp_exp_s, settings.sms.otp_exp_s) == (3600, 86400, 60)
    assert settings.jwt.admin_roles == ("service_role", "supabase_admin")
    assert settings.email_enabled
    assert not settings.phone_enabled
    assert not settings.anonymous_enabled
    assert settings.mfa.totp_enroll
    assert settings.security.rotation
    assert settings.security.reuse_interval_s == 0
    assert (settings.rates.token, settings.rates.email_sent) == (Rate(150, 300, 30), Rate(30, 3600, 30))
    assert REQUIRED["GOTRUE_JWT_SECRET"] not in repr(settings.database_url)


def test_given_values() -> None:
    more = {
        "GOTRUE_SMS_TEST_OTP": "+15550001111:123456, 1555:1", "GOTRUE_RATE_LIMIT_VERIFY": "5/1h",
        "GOTRUE_EXTERNAL_FLY_ENABLED": "true", "GOTRUE_EXTERNAL_FLY_CLIENT_ID": "a,b",
        "GOTRUE_PASSWORD_REQUIRED_CHARACTERS": r"ab:\:", "GOTRUE_SMTP_MAX_FREQUENCY": "5s",
        "GOTRUE_MAILER_AUTOCONFIRM": "1", "GOTRUE_EXTERNAL_FLOW_STATE_EXPIRY_DURATION": "1s",
    }  # fmt: skip
    settings = AuthSettings.from_env({**REQUIRED, **more})
    assert settings.sms.test_otps == {"15550001111": "123456", "1555": "1"}
    assert settings.rates.verify == Rate(5, 3600, 5)
    assert settings.providers["fly"].client_ids == ("a", "b")
    assert "email" not in settings.providers
    assert settings.password.required_characters == ("ab", ":")
    assert settings.smtp.max_frequency_s == 5
    assert settings.mailer.autoconfirm
    assert settings.flow_state_expiry_s == 300


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GOTRUE_JWT_SECRET", "short"), ("GOTRUE_SITE_URL", ""), ("GOTRUE_JWT_EXP", "1h"),
        ("GOTRUE_DISABLE_SIGNUP", "maybe"), ("GOTRUE_SMTP_MAX_FREQUENCY", "soon"), ("GOTRUE_JWT_KEYS", "[]"),
        ("GOTRUE_JWT_KEYS", "{"), ("GOTRUE_RATE_LIMIT_OTP", "x"), ("GOTRUE_SMS_TEST_OTP_VALID_UNTIL", "later"),
    ],
)  # fmt: skip
def test_unusable_settings_are_named(name: str, value: str) -> None:
    with pytest.raises(SettingsError) as caught:
        AuthSettings.from_env({**REQUIRED, name: value})
    assert name in str(caught.value)


def test_switches_without_effect_are_named() -> None:
    """A protection that is set but lacking is reported."""
    more = {
        "GOTRUE_PASSWORD_HIBP_ENABLED": "true", "GOTRUE_SAML_ENABLED": "false",
        "GOTRUE_SECURITY_REFRESH_TOKEN_ALGORITHM_VERSION": "2",
    }  # fmt: skip
    want = ("GOTRUE_PASSWORD_HIBP_ENABLED", "GOTRUE_SECURITY_REFRESH_TOKEN_ALGORITHM_VERSION")
    assert AuthSettings.from_env({**REQUIRED, **more}).without_effect == want
    assert AuthSettings.from_env(REQUIRED).without_effect == ()
