"""The settings of the auth service. Variables of features that it lacks are ignored."""

from collections.abc import Mapping
from typing import Annotated, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from emulator.auth.conf.external import (
    EthereumSettings,
    ProviderSettings,
    SolanaSettings,
    read_providers,
    unknown_providers,
)
from emulator.auth.conf.hooks import HookSettings, read_hooks
from emulator.auth.conf.jwt import JwtSettings
from emulator.auth.conf.mailer import MailerSettings, SmtpSettings, valid_otp_length
from emulator.auth.conf.rates import RateSettings
from emulator.auth.conf.saml import SamlSettings
from emulator.auth.conf.sms import DEFAULT_TEMPLATE, SmsSettings, Template
from emulator.auth.conf.values import GoBool, GoInt, GoSeconds, GoTrueSettings, is_true, or_default, positive
from emulator.auth.utilities.redirects import is_pattern
from emulator.settings import CommaList, Variable

MIN_FLOW_STATE_EXPIRY_S = MIN_EXPIRY_S = 300.0
DEFAULT_PORT = 8081


def _url(value: str) -> str:
    if not value.startswith("/") and not urlsplit(value).scheme:
        raise ValueError(f"must be a URL, not {value!r}")
    return value


def _patterns(values: tuple[str, ...]) -> tuple[str, ...]:
    bad = next((value for value in values if not is_pattern(value)), None)
    if bad is not None:
        raise ValueError(f"has a pattern that is not closed: {bad!r}")
    return values


def _character_sets(value: object) -> object:
    """Separated by colons; a backslash before a colon makes it a member of the set."""
    if not isinstance(value, str):
        return value
    parts = value.replace("\\:", "\0").split(":")
    return tuple(part.replace("\0", ":") for part in parts if part)


class PasswordSettings(GoTrueSettings):
    """What a new password must be."""

    min_length: Annotated[GoInt, Variable("PASSWORD_MIN_LENGTH"), AfterValidator(lambda value: max(6, value))] = 6
    required_characters: Annotated[
        tuple[str, ...], Variable("PASSWORD_REQUIRED_CHARACTERS"), BeforeValidator(_character_sets)
    ] = ()
    hibp: Annotated[GoBool, Variable("PASSWORD_HIBP_ENABLED")] = False
    hibp_fail_closed: Annotated[GoBool, Variable("PASSWORD_HIBP_FAIL_CLOSED")] = False
    hibp_user_agent: Annotated[str, Variable("PASSWORD_HIBP_USER_AGENT")] = "https://github.com/supabase/gotrue"
    hibp_file: Annotated[str, Variable("PASSWORD_HIBP_FILE")] = ""  # ours


class SecuritySettings(GoTrueSettings):
    """Rotation of refresh tokens, and what a change of the password asks for."""

    rotation: Annotated[GoBool, Variable("SECURITY_REFRESH_TOKEN_ROTATION_ENABLED")] = True
    reuse_interval_s: Annotated[GoInt, Variable("SECURITY_REFRESH_TOKEN_REUSE_INTERVAL")] = 0
    update_password_reauthentication: Annotated[
        GoBool, Variable("SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION")
    ] = False
    update_password_current: Annotated[
        GoBool, Variable("SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD")
    ] = False  # fmt: skip
    manual_linking: Annotated[GoBool, Variable("SECURITY_MANUAL_LINKING_ENABLED")] = False
    sb_forwarded_for: Annotated[GoBool, Variable("SECURITY_SB_FORWARDED_FOR_ENABLED")] = False


class CaptchaSettings(GoTrueSettings):
    """Whose CAPTCHA a form must have been sent with."""

    enabled: Annotated[GoBool, Variable("SECURITY_CAPTCHA_ENABLED")] = False
    provider: Annotated[str, Variable("SECURITY_CAPTCHA_PROVIDER")] = "hcaptcha"
    secret: Annotated[str, Variable("SECURITY_CAPTCHA_SECRET"), Field(repr=False)] = ""

    @model_validator(mode="after")
    def _is_usable(self) -> "CaptchaSettings":
        if self.enabled and (self.provider not in ("hcaptcha", "turnstile") or not self.secret):
            raise ValueError("GOTRUE_SECURITY_CAPTCHA_PROVIDER must be hcaptcha or turnstile, and have a _SECRET")
        return self


