"""Look-ups in the headers of an ASGI scope or message. Pure. `wanted` is always in lower case."""

import re
from collections.abc import Iterable


def find_header(headers: Iterable[tuple[bytes, bytes]], wanted: bytes) -> bytes | None:
    """The first value of a request header; None when it is absent."""
    for name, value in headers:
        if name == wanted:
            return value
    return None


def has_header(headers: Iterable[tuple[bytes, bytes]], wanted: bytes) -> bool:
    """Whether an answer has a header; applications may write its name in any case."""
    return any(name.lower() == wanted for name, _ in headers)


def content_length(headers: Iterable[tuple[bytes, bytes]]) -> int | None:
    """The declared size of a body in bytes; None when nothing usable is declared."""
    value = find_header(headers, b"content-length")
    return int(value) if value is not None and value.isdigit() else None


def bearer_token(authorization: bytes | None) -> bytes | None:
    """The token of `Authorization: Bearer <token>` (the scheme in any case); None for anything else."""
    scheme, _, token = (authorization or b"").partition(b" ")
    return token.strip() or None if scheme.lower() == b"bearer" else None


def chosen_coding(codings: Iterable[bytes], accept_encoding: bytes) -> bytes | None:
    """The first of the content codings that the client accepts (RFC 9110, section 12.5.3); None for none of them."""
    offered = dict(_weight(part) for part in accept_encoding.lower().split(b","))
    return next((coding for coding in codings if offered.get(coding, offered.get(b"*", False))), None)


def _weight(part: bytes) -> tuple[bytes, bool]:
    """A member of Accept-Encoding, and whether its weight is over zero."""
    coding, _, weight = part.partition(b";")
    return coding.strip(), re.fullmatch(rb"\s*q=0(\.0*)?\s*", weight) is None
