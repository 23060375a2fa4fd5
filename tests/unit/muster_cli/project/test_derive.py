"""What the services are told: key by key, and against the official CLI's defaults."""

import types
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import pytest

from muster_cli.project.config import ProjectConfig
from muster_cli.project.derive import derive
from muster_cli.project.derive_auth import own_host
from muster_cli.project.read import _names_of
from muster_cli.project.source import Keys, Place, Source
from muster_cli.project.values import Section

KEYS = Keys("s" * 32, "anon", "service", "sb_publishable_x", "sb_secret_x", '{"keys":[]}', "[]")
PLACE = Place(
    "http://127.0.0.1:54321", "127.0.0.1", 54321, 54325, ("/run/x", 54322, "postgres"), "postgres",
    lambda role: f"postgresql://{role}@x", "base", Path("/home/mail"), Path("/home/storage"),
    lambda path: Path("/project") / path,
)  # fmt: skip


def source(**tables: Any) -> Source:
    return Source(ProjectConfig.model_validate({"root": Path("/project/supabase"), **tables}), KEYS, PLACE)


def derived(**tables: Any) -> dict[str, str]:
    return {name: value for table in derive(source(**tables)).values() for name, value in table.items()}


def test_auth_is_told_the_official_defaults() -> None:
    assert derive(source())["auth"] == {
        "API_EXTERNAL_URL": "http://127.0.0.1:54321/auth/v1",
        "GOTRUE_DB_DRIVER": "postgres",
        "GOTRUE_DB_DATABASE_URL": "postgresql://supabase_auth_admin@x",
        "GOTRUE_DB_MAX_POOL_SIZE": "10",
        "GOTRUE_SITE_URL": "http://127.0.0.1:3000",
        "GOTRUE_URI_ALLOW_LIST": "https://127.0.0.1:3000",
        "GOTRUE_DISABLE_SIGNUP": "false",
        "GOTRUE_JWT_SECRET": "s" * 32,
        "GOTRUE_JWT_EXP": "3600",
        "GOTRUE_JWT_ISSUER": "http://127.0.0.1:54321/auth/v1",
        "GOTRUE_JWT_KEYS": "[]",
        "GOTRUE_JWT_AUD": "authenticated",
        "GOTRUE_JWT_DEFAULT_GROUP_NAME": "authenticated",
        "GOTRUE_JWT_ADMIN_ROLES": "service_role",
        "GOTRUE_JWT_VALID_METHODS": "HS256,RS256,ES256",
        "GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED": "true",
        "GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL": "10",
        "GOTRUE_SECURITY_MANUAL_LINKING_ENABLED": "false",
        "GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION": "false",
        "GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD": "false",
        "GOTRUE_PASSWORD_MIN_LENGTH": "6",
        "GOTRUE_PASSWORD_REQUIRED_CHARACTERS": "",
        "GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED": "false",
        "GOTRUE_EXTERNAL_EMAIL_ENABLED": "true",
        "GOTRUE_EXTERNAL_PHONE_ENABLED": "false",
        "GOTRUE_EXTERNAL_WEB3_SOLANA_ENABLED": "false",
        "GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED": "false",
        "GOTRUE_MAILER_AUTOCONFIRM": "true",
        "GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED": "true",
        "GOTRUE_MAILER_OTP_LENGTH": "6",
        "GOTRUE_MAILER_OTP_EXP": "3600",
        "GOTRUE_MAILER_TEMPLATE_RELOADING_ENABLED": "true",
        "GOTRUE_MAILER_URLPATHS_INVITE": "http://127.0.0.1:54321/auth/v1/verify",
        "GOTRUE_MAILER_URLPATHS_CONFIRMATION": "http://127.0.0.1:54321/auth/v1/verify",
        "GOTRUE_MAILER_URLPATHS_RECOVERY": "http://127.0.0.1:54321/auth/v1/verify",
        "GOTRUE_MAILER_URLPATHS_EMAIL_CHANGE": "http://127.0.0.1:54321/auth/v1/verify",
        "GOTRUE_SMTP_HOST": "127.0.0.1",
        "GOTRUE_SMTP_PORT": "54325",
        "GOTRUE_SMTP_ADMIN_EMAIL": "admin@email.com",
        "GOTRUE_SMTP_SENDER_NAME": "Admin",
        "GOTRUE_SMTP_MAX_FREQUENCY": "1s",
        "GOTRUE_SMS_AUTOCONFIRM": "true",
        "GOTRUE_SMS_MAX_FREQUENCY": "5s",
        "GOTRUE_SMS_OTP_LENGTH": "6",
        "GOTRUE_SMS_OTP_EXP": "6000",
        "GOTRUE_SMS_TEMPLATE": "Your code is {{ .Code }}",
        "GOTRUE_SMS_TEST_OTP": "",
        "GOTRUE_RATE_LIMIT_EMAIL_SENT": "360000",
        "GOTRUE_RATE_LIMIT_SMS_SENT": "30",
        "GOTRUE_RATE_LIMIT_ANONYMOUS_USERS": "30",
        "GOTRUE_RATE_LIMIT_TOKEN_REFRESH": "150",
        "GOTRUE_RATE_LIMIT_OTP": "30",
        "GOTRUE_RATE_LIMIT_VERIFY": "30",
        "GOTRUE_RATE_LIMIT_WEB3": "30",
        "GOTRUE_MFA_MAX_ENROLLED_FACTORS": "10",
        "GOTRUE_MFA_TOTP_ENROLL_ENABLED": "false",
        "GOTRUE_MFA_TOTP_VERIFY_ENABLED": "false",
        "GOTRUE_MFA_PHONE_ENROLL_ENABLED": "false",
        "GOTRUE_MFA_PHONE_VERIFY_ENABLED": "false",
        "GOTRUE_MFA_WEB_AUTHN_ENROLL_ENABLED": "false",
        "GOTRUE_MFA_WEB_AUTHN_VERIFY_ENABLED": "false",
        "GOTRUE_OAUTH_SERVER_ENABLED": "false",
        "GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH": "/oauth/consent",
        "GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION": "false",
    }


