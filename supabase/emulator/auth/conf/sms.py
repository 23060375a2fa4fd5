"""Text messages: codes for phones, and by which provider they are sent."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from emulator.auth.conf.mailer import MIN_OTP_LENGTH, valid_otp_length
from emulator.auth.conf.values import GoBool, GoInt, GoSeconds, GoTrueSettings, or_default
from emulator.settings import Variable

Secret = Annotated[str, Field(repr=False)]
DEFAULT_TEMPLATE = "Your code is {{ .Code }}"
Template = Annotated[str, AfterValidator(lambda value: value or DEFAULT_TEMPLATE)]


def _test_otps(value: object) -> object:
    """`number:code`, separated by commas."""
    if not isinstance(value, str):
        return value
    pairs = [item.partition(":") for item in value.split(",")]
    if not all(colon for _, colon, _ in pairs):
        raise ValueError("must be number:code, separated by commas")
    return {phone.strip().lstrip("+").replace(" ", ""): code.strip() for phone, _, code in pairs}


def _time(value: object) -> object:
    try:
        return datetime.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        raise ValueError(f"must be a time, not {value!r}") from None


class TwilioSettings(GoTrueSettings):
    """Twilio's Programmable Messaging; the sender is a number or a messaging service."""

    prefix = "GOTRUE_SMS_TWILIO_"
    account_sid: str = ""
    auth_token: Secret = ""
    message_service_sid: str = ""
    content_sid: str = ""


class TwilioVerifySettings(GoTrueSettings):
    """Twilio Verify, which makes and checks the codes itself."""

    prefix = "GOTRUE_SMS_TWILIO_VERIFY_"
    account_sid: str = ""
    auth_token: Secret = ""
    message_service_sid: str = ""


class MessagebirdSettings(GoTrueSettings):
    """MessageBird."""

    prefix = "GOTRUE_SMS_MESSAGEBIRD_"
    access_key: Secret = ""
    originator: str = ""


class TextlocalSettings(GoTrueSettings):
    """Textlocal."""

    prefix = "GOTRUE_SMS_TEXTLOCAL_"
    api_key: Secret = ""
    sender: str = ""


class VonageSettings(GoTrueSettings):
    """Vonage."""

    prefix = "GOTRUE_SMS_VONAGE_"
    api_key: Secret = ""
    api_secret: Secret = ""
    sender: Annotated[str, Variable("FROM")] = ""


ProviderSettings = TwilioSettings | TwilioVerifySettings | MessagebirdSettings | TextlocalSettings | VonageSettings


class SmsSettings(GoTrueSettings):
    """One-time codes for phones. `test_otps` maps a number to its fixed code, until `test_otps_until`."""

    autoconfirm: Annotated[GoBool, Variable("SMS_AUTOCONFIRM")] = False
    max_frequency_s: Annotated[GoSeconds, Variable("SMS_MAX_FREQUENCY"), or_default(60.0)] = 60.0
    otp_exp_s: Annotated[GoInt, Variable("SMS_OTP_EXP"), AfterValidator(lambda value: value or 60)] = 60
    otp_length: Annotated[GoInt, Variable("SMS_OTP_LENGTH"), AfterValidator(valid_otp_length)] = MIN_OTP_LENGTH
    template: Annotated[Template, Variable("SMS_TEMPLATE")] = DEFAULT_TEMPLATE
    provider: Annotated[str, Variable("SMS_PROVIDER")] = ""
    test_otps: Annotated[Mapping[str, str], Variable("SMS_TEST_OTP"), BeforeValidator(_test_otps)] = {}
    test_otps_until: Annotated[
        datetime | None, Variable("SMS_TEST_OTP_VALID_UNTIL"), BeforeValidator(_time)
    ] = None  # fmt: skip
    twilio: TwilioSettings = TwilioSettings()
    twilio_verify: TwilioVerifySettings = TwilioVerifySettings()
    messagebird: MessagebirdSettings = MessagebirdSettings()
    textlocal: TextlocalSettings = TextlocalSettings()
    vonage: VonageSettings = VonageSettings()

    @property
    def chosen(self) -> ProviderSettings | None:
        """The provider's settings; None when it is unknown, or one of its variables is missing."""
        known: dict[str, ProviderSettings] = {
            "twilio": self.twilio, "twilio_verify": self.twilio_verify, "messagebird": self.messagebird,
            "textlocal": self.textlocal, "vonage": self.vonage,
        }  # fmt: skip
        found = known.get(self.provider)
        if found is None or not all(value for name, value in found.model_dump().items() if name != "content_sid"):
            return None
        return found
