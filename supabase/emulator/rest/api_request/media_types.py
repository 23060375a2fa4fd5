"""Media types: the Accept and Content-Type headers, and PostgREST's own types with their parameters. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Literal

JSON = "application/json"
CSV = "text/csv"
GEOJSON = "application/geo+json"
OPENAPI = "application/openapi+json"
FORM = "application/x-www-form-urlencoded"
OCTETS = "application/octet-stream"
PLAIN = "text/plain"
XML = "text/xml"
ANY = "*/*"
_SINGULAR = ("application/vnd.pgrst.object+json", "application/vnd.pgrst.object")
_ARRAY = ("application/vnd.pgrst.array+json", "application/vnd.pgrst.array")
_PLAN = re.compile(r"application/vnd\.pgrst\.plan(?:\+(text|json))?", re.ASCII)
_PLAN_OPTIONS = ("analyze", "verbose", "settings", "buffers", "wal")
_ITEM = re.compile(r'(?:[^,"]|"(?:\\.|[^"\\])*")+')
# Browsers send about ten; reading thousands would take a while.
_MAX_ACCEPTED = 200
_PARAMETER = re.compile(r';\s*([^;="]*)(?:=\s*("(?:\\.|[^"\\])*"|[^;]*))?')
# Types that are sent with a charset.
_WITH_CHARSET = frozenset({JSON, CSV, GEOJSON, OPENAPI, PLAIN, XML, FORM})
_KNOWN = _WITH_CHARSET | {OCTETS, ANY}
_QUALITY = re.compile(r";q=.*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class MediaType:
    """A type by its name, and what the parameters of PostgREST's own types ask for.

    `is_stripped`: keys with null are left out. The plan_* fields belong to application/vnd.pgrst.plan.
    """

    name: str
    is_stripped: bool = False
    plan_format: Literal["text", "json"] | None = None
    plan_options: tuple[str, ...] = ()
    plan_for: "MediaType | None" = None

    @property
    def is_singular(self) -> bool:
        """Whether it asks for exactly one object."""
        return self.name == _SINGULAR[0]

    def __str__(self) -> str:
        if self.plan_format:
            inner = str(self.plan_for) if self.plan_for else JSON
            options = f"; options={'|'.join(self.plan_options)}" if self.plan_options else ""
            return f'application/vnd.pgrst.plan+{self.plan_format}; for="{inner}"{options}'
        return f"{self.name};nulls=stripped" if self.is_stripped else self.name

    @property
    def content_type(self) -> str:
        """The value of the Content-Type header."""
        with_charset = self.plan_format or self.is_singular or self.is_stripped or self.name in _WITH_CHARSET
        return f"{self}; charset=utf-8" if with_charset else str(self)


def parse_accept(header: str) -> tuple[MediaType, ...]:
    """Return the acceptable types, the preferred ones first; without a header any is acceptable."""
    ranked: list[tuple[float, int, int, MediaType]] = []
    for place, item in enumerate(islice(_ITEM.finditer(header), _MAX_ACCEPTED)):
        name, parameters = _split(item[0])
        if not name:
            continue
        quality = _quality(parameters.pop("q", "1"))
        specificity = len(parameters) - name.count("*") * 100
        found = _media_type(name, parameters) or MediaType(_QUALITY.sub("", item[0].replace(" ", "")))
        ranked.append((-quality, -specificity, place, found))
    ranked.sort(key=lambda entry: entry[:3])
    return tuple(entry[3] for entry in ranked) or (MediaType(ANY),)


def parse_content_type(header: str) -> str:
    """Return the bare name of a Content-Type."""
    return header.partition(";")[0].strip().lower()


def _split(item: str) -> tuple[str, dict[str, str]]:
    name, semicolon, rest = item.strip().partition(";")
    parameters = {
        match[1].strip().lower(): match[2].strip().strip('"')
        for match in _PARAMETER.finditer(semicolon + rest)
        if match[2] is not None
    }
    return name.strip().lower(), parameters


def _quality(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 1.0


def _media_type(name: str, parameters: Mapping[str, str]) -> MediaType | None:
    """Return a known type, or None."""
    is_stripped = parameters.get("nulls") == "stripped"
    if name in _SINGULAR:
        return MediaType(_SINGULAR[0], is_stripped)
    if name in _ARRAY:
        return MediaType(_ARRAY[0], True) if is_stripped else MediaType(JSON)
    plan = _PLAN.fullmatch(name)
    if plan:
        inner = parse_accept(parameters["for"])[0] if parameters.get("for") else MediaType(JSON)
        wanted = parameters.get("options", "").split("|")
        options = tuple(option for option in _PLAN_OPTIONS if option in wanted)
        return MediaType(name, False, "json" if plan[1] == "json" else "text", options, inner)
    return MediaType(name) if name in _KNOWN else None
