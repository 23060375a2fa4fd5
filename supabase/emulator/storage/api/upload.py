"""Uploads in one request: POST and PUT /object/B/P, and PUT to a signed upload URL."""

import base64
import binascii
import json
from collections.abc import AsyncIterator
from typing import Any

from emulator.storage import uploads
from emulator.storage.api.checks import require_header
from emulator.storage.errors import entity_too_large, invalid_request, no_content
from emulator.storage.service import Context
from emulator.storage.signing import Scope, verify_signature
from emulator.storage.uploads import Bucket, Upload
from emulator.storage.wire.bodies import body_pieces
from emulator.storage.wire.forms import MAX_FIELD_BYTES, MAX_FIELDS, FilePart, Form, FormError
from emulator.storage.wire.names import FOLDER_MARK, check_key, check_robots_tag, check_segments, check_type
from emulator.storage.wire.request import StorageRequest
from emulator.storage.wire.response import Response, json_response

_CLOSED = "Request stream closed before upload could begin"


async def create(context: Context) -> Response:
    """POST /object/B/P."""
    return await _upload(context, is_upsert=context.request.header("x-upsert") == "true")


async def replace(context: Context) -> Response:
    """PUT /object/B/P."""
    return await _upload(context, is_upsert=True)


async def _upload(context: Context, *, is_upsert: bool) -> Response:
    require_header(context)
    actor = context.user()
    request = context.request
    bucket = await uploads.find_bucket(context, request.bucket)
    upload, pieces, limit = await read_upload(context, bucket, request.key, context.owner(), is_upsert=is_upsert)
    check_key(request.key)
    await uploads.test_permission(context, upload, actor)
    check_segments(bucket.id, request.key)
    row = await uploads.complete(context, upload, await uploads.write_file(context, pieces, limit))
    return json_response({"Id": row["id"], "Key": f"{bucket.id}/{request.key}"})


async def create_signed(context: Context) -> Response:
    """PUT /object/upload/sign/B/P?token=T: the token is the permission."""
    request = context.request
    claims = verify_signature(context, Scope.UPLOAD)
    check_key(request.key)
    check_segments(request.bucket, request.key)
    bucket = await uploads.find_bucket(context, request.bucket)
    owner = claims.get("owner")
    upload, pieces, limit = await read_upload(
        context, bucket, request.key, None if owner is None else str(owner), is_upsert=claims.get("upsert") is True
    )
    await uploads.test_permission(context, upload, context.superuser())
    await uploads.complete(context, upload, await uploads.write_file(context, pieces, limit))
    return json_response({"Key": f"{bucket.id}/{request.key}"})


async def read_upload(
    context: Context, bucket: Bucket, key: str, owner: str | None, *, is_upsert: bool
) -> tuple[Upload, AsyncIterator[bytes], int]:
    """What is uploaded, its bytes, and how many they may be; a form is read up to its file. Raises StorageError."""
    request = context.request
    robots_tag = request.header("x-robots-tag")
    if robots_tag:
        check_robots_tag(robots_tag)
    limit = uploads.standard_limit(context, bucket, key)
    content_type = request.header("content-type") or ""
    metadata: Any = None
    if content_type.startswith("multipart/form-data"):
        part, pieces = await begin_form(request, content_type)
        mime_type = part.fields.get("contentType") or part.mime_type
        seconds = part.fields.get("cacheControl")
        cache_control = f"max-age={seconds}" if seconds else "no-cache"
        _check_type(bucket, key, mime_type)
        metadata = _form_metadata(part.fields)
    else:
        mime_type = content_type or "application/octet-stream"
        cache_control = request.header("cache-control") or "no-cache"
        _check_type(bucket, key, mime_type)
        metadata = decode_metadata(request.header("x-metadata"))
        if request.content_length is not None and request.content_length > limit:
            raise entity_too_large()
        pieces = body_pieces(request)
    upload = Upload(
        bucket.id, key, mime_type, cache_control, owner, is_upsert, _as_user_metadata(metadata), robots_tag or None,
        request.content_length,
    )  # fmt: skip
    return upload, pieces, limit


def _check_type(bucket: Bucket, key: str, mime_type: str) -> None:
    if not key.endswith(FOLDER_MARK):
        check_type(mime_type, bucket.types)


def _form_metadata(fields: dict[str, str]) -> Any:
    text = fields.get("metadata", fields.get("userMetadata"))
    if text is None:
        return None
    if len(text.encode()) > MAX_FIELD_BYTES:
        raise entity_too_large("user_metadata")
    return _parsed(text)


def decode_metadata(encoded: str | None) -> Any:
    """The JSON of an x-metadata header; None for what is none."""
    if encoded is None:
        return None
    try:
        plain = encoded.strip().replace("-", "+").replace("_", "/").rstrip("=")
        return _parsed(base64.b64decode(plain + "=" * (-len(plain) % 4)).decode())
    except (binascii.Error, ValueError):
        return None


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _as_user_metadata(value: Any) -> Any:
    """An object as it is; nothing as an empty one."""
    return {} if value is None else value


async def begin_form(
    request: StorageRequest, content_type: str, max_fields: int = MAX_FIELDS
) -> tuple[FilePart, AsyncIterator[bytes]]:
    """A form up to its file, and the file's bytes. Raises StorageError."""
    body = body_pieces(request)
    try:
        form = Form(content_type, max_fields)
        while not form.events:
            piece = await anext(body, None)
            if piece is None:
                raise no_content() if form.is_over else invalid_request(_CLOSED)
            form.feed(piece)
    except FormError as error:
        raise invalid_request(str(error)) from error
    part = form.events.popleft()
    assert isinstance(part, FilePart)
    return part, _form_pieces(form, body)


async def _form_pieces(form: Form, body: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """The bytes of the file. What follows it in the form is read and dropped."""
    ended = False
    while True:
        while form.events:
            event = form.events.popleft()
            if event is None:
                ended = True
            elif isinstance(event, bytes) and not ended:
                yield event
        piece = await anext(body, None)
        if piece is None:
            if not ended:
                raise invalid_request(_CLOSED)
            return
        try:
            if not ended or not form.is_over:
                form.feed(piece)
        except FormError as error:
            raise invalid_request(str(error)) from error
