"""What each provider is asked, and what its answers mean. Pure.

Requests and texts of errors are GoTrue's (internal/api/sms_provider); it takes part in their wording only, as the
details reach the client within "Error sending ... OTP to provider: ...".
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from emulator.auth.conf.sms import (
    MessagebirdSettings,
    ProviderSettings,
    TextlocalSettings,
    TwilioSettings,
    TwilioVerifySettings,
    VonageSettings,
)

_NUMBER = re.compile(r"[1-9][0-9]{1,14}")
_VERIFY = "https://verify.twilio.com/v2/Services"
_TEXTLOCAL_TEMPLATE_ERROR = 80


class SmsError(Exception):
    """The provider has not sent the message, or does not know the code; the text says why."""


@dataclass(frozen=True)
class Message:
    """What is to be sent, and to whom: `phone` has digits only, `channel` is sms or whatsapp."""

    phone: str
    text: str
    channel: str
    code: str


@dataclass(frozen=True)
class FormRequest:
    """A POST with a form; `account` is the name and password of basic authorization."""

    url: str
    form: Mapping[str, str]
    headers: Mapping[str, str] = field(default_factory=dict)
    account: tuple[str, str] | None = None


def sending(provider: ProviderSettings, message: Message) -> FormRequest:
    """The request that sends a message. Raises SmsError for a channel that the provider lacks."""
    if isinstance(provider, TwilioSettings):
        return _twilio(provider, message)
    if isinstance(provider, TwilioVerifySettings):
        form = {"To": f"+{message.phone}", "Channel": message.channel}
        return _twilio_verify(provider, "Verifications", form)
    if message.channel != "sms":
        raise SmsError(f'channel type "{message.channel}" is not supported for {_NAMES[type(provider)]}')
    if isinstance(provider, MessagebirdSettings):
        form = {
            "originator": provider.originator, "body": message.text, "recipients": message.phone, "type": "sms",
            "datacoding": "unicode",
        }  # fmt: skip
        authorization = {"Authorization": f"AccessKey {provider.access_key}"}
        return FormRequest("https://rest.messagebird.com/messages", form, authorization)
    if isinstance(provider, TextlocalSettings):
        form = {
            "sender": provider.sender, "apikey": provider.api_key, "message": message.text, "numbers": message.phone,
        }  # fmt: skip
        return FormRequest("https://api.textlocal.in/send", form)
    form = {
        "from": provider.sender, "to": message.phone, "text": message.text, "api_key": provider.api_key,
        "api_secret": provider.api_secret, **({} if message.text.isascii() else {"type": "unicode"}),
    }  # fmt: skip
    return FormRequest("https://rest.nexmo.com/sms/json", form)


def checking(provider: TwilioVerifySettings, phone: str, code: str) -> FormRequest:
    """The request that asks whether a code is right."""
    return _twilio_verify(provider, "VerificationCheck", {"To": f"+{phone}", "Code": code})


def _twilio(provider: TwilioSettings, message: Message) -> FormRequest:
    receiver, sender = f"+{message.phone}", provider.message_service_sid
    form = {"To": receiver, "Channel": message.channel, "From": sender, "Body": message.text}
    if message.channel == "whatsapp":
        if _NUMBER.fullmatch(sender.removeprefix("+").replace(" ", "")):
            sender = f"whatsapp:{sender}"
        form |= {"To": f"whatsapp:{receiver}", "From": sender}
        if provider.content_sid:
            del form["Body"]
            form |= {"ContentSid": provider.content_sid, "ContentVariables": json.dumps({"1": message.code})}
    url = f"https://api.twilio.com/2010-04-01/Accounts/{provider.account_sid}/Messages.json"
    return FormRequest(url, form, account=(provider.account_sid, provider.auth_token))


def _twilio_verify(provider: TwilioVerifySettings, path: str, form: Mapping[str, str]) -> FormRequest:
    url = f"{_VERIFY}/{provider.message_service_sid}/{path}"
    return FormRequest(url, form, account=(provider.account_sid, provider.auth_token))


def check_sent(provider: ProviderSettings, status: int, body: bytes) -> None:
    """Raise SmsError unless the answer says that the message was taken."""
    found = _object(body)
    if isinstance(provider, (TwilioSettings, TwilioVerifySettings)):
        _check_twilio_status(status, found)
        if isinstance(provider, TwilioSettings) and found.get("status") in ("failed", "undelivered"):
            parts = (found.get(name) or "" for name in ("error_message", "error_code", "sid"))
            raise SmsError("twilio error: {} {} for message {}".format(*parts))
    elif isinstance(provider, MessagebirdSettings):
        if status in (400, 401, 403, 422):
            raise SmsError(str(_first(found, "errors").get("description", "")))
        recipients = found.get("recipients")
        if not isinstance(recipients, dict) or not recipients.get("totalSentCount"):
            raise SmsError("messagebird error: total sent count is 0")
    elif isinstance(provider, TextlocalSettings):
        if found.get("status") != "success":
            error, sent = _first(found, "errors"), _first(found, "messages")
            what = "template message:" if error.get("code") == _TEXTLOCAL_TEMPLATE_ERROR else "message"
            said = f"textlocal error: {error.get('message', '')} (code: {error.get('code', 0)})"
            raise SmsError(f"{said} {what} {sent.get('id', '')}".rstrip())
    else:
        sent = _first(found, "messages")
        if not sent:
            raise SmsError("vonage error: Internal Error")
        if sent.get("status") != "0":
            said = f"vonage error: {sent.get('error-text', '')} (status: {sent.get('status', '')})"
            raise SmsError(f"{said} for message {sent.get('message-id', '')}")


def check_approved(status: int, body: bytes) -> None:
    """Raise SmsError unless Twilio Verify says that the code is right."""
    found = _object(body)
    _check_twilio_status(status, found)
    if found.get("status") != "approved" or found.get("valid") is not True:
        raise SmsError(f"twilio verification error: {found.get('error_message') or ''} {found.get('status', '')}")


def _check_twilio_status(status: int, found: Mapping[str, Any]) -> None:
    if status not in (200, 201):
        raise SmsError(f"{found.get('message', '')} More information: {found.get('more_info', '')}")


def _object(body: bytes) -> dict[str, Any]:
    try:
        found = json.loads(body)
    except ValueError:
        raise SmsError("the response is not JSON") from None
    if not isinstance(found, dict):
        raise SmsError("the response is not a JSON object")
    return found


def _first(found: Mapping[str, Any], name: str) -> dict[str, Any]:
    listed = found.get(name)
    return listed[0] if isinstance(listed, list) and listed and isinstance(listed[0], dict) else {}


_NAMES: Mapping[type, str] = {
    MessagebirdSettings: "Messagebird", TextlocalSettings: "TextLocal", VonageSettings: "Vonage",
}  # fmt: skip