def test_the_other_services_are_told_the_official_defaults() -> None:
    found = derived()
    assert {name: found[name] for name in (
        "PGRST_DB_SCHEMAS", "PGRST_DB_EXTRA_SEARCH_PATH", "PGRST_DB_MAX_ROWS", "PGRST_DB_ANON_ROLE", "PGRST_JWT_SECRET",
        "MAX_HEADER_LENGTH", "FILE_SIZE_LIMIT", "IMAGE_TRANSFORMATION_ENABLED", "S3_PROTOCOL_ENABLED",
        "S3_PROTOCOL_ACCESS_KEY_ID", "MUSTER_PORT", "DB_USER", "MAILBOX_SMTP_PORT",
    )} == {
        "PGRST_DB_SCHEMAS": "public,graphql_public", "PGRST_DB_EXTRA_SEARCH_PATH": "public,extensions",
        "PGRST_DB_MAX_ROWS": "1000", "PGRST_DB_ANON_ROLE": "anon", "PGRST_JWT_SECRET": '{"keys":[]}',
        "MAX_HEADER_LENGTH": "4096", "FILE_SIZE_LIMIT": "52428800", "IMAGE_TRANSFORMATION_ENABLED": "false",
        "S3_PROTOCOL_ENABLED": "true", "S3_PROTOCOL_ACCESS_KEY_ID": "625729a08b95bf1b7ff351a663f3a23c",
        "MUSTER_PORT": "54321", "DB_USER": "supabase_admin", "MAILBOX_SMTP_PORT": "54325",
    }  # fmt: skip


def test_no_limit_per_address_is_on_locally() -> None:
    """The limits exist, but without a header that names the client they are not counted."""
    assert "GOTRUE_RATE_LIMIT_HEADER" not in derived()


# Keys without a variable, and why.
LOADER = (  # the start itself acts on them
    "project_id", "api.port", "db.port", "db.migrations.enabled", "db.seed.enabled", "db.seed.sql_paths",
    "auth.signing_keys_path", "auth.publishable_key", "auth.secret_key", "auth.jwt_secret", "auth.anon_key",
    "auth.service_role_key", "api.auto_expose_new_tables", "db.root_key", "db.migrations.schema_paths",
)  # fmt: skip
SERVICES = ("api.enabled", "auth.enabled", "realtime.enabled", "storage.enabled")
ABSENT = (  # hosted only, or of a part that is not here
    "api.tls.enabled", "api.tls.cert_path", "api.tls.key_path", "db.shadow_port", "db.health_timeout",
    "db.major_version", "db.orioledb_version", "db.pooler.", "db.ssl_enforcement.", "db.network_restrictions.",
    "realtime.ip_version", "studio.", "local_smtp.enabled", "local_smtp.port", "local_smtp.smtp_port",
    "local_smtp.pop3_port", "storage.analytics.", "storage.vector.", "edge_runtime.policy",
    "edge_runtime.inspector_port", "edge_runtime.deno_version", "analytics.", "experimental.",
    "auth.third_party.",
)  # fmt: skip


