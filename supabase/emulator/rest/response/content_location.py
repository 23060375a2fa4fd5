"""The Content-Location of a read: its path and the canonical form of its query string. Pure."""

import re
from functools import lru_cache
from urllib.parse import quote

from emulator.rest.api_request.query_params import unquote

# A parameter without anything to decode is canonical already: nearly each whose value differs from request to request.
_CANONICAL = re.compile(rb"[A-Za-z0-9_.~-]+=[A-Za-z0-9_.~-]*")
_SHORT = 512


def content_location(relation: str, query_string: bytes) -> str:
    """Return the canonical address: parameters sorted by key, values of one key joined by commas, encoded again."""
    path = f"/{relation}"
    if not query_string:
        return path
    if _CANONICAL.fullmatch(query_string):  # a single parameter
        return f"{path}?{query_string.decode('ascii')}"
    merged: dict[bytes, list[str]] = {}
    rest = query_string.replace(b";", b"&")
    for part in (rest[:-1] if rest.endswith(b"&") else rest).split(b"&"):
        if _CANONICAL.fullmatch(part):
            key, text = part.partition(b"=")[0], part.decode("ascii")
        else:
            key, text = _canonical(part) if len(part) <= _SHORT else _encoded(part)
        if key in merged:
            merged[key].append(text[text.index("=") + 1 :])
        else:
            merged[key] = [text]
    return f"{path}?" + "&".join([",".join(merged[key]) for key in sorted(merged)])


def _encoded(part: bytes) -> tuple[bytes, str]:
    """Return the decoded key of a parameter, and the parameter in its canonical form."""
    key, _, value = part.partition(b"=")
    decoded = unquote(key)
    return decoded, f"{_encode(decoded)}={_encode(unquote(value))}"


_canonical = lru_cache(1024)(_encoded)  # such as select=..., which most requests of an application share


def _encode(text: bytes) -> str:
    """Encode as PostgREST does: each byte is a character, so those beyond ASCII are encoded as UTF-8 once more."""
    return text.decode("ascii") if text.isalnum() else quote(text.decode("latin-1"), safe="~")
