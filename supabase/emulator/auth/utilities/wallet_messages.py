"""The text that a wallet signs to sign in: Sign in with Ethereum (EIP-4361), and the same for Solana.

What is read and refused, and the texts of errors, are GoTrue's (internal/utilities/siwe and siws). Pure.
"""

import re
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import SplitResult, urlsplit

_DOMAIN = re.compile(
    r"(localhost|(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]{2,})(?::[0-9]{1,5})?"
)  # fmt: skip
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([.,]\d+)?(Z|[+-]\d\d:\d\d)", re.ASCII)
_NOT_IN_URI = re.compile(r"[\x00-\x20\x7f]|%(?![0-9a-fA-F]{2})")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:/")
MIN_LINES = 6


@dataclass(frozen=True)
class Chain:
    """Whose wallets sign: the name as clients write it and as texts do, and the forms of its addresses and networks."""

    name: str
    title: str
    errors: str  # what an error's text begins with
    address: re.Pattern[str]
    address_error: str
    network: re.Pattern[str]
    network_may_be_empty: bool

    @property
    def header(self) -> str:
        """How the message's first line ends."""
        return f" wants you to sign in with your {self.title} account:"


SOLANA = Chain(
    "solana", "Solana", "siws", re.compile(r"[a-zA-Z0-9]{32,44}"), "wallet address is not in base58 format",
    re.compile(r"solana:(main|dev|test|local)net"), network_may_be_empty=True,
)  # fmt: skip
ETHEREUM = Chain(
    "ethereum", "Ethereum", "siwe", re.compile(r"0x[a-fA-F0-9]{40}"),
    "wallet address is not a valid Ethereum address",
    re.compile(r"\+?0*[1-9][0-9]{0,17}"), network_may_be_empty=False,
)  # fmt: skip


class MessageError(ValueError):
    """The text is no such message; in GoTrue's words."""


@dataclass
class WalletMessage:
    """A message's fields; `uri` is a URL with scheme and host, or a path."""

    raw: str
    domain: str
    address: str
    statement: str | None = None
    uri: str = ""
    version: str = ""
    network: str = ""
    times: dict[str, datetime] = field(default_factory=dict)  # by the name of their line

    @property
    def parts(self) -> SplitResult:
        """The URI, taken apart."""
        return urlsplit(self.uri)


def parse_message(chain: Chain, raw: str) -> WalletMessage:
    """Read a message; raises MessageError."""
    try:
        return _parse(chain, raw)
    except MessageError as error:
        raise MessageError(f"{chain.errors}: {error}") from None


def _parse(chain: Chain, raw: str) -> WalletMessage:
    lines = raw.split("\n")
    if len(lines) < MIN_LINES:
        raise MessageError("message needs at least 6 lines")
    if not lines[0].endswith(chain.header):
        raise MessageError(f'message first line does not end in "{chain.header}"')
    domain = lines[0].removesuffix(chain.header).strip()
    if _DOMAIN.fullmatch(domain) is None:
        raise MessageError("domain in first line of message is not valid")
    address = lines[1].strip()
    if chain.address.fullmatch(address) is None:
        raise MessageError(chain.address_error)
    if lines[2]:
        raise MessageError("third line must be empty")
    message = WalletMessage(raw, domain, address)
    first = 3
    if lines[3] and not lines[4]:
        message.statement, first = lines[3], 5
    _read_fields(chain, message, lines, first)
    _check_fields(message)
    return message


def _read_fields(chain: Chain, message: WalletMessage, lines: list[str], first: int) -> None:
    resources, in_resources = 0, False
    for number, line in enumerate(map(str.strip, lines[first:]), first):
        if in_resources and line.startswith("- "):
            if not _is_request_uri(line[2:].strip()):
                raise MessageError(f"Resource at position {resources} has invalid URI")
            resources += 1
            continue
        in_resources = line == "Resources:"
        if in_resources or not line:
            continue
        name, colon, value = line.partition(":")
        if not colon:
            raise MessageError(f"encountered unparsable line at index {number}")
        _read_field(chain, message, name, value.strip())


def _read_field(chain: Chain, message: WalletMessage, name: str, value: str) -> None:
    if name == "URI":
        if not _is_request_uri(value):
            raise MessageError("URI is not valid")
        message.uri = value
    elif name == "Version":
        message.version = value
    elif name == "Chain ID":
        if chain.network.fullmatch(value) is None and not (chain.network_may_be_empty and not value):
            raise MessageError("Chain ID is not valid")
        message.network = value
    elif name in ("Issued At", "Expiration Time", "Not Before"):
        message.times[name] = _time(name, value)


def _check_fields(message: WalletMessage) -> None:
    issued, expires, not_before = map(message.times.get, ("Issued At", "Expiration Time", "Not Before"))
    if message.version != "1":
        raise MessageError(f'Version value is not supported, expected 1 got "{message.version}"')
    if issued is None:
        raise MessageError("Issued At is not specified")
    if not message.uri:
        raise MessageError("URI is not specified")
    if expires is not None and issued > expires:
        raise MessageError("Issued At is after Expiration Time")
    if expires is not None and not_before is not None and not_before > expires:
        raise MessageError("Not Before is after Expiration Time")


def _time(name: str, value: str) -> datetime:
    try:
        if _TIME.fullmatch(value):
            return datetime.fromisoformat(value.replace(",", "."))
    except ValueError:
        pass  # a day or an hour that no calendar has
    raise MessageError(f"{name} is not a valid ISO8601 timestamp")


def _is_request_uri(value: str) -> bool:
    """Whether Go's url.ParseRequestURI takes it: a path, or a scheme with what begins with a slash."""
    if _NOT_IN_URI.search(value) or not (value.startswith("/") or _SCHEME.match(value)):
        return False
    try:
        _ = urlsplit(value).port
    except ValueError:
        return False
    return True