class SessionSettings(GoTrueSettings):
    """Limits of a session; 0 or false is off."""

    timebox_s: Annotated[GoSeconds, Variable("SESSIONS_TIMEBOX"), AfterValidator(positive)] = 0
    inactivity_timeout_s: Annotated[GoSeconds, Variable("SESSIONS_INACTIVITY_TIMEOUT"), AfterValidator(positive)] = 0
    allow_low_aal_s: Annotated[GoSeconds, Variable("SESSIONS_ALLOW_LOW_AAL"), AfterValidator(positive)] = 0
    single_per_user: Annotated[GoBool, Variable("SESSIONS_SINGLE_PER_USER")] = False


class MfaSettings(GoTrueSettings):
    """Which factors may be enrolled and verified, and how many."""

    totp_enroll: Annotated[GoBool, Variable("MFA_TOTP_ENROLL_ENABLED")] = True
    totp_verify: Annotated[GoBool, Variable("MFA_TOTP_VERIFY_ENABLED")] = True
    phone_enroll: Annotated[GoBool, Variable("MFA_PHONE_ENROLL_ENABLED")] = False
    phone_verify: Annotated[GoBool, Variable("MFA_PHONE_VERIFY_ENABLED")] = False
    web_authn_enroll: Annotated[GoBool, Variable("MFA_WEB_AUTHN_ENROLL_ENABLED")] = False
    web_authn_verify: Annotated[GoBool, Variable("MFA_WEB_AUTHN_VERIFY_ENABLED")] = False
    phone_max_frequency_s: Annotated[GoSeconds, Variable("MFA_PHONE_MAX_FREQUENCY"), or_default(60)] = 60
    phone_otp_length: Annotated[GoInt, Variable("MFA_PHONE_OTP_LENGTH"), AfterValidator(valid_otp_length)] = 6
    phone_template: Annotated[Template, Variable("MFA_PHONE_TEMPLATE")] = DEFAULT_TEMPLATE
    max_enrolled: Annotated[GoInt, Variable("MFA_MAX_ENROLLED_FACTORS")] = 10
    max_verified: Annotated[GoInt, Variable("MFA_MAX_VERIFIED_FACTORS")] = 10
    challenge_expiry_s: Annotated[
        float, Variable("MFA_CHALLENGE_EXPIRY_DURATION"), AfterValidator(lambda value: max(MIN_EXPIRY_S, value))
    ] = MIN_EXPIRY_S  # a number of seconds, in spite of its name
    factor_expiry_s: Annotated[
        GoSeconds, Variable("MFA_FACTOR_EXPIRY_DURATION"), AfterValidator(lambda value: max(MIN_EXPIRY_S, value))
    ] = MIN_EXPIRY_S


class PasskeySettings(GoTrueSettings):
    """Sign-in by passkey, and the relying party as browsers know it; by default that of SITE_URL."""

    enabled: Annotated[GoBool, Variable("PASSKEY_ENABLED")] = False
    site_url: str = ""
    rp_id: Annotated[str, Variable("WEBAUTHN_RP_ID")] = ""
    rp_name: Annotated[str, Variable("WEBAUTHN_RP_DISPLAY_NAME")] = ""
    rp_origins: Annotated[CommaList, Variable("WEBAUTHN_RP_ORIGINS")] = ()
    rp_configured: Annotated[bool, Variable()] = False

    @model_validator(mode="before")
    @classmethod
    def _defaults(cls, values: dict[str, object]) -> dict[str, object]:
        site = urlsplit(str(values.get("site_url", "")))
        host, origin = site.hostname or "", f"{site.scheme}://{site.netloc}"
        configured = bool(values.get("rp_id") and values.get("rp_origins"))
        return {"rp_id": host, "rp_name": host, "rp_origins": (origin,), "rp_configured": configured, **values}


