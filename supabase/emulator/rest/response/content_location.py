"""The Content-Location of a read: its path and the canonical form of its query string. Pure."""

import re
from urllib.parse import quote, unquote_to_bytes

# A single parameter without anything to decode is canonical already, and the usual case.
_CANONICAL = re.compile(rb"[A-Za-z0-9_.~-]+=[A-Za-z0-9_.~-]*")


def content_location(relation: str, query_string: bytes) -> str:
    """Return the canonical address: parameters sorted by key, values of one key joined by commas, encoded again."""
    path = f"/{relation}"
    if not query_string:
        return path
    if _CANONICAL.fullmatch(query_string):
        return f"{path}?{query_string.decode('ascii')}"
    merged: dict[bytes, list[bytes]] = {}
    rest = query_string.replace(b";", b"&")
    for part in (rest[:-1] if rest.endswith(b"&") else rest).split(b"&"):
        key, _, value = part.partition(b"=")
        merged.setdefault(_decode(key), []).append(_decode(value))
    return f"{path}?" + "&".join(
        f"{_encode(key)}={','.join(_encode(value) for value in merged[key])}" for key in sorted(merged)
    )


def _decode(part: bytes) -> bytes:
    return unquote_to_bytes(part.replace(b"+", b" ")) if b"%" in part or b"+" in part else part


def _encode(text: bytes) -> str:
    """Encode as PostgREST does: each byte is a character, so those beyond ASCII are encoded as UTF-8 once more."""
    return text.decode("ascii") if text.isalnum() else quote(text.decode("latin-1"), safe="~")
