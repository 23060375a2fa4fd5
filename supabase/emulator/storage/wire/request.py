"""One request as the handlers see it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import unquote_to_bytes

from emulator.asgi.types import Receive


class BadUrl(Exception):
    """An escape that is none, or bytes that are no UTF-8; the text is the offending part."""


@dataclass(frozen=True)
class StorageRequest:
    """`path` is raw, percent-encoded; `params` are the decoded parts of it that the route names."""

    method: str
    path: str
    query_string: str
    raw_headers: Sequence[tuple[bytes, bytes]]
    receive: Receive
    params: Mapping[str, str] = field(default_factory=dict)
    scheme: str = "http"

    @cached_property
    def pairs(self) -> list[tuple[str, str]]:
        """The headers in the order in which they came."""
        return [(name.decode("latin-1"), value.decode("latin-1")) for name, value in self.raw_headers]

    @cached_property
    def headers(self) -> dict[str, str]:
        """By lower-case names; values of a repeated name are joined."""
        found: dict[str, str] = {}
        for name, value in self.pairs:
            found[name] = f"{found[name]}, {value}" if name in found else value
        return found

    def header(self, name: str) -> str | None:
        return self.headers.get(name)

    @property
    def url(self) -> str:
        """Path and query, as they came."""
        return f"{self.path}?{self.query_string}" if self.query_string else self.path

    @cached_property
    def query(self) -> dict[str, str | list[str]]:
        """The query's values; a list where a name came twice."""
        found: dict[str, str | list[str]] = {}
        for name, value in parse_query(self.query_string):
            before = found.get(name)
            if before is None:
                found[name] = value
            elif isinstance(before, list):
                before.append(value)
            else:
                found[name] = [before, value]
        return found

    @cached_property
    def content_length(self) -> int | None:
        """What the client declared, in bytes."""
        value = self.headers.get("content-length", "")
        return int(value) if value.isdecimal() else None

    @cached_property
    def headers_json(self) -> str:
        """All headers, for `request.headers`."""
        return json.dumps(self.headers, separators=(",", ":"))

    def has_any(self, names: frozenset[bytes]) -> bool:
        """Whether one of these headers came; `names` in lower case."""
        return any(name in names for name, _ in self.raw_headers)

    @property
    def bucket(self) -> str:
        return self.params["bucket"]

    @property
    def key(self) -> str:
        return self.params["key"]


def parse_query(text: str) -> list[tuple[str, str]]:
    """The pairs of a query string. `+` is a blank; what can't be decoded stays as it is."""
    pairs = []
    for piece in text.split("&"):
        if piece:
            name, _, value = piece.partition("=")
            pairs.append((_decode_value(name), _decode_value(value)))
    return pairs


def _decode_value(text: str) -> str:
    plain = text.replace("+", " ")
    try:
        return decode_component(plain)
    except BadUrl:
        return plain


def decode_component(text: str) -> str:
    """One part of a path, percent-decoded once. Raises BadUrl."""
    if "%" not in text:
        return text
    for piece in text.split("%")[1:]:
        if len(piece) < 2 or not all(digit in "0123456789abcdefABCDEF" for digit in piece[:2]):
            raise BadUrl(text)
    try:
        return unquote_to_bytes(text).decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadUrl(text) from error


def as_text(value: Any) -> str:
    """A number or word as JavaScript prints it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        return str(int(value))
    return str(value)
