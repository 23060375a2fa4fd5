"""Reading the GOTRUE_* variables into `settings.py`'s values: names, defaults, and what is unusable."""

import json
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from emulator.auth.conf.env import Env
from emulator.auth.conf.settings import (
    AuthSettings,
    CaptchaSettings,
    HookSettings,
    JwtSettings,
    MailerSettings,
    MfaSettings,
    PasskeySettings,
    PasswordSettings,
    ProviderSettings,
    RateSettings,
    SecuritySettings,
    SessionSettings,
    SmsSettings,
    SmtpSettings,
)
from emulator.auth.utilities.go_duration import parse_duration_s
from emulator.rate_limit import Rate
from emulator.settings import SettingsError

MIN_SECRET_LENGTH = 16
MAIL_KINDS = ("INVITE", "CONFIRMATION", "RECOVERY", "EMAIL_CHANGE", "MAGIC_LINK", "REAUTHENTICATION")


def read_settings(environ: Mapping[str, str]) -> AuthSettings:
    """All settings; raises SettingsError when a required one is missing or any is unusable."""
    env = Env(environ)
    required = {
        "GOTRUE_DB_DATABASE_URL": env.bare("GOTRUE_DB_DATABASE_URL", "DATABASE_URL"),
        "API_EXTERNAL_URL": env.bare("API_EXTERNAL_URL", "GOTRUE_API_EXTERNAL_URL"),
        "GOTRUE_SITE_URL": env.text("SITE_URL"),
        "GOTRUE_JWT_SECRET": env.text("JWT_SECRET"),
    }
    missing = [name for name, value in required.items() if not value]
    if missing:
        raise SettingsError(f"missing: {', '.join(missing)}")
    if len(required["GOTRUE_JWT_SECRET"]) < MIN_SECRET_LENGTH:
        raise SettingsError(f"GOTRUE_JWT_SECRET must have at least {MIN_SECRET_LENGTH} characters")
    return AuthSettings(
        database_url=required["GOTRUE_DB_DATABASE_URL"],
        api_external_url=required["API_EXTERNAL_URL"],
        site_url=required["GOTRUE_SITE_URL"],
        jwt=_jwt(env),
        uri_allow_list=env.items("URI_ALLOW_LIST"),
        disable_signup=env.flag("DISABLE_SIGNUP"),
        email_enabled=env.flag("EXTERNAL_EMAIL_ENABLED", True),
        magic_link_enabled=env.flag("EXTERNAL_EMAIL_MAGIC_LINK_ENABLED", True),
        phone_enabled=env.flag("EXTERNAL_PHONE_ENABLED"),
        anonymous_enabled=env.flag("EXTERNAL_ANONYMOUS_USERS_ENABLED"),
        mailer=_mailer(env),
        smtp=_smtp(env),
        sms=_sms(env),
        password=PasswordSettings(
            env.integer("PASSWORD_MIN_LENGTH", 6), _character_sets(env.text("PASSWORD_REQUIRED_CHARACTERS"))
        ),
        security=_security(env),
        sessions=SessionSettings(
            timebox_s=env.seconds("SESSIONS_TIMEBOX", 0),
            inactivity_timeout_s=env.seconds("SESSIONS_INACTIVITY_TIMEOUT", 0),
            allow_low_aal_s=env.seconds("SESSIONS_ALLOW_LOW_AAL", 0),
            single_per_user=env.flag("SESSIONS_SINGLE_PER_USER"),
        ),
        mfa=_mfa(env),
        rates=_rates(env),
        passkeys=_passkeys(env, required["GOTRUE_SITE_URL"]),
        providers=_providers(env),
        hooks=_hooks(env),
        captcha=_captcha(env),
        flow_state_expiry_s=max(300.0, env.seconds("EXTERNAL_FLOW_STATE_EXPIRY_DURATION", 300)),
        oauth_server_enabled=env.flag("OAUTH_SERVER_ENABLED"),
        without_effect=_without_effect(env),
        audit_to_postgres=not env.flag("AUDIT_LOG_DISABLE_POSTGRES"),
        max_request_duration_s=env.seconds("API_MAX_REQUEST_DURATION", 10),
        pool_size=env.integer("DB_MAX_POOL_SIZE", 10) or 10,
        host=env.text("API_HOST", "127.0.0.1"),
        port=env.integer("API_PORT", 0) or int(env.bare("PORT") or 8081),
    )


