"""Look-ups in the headers of an ASGI scope or message. Pure. `wanted` is always in lower case."""

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
