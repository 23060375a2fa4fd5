"""Mails: when they are sent, what they link to, and by which server."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Self

from pydantic import AfterValidator, BeforeValidator, Field, TypeAdapter, model_validator

from emulator.auth.conf.values import GoBool, GoInt, GoSeconds, GoTrueSettings, or_default, variables_below
from emulator.mail import settings as mail
from emulator.settings import CommaList, Variable

MIN_OTP_LENGTH, MAX_OTP_LENGTH = 6, 10


def valid_otp_length(value: int) -> int:
    """A length that GoTrue accepts; any other is the default."""
    return value if MIN_OTP_LENGTH <= value <= MAX_OTP_LENGTH else MIN_OTP_LENGTH


def _lower(value: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(item.lower() for item in value)


def _headers(value: object) -> object:
    """A JSON object of lists of texts; GoTrue starts with anything else, too, and ignores it."""
    if not isinstance(value, str):
        return value
    try:
        given = TypeAdapter(dict[str, list[str]]).validate_json(value or "{}", strict=True)
    except ValueError:
        return {}
    return {name: ", ".join(filter(None, values)) for name, values in given.items() if name and any(values)}


class NotificationSettings(GoTrueSettings):
    """Which changes of an account are told by a mail."""

    prefix = "GOTRUE_MAILER_NOTIFICATIONS_"
    password_changed: Annotated[GoBool, Variable("PASSWORD_CHANGED_ENABLED")] = False
    email_changed: Annotated[GoBool, Variable("EMAIL_CHANGED_ENABLED")] = False
    phone_changed: Annotated[GoBool, Variable("PHONE_CHANGED_ENABLED")] = False
    identity_linked: Annotated[GoBool, Variable("IDENTITY_LINKED_ENABLED")] = False
    identity_unlinked: Annotated[GoBool, Variable("IDENTITY_UNLINKED_ENABLED")] = False
    mfa_factor_enrolled: Annotated[GoBool, Variable("MFA_FACTOR_ENROLLED_ENABLED")] = False
    mfa_factor_unenrolled: Annotated[GoBool, Variable("MFA_FACTOR_UNENROLLED_ENABLED")] = False


class MailerSettings(GoTrueSettings):
    """`urlpaths`, `subjects` and `templates` are the operator's, by kind of mail in capitals."""

    autoconfirm: Annotated[GoBool, Variable("MAILER_AUTOCONFIRM")] = False
    allow_unverified_sign_ins: Annotated[GoBool, Variable("MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS")] = False
    secure_email_change: Annotated[GoBool, Variable("MAILER_SECURE_EMAIL_CHANGE_ENABLED")] = True
    otp_exp_s: Annotated[GoInt, Variable("MAILER_OTP_EXP"), or_default(86400)] = 86400
    otp_length: Annotated[GoInt, Variable("MAILER_OTP_LENGTH"), AfterValidator(valid_otp_length)] = MIN_OTP_LENGTH
    background: Annotated[GoBool, Variable("MAILER_EMAIL_BACKGROUND_SENDING")] = False
    notifications: NotificationSettings = NotificationSettings()
    urlpaths: Annotated[Mapping[str, str], Variable()] = {}
    subjects: Annotated[Mapping[str, str], Variable()] = {}
    templates: Annotated[Mapping[str, str], Variable()] = {}
    external_hosts: Annotated[CommaList, Variable("MAILER_EXTERNAL_HOSTS")] = ()
    authorized_addresses: Annotated[
        CommaList, Variable("EXTERNAL_EMAIL_AUTHORIZED_ADDRESSES"), AfterValidator(_lower)
    ] = ()

    @model_validator(mode="after")
    def _is_consistent(self) -> "MailerSettings":
        if self.autoconfirm and self.allow_unverified_sign_ins:
            names = "GOTRUE_MAILER_AUTOCONFIRM and GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS"
            raise ValueError(f"{names} exclude each other")
        return self

    @classmethod
    def from_env(cls, env: Mapping[str, str]) -> Self:
        """Also MAILER_URLPATHS_<kind>, MAILER_SUBJECTS_<kind> and MAILER_TEMPLATES_<kind>."""
        kinds = {
            name: variables_below(env, f"{cls.prefix}MAILER_{name.upper()}_")
            for name in ("urlpaths", "subjects", "templates")
        }
        return super().from_env(env).model_copy(update=kinds)


class SmtpSettings(mail.SmtpSettings):
    """The SMTP server; without a host mails are dropped. GoTrue has no settings for TLS and time limits."""

    prefix: ClassVar[str] = "GOTRUE_SMTP_"

    host: str = ""
    port: Annotated[GoInt, Field(ge=1, le=65535)] = 587
    tls: Annotated[mail.Tls, Variable()] = "auto"
    ca_file: Annotated[str | None, Variable()] = None
    timeout_s: Annotated[float, Variable()] = 8.0  # a request may wait for the server: short
    max_frequency_s: Annotated[GoSeconds, Variable("MAX_FREQUENCY"), or_default(60.0)] = 60.0
    headers: Annotated[Mapping[str, str], BeforeValidator(_headers)] = {}