def _jwt(env: Env) -> JwtSettings:
    return JwtSettings(
        secret=env.text("JWT_SECRET"),
        exp_s=env.integer("JWT_EXP", 3600),
        aud=env.text("JWT_AUD"),
        issuer=env.text("JWT_ISSUER"),
        admin_roles=env.items("JWT_ADMIN_ROLES", "service_role,supabase_admin"),
        default_group=env.text("JWT_DEFAULT_GROUP_NAME"),
        key_id=env.text("JWT_KEY_ID"),
        keys=_private_keys(env.text("JWT_KEYS")),
        valid_methods=env.items("JWT_VALID_METHODS"),
    )


def _private_keys(text: str) -> tuple[Mapping[str, Any], ...]:
    """JWT_KEYS: a JSON list of private JWKs (or a set); exactly one of them signs."""
    if not text:
        return ()
    try:
        document = json.loads(text)
        keys = document["keys"] if isinstance(document, dict) else document
        signing = [key for key in keys if "sign" in key.get("key_ops", ())]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise SettingsError("GOTRUE_JWT_KEYS must be a JSON list of private JWKs") from error
    if len(signing) != 1:
        raise SettingsError(f"GOTRUE_JWT_KEYS needs exactly one key with key_ops sign, it has {len(signing)}")
    return tuple(keys)


def _mailer(env: Env) -> MailerSettings:
    return MailerSettings(
        autoconfirm=env.flag("MAILER_AUTOCONFIRM"),
        allow_unverified_sign_ins=env.flag("MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS"),
        secure_email_change=env.flag("MAILER_SECURE_EMAIL_CHANGE_ENABLED", True),
        otp_exp_s=env.integer("MAILER_OTP_EXP", 86400),
        otp_length=_otp_length(env, "MAILER_OTP_LENGTH"),
        background=env.flag("MAILER_EMAIL_BACKGROUND_SENDING"),
        urlpaths={kind: env.text(f"MAILER_URLPATHS_{kind}", "/verify") for kind in MAIL_KINDS},
        subjects=env.below("MAILER_SUBJECTS_"),
        templates=env.below("MAILER_TEMPLATES_"),
        external_hosts=env.items("MAILER_EXTERNAL_HOSTS"),
        authorized_addresses=tuple(item.lower() for item in env.items("EXTERNAL_EMAIL_AUTHORIZED_ADDRESSES")),
    )


def _smtp(env: Env) -> SmtpSettings:
    return SmtpSettings(
        host=env.text("SMTP_HOST"),
        port=env.integer("SMTP_PORT", 587),
        user=env.text("SMTP_USER"),
        password=env.text("SMTP_PASS"),
        admin_email=env.text("SMTP_ADMIN_EMAIL", "noreply@localhost"),
        sender_name=env.text("SMTP_SENDER_NAME"),
        max_frequency_s=env.seconds("SMTP_MAX_FREQUENCY", 60),
    )


def _sms(env: Env) -> SmsSettings:
    pairs = (item.replace("=", ":").partition(":") for item in env.items("SMS_TEST_OTP"))
    until = env.text("SMS_TEST_OTP_VALID_UNTIL")
    try:
        valid_until = datetime.fromisoformat(until) if until else None
    except ValueError:
        raise SettingsError(f"GOTRUE_SMS_TEST_OTP_VALID_UNTIL must be a time, not {until!r}") from None
    return SmsSettings(
        autoconfirm=env.flag("SMS_AUTOCONFIRM"),
        max_frequency_s=env.seconds("SMS_MAX_FREQUENCY", 60),
        otp_exp_s=env.integer("SMS_OTP_EXP", 60) or 60,
        otp_length=_otp_length(env, "SMS_OTP_LENGTH"),
        provider=env.text("SMS_PROVIDER"),
        test_otps={phone.strip().lstrip("+"): code.strip() for phone, _, code in pairs},
        test_otps_until=valid_until,
    )


def _otp_length(env: Env, name: str) -> int:
    length = env.integer(name, 6)
    return length if 6 <= length <= 10 else 6


