"""Codes by text message: what each provider is asked, and what becomes of its answers."""

import base64
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs
from uuid import uuid4

import httpx
import pytest

from tests.contract.auth.conftest import StartAuth, outside_world
from tests.contract.auth.harness import NEW, AuthClient, Json, error_of


@dataclass
class Providers(httpx.AsyncBaseTransport):
    """The providers' servers: keep what they are sent; `answers` come first, then `usual`."""

    usual: Json = field(default_factory=dict)
    sent: list[httpx.Request] = field(default_factory=list)
    answers: list[httpx.Response | Exception] = field(default_factory=list)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await request.aread()
        self.sent.append(request)
        answer = self.answers.pop(0) if self.answers else httpx.Response(200, json=self.usual)
        if isinstance(answer, Exception):
            raise answer
        return answer

    @property
    def form(self) -> dict[str, str]:
        """The last form."""
        return {name: values[0] for name, values in parse_qs(self.sent[-1].content.decode()).items()}


@pytest.fixture(scope="module")
def providers() -> Iterator[Providers]:
    made = Providers()
    with outside_world(lambda: made):
        yield made


Sms = Callable[[str], AuthClient]
TWILIO = {"ACCOUNT_SID": "AC1", "AUTH_TOKEN": "token", "MESSAGE_SERVICE_SID": "15550000000"}
SETTINGS = {
    "twilio": {**TWILIO, "CONTENT_SID": "HX1"}, "twilio_verify": TWILIO,
    "messagebird": {"ACCESS_KEY": "key", "ORIGINATOR": "Station 12"},
    "textlocal": {"API_KEY": "key", "SENDER": "STATN"},
    "vonage": {"API_KEY": "key", "API_SECRET": "secret", "FROM": "Station"},
}  # fmt: skip


@pytest.fixture(scope="module")
def sms(start_auth: StartAuth, providers: Providers) -> Sms:
    """A service with one of the providers; started once each."""
    made: dict[str, AuthClient] = {}

    def start(name: str) -> AuthClient:
        if name not in made:
            named = {f"SMS_{name.upper()}_{key}": value for key, value in SETTINGS[name].items()}
            made[name] = start_auth(
                SMS_PROVIDER=name, EXTERNAL_PHONE_ENABLED="true", SMS_TEMPLATE="Code {{ .Code }} for you",
                MFA_PHONE_ENROLL_ENABLED="true", MFA_PHONE_VERIFY_ENABLED="true", RATE_LIMIT_SMS_SENT="1000",
                SMS_MAX_FREQUENCY="1ns", MFA_PHONE_MAX_FREQUENCY="1ns", **named,
            )  # fmt: skip
        providers.sent.clear()
        providers.answers.clear()
        providers.usual = {}
        return made[name]

    return start


def phone_number() -> str:
    return "1" + str(uuid4().int)[:10]


def ask(auth: AuthClient, phone: str, **more: Any) -> httpx.Response:
    return auth.post("/otp", {"phone": phone, **more}, headers=NEW)


def enter(auth: AuthClient, phone: str, code: str) -> httpx.Response:
    return auth.post("/verify", {"type": "sms", "phone": phone, "token": code}, headers=NEW)


USUAL: dict[str, Json] = {
    "twilio": {"sid": "SM1", "status": "queued"},
    "messagebird": {"id": "1", "recipients": {"totalSentCount": 1}},
    "textlocal": {"status": "success", "messages": [{"id": "1"}]},
    "vonage": {"messages": [{"message-id": "1", "status": "0"}]},
}
FORMS: dict[str, tuple[str, Json]] = {
    "twilio": ("https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json",
               {"To": "+{phone}", "Channel": "sms", "From": "15550000000", "Body": "Code {code} for you"}),
    "messagebird": ("https://rest.messagebird.com/messages",
                    {"originator": "Station 12", "body": "Code {code} for you", "recipients": "{phone}",
                     "type": "sms", "datacoding": "unicode"}),
    "textlocal": ("https://api.textlocal.in/send",
                  {"sender": "STATN", "apikey": "key", "message": "Code {code} for you", "numbers": "{phone}"}),
    "vonage": ("https://rest.nexmo.com/sms/json",
               {"from": "Station", "to": "{phone}", "text": "Code {code} for you", "api_key": "key",
                "api_secret": "secret"}),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(FORMS))
def test_the_code_that_was_texted_signs_in(sms: Sms, providers: Providers, name: str) -> None:
    auth, phone = sms(name), phone_number()
    providers.usual = USUAL[name]
    answer = ask(auth, phone)
    assert (answer.status_code, answer.json()) == (200, {})
    text = next(value for value in providers.form.values() if value.startswith("Code "))
    code = text.split()[1]
    url, form = FORMS[name]
    assert str(providers.sent[-1].url) == url
    assert providers.form == {key: value.format(phone=phone, code=code) for key, value in form.items()}
    assert error_of(enter(auth, phone, "000000" if code != "000000" else "000001"))[1] == "otp_expired"
    assert enter(auth, phone, code).json()["user"]["phone"] == phone


def test_who_asks_says_so(sms: Sms, providers: Providers) -> None:
    for name, authorization in (("twilio", f"Basic {base64.b64encode(b'AC1:token').decode()}"),
                                ("messagebird", "AccessKey key")):  # fmt: skip
        auth = sms(name)
        providers.usual = USUAL[name]
        ask(auth, phone_number())
        assert providers.sent[-1].headers["authorization"] == authorization


