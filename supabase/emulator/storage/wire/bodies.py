"""JSON bodies as the original's framework reads them. Pure but for the channel that it is given."""

import json
from collections.abc import AsyncIterator
from typing import Any

from emulator.asgi.body import BodyTooLarge, ClientDisconnected, read_body
from emulator.storage.errors import body_too_large, malformed_body
from emulator.storage.wire.request import StorageRequest
from emulator.storage.wire.validation import Schema

MAX_JSON_BYTES = 1 << 20
_EMPTY = "Body cannot be empty when content-type is set to 'application/json'"
_MALFORMED = "Body is not valid JSON but content-type is set to 'application/json'"


async def read_json(request: StorageRequest, *, may_be_empty: bool = False) -> Any:
    """The document; None for a body of another type, which is dropped. Raises StorageError, ClientDisconnected."""
    declared = request.content_length
    if declared is not None and declared > MAX_JSON_BYTES:
        raise body_too_large()
    try:
        raw = await read_body(request.receive, MAX_JSON_BYTES)
    except BodyTooLarge as error:
        raise body_too_large() from error
    media_type = (request.header("content-type") or "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        return None
    if not raw:
        if may_be_empty:
            return None
        raise malformed_body(_EMPTY)
    return parse_json(raw)


def parse_json(raw: bytes) -> Any:
    """A document; of equal keys the last wins. Raises StorageError."""
    try:
        return json.loads(raw.decode("utf-8-sig"), parse_constant=_refuse, object_pairs_hook=_as_object)
    except (ValueError, RecursionError) as error:
        raise malformed_body(_MALFORMED) from error


async def body_pieces(request: StorageRequest) -> AsyncIterator[bytes]:
    """The body as it comes. Raises ClientDisconnected."""
    while True:
        message = await request.receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnected
        if piece := message.get("body", b""):
            yield piece
        if not message.get("more_body"):
            return


async def read_object(request: StorageRequest, schema: Schema) -> dict[str, Any]:
    """A body that fits a schema."""
    return schema.read(await read_json(request), "body")


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


def _as_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if any(name == "__proto__" for name, _ in pairs):
        raise ValueError("__proto__")
    return dict(pairs)