def leaves(model: type[Section], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    for field, info in model.model_fields.items():
        annotation = info.annotation
        name = _names_of(field, info.validation_alias)[0]
        if get_origin(annotation) in (Union, types.UnionType):
            annotation = next(each for each in get_args(annotation) if each is not type(None))
        if isinstance(annotation, type) and issubclass(annotation, Section):
            yield from leaves(annotation, (*path, name))
        elif get_origin(annotation) is not dict and annotation is not Any and name != "root":
            yield (*path, name), info


DURATIONS = ("max_frequency", "timebox", "inactivity_timeout", "health_timeout")


def other_values(path: tuple[str, ...], info: Any) -> list[Any]:
    """Values that the key does not have by default."""
    annotation = info.annotation
    if get_origin(annotation) in (Union, types.UnionType):
        annotation = next(each for each in get_args(annotation) if each is not type(None))
    if get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    if get_origin(annotation) is Literal:
        return [each for each in get_args(annotation) if each != info.default]
    if annotation is bool:
        return [not info.default]
    if annotation is int:
        return [7]
    if get_origin(annotation) is tuple:
        return [["one", "two"]]
    return ["77s" if path[-1] in DURATIONS else "other"]


# What must be on for a key to be asked at all.
SETTINGS_AROUND = {
    "auth.captcha": {"enabled": True},
    "auth.hook": {"enabled": True},
    "auth.mfa.phone": {"enroll_enabled": True},
    "auth.sms.twilio": {"enabled": True},
    "auth.sms.twilio_verify": {"enabled": True},
    "auth.sms.messagebird": {"enabled": True},
    "auth.sms.textlocal": {"enabled": True},
    "auth.sms.vonage": {"enabled": True},
    "storage.image_transformation": {"enabled": True},
}


def nested(path: tuple[str, ...], value: Any) -> dict[str, Any]:
    tables: dict[str, Any] = {}
    table = tables
    for index, step in enumerate(path[:-1]):
        table = table.setdefault(step, {})
        around = SETTINGS_AROUND.get(".".join(path[: index + 1]), {}) or (
            SETTINGS_AROUND["auth.hook"] if path[:2] == ("auth", "hook") and index == 2 else {}
        )
        if path[-1] not in around:
            table.update(around)
    if value is not None:
        table[path[-1]] = value
    if path == ("auth", "sms", "enabled"):
        table["twilio"] = {"enabled": True}
    if path == ("auth", "rate_limit", "email_sent"):
        tables["auth"]["email"] = {"smtp": {"host": "smtp.example"}}
    if path[:3] == ("auth", "email", "smtp") and value is not None:
        table.setdefault("host", "smtp.example")
    return tables


def is_listed(key: str) -> bool:
    return key in LOADER or any(key == each or (each.endswith(".") and key.startswith(each)) for each in ABSENT)


@pytest.mark.parametrize(
    ("path", "info"), [pytest.param(path, info, id=".".join(path)) for path, info in leaves(ProjectConfig)]
)
def test_every_key_reaches_a_service_or_is_listed_here(path: tuple[str, ...], info: Any) -> None:
    without = derived(**nested(path, None))
    changed = any(derived(**nested(path, value)) != without for value in other_values(path, info))
    assert changed != is_listed(".".join(path))


@pytest.mark.parametrize(
    ("tables", "want"),
    [
        pytest.param({"auth": {"enable_signup": False}}, {"GOTRUE_DISABLE_SIGNUP": "true"}, id="signup"),
        pytest.param({"auth": {"email": {"enable_confirmations": True}}}, {"GOTRUE_MAILER_AUTOCONFIRM": "false"},
                     id="confirmations"),
        pytest.param({"auth": {"sms": {"enabled": True, "test_otp": {"4152127777": "123456"}}}},
                     {"GOTRUE_EXTERNAL_PHONE_ENABLED": "false", "GOTRUE_SMS_TEST_OTP": "4152127777:123456"},
                     id="phone-without-a-provider"),
        pytest.param({"auth": {"sms": {"enabled": True, "vonage": {"enabled": True, "from": "x"},
                                       "twilio": {"enabled": True, "account_sid": "a"}}}},
                     {"GOTRUE_EXTERNAL_PHONE_ENABLED": "true", "GOTRUE_SMS_PROVIDER": "twilio",
                      "GOTRUE_SMS_TWILIO_ACCOUNT_SID": "a"}, id="first-provider"),
        pytest.param({"auth": {"sms": {"vonage": {"enabled": True, "from": "x"}}}}, {"GOTRUE_SMS_VONAGE_FROM": "x"},
                     id="vonage"),
        pytest.param({"auth": {"password_requirements": "letters_digits"}},
                     {"GOTRUE_PASSWORD_REQUIRED_CHARACTERS":
                      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ:0123456789"}, id="classes"),
        pytest.param({"auth": {"external": {"github": {"enabled": True, "client_id": "a", "secret": "b"}}}},
                     {"GOTRUE_EXTERNAL_GITHUB_ENABLED": "true", "GOTRUE_EXTERNAL_GITHUB_CLIENT_ID": "a",
                      "GOTRUE_EXTERNAL_GITHUB_REDIRECT_URI": "http://127.0.0.1:54321/auth/v1/callback"},
                     id="provider"),
        pytest.param({"auth": {"hook": {"send_email": {"enabled": True, "uri": "http://kong:8000/functions/v1/mail",
                                                        "secrets": "v1,whsec_x"}}}},
                     {"GOTRUE_HOOK_SEND_EMAIL_URI": "http://127.0.0.1:54321/functions/v1/mail",
                      "GOTRUE_HOOK_SEND_EMAIL_SECRETS": "v1,whsec_x"}, id="hook"),
        pytest.param({"auth": {"email": {"template": {"magic_link": {"subject": "s", "content_path": "./a b.html"}}}}},
                     {"GOTRUE_MAILER_SUBJECTS_MAGIC_LINK": "s",
                      "GOTRUE_MAILER_TEMPLATES_MAGIC_LINK": "file:///project/a%20b.html"}, id="template"),
        pytest.param({"auth": {"email": {"notification": {"password_changed": {"enabled": True, "subject": "s"}}}}},
                     {"GOTRUE_MAILER_NOTIFICATIONS_PASSWORD_CHANGED_ENABLED": "true",
                      "GOTRUE_MAILER_SUBJECTS_PASSWORD_CHANGED_NOTIFICATION": "s"}, id="notification"),
        pytest.param({"auth": {"sessions": {"timebox": "24h", "inactivity_timeout": "0s"}}},
                     {"GOTRUE_SESSIONS_TIMEBOX": "24h"}, id="sessions"),
        pytest.param({"api": {"external_url": "https://x.test/"}},
                     {"API_EXTERNAL_URL": "https://x.test/auth/v1", "SUPABASE_URL": "https://x.test"}, id="origin"),
        pytest.param({"auth": {"email": {"smtp": {"host": "h", "pass": "p", "port": 587}},
                               "rate_limit": {"email_sent": 3}}},
                     {"GOTRUE_SMTP_HOST": "h", "GOTRUE_SMTP_PASS": "p", "GOTRUE_RATE_LIMIT_EMAIL_SENT": "3"},
                     id="smtp"),
    ],
)  # fmt: skip
def test_a_key_becomes_its_variables(tables: dict[str, Any], want: dict[str, str]) -> None:
    found = derived(**tables)
    assert {name: found.get(name) for name in want} == want


def test_with_a_mail_server_there_is_no_mailbox() -> None:
    assert "MAILBOX_DIR" not in derived(auth={"email": {"smtp": {"host": "smtp.example"}}})


@pytest.mark.parametrize("host", ["kong:8000", "supabase_kong_shop:8000", "api.supabase.internal:8000"])
def test_hosts_of_the_official_containers_are_this_stack(host: str) -> None:
    assert own_host(f"http://{host}/x", source(project_id="shop")) == "http://127.0.0.1:54321/x"


def test_the_host_of_docker_is_this_machine() -> None:
    assert own_host("http://host.docker.internal:3000/x", source()) == "http://127.0.0.1:3000/x"
