"""What the services are told because of a project's configuration: one table, key by key. No I/O.

The names are those that the services read in their containers; the values are the official CLI's, with our addresses in
the place of the containers'. A row whose value is None has no variable.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from muster_cli.project.auth_config import Auth, Template
from muster_cli.project.config import ProjectConfig
from muster_cli.project.constants import S3_ACCESS_KEY, S3_REGION, S3_SECRET_KEY

LETTERS_LOWER, LETTERS_UPPER, DIGITS = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
SYMBOLS = "!@#$%^&*()_+-=[]{};'\\\\:\"|<>?,./`~"  # a backslash before the colon: it separates classes otherwise
_CLASSES = {
    "": "",
    "letters_digits": f"{LETTERS_LOWER}{LETTERS_UPPER}:{DIGITS}",
    "lower_upper_letters_digits": f"{LETTERS_LOWER}:{LETTERS_UPPER}:{DIGITS}",
    "lower_upper_letters_digits_symbols": f"{LETTERS_LOWER}:{LETTERS_UPPER}:{DIGITS}:{SYMBOLS}",
}
# The mails' limit counts with a mail server of one's own only: the mailbox takes any number.
UNLIMITED_MAILS = 360_000
# Names that exist between Docker containers only; hooks and webhooks of projects hold them.
_OWN_HOSTS = ("kong:8000", "api.supabase.internal:8000")


@dataclass(frozen=True)
class Keys:
    """The stack's keys. `jwks` verifies every token, `signing_keys` sign those of users: JSON texts."""

    jwt_secret: str
    anon: str
    service_role: str
    publishable: str
    secret: str
    jwks: str
    signing_keys: str


@dataclass(frozen=True)
class Place:
    """Where the services of one stack listen and keep things. `database_url` makes the URL of a role."""

    origin: str
    host: str
    port: int
    smtp_port: int
    database: tuple[str, int, str]
    database_password: str
    database_url: Callable[[str], str]
    secret_key_base: str
    mail: Path
    files: Path
    template: Callable[[str], Path | None]


@dataclass(frozen=True)
class Source:
    """What the rows are made of."""

    config: ProjectConfig
    keys: Keys
    place: Place

    @property
    def auth(self) -> Auth:
        """The section that most rows are about."""
        return self.config.auth

    @property
    def origin(self) -> str:
        """The public origin of the API."""
        return (self.config.api.external_url or self.place.origin).rstrip("/")

    @property
    def auth_url(self) -> str:
        """Where auth is reached from outside."""
        return (self.auth.external_url or f"{self.origin}/auth/v1").rstrip("/")

    @property
    def issuer(self) -> str:
        """Of users' tokens."""
        return self.auth.jwt_issuer or self.auth_url

    @property
    def has_mail_server(self) -> bool:
        """Whether mails leave this machine."""
        return self.auth.email.smtp is not None and self.auth.email.smtp.enabled


Row = Callable[[Source], str | int | bool | None]
Table = Mapping[str, Row]

GATEWAY: Table = {
    "MUSTER_HOST": lambda s: s.place.host,
    "MUSTER_PORT": lambda s: s.place.port,
    "ANON_KEY": lambda s: s.keys.anon,
    "SERVICE_ROLE_KEY": lambda s: s.keys.service_role,
    "PUBLISHABLE_KEY": lambda s: s.keys.publishable,
    "SECRET_KEY": lambda s: s.keys.secret,
    "MUSTER_CHECK_KEYS": lambda _: False,
    "MUSTER_WITHOUT": lambda s: ",".join(_disabled(s.config)) or None,
    "MAILBOX_DIR": lambda s: None if s.has_mail_server else str(s.place.mail),
    "MAILBOX_SMTP_HOST": lambda s: None if s.has_mail_server else "127.0.0.1",
    "MAILBOX_SMTP_PORT": lambda s: None if s.has_mail_server else s.place.smtp_port,
}