class AuthSettings(GoTrueSettings):
    """All of them. `without_effect` names what is set although the feature is lacking here."""

    database_url: Annotated[str, Variable("GOTRUE_DB_DATABASE_URL", "DATABASE_URL", prefix=False), Field(repr=False)]
    db_driver: str
    api_external_url: Annotated[
        str, Variable("API_EXTERNAL_URL", "GOTRUE_API_EXTERNAL_URL", prefix=False), AfterValidator(_url)
    ]
    site_url: str
    jwt: JwtSettings
    uri_allow_list: Annotated[CommaList, AfterValidator(_patterns)] = ()
    disable_signup: GoBool = False
    email_enabled: Annotated[GoBool, Variable("EXTERNAL_EMAIL_ENABLED")] = True
    magic_link_enabled: Annotated[GoBool, Variable("EXTERNAL_EMAIL_MAGIC_LINK_ENABLED")] = True
    phone_enabled: Annotated[GoBool, Variable("EXTERNAL_PHONE_ENABLED")] = False
    anonymous_enabled: Annotated[GoBool, Variable("EXTERNAL_ANONYMOUS_USERS_ENABLED")] = False
    mailer: MailerSettings = MailerSettings()
    smtp: SmtpSettings = SmtpSettings()
    sms: SmsSettings = SmsSettings()
    password: PasswordSettings = PasswordSettings()
    security: SecuritySettings = SecuritySettings()
    captcha: CaptchaSettings = CaptchaSettings()
    sessions: SessionSettings = SessionSettings()
    mfa: MfaSettings = MfaSettings()
    rates: RateSettings = RateSettings()
    passkeys: PasskeySettings = PasskeySettings()
    saml: SamlSettings = SamlSettings()
    solana: SolanaSettings = SolanaSettings()
    ethereum: EthereumSettings = EthereumSettings()
    providers: Annotated[Mapping[str, ProviderSettings], Variable()] = {}
    hooks: Annotated[Mapping[str, HookSettings], Variable()] = {}
    flow_state_expiry_s: Annotated[
        GoSeconds,
        Variable("EXTERNAL_FLOW_STATE_EXPIRY_DURATION"),
        AfterValidator(lambda value: max(MIN_FLOW_STATE_EXPIRY_S, value)),
    ] = MIN_FLOW_STATE_EXPIRY_S
    custom_oauth_enabled: GoBool = True
    custom_oauth_max_providers: GoInt = 0
    custom_oauth_external_url: str = ""
    oauth_server_enabled: GoBool = False
    oauth_server_registration: Annotated[GoBool, Variable("OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION")] = False
    oauth_server_path: Annotated[str, Variable("OAUTH_SERVER_AUTHORIZATION_PATH")] = ""
    oauth_server_ttl_s: Annotated[GoSeconds, Variable("OAUTH_SERVER_AUTHORIZATION_TTL")] = 600
    oauth_server_default_scope: Annotated[str, Variable("OAUTH_SERVER_DEFAULT_SCOPE")] = "email"
    audit_log_disable_postgres: GoBool = False
    without_effect: Annotated[tuple[str, ...], Variable()] = ()
    max_request_duration_s: Annotated[GoSeconds, Variable("API_MAX_REQUEST_DURATION")] = 10
    request_id_header: Annotated[str, Variable("API_REQUEST_ID_HEADER")] = ""
    cors_allowed_headers: CommaList = ()
    pool_size: Annotated[GoInt, Variable("DB_MAX_POOL_SIZE"), AfterValidator(lambda value: value or 10)] = 10
    host: Annotated[str, Variable("API_HOST")] = "127.0.0.1"
    port: Annotated[
        GoInt, Variable("API_PORT"), Variable("PORT", prefix=False), AfterValidator(lambda value: value or DEFAULT_PORT)
    ] = DEFAULT_PORT

    @classmethod
    def from_env(cls, env: Mapping[str, str]) -> Self:
        """Also the groups whose variables have names of their own; raises SettingsError."""
        groups = {
            "providers": read_providers(env), "hooks": read_hooks(env), "without_effect": _without_effect(env),
        }  # fmt: skip
        return super().from_env(env).model_copy(update=groups)


_LACKING = (
    "SECURITY_DB_ENCRYPTION_ENCRYPT", "DB_CLEANUP_ENABLED",
)  # fmt: skip


class _TokenFormat(GoTrueSettings):
    version: Annotated[GoInt, Variable("SECURITY_REFRESH_TOKEN_ALGORITHM_VERSION")] = 0


def _without_effect(env: Mapping[str, str]) -> tuple[str, ...]:
    """Variables that are set for a protection or a way to sign in that is lacking here."""
    found = [f"GOTRUE_{name}" for name in _LACKING if is_true(env.get(f"GOTRUE_{name}", ""))]
    found += unknown_providers(env)
    if _TokenFormat.from_env(env).version > 1:
        found.append("GOTRUE_SECURITY_REFRESH_TOKEN_ALGORITHM_VERSION")
    return tuple(found)
