"""The environment, read once: defaults, and what is refused."""

from pathlib import Path

import pytest

from emulator.settings import SettingsError
from muster_functions.settings import FunctionsSettings

ENV = {
    "JWT_SECRET": "a-secret", "SUPABASE_DB_URL": "postgresql://postgres@db/postgres", "SITE_URL": "https://muster.test/",
    "SMTP_HOST": "mail.test",
}  # fmt: skip


def test_defaults() -> None:
    got = FunctionsSettings.from_env(ENV)
    assert (got.site_url, got.smtp.host, got.smtp.port, got.smtp.tls) == (
        "https://muster.test",
        "mail.test",
        25,
        "auto",
    )
    assert (got.functions_dir.name, got.development, got.port) == ("functions", False, 8000)


def test_every_variable() -> None:
    given = {
        "SUPABASE_URL": "http://gateway:8000/", "SUPABASE_ANON_KEY": "anon", "SUPABASE_SERVICE_ROLE_KEY": "service",
        "SMTP_PORT": "465", "SMTP_USER": "u", "SMTP_PASS": "p", "SMTP_ADMIN_EMAIL": "post@muster.test",
        "SMTP_SENDER_NAME": "The Muster", "SMTP_TLS": "tls", "FUNCTIONS_DIR": "/srv/functions", "PORT": "9000",
        "MAIL_QUEUE_LENGTH": "5", "MAILS_PER_CALLER_PER_HOUR": "6", "MAILS_PER_RECIPIENT_PER_HOUR": "7",
        "FUNCTIONS_REQUESTS_PER_MINUTE": "8", "FUNCTIONS_TIMEOUT_S": "9", "HOST": "0.0.0.0",
    }  # fmt: skip
    got = FunctionsSettings.from_env(ENV | given)
    assert (got.supabase_url, got.anon_key, got.service_role_key) == ("http://gateway:8000", "anon", "service")
    assert (got.smtp.port, got.smtp.user, got.smtp.password, got.smtp.tls) == (465, "u", "p", "tls")
    assert (got.smtp.sender, got.smtp.sender_name) == ("post@muster.test", "The Muster")
    assert (got.functions_dir, got.host, got.port, got.timeout_s) == (Path("/srv/functions"), "0.0.0.0", 9000, 9.0)
    limits = got.limits
    assert (limits.queue_length, limits.mails_per_caller_per_hour) == (5, 6)
    assert (limits.mails_per_recipient_per_hour, limits.requests_per_minute) == (7, 8)


@pytest.mark.parametrize(
    ("site", "given", "want"),
    [
        ("http://127.0.0.1:54321", {}, True),
        ("http://localhost:54321", {"FUNCTIONS_DEVELOPMENT": "false"}, False),
        ("https://muster.test", {"FUNCTIONS_DEVELOPMENT": "true"}, True),
    ],
)
def test_development_is_a_site_on_this_machine_unless_said(site: str, given: dict[str, str], want: bool) -> None:
    assert FunctionsSettings.from_env(ENV | {"SITE_URL": site} | given).development is want


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("JWT_SECRET", ""), ("SUPABASE_DB_URL", ""), ("SITE_URL", ""), ("SITE_URL", "muster.test"),
        ("SITE_URL", "javascript:alert(1)"), ("SITE_URL", "https://muster.test/app"), ("SMTP_HOST", ""),
        ("SMTP_PORT", "0"), ("SMTP_PORT", "70000"), ("SMTP_PORT", "x"), ("SMTP_TLS", "maybe"),
        ("SMTP_ADMIN_EMAIL", "nobody"), ("SMTP_ADMIN_EMAIL", "a@b\r\nBcc: c@d"), ("MAIL_QUEUE_LENGTH", "-1"),
        ("FUNCTIONS_DEVELOPMENT", "perhaps"), ("PORT", "99999"), ("VAPID_PUBLIC_KEY", "B" + "A" * 86),
        ("VAPID_PRIVATE_KEY", "A" * 43), ("VAPID_PUBLIC_KEY", "x"), ("VAPID_PRIVATE_KEY", "!"),
        ("VAPID_SUBJECT", "nobody"), ("PUSH_STAND_IN_URL", "push.test/path"),
    ],
)  # fmt: skip
def test_what_is_unusable_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=name):
        FunctionsSettings.from_env(ENV | {name: value})


def test_a_password_never_leaves_in_the_clear() -> None:
    with pytest.raises(SettingsError, match="clear"):
        FunctionsSettings.from_env(ENV | {"SMTP_USER": "u", "SMTP_TLS": "none"})
    local = ENV | {"SMTP_USER": "u", "SMTP_TLS": "none", "SMTP_HOST": "127.0.0.1"}
    assert FunctionsSettings.from_env(local).smtp.user == "u"


def test_secrets_are_not_shown() -> None:
    shown = repr(
        FunctionsSettings.from_env(ENV | {"SMTP_PASS": "hidden-pass", "SUPABASE_SERVICE_ROLE_KEY": "hidden-key"})
    )
    assert "hidden" not in shown
    assert "a-secret" not in shown
    assert "postgresql://" not in shown
