"""Content negotiation: the first type of the Accept header that can be produced for a target, and how. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from emulator.rest.api_request.media_types import ANY, CSV, GEOJSON, JSON, MediaType
from emulator.rest.schema_cache.identifiers import QualifiedIdentifier
from emulator.rest.schema_cache.routine import MediaHandler

BodyFormat = Literal["json", "json-stripped", "object", "object-stripped", "csv", "geojson", "custom"]
Handlers = Mapping[tuple[QualifiedIdentifier | None, str], MediaHandler]

_BUILT_IN: Mapping[str, BodyFormat] = {ANY: "json", JSON: "json", CSV: "csv", GEOJSON: "geojson"}


@dataclass(frozen=True, slots=True)
class NegotiatedMedia:
    """The media type to send, the format of the body, and for `custom` the database function that produces it."""

    media_type: MediaType
    body_format: BodyFormat
    handler: MediaHandler | None = None


def negotiate(
    accept: tuple[MediaType, ...],
    handlers: Handlers,
    target: QualifiedIdentifier,
    *,
    has_default_select: bool,
    plan_enabled: bool,
) -> NegotiatedMedia | None:
    """Return the first acceptable type that can be produced for `target`, or None."""
    for accepted in accept:
        if accepted.plan_for is not None:
            if not plan_enabled:
                continue
            inner = negotiate(
                (accepted.plan_for,), handlers, target, has_default_select=has_default_select, plan_enabled=False
            )
            if inner:
                return NegotiatedMedia(accepted, inner.body_format, inner.handler)
            continue
        if accepted.is_singular:
            return NegotiatedMedia(accepted, "object-stripped" if accepted.is_stripped else "object")
        if accepted.is_stripped:
            return NegotiatedMedia(accepted, "json-stripped")
        found = _find_handler(accepted.name, handlers, target, has_default_select)
        if found:
            return found
    return None


def _find_handler(
    name: str, handlers: Handlers, target: QualifiedIdentifier, has_default_select: bool
) -> NegotiatedMedia | None:
    # A relation's own handler takes its whole row, so it is skipped when the client selects columns.
    own = (handlers.get((target, ANY)) or handlers.get((target, name))) if has_default_select else None
    handler = own or handlers.get((None, name))
    if handler:
        return NegotiatedMedia(MediaType(handler.media_type), "custom", handler)
    body_format = _BUILT_IN.get(name)
    return NegotiatedMedia(MediaType(JSON if name == ANY else name), body_format) if body_format else None