REST: Table = {
    "PGRST_DB_URI": lambda s: s.place.database_url("authenticator"),
    "PGRST_DB_SCHEMAS": lambda s: ",".join(s.config.api.schemas),
    "PGRST_DB_EXTRA_SEARCH_PATH": lambda s: ",".join(s.config.api.extra_search_path),
    "PGRST_DB_MAX_ROWS": lambda s: s.config.api.max_rows,
    "PGRST_DB_ANON_ROLE": lambda _: "anon",
    "PGRST_DB_POOL": lambda _: 10,
    "PGRST_JWT_SECRET": lambda s: s.keys.jwks,
    "PGRST_OPENAPI_SERVER_PROXY_URI": lambda s: f"{s.origin}/rest/v1",
}

REALTIME: Table = {
    "DB_HOST": lambda s: s.place.database[0],
    "DB_PORT": lambda s: s.place.database[1],
    "DB_NAME": lambda s: s.place.database[2],
    "DB_USER": lambda _: "supabase_admin",
    "DB_PASSWORD": lambda s: s.place.database_password,
    "DB_AFTER_CONNECT_QUERY": lambda _: "SET search_path TO _realtime",
    "API_JWT_SECRET": lambda s: s.keys.jwt_secret,
    "API_JWT_JWKS": lambda s: s.keys.jwks,
    "METRICS_JWT_SECRET": lambda s: s.keys.jwt_secret,
    "SECRET_KEY_BASE": lambda s: s.place.secret_key_base,
    "APP_NAME": lambda _: "realtime",
    "MAX_HEADER_LENGTH": lambda s: s.config.realtime.max_header_length,
}

STORAGE: Table = {
    "SERVICE_KEY": lambda s: s.keys.service_role,
    "AUTH_JWT_SECRET": lambda s: s.keys.jwt_secret,
    "JWT_JWKS": lambda s: s.keys.jwks,
    "DATABASE_URL": lambda s: s.place.database_url("supabase_storage_admin"),
    "STORAGE_BACKEND": lambda _: "file",
    "FILE_STORAGE_BACKEND_PATH": lambda s: str(s.place.files),
    "STORAGE_FILE_BACKEND_PATH": lambda s: str(s.place.files),
    "TENANT_ID": lambda _: "stub",
    "FILE_SIZE_LIMIT": lambda s: s.config.storage.file_size_limit,
    "UPLOAD_FILE_SIZE_LIMIT": lambda _: 52_428_800_000,
    "UPLOAD_FILE_SIZE_LIMIT_STANDARD": lambda _: 5_242_880_000,
    "SIGNED_UPLOAD_URL_EXPIRATION_TIME": lambda _: 7200,
    "TUS_URL_PATH": lambda _: "/storage/v1/upload/resumable",
    "ENABLE_IMAGE_TRANSFORMATION": lambda s: _transforms(s.config),
    "IMAGE_TRANSFORMATION_ENABLED": lambda s: _transforms(s.config),
    "S3_PROTOCOL_ENABLED": lambda s: s.config.storage.s3_protocol.enabled,
    "S3_PROTOCOL_PREFIX": lambda _: "/storage/v1",
    "S3_PROTOCOL_ACCESS_KEY_ID": lambda s: S3_ACCESS_KEY if s.config.storage.s3_protocol.enabled else None,
    "S3_PROTOCOL_ACCESS_KEY_SECRET": lambda s: S3_SECRET_KEY if s.config.storage.s3_protocol.enabled else None,
    "REGION": lambda _: S3_REGION,
}