def test_whatsapp_takes_a_template_of_twilio(sms: Sms, providers: Providers) -> None:
    auth, phone = sms("twilio"), phone_number()
    providers.usual = USUAL["twilio"]
    assert ask(auth, phone, channel="whatsapp").status_code == 200
    form = providers.form
    assert (form["To"], form["From"]) == (f"whatsapp:+{phone}", "whatsapp:15550000000")
    assert (form["ContentSid"], "Body" in form) == ("HX1", False)
    assert enter(auth, phone, json.loads(form["ContentVariables"])["1"]).status_code == 200
    refused = error_of(ask(sms("vonage"), phone_number(), channel="whatsapp"))
    assert refused[:2] == (400, "validation_failed")


REFUSALS: list[tuple[str, int, Any, str]] = [
    ("twilio", 401, {"code": 20003, "message": "Authenticate", "more_info": "https://t/20003", "status": 401},
     "Authenticate More information: https://t/20003"),
    ("twilio", 201, {"sid": "SM1", "status": "failed", "error_message": "Unknown number", "error_code": "30003"},
     "twilio error: Unknown number 30003 for message SM1"),
    ("messagebird", 422, {"errors": [{"code": 9, "description": "no (correct) recipients found"}]},
     "no (correct) recipients found"),
    ("messagebird", 200, {"recipients": {"totalSentCount": 0}}, "messagebird error: total sent count is 0"),
    ("textlocal", 200, {"status": "failure", "errors": [{"code": 3, "message": "Invalid login"}]},
     "textlocal error: Invalid login (code: 3) message"),
    ("vonage", 200, {"messages": [{"status": "4", "error-text": "Bad Credentials", "message-id": "1"}]},
     "vonage error: Bad Credentials (status: 4) for message 1"),
    ("vonage", 200, {"messages": []}, "vonage error: Internal Error"),
    ("vonage", 200, {"messages": "none"}, "vonage error: Internal Error"),
    ("messagebird", 500, [], "the response is not a JSON object"),
    ("twilio_verify", 404, {"message": "Not found", "more_info": "https://t/20404"},
     "Not found More information: https://t/20404"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "status", "body", "reason"), REFUSALS)
def test_a_refusal_is_told_and_nothing_is_stored(
    sms: Sms, providers: Providers, name: str, status: int, body: Any, reason: str
) -> None:
    auth, phone = sms(name), phone_number()
    providers.answers.append(httpx.Response(status, json=body))
    text = f"Error sending confirmation OTP to provider: {reason}"
    assert error_of(ask(auth, phone)) == (422, "sms_send_failed", text)
    assert auth.sql("select count(*) from auth.users where phone = %s", phone) == [(0,)]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (httpx.Response(200, content=b"<html>"), "the response is not JSON"),
        (httpx.Response(200, content=b" " * 100_000), "the response is too long"),
        (httpx.ReadTimeout("slow"), 'Post "https://rest.nexmo.com/sms/json": ReadTimeout'),
    ],
    ids=["html", "long", "slow"],
)
def test_an_answer_that_is_none(
    sms: Sms, providers: Providers, answer: httpx.Response | Exception, reason: str
) -> None:
    auth = sms("vonage")
    providers.answers.append(answer)
    text = f"Error sending confirmation OTP to provider: {reason}"
    assert error_of(ask(auth, phone_number())) == (422, "sms_send_failed", text)


def test_twilio_verify_knows_the_codes(sms: Sms, providers: Providers) -> None:
    auth, phone = sms("twilio_verify"), phone_number()
    providers.usual = {"sid": "VE1", "status": "pending"}
    assert error_of(enter(auth, phone, "123456"))[1] == "otp_expired"
    assert ask(auth, phone).json() == {}
    assert providers.form == {"To": f"+{phone}", "Channel": "sms"}
    assert str(providers.sent[-1].url) == "https://verify.twilio.com/v2/Services/15550000000/Verifications"
    assert error_of(enter(auth, phone, "123456"))[1] == "otp_expired"
    assert providers.form == {"To": f"+{phone}", "Code": "123456"}
    providers.usual = {"status": "approved", "valid": True}
    assert enter(auth, phone, "654321").json()["user"]["phone"] == phone
    assert str(providers.sent[-1].url) == "https://verify.twilio.com/v2/Services/15550000000/VerificationCheck"
    asked = len(providers.sent)
    assert error_of(enter(auth, phone, "654321"))[1] == "otp_expired"
    assert len(providers.sent) == asked, "a code is asked about only where one was sent"


@pytest.mark.parametrize("name", ["vonage", "twilio_verify"])
def test_a_second_factor(sms: Sms, providers: Providers, name: str) -> None:
    auth, phone = sms(name), phone_number()
    providers.usual = USUAL.get(name, {"sid": "VE1", "status": "pending"})
    person = auth.person()
    enrolled = person.request("POST", "/factors", {"factor_type": "phone", "phone": phone}).json()
    challenged = person.request("POST", f"/factors/{enrolled['id']}/challenge", {"channel": "sms"}).json()
    code = providers.form.get("text", "Your code is 123456").split()[-1]

    def verify(typed: str) -> httpx.Response:
        body = {"challenge_id": challenged["id"], "code": typed}
        answer: httpx.Response = person.request("POST", f"/factors/{enrolled['id']}/verify", body, headers=NEW)
        return answer

    assert verify("000000").status_code in (403, 422)
    if name == "twilio_verify":
        providers.usual = {"status": "approved", "valid": True}
    assert verify(code).status_code == 200


def test_a_provider_without_its_variables_is_none(start_auth: StartAuth, providers: Providers) -> None:
    auth = start_auth(SMS_PROVIDER="vonage", EXTERNAL_PHONE_ENABLED="true", SMS_VONAGE_API_KEY="key")
    providers.sent.clear()
    text = "Error sending confirmation OTP to provider: no SMS provider is configured"
    assert error_of(ask(auth, phone_number())) == (422, "sms_send_failed", text)
    assert providers.sent == []
