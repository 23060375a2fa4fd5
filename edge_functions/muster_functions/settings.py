"""The settings of the project's functions."""

from pathlib import Path
from typing import Annotated, Any, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, model_validator

from emulator.mail.settings import LOOPBACK, EmailAddress, SmtpSettings
from emulator.settings import Settings, Variable
from muster_functions.mailer.backoff import Backoff
from muster_functions.push.encryption import POINT_BYTES, from_base64url
from muster_functions.runtime.settings import RuntimeSettings, Secret

OWN_FUNCTIONS = Path(__file__).parent / "functions"


def _origin(url: str) -> str:
    """An origin without its slash; a path would be lost in links and is refused."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path not in ("", "/"):
        raise ValueError("must be an origin such as https://muster.example")
    return f"{parts.scheme}://{parts.netloc}"


def _point(text: str) -> str:
    data = from_base64url(text)
    if len(data) != POINT_BYTES or data[0] != 4:
        raise ValueError("must be a point of P-256 in base64url, as ./muster config init writes it")
    return text


def _scalar(text: str) -> str:
    if len(from_base64url(text)) != 32:
        raise ValueError("must be 32 bytes in base64url, as ./muster config init writes them")
    return text


def _subject(text: str) -> str:
    if not text.startswith(("mailto:", "https://")):
        raise ValueError("must begin with mailto: or https://")
    return text


Origin = Annotated[str, AfterValidator(_origin)]
AtLeastOne = Annotated[int, Field(ge=1)]


class MailSettings(SmtpSettings):
    """Where the functions' mails go, and who they are from."""

    sender: Annotated[EmailAddress, Variable("ADMIN_EMAIL")] = "no-reply@muster.local"
    sender_name: str = "Muster"


class Limits(Settings):
    """Requests and mails per caller, mails per recipient, and mails that may wait."""

    requests_per_minute: Annotated[AtLeastOne, Variable("FUNCTIONS_REQUESTS_PER_MINUTE")] = 60
    mails_per_caller_per_hour: AtLeastOne = 60
    mails_per_recipient_per_hour: AtLeastOne = 30
    queue_length: Annotated[AtLeastOne, Variable("MAIL_QUEUE_LENGTH")] = 2000


class PushSettings(Settings):
    """The keys that web push is signed with (RFC 8292); without them members are told on no device.

    `subject`: whom push services may ask about it, the sender of mails unless given. `stand_in_url` takes the place of
    every push service, in tests.
    """

    public_key: Annotated[str, AfterValidator(_point), Variable("VAPID_PUBLIC_KEY")] = ""
    private_key: Annotated[Secret, AfterValidator(_scalar), Variable("VAPID_PRIVATE_KEY")] = ""
    subject: Annotated[str, AfterValidator(_subject), Variable("VAPID_SUBJECT")] = ""
    stand_in_url: Annotated[Origin | None, Variable("PUSH_STAND_IN_URL")] = None

    @model_validator(mode="after")
    def _both_or_none(self) -> Self:
        if bool(self.public_key) != bool(self.private_key):
            raise ValueError("VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY belong together")
        return self


class FunctionsSettings(RuntimeSettings):
    """All settings of the service. `backoff` is set by tests alone."""

    site_url: Origin
    web_url: Origin | None = None
    smtp: MailSettings
    functions_dir: Path = OWN_FUNCTIONS
    limits: Limits = Limits()
    push: PushSettings = PushSettings()
    backoff: Annotated[Backoff, Variable()] = Backoff()

    @model_validator(mode="before")
    @classmethod
    def _develop_on_this_machine(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Without FUNCTIONS_DEVELOPMENT: where the site is on this machine."""
        return {"development": _is_local(values.get("site_url", "")), **values}


def _is_local(url: str) -> bool:
    try:
        return urlsplit(url).hostname in LOOPBACK
    except ValueError:
        return False