AUTH: Table = {
    "API_EXTERNAL_URL": lambda s: s.auth_url,
    "GOTRUE_DB_DRIVER": lambda _: "postgres",
    "GOTRUE_DB_DATABASE_URL": lambda s: s.place.database_url("supabase_auth_admin"),
    "GOTRUE_DB_MAX_POOL_SIZE": lambda _: 10,
    "GOTRUE_SITE_URL": lambda s: s.auth.site_url,
    "GOTRUE_URI_ALLOW_LIST": lambda s: ",".join(s.auth.additional_redirect_urls),
    "GOTRUE_DISABLE_SIGNUP": lambda s: not s.auth.enable_signup,
    "GOTRUE_JWT_SECRET": lambda s: s.keys.jwt_secret,
    "GOTRUE_JWT_EXP": lambda s: s.auth.jwt_expiry,
    "GOTRUE_JWT_ISSUER": lambda s: s.issuer,
    "GOTRUE_JWT_KEYS": lambda s: s.keys.signing_keys or None,
    "GOTRUE_JWT_AUD": lambda _: "authenticated",
    "GOTRUE_JWT_DEFAULT_GROUP_NAME": lambda _: "authenticated",
    "GOTRUE_JWT_ADMIN_ROLES": lambda _: "service_role",
    "GOTRUE_JWT_VALID_METHODS": lambda _: "HS256,RS256,ES256",
    "GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED": lambda s: s.auth.enable_refresh_token_rotation,
    "GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL": lambda s: s.auth.refresh_token_reuse_interval,
    "GOTRUE_SECURITY_MANUAL_LINKING_ENABLED": lambda s: s.auth.enable_manual_linking,
    "GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION": lambda s: s.auth.email.secure_password_change,
    "GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD": lambda s: s.auth.email.require_current_password,
    "GOTRUE_PASSWORD_MIN_LENGTH": lambda s: s.auth.minimum_password_length,
    "GOTRUE_PASSWORD_REQUIRED_CHARACTERS": lambda s: _CLASSES[s.auth.password_requirements],
    "GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED": lambda s: s.auth.enable_anonymous_sign_ins,
    "GOTRUE_EXTERNAL_EMAIL_ENABLED": lambda s: s.auth.email.enabled,
    "GOTRUE_EXTERNAL_PHONE_ENABLED": lambda s: s.auth.sms.enabled and sms_provider(s.auth) is not None,
    "GOTRUE_EXTERNAL_WEB3_SOLANA_ENABLED": lambda s: s.auth.web3.solana.enabled,
    "GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED": lambda s: s.auth.web3.ethereum.enabled,
    "GOTRUE_MAILER_AUTOCONFIRM": lambda s: not s.auth.email.enable_confirmations,
    "GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED": lambda s: s.auth.email.double_confirm_changes,
    "GOTRUE_MAILER_OTP_LENGTH": lambda s: s.auth.email.otp_length,
    "GOTRUE_MAILER_OTP_EXP": lambda s: s.auth.email.otp_expiry,
    "GOTRUE_MAILER_TEMPLATE_RELOADING_ENABLED": lambda _: True,
    "GOTRUE_MAILER_URLPATHS_INVITE": lambda s: f"{s.auth_url}/verify",
    "GOTRUE_MAILER_URLPATHS_CONFIRMATION": lambda s: f"{s.auth_url}/verify",
    "GOTRUE_MAILER_URLPATHS_RECOVERY": lambda s: f"{s.auth_url}/verify",
    "GOTRUE_MAILER_URLPATHS_EMAIL_CHANGE": lambda s: f"{s.auth_url}/verify",
    "GOTRUE_SMTP_MAX_FREQUENCY": lambda s: s.auth.email.max_frequency,
    "GOTRUE_SMS_AUTOCONFIRM": lambda s: not s.auth.sms.enable_confirmations,
    "GOTRUE_SMS_MAX_FREQUENCY": lambda s: s.auth.sms.max_frequency,
    "GOTRUE_SMS_OTP_LENGTH": lambda _: 6,
    "GOTRUE_SMS_OTP_EXP": lambda _: 6000,
    "GOTRUE_SMS_TEMPLATE": lambda s: s.auth.sms.template,
    "GOTRUE_SMS_TEST_OTP": lambda s: ",".join(f"{phone}:{code}" for phone, code in s.auth.sms.test_otp.items()),
    "GOTRUE_RATE_LIMIT_EMAIL_SENT": lambda s: s.auth.rate_limit.email_sent if s.has_mail_server else UNLIMITED_MAILS,
    "GOTRUE_RATE_LIMIT_SMS_SENT": lambda s: s.auth.rate_limit.sms_sent,
    "GOTRUE_RATE_LIMIT_ANONYMOUS_USERS": lambda s: s.auth.rate_limit.anonymous_users,
    "GOTRUE_RATE_LIMIT_TOKEN_REFRESH": lambda s: s.auth.rate_limit.token_refresh,
    "GOTRUE_RATE_LIMIT_OTP": lambda s: s.auth.rate_limit.sign_in_sign_ups,
    "GOTRUE_RATE_LIMIT_VERIFY": lambda s: s.auth.rate_limit.token_verifications,
    "GOTRUE_RATE_LIMIT_WEB3": lambda s: s.auth.rate_limit.web3,
    "GOTRUE_SESSIONS_TIMEBOX": lambda s: _positive(s.auth.sessions.timebox),
    "GOTRUE_SESSIONS_INACTIVITY_TIMEOUT": lambda s: _positive(s.auth.sessions.inactivity_timeout),
    "GOTRUE_MFA_MAX_ENROLLED_FACTORS": lambda s: s.auth.mfa.max_enrolled_factors,
    "GOTRUE_MFA_TOTP_ENROLL_ENABLED": lambda s: s.auth.mfa.totp.enroll_enabled,
    "GOTRUE_MFA_TOTP_VERIFY_ENABLED": lambda s: s.auth.mfa.totp.verify_enabled,
    "GOTRUE_MFA_PHONE_ENROLL_ENABLED": lambda s: s.auth.mfa.phone.enroll_enabled,
    "GOTRUE_MFA_PHONE_VERIFY_ENABLED": lambda s: s.auth.mfa.phone.verify_enabled,
    "GOTRUE_MFA_PHONE_OTP_LENGTH": lambda s: s.auth.mfa.phone.otp_length if _has_phone_factor(s.auth) else None,
    "GOTRUE_MFA_PHONE_TEMPLATE": lambda s: s.auth.mfa.phone.template if _has_phone_factor(s.auth) else None,
    "GOTRUE_MFA_PHONE_MAX_FREQUENCY": lambda s: s.auth.mfa.phone.max_frequency if _has_phone_factor(s.auth) else None,
    "GOTRUE_MFA_WEB_AUTHN_ENROLL_ENABLED": lambda s: s.auth.mfa.web_authn.enroll_enabled,
    "GOTRUE_MFA_WEB_AUTHN_VERIFY_ENABLED": lambda s: s.auth.mfa.web_authn.verify_enabled,
    "GOTRUE_OAUTH_SERVER_ENABLED": lambda s: s.auth.oauth_server.enabled,
    "GOTRUE_OAUTH_SERVER_AUTHORIZATION_PATH": lambda s: s.auth.oauth_server.authorization_url_path,
    "GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION": lambda s: s.auth.oauth_server.allow_dynamic_registration,
}