def _character_sets(text: str) -> tuple[str, ...]:
    """Colon separated; a backslash before a colon makes it a member of the set."""
    parts = text.replace("\\:", "\0").split(":")
    return tuple(part.replace("\0", ":") for part in parts if part)


def _security(env: Env) -> SecuritySettings:
    return SecuritySettings(
        rotation=env.flag("SECURITY_REFRESH_TOKEN_ROTATION_ENABLED", True),
        reuse_interval_s=env.integer("SECURITY_REFRESH_TOKEN_REUSE_INTERVAL", 0),
        update_password_reauthentication=env.flag("SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION"),
        update_password_current=env.flag("SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD"),
        manual_linking=env.flag("SECURITY_MANUAL_LINKING_ENABLED"),
        sb_forwarded_for=env.flag("SECURITY_SB_FORWARDED_FOR_ENABLED"),
    )


def _mfa(env: Env) -> MfaSettings:
    return MfaSettings(
        totp_enroll=env.flag("MFA_TOTP_ENROLL_ENABLED", True),
        totp_verify=env.flag("MFA_TOTP_VERIFY_ENABLED", True),
        phone_enroll=env.flag("MFA_PHONE_ENROLL_ENABLED"),
        phone_verify=env.flag("MFA_PHONE_VERIFY_ENABLED"),
        web_authn_enroll=env.flag("MFA_WEB_AUTHN_ENROLL_ENABLED"),
        web_authn_verify=env.flag("MFA_WEB_AUTHN_VERIFY_ENABLED"),
        max_enrolled=env.integer("MFA_MAX_ENROLLED_FACTORS", 10),
        max_verified=env.integer("MFA_MAX_VERIFIED_FACTORS", 10),
        challenge_expiry_s=env.seconds("MFA_CHALLENGE_EXPIRY_DURATION", 300),
        factor_expiry_s=env.seconds("MFA_FACTOR_EXPIRY_DURATION", 300),
    )


def _rates(env: Env) -> RateSettings:
    def rate(name: str, default: float, per_s: float, burst: int | None = 30) -> Rate:
        text = env.text(name)
        number, slash, duration = text.partition("/")
        try:
            events = float(number) if number else default
            if slash:
                return Rate(events, parse_duration_s(duration), int(events))
        except ValueError:
            raise SettingsError(f"GOTRUE_{name} must be a number or number/duration, not {text!r}") from None
        return Rate(events, per_s, int(events) if burst is None else burst)

    failures = env.text("RATE_LIMIT_PASSWORD_FAILURES")
    return RateSettings(
        header=env.text("RATE_LIMIT_HEADER"),
        otp=rate("RATE_LIMIT_OTP", 30, 300),
        verify=rate("RATE_LIMIT_VERIFY", 30, 300),
        token=rate("RATE_LIMIT_TOKEN_REFRESH", 150, 300),
        anonymous=rate("RATE_LIMIT_ANONYMOUS_USERS", 30, 3600, None),
        sso=rate("RATE_LIMIT_SSO", 30, 300),
        passkey=rate("RATE_LIMIT_PASSKEY", 30, 300),
        mfa=rate("MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY", 15, 60),
        email_sent=rate("RATE_LIMIT_EMAIL_SENT", 30, 3600, None),
        sms_sent=rate("RATE_LIMIT_SMS_SENT", 30, 3600, None),
        password_failures=rate("RATE_LIMIT_PASSWORD_FAILURES", 0, 300, None) if failures else None,
    )


def _passkeys(env: Env, site_url: str) -> PasskeySettings:
    site = urlsplit(site_url)
    return PasskeySettings(
        enabled=env.flag("PASSKEY_ENABLED"),
        rp_id=env.text("WEBAUTHN_RP_ID", site.hostname or ""),
        rp_name=env.text("WEBAUTHN_RP_DISPLAY_NAME", site.hostname or ""),
        rp_origins=env.items("WEBAUTHN_RP_ORIGINS", f"{site.scheme}://{site.netloc}"),
    )


