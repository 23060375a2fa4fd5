"""What auth is told because of a project's configuration: a table, and a part for each repeated section. No I/O."""

from collections.abc import Iterator
from urllib.parse import quote

from muster_cli.project.auth_config import Auth, Template
from muster_cli.project.source import Source, Table

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


SMS_PROVIDERS = ("twilio", "twilio_verify", "messagebird", "textlocal", "vonage")


def sms_provider(auth: Auth) -> str | None:
    """The provider that sends; of several the first."""
    return next((name for name in SMS_PROVIDERS if getattr(auth.sms, name).enabled), None)


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


def _positive(duration: str) -> str | None:
    return duration if any(digit in duration for digit in "123456789") else None


PARTS = (_smtp, _templates, _notifications, _providers, _hooks, _captcha, _passkeys, _sms)  # beside the table


def auth_pairs(source: Source) -> Pairs:
    """The variables that there is one of for each mail, provider, hook or server, without GoTrue's prefix."""
    for part in PARTS:
        yield from part(source)