# What a function written in any language is told of its stack.
FUNCTIONS: Table = {
    "SUPABASE_URL": lambda s: s.origin,
    "SUPABASE_ANON_KEY": lambda s: s.keys.anon,
    "SUPABASE_SERVICE_ROLE_KEY": lambda s: s.keys.service_role,
    "SUPABASE_DB_URL": lambda s: _tcp_database_url(s.place),
    "SUPABASE_PUBLISHABLE_KEYS": lambda s: json.dumps({"default": s.keys.publishable}),
    "SUPABASE_SECRET_KEYS": lambda s: json.dumps({"default": s.keys.secret}),
    "SUPABASE_JWKS": lambda s: s.keys.jwks,
    "JWT_SECRET": lambda s: s.keys.jwt_secret,
    "FUNCTIONS_DIR": lambda s: str(s.config.root / "functions") if s.config.edge_runtime.enabled else None,
    "SUPABASE_INTERNAL_FUNCTIONS_CONFIG": lambda s: json.dumps(_function_rules(s.config)),
    "FUNCTIONS_SECRETS": lambda s: json.dumps(s.config.edge_runtime.secrets),
}

TABLES: Mapping[str, Table] = {
    "gateway": GATEWAY,
    "rest": REST,
    "auth": AUTH,
    "realtime": REALTIME,
    "storage": STORAGE,
    "functions": FUNCTIONS,
}
DATABASE_SETTINGS = frozenset(
    (
        "effective_cache_size logical_decoding_work_mem maintenance_work_mem max_connections max_locks_per_transaction "
        "max_parallel_maintenance_workers max_parallel_workers max_parallel_workers_per_gather max_replication_slots "
        "max_slot_wal_keep_size max_standby_archive_delay max_standby_streaming_delay max_wal_size max_wal_senders "
        "max_worker_processes session_replication_role shared_buffers statement_timeout track_activity_query_size "
        "track_commit_timestamp wal_keep_size wal_sender_timeout work_mem"
    ).split()
)
SMS_PROVIDERS = ("twilio", "twilio_verify", "messagebird", "textlocal", "vonage")