HOOKS = (
    "CUSTOM_ACCESS_TOKEN", "SEND_EMAIL", "SEND_SMS", "MFA_VERIFICATION_ATTEMPT", "PASSWORD_VERIFICATION_ATTEMPT",
    "BEFORE_USER_CREATED", "AFTER_USER_CREATED",
)  # fmt: skip
_FUNCTION_URI = re.compile(r"pg-functions://[^/]*/[A-Za-z_][A-Za-z0-9_$]{0,62}/[A-Za-z_][A-Za-z0-9_$]{0,62}")
_HOOK_SECRET = re.compile(r"v1,whsec_[A-Za-z0-9+/]{32,}={0,2}")
_NEAR = ("localhost", "127.0.0.1", "::1", "host.docker.internal")


def _without_effect(env: Env) -> tuple[str, ...]:
    """What an operator set and this service can't do."""
    switches = (
        "PASSWORD_HIBP_ENABLED", "SAML_ENABLED", "EXTERNAL_WEB3_SOLANA_ENABLED", "EXTERNAL_WEB3_ETHEREUM_ENABLED",
        "SECURITY_DB_ENCRYPTION_ENCRYPT", "DB_CLEANUP_ENABLED",
    )  # fmt: skip
    found = [name for name in switches if env.text(name).lower() in ("1", "t", "true")]
    if env.integer("SECURITY_REFRESH_TOKEN_ALGORITHM_VERSION", 0) > 1:
        found.append("SECURITY_REFRESH_TOKEN_ALGORITHM_VERSION")
    return tuple(f"GOTRUE_{name}" for name in found)


def _captcha(env: Env) -> CaptchaSettings | None:
    if not env.flag("SECURITY_CAPTCHA_ENABLED"):
        return None
    provider, secret = env.text("SECURITY_CAPTCHA_PROVIDER", "hcaptcha"), env.text("SECURITY_CAPTCHA_SECRET")
    if provider not in ("hcaptcha", "turnstile") or not secret:
        raise SettingsError("GOTRUE_SECURITY_CAPTCHA_PROVIDER must be hcaptcha or turnstile, and have a _SECRET")
    return CaptchaSettings(provider, secret)


def _hooks(env: Env) -> dict[str, HookSettings]:
    """The hooks that are on; raises SettingsError for one that could not be called, or not safely."""
    return {name.lower(): _hook(env, f"HOOK_{name}") for name in HOOKS if env.flag(f"HOOK_{name}_ENABLED")}


def _hook(env: Env, start: str) -> HookSettings:
    uri, secrets = env.text(f"{start}_URI"), tuple(filter(None, env.text(f"{start}_SECRETS").split("|")))
    if _FUNCTION_URI.fullmatch(uri):
        return HookSettings(uri)
    url = urlsplit(uri)
    if not (url.scheme == "https" and url.hostname or url.scheme == "http" and url.hostname in _NEAR):
        raise SettingsError(
            f"GOTRUE_{start}_URI must be pg-functions://<any>/<schema>/<function> or an https URL, not {uri!r}"
        )
    if not secrets or not all(_HOOK_SECRET.fullmatch(secret) for secret in secrets):
        raise SettingsError(f"GOTRUE_{start}_SECRETS must hold v1,whsec_<base64> of 24 bytes or more, separated by |")
    return HookSettings(uri, secrets)


def _providers(env: Env) -> dict[str, ProviderSettings]:
    """Every EXTERNAL_<P>_ENABLED that is not one of the service's own kinds names a provider."""
    own = {"EMAIL", "PHONE", "ANONYMOUS_USERS", "EMAIL_MAGIC_LINK"}
    keys = [name.removesuffix("_ENABLED") for name in env.below("EXTERNAL_") if name.endswith("_ENABLED")]
    found = {}
    for key in sorted(set(keys) - own):
        start = f"EXTERNAL_{key}_"
        found[key.lower()] = ProviderSettings(
            name=key.lower(),
            enabled=env.flag(f"{start}ENABLED"),
            client_ids=env.items(f"{start}CLIENT_ID"),
            secret=env.text(f"{start}SECRET"),
            redirect_uri=env.text(f"{start}REDIRECT_URI"),
            url=env.text(f"{start}URL").rstrip("/"),
            skip_nonce_check=env.flag(f"{start}SKIP_NONCE_CHECK"),
            email_optional=env.flag(f"{start}EMAIL_OPTIONAL"),
        )
    return found
