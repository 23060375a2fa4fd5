"""GOTRUE_* variables: defaults, values, what is unusable, what has no effect."""

import re

import pytest

from emulator.auth.conf.settings import AuthSettings
from emulator.rate_limit import Rate
from emulator.settings import SettingsError
from tests.support.identity_provider import pkcs1

REQUIRED = {
    "GOTRUE_DB_DATABASE_URL": "postgresql://x", "API_EXTERNAL_URL": "http://a", "GOTRUE_SITE_URL": "http://b",
    "GOTRUE_JWT_SECRET": "a-secret-that-is-long-enough", "GOTRUE_DB_DRIVER": "postgres",
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
        "GOTRUE_SMS_TEST_OTP": "+15550001111:123456,1555:1", "GOTRUE_RATE_LIMIT_EMAIL_SENT": "5/1h",
        "GOTRUE_EXTERNAL_FLY_ENABLED": "true", "GOTRUE_EXTERNAL_FLY_CLIENT_ID": "a,b",
        "GOTRUE_PASSWORD_REQUIRED_CHARACTERS": r"ab:\:", "GOTRUE_SMTP_MAX_FREQUENCY": "5s",
        "GOTRUE_MAILER_AUTOCONFIRM": "1", "GOTRUE_EXTERNAL_FLOW_STATE_EXPIRY_DURATION": "1s",
    }  # fmt: skip
    settings = AuthSettings.from_env({**REQUIRED, **more})
    assert settings.sms.test_otps == {"15550001111": "123456", "1555": "1"}
    assert settings.rates.email_sent == Rate(5, 3600, 5)
    assert settings.providers["fly"].client_ids == ("a", "b")
    assert "email" not in settings.providers
    assert settings.password.required_characters == ("ab", ":")
    assert settings.smtp.max_frequency_s == 5
    assert settings.mailer.autoconfirm
    assert settings.flow_state_expiry_s == 300


def test_nought_and_too_little_mean_the_default() -> None:
    """As in GoTrue, where a mail every minute is not switched off by 0."""
    nought = {
        "GOTRUE_SMTP_MAX_FREQUENCY": "0s", "GOTRUE_SMS_MAX_FREQUENCY": "0", "GOTRUE_MFA_PHONE_MAX_FREQUENCY": "0s",
        "GOTRUE_MAILER_OTP_EXP": "0", "GOTRUE_SMS_OTP_EXP": "0", "GOTRUE_PASSWORD_MIN_LENGTH": "3",
        "GOTRUE_MFA_CHALLENGE_EXPIRY_DURATION": "20", "GOTRUE_MFA_FACTOR_EXPIRY_DURATION": "20s",
    }  # fmt: skip
    settings = AuthSettings.from_env({**REQUIRED, **nought})
    assert (settings.smtp.max_frequency_s, settings.sms.max_frequency_s) == (60, 60)
    assert (settings.mfa.phone_max_frequency_s, settings.mfa.challenge_expiry_s) == (60, 300)
    assert (settings.mailer.otp_exp_s, settings.sms.otp_exp_s, settings.mfa.factor_expiry_s) == (86400, 60, 300)
    assert settings.password.min_length == 6


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GOTRUE_JWT_SECRET", "short"), ("GOTRUE_SITE_URL", ""), ("GOTRUE_JWT_EXP", "1h"),
        ("GOTRUE_DISABLE_SIGNUP", "maybe"), ("GOTRUE_SMTP_MAX_FREQUENCY", "soon"), ("GOTRUE_JWT_KEYS", "[]"),
        ("GOTRUE_JWT_KEYS", "{"), ("GOTRUE_RATE_LIMIT_OTP", "x"), ("GOTRUE_SMS_TEST_OTP_VALID_UNTIL", "later"),
        ("API_EXTERNAL_URL", "no url"), ("GOTRUE_SMTP_MAX_FREQUENCY", "60"), ("GOTRUE_SMS_TEST_OTP", "15550001111"),
        ("GOTRUE_SESSIONS_TIMEBOX", "-1h"), ("GOTRUE_SESSIONS_INACTIVITY_TIMEOUT", "0s"), ("GOTRUE_DB_DRIVER", ""),
        ("GOTRUE_URI_ALLOW_LIST", "https://a.b/[x"), ("GOTRUE_URI_ALLOW_LIST", "https://{a"),
        ("GOTRUE_RATE_LIMIT_VERIFY", "2/1h"), ("GOTRUE_RATE_LIMIT_TOKEN_REFRESH", "2/1h"),
        ("GOTRUE_SAML_ENABLED", "true"), ("GOTRUE_RATE_LIMIT_EMAIL_UNCONFIRMED_PERCENT", "101"),
    ],
)  # fmt: skip
def test_unusable_settings_are_named(name: str, value: str) -> None:
    with pytest.raises(SettingsError) as caught:
        AuthSettings.from_env({**REQUIRED, name: value})
    assert name.replace("SAML_ENABLED", "SAML_PRIVATE_KEY") in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("GOTRUE_SAML_PRIVATE_KEY", "no base64!", "must be a PKCS#1 private key in base64"),
        ("GOTRUE_SAML_PRIVATE_KEY", "PHI+", "must be a PKCS#1 private key in base64"),
        ("GOTRUE_SAML_PRIVATE_KEY_NEXT", "PHI+", "must be a PKCS#1 private key in base64"),
        ("GOTRUE_SAML_ALLOW_ENCRYPTED_ASSERTIONS", "perhaps", "must be true or false"),
        ("GOTRUE_SAML_EXTERNAL_URL", "nowhere", "must be a URL"),
    ],
)
def test_unusable_saml_settings_are_named(name: str, value: str, why: str) -> None:
    """Those that GoTrue refuses."""
    env = {**REQUIRED, "GOTRUE_SAML_ENABLED": "true", "GOTRUE_SAML_PRIVATE_KEY": pkcs1("sp")}
    assert AuthSettings.from_env(env).saml.relay_state_validity_s == 120
    with pytest.raises(SettingsError, match=f"{name}.*{re.escape(why)}"):
        AuthSettings.from_env({**env, name: value})


def test_autoconfirm_and_unverified_sign_ins_exclude_each_other() -> None:
    both = {"GOTRUE_MAILER_AUTOCONFIRM": "true", "GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS": "true"}
    with pytest.raises(SettingsError, match="exclude each other"):
        AuthSettings.from_env({**REQUIRED, **both})


def test_switches_without_effect_are_named() -> None:
    """A protection that is set but lacking is reported."""
    more = {
        "GOTRUE_DB_CLEANUP_ENABLED": "true", "GOTRUE_SAML_ENABLED": "false",
        "GOTRUE_SECURITY_REFRESH_TOKEN_ALGORITHM_VERSION": "2", "GOTRUE_EXTERNAL_STATION_ENABLED": "true",
        "GOTRUE_EXTERNAL_OTHER_ENABLED": "false", "GOTRUE_EXTERNAL_GOOGLE_ENABLED": "true",
    }  # fmt: skip
    station = "GOTRUE_EXTERNAL_STATION_ENABLED"  # GoTrue knows no such provider
    want = ("GOTRUE_DB_CLEANUP_ENABLED", station, "GOTRUE_SECURITY_REFRESH_TOKEN_ALGORITHM_VERSION")
    assert AuthSettings.from_env({**REQUIRED, **more}).without_effect == want
    assert AuthSettings.from_env(REQUIRED).without_effect == ()