def derive(source: Source) -> dict[str, dict[str, str]]:
    """The variables of every service."""
    found = {
        service: {name: _text(value) for name, row in table.items() if (value := row(source)) is not None}
        for service, table in TABLES.items()
    }
    for part in (_smtp, _templates, _notifications, _providers, _hooks, _captcha, _passkeys, _sms):
        found["auth"] |= {f"GOTRUE_{name}": _text(value) for name, value in part(source)}
    return found


def database_settings(config: ProjectConfig) -> dict[str, str]:
    """What [db.settings] sets for PostgreSQL, of the names that the official CLI lets a project set."""
    return {name: _text(value) for name, value in config.db.settings.items() if name in DATABASE_SETTINGS}


def sms_provider(auth: Auth) -> str | None:
    """The provider that sends; of several the first."""
    return next((name for name in SMS_PROVIDERS if getattr(auth.sms, name).enabled), None)


def _tcp_database_url(place: Place) -> str:
    """For functions, which may open no Unix socket; the database listens on both."""
    host, port, name = place.database
    address = "127.0.0.1" if host.startswith("/") else host
    return f"postgresql://postgres:{quote(place.database_password, safe='')}@{address}:{port}/{name}"


def _function_rules(config: ProjectConfig) -> dict[str, dict[str, object]]:
    """The sections [functions.<slug>], as the main service of the edge runtime reads them."""
    root = config.root
    return {
        slug: {
            "enabled": rules.enabled,
            "verifyJWT": rules.verify_jwt,
            "entrypointPath": str(root / rules.entrypoint) if rules.entrypoint else None,
            "importMapPath": str(root / rules.import_map) if rules.import_map else None,
            "staticFiles": [str(root / pattern) for pattern in rules.static_files],
            "env": dict(rules.env),
        }
        for slug, rules in config.functions.items()
    }


Pairs = Iterator[tuple[str, str | int | bool]]


def _smtp(source: Source) -> Pairs:
    smtp = source.auth.email.smtp
    if smtp is not None and smtp.enabled:
        yield from (("SMTP_HOST", smtp.host), ("SMTP_PORT", smtp.port), ("SMTP_USER", smtp.user))
        yield from (("SMTP_PASS", smtp.password), ("SMTP_ADMIN_EMAIL", smtp.admin_email))
        yield "SMTP_SENDER_NAME", smtp.sender_name
        return
    yield from (("SMTP_HOST", "127.0.0.1"), ("SMTP_PORT", source.place.smtp_port))
    yield "SMTP_ADMIN_EMAIL", source.config.mailbox.admin_email
    yield "SMTP_SENDER_NAME", source.config.mailbox.sender_name


def _templates(source: Source) -> Pairs:
    for kind, template in source.auth.email.template.items():
        yield from _mail(source, kind.upper(), template)


def _notifications(source: Source) -> Pairs:
    for kind, notification in source.auth.email.notification.items():
        if notification.enabled:
            yield f"MAILER_NOTIFICATIONS_{kind.upper()}_ENABLED", True
            yield from _mail(source, f"{kind.upper()}_NOTIFICATION", notification)


