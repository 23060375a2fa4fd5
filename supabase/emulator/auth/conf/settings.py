"""What the auth service is configured with: the GOTRUE_* variables of the container it stands in for, typed.

Names and defaults are GoTrue's. Variables of features that this service lacks are ignored; `without_effect` names those
that are set and would have protected or admitted somebody. Read once, at start.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from emulator.rate_limit import Rate


@dataclass(frozen=True)
class JwtSettings:
    """How access tokens are signed and which are believed. `keys` are private JWKs, may be empty."""

    secret: str
    exp_s: int = 3600
    aud: str = ""
    issuer: str = ""
    admin_roles: tuple[str, ...] = ("service_role", "supabase_admin")
    default_group: str = ""
    key_id: str = ""
    keys: tuple[Mapping[str, Any], ...] = ()
    valid_methods: tuple[str, ...] = ()


@dataclass(frozen=True)
class MailerSettings:
    """When mails go out, what they link to, and the operator's own subjects and templates by kind."""

    autoconfirm: bool = False
    allow_unverified_sign_ins: bool = False
    secure_email_change: bool = True
    otp_exp_s: int = 86400
    otp_length: int = 6
    background: bool = False
    urlpaths: Mapping[str, str] = field(default_factory=dict)
    subjects: Mapping[str, str] = field(default_factory=dict)
    templates: Mapping[str, str] = field(default_factory=dict)
    external_hosts: tuple[str, ...] = ()
    authorized_addresses: tuple[str, ...] = ()


@dataclass(frozen=True)
class SmtpSettings:
    """The SMTP server; an empty host drops mails silently."""

    host: str = ""
    port: int = 587
    user: str = ""
    password: str = field(default="", repr=False)
    admin_email: str = "noreply@localhost"
    sender_name: str = ""
    max_frequency_s: float = 60.0


@dataclass(frozen=True)
class SmsSettings:
    """One-time codes for phones. `test_otps` maps a number to its fixed code, until `test_otps_until`."""

    autoconfirm: bool = False
    max_frequency_s: float = 60.0
    otp_exp_s: int = 60
    otp_length: int = 6
    provider: str = ""
    test_otps: Mapping[str, str] = field(default_factory=dict)
    test_otps_until: datetime | None = None


@dataclass(frozen=True)
class PasswordSettings:
    """What a new password must be."""

    min_length: int = 6
    required_characters: tuple[str, ...] = ()


@dataclass(frozen=True)
class SecuritySettings:
    """Rotation of refresh tokens and what a password change asks for."""

    rotation: bool = True
    reuse_interval_s: int = 0
    update_password_reauthentication: bool = False
    update_password_current: bool = False
    manual_linking: bool = False
    sb_forwarded_for: bool = False


@dataclass(frozen=True)
class SessionSettings:
    """Limits of a session; 0 or false is off."""

    timebox_s: float = 0
    inactivity_timeout_s: float = 0
    allow_low_aal_s: float = 0
    single_per_user: bool = False


@dataclass(frozen=True)
class MfaSettings:
    """Which factors may be enrolled and verified, and how many."""

    totp_enroll: bool = True
    totp_verify: bool = True
    phone_enroll: bool = False
    phone_verify: bool = False
    web_authn_enroll: bool = False
    web_authn_verify: bool = False
    max_enrolled: int = 10
    max_verified: int = 10
    challenge_expiry_s: float = 300
    factor_expiry_s: float = 300


@dataclass(frozen=True)
class RateSettings:
    """Limits per client address (active only when `header` is named) and per process (mails, messages)."""

    header: str = ""
    otp: Rate = Rate(30, 300, 30)
    verify: Rate = Rate(30, 300, 30)
    token: Rate = Rate(150, 300, 30)
    anonymous: Rate = Rate(30, 3600, 30)
    sso: Rate = Rate(30, 300, 30)
    passkey: Rate = Rate(30, 300, 30)
    mfa: Rate = Rate(15, 60, 30)
    email_sent: Rate = Rate(30, 3600, 30)
    sms_sent: Rate = Rate(30, 3600, 30)
    password_failures: Rate | None = None


@dataclass(frozen=True)
class ProviderSettings:
    """One external OAuth provider as configured; `client_ids` are all that an id_token may be for."""

    name: str
    enabled: bool
    client_ids: tuple[str, ...] = ()
    secret: str = field(default="", repr=False)
    redirect_uri: str = ""
    url: str = ""
    skip_nonce_check: bool = False
    email_optional: bool = False


@dataclass(frozen=True)
class PasskeySettings:
    """Sign-in by passkey: the relying party as browsers know it."""

    enabled: bool = False
    rp_id: str = ""
    rp_name: str = ""
    rp_origins: tuple[str, ...] = ()


@dataclass(frozen=True)
class CaptchaSettings:
    """Whose captcha a form must have been sent with; `provider` is hcaptcha or turnstile."""

    provider: str
    secret: str = field(repr=False)


@dataclass(frozen=True)
class HookSettings:
    """One hook: `pg-functions://<any>/<schema>/<function>`, or a URL with the secrets that sign what it is told."""

    uri: str
    secrets: tuple[str, ...] = field(default=(), repr=False)

    @property
    def is_function(self) -> bool:
        """Whether the database answers."""
        return self.uri.startswith("pg-functions:")

    @property
    def function(self) -> tuple[str, str]:
        """Schema and name."""
        schema, name = self.uri.split("/")[-2:]
        return schema, name


@dataclass(frozen=True)
class AuthSettings:
    """All of it."""

    database_url: str = field(repr=False)
    api_external_url: str
    site_url: str
    jwt: JwtSettings
    uri_allow_list: tuple[str, ...] = ()
    disable_signup: bool = False
    email_enabled: bool = True
    magic_link_enabled: bool = True
    phone_enabled: bool = False
    anonymous_enabled: bool = False
    mailer: MailerSettings = MailerSettings()
    smtp: SmtpSettings = SmtpSettings()
    sms: SmsSettings = SmsSettings()
    password: PasswordSettings = PasswordSettings()
    security: SecuritySettings = SecuritySettings()
    sessions: SessionSettings = SessionSettings()
    mfa: MfaSettings = MfaSettings()
    rates: RateSettings = RateSettings()
    passkeys: PasskeySettings = PasskeySettings()
    providers: Mapping[str, ProviderSettings] = field(default_factory=dict)
    hooks: Mapping[str, HookSettings] = field(default_factory=dict)
    captcha: CaptchaSettings | None = None
    flow_state_expiry_s: float = 300
    oauth_server_enabled: bool = False
    audit_to_postgres: bool = True
    without_effect: tuple[str, ...] = ()
    max_request_duration_s: float = 10
    pool_size: int = 10
    host: str = "127.0.0.1"
    port: int = 8081
