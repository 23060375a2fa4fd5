"""The SMTP server that mails go to."""

import re
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from emulator.settings import Settings, Variable

LOOPBACK = ("localhost", "127.0.0.1", "::1")

# An address without quotes and other rarities, for which nobody needs the parser of the standard library: half a MiB.
_ATOMS = r"[A-Za-z0-9_+-]+(?:\.[A-Za-z0-9_+-]+)*"
_PLAIN = re.compile(rf"{_ATOMS}@{_ATOMS}")

Tls = Literal["auto", "none", "starttls", "tls"]


def _email_address(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    from email.headerregistry import Address

    try:
        Address(addr_spec=text)
    except (ValueError, IndexError) as error:
        raise ValueError("is no e-mail address") from error
    return text


EmailAddress = Annotated[str, AfterValidator(_email_address)]


class SmtpSettings(Settings):
    """`tls`: auto = TLS on port 465, else STARTTLS when offered (demanded once there is a password)."""

    prefix: ClassVar[str] = "SMTP_"

    host: str
    port: Annotated[int, Field(ge=1, le=65535)] = 25
    user: str = ""
    password: Annotated[str, Variable("PASS"), Field(repr=False)] = ""
    sender: Annotated[EmailAddress, Variable("ADMIN_EMAIL")] = "noreply@localhost"
    sender_name: str = ""
    tls: Tls = "auto"
    ca_file: str | None = None
    timeout_s: Annotated[float, Field(ge=0)] = 20.0

    @model_validator(mode="after")
    def _keep_password_secret(self) -> Self:
        if self.user and self.tls == "none" and self.host not in LOOPBACK:
            raise ValueError(f"{self.prefix}TLS=none would send the password of {self.prefix}USER in the clear")
        return self