def _mail(source: Source, name: str, template: Template) -> Pairs:
    if template.subject is not None:
        yield f"MAILER_SUBJECTS_{name}", template.subject
    file = source.place.template(template.content_path) if template.content_path else None
    if file is not None:
        yield f"MAILER_TEMPLATES_{name}", f"file://{quote(str(file))}"


def _providers(source: Source) -> Pairs:
    for name, provider in source.auth.external.items():
        if not provider.enabled:
            continue
        start = f"EXTERNAL_{name.upper()}"
        yield f"{start}_ENABLED", True
        yield f"{start}_CLIENT_ID", provider.client_id
        yield f"{start}_SECRET", provider.secret
        yield f"{start}_REDIRECT_URI", provider.redirect_uri or f"{source.issuer}/callback"
        yield f"{start}_SKIP_NONCE_CHECK", provider.skip_nonce_check
        yield f"{start}_EMAIL_OPTIONAL", provider.email_optional
        if provider.url:
            yield f"{start}_URL", provider.url


def _hooks(source: Source) -> Pairs:
    for name in type(source.auth.hook).model_fields:
        hook = getattr(source.auth.hook, name)
        if hook.enabled:
            yield f"HOOK_{name.upper()}_ENABLED", True
            yield f"HOOK_{name.upper()}_URI", own_host(hook.uri, source)
            yield f"HOOK_{name.upper()}_SECRETS", hook.secrets


def own_host(url: str, source: Source) -> str:
    """A URL with the hosts of the official stack's containers replaced by this stack's address."""
    here = f"127.0.0.1:{source.place.port}"
    for host in (*_OWN_HOSTS, f"supabase_kong_{source.config.project_id}:8000"):
        url = url.replace(f"//{host}", f"//{here}")
    return url.replace("//host.docker.internal", "//127.0.0.1")


def _captcha(source: Source) -> Pairs:
    captcha = source.auth.captcha
    if captcha is not None and captcha.enabled:
        yield "SECURITY_CAPTCHA_ENABLED", True
        yield "SECURITY_CAPTCHA_PROVIDER", captcha.provider
        yield "SECURITY_CAPTCHA_SECRET", captcha.secret


def _passkeys(source: Source) -> Pairs:
    if source.auth.passkey is not None and source.auth.passkey.enabled:
        yield "PASSKEY_ENABLED", True
    party = source.auth.webauthn
    if party is not None:
        yield "WEBAUTHN_RP_DISPLAY_NAME", party.rp_display_name
        yield "WEBAUTHN_RP_ID", party.rp_id
        yield "WEBAUTHN_RP_ORIGINS", ",".join(party.rp_origins)


def _sms(source: Source) -> Pairs:
    name = sms_provider(source.auth)
    if name is None:
        return
    yield "SMS_PROVIDER", name
    provider = getattr(source.auth.sms, name)
    for field, info in type(provider).model_fields.items():
        if field != "enabled":
            key = info.validation_alias if isinstance(info.validation_alias, str) else field
            yield f"SMS_{name.upper()}_{key.upper()}", getattr(provider, field)


def _has_phone_factor(auth: Auth) -> bool:
    return auth.mfa.phone.enroll_enabled or auth.mfa.phone.verify_enabled


def _disabled(config: ProjectConfig) -> list[str]:
    """The services that the project does not want, by their names in the gateway's routes."""
    enabled = {
        "rest": config.api.enabled, "auth": config.auth.enabled, "realtime": config.realtime.enabled,
        "storage": config.storage.enabled,
    }  # fmt: skip
    return [name for name, is_enabled in enabled.items() if not is_enabled]


def _transforms(config: ProjectConfig) -> bool:
    wanted = config.storage.image_transformation
    return wanted is not None and wanted.enabled


def _positive(duration: str) -> str | None:
    return duration if any(digit in duration for digit in "123456789") else None


def _text(value: str | float | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
