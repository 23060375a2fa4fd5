"""The Content-Location of a read: its path and the canonical form of its query string. Pure."""

import re
from urllib.parse import quote

from emulator.rest.api_request.query_params import decode_pairs

# A single parameter without anything to decode is canonical already, and the usual case.
_CANONICAL = re.compile(rb"[A-Za-z0-9_.~-]+=[A-Za-z0-9_.~-]*")


def content_location(raw_path: bytes, pairs: list[tuple[str, str]], query_string: bytes) -> str:
    """Return the canonical address: parameters sorted by key, values of one key joined, percent-encoded again."""
    path = raw_path.decode("latin-1")
    if not query_string:
        return path
    if _CANONICAL.fullmatch(query_string):
        return f"{path}?{query_string.decode('ascii')}"
    merged: dict[str, str] = {}
    for part in query_string.replace(b";", b"&").split(b"&"):
        if part and b"=" not in part:  # decode_pairs() leaves these out
            pairs = [*pairs, *decode_pairs(part + b"=")]
    for key, value in pairs:
        merged[key] = f"{merged[key]},{value}" if key in merged else value
    if not merged:
        return path
    return f"{path}?" + "&".join(f"{_encode(key)}={_encode(merged[key])}" for key in sorted(merged))


def _encode(text: str) -> str:
    return text if text.isalnum() and text.isascii() else quote(text, safe="")
