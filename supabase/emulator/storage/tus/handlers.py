"""The requests of TUS, with a user's token or with that of a signed upload URL."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from uuid import uuid4

from emulator.asgi.body import ClientDisconnected
from emulator.storage import uploads
from emulator.storage.database import objects
from emulator.storage.database.session import Actor
from emulator.storage.errors import StorageError, invalid_signature
from emulator.storage.files.backend import DiskFull, TooLarge
from emulator.storage.files.partial import UploadBusy, UploadMissing, UploadState
from emulator.storage.service import Context
from emulator.storage.signing import Scope, verify_token
from emulator.storage.tus.protocol import (
    CONTENT_TYPE,
    EVERY,
    TEXT_TYPE,
    TusError,
    UploadId,
    cache_control,
    check_headers,
    format_metadata,
    named_upload,
    origin_of,
    parse_metadata,
    parse_upload_id,
    preflight,
    user_metadata,
)  # fmt: skip
from emulator.storage.uploads import Bucket, Upload
from emulator.storage.wire.bodies import body_pieces
from emulator.storage.wire.names import check_type
from emulator.storage.wire.response import Response

Handler = Callable[[Context], Awaitable[Response]]
OCTETS = "application/octet-stream"
_SIGNED = "/sign"
_NO_LENGTH = "Upload-Length or Upload-Defer-Length header required\n"
_NO_CONCATENATION = "Concatenation extension is not (yet) supported. Disable parallel uploads in the tus client.\n"


def answering(handler: Handler) -> Handler:
    """A handler whose refusals are plain text."""

    async def respond(context: Context) -> Response:
        if not _is_signed(context):
            context.principal()  # a bad token is refused in JSON
        try:
            check_headers(context.request.method, context.request.pairs, context.request.headers)
            return await handler(context)
        except TusError as error:
            return _refusal(error.status, error.text, EVERY[:1] if error.is_early else EVERY)
        except StorageError as error:
            return _refusal(error.status, error.message)
        except UploadMissing:
            return _refusal(404, "The file for this url was not found\n")
        except UploadBusy:
            return _refusal(423, "The resource is locked")
        except TooLarge:
            return _refusal(413, "upload's size exceeded\n")
        except DiskFull:
            return _refusal(507, "There is no space left for this object")

    return respond


def _refusal(status: int, text: str, headers: list[tuple[str, str]] = EVERY) -> Response:
    return Response(status, [*headers, ("content-type", TEXT_TYPE)], text.encode())


async def options(context: Context) -> Response:
    """What this server can."""
    return Response(204, preflight(context.settings.size_limit), None)


@answering
async def create(context: Context) -> Response:
    """POST: begin an upload, perhaps with its first bytes."""
    headers = context.request.headers
    if "upload-concat" in headers:
        raise TusError(501, _NO_CONCATENATION)
    length = int(headers["upload-length"]) if "upload-length" in headers else None
    if (length is None) == ("upload-defer-length" not in headers):
        raise TusError(400, _NO_LENGTH)
    given = headers.get("upload-metadata")
    metadata = None if given is None else parse_metadata(given)
    upload_id = named_upload(metadata, str(uuid4()))
    assert metadata is not None
    bucket = await uploads.find_bucket(context, upload_id.bucket)
    limit = _limit(context, bucket)
    if length is not None and length > limit:
        raise TusError(413, "Maximum size exceeded\n")
    upload = await _permitted(context, upload_id, metadata, length)
    # Without a type the object would be stored as octets: that is what has to be allowed.
    check_type(upload.mime_type, bucket.types)
    metadata = {**metadata, "cacheControl": upload.cache_control}
    expires_at = context.service.clock.time() + context.settings.tus_expiry_ms / 1000
    state = UploadState(upload_id.bucket, upload_id.key, upload_id.version, length, 0, metadata, expires_at)
    await context.service.uploads.create(state)
    answer = [*EVERY, ("location", _location(context, upload_id))]
    if headers.get("content-type") == CONTENT_TYPE:
        state, more = await _append(context, upload, state, limit)
        answer += [("upload-offset", str(state.offset)), *more]
    elif length == 0:
        answer += await _finish(context, upload, state)
    return Response(201, answer, b"")


@answering
async def head(context: Context) -> Response:
    """HEAD: how much is there. Who knows the address may ask."""
    upload_id = _named(context)
    _verify_signature(context, upload_id)
    state = await _read(context, upload_id)
    length = ("upload-defer-length", "1") if state.length is None else ("upload-length", str(state.length))
    headers = [*EVERY, ("cache-control", "no-store"), ("upload-offset", str(state.offset)), length]
    return Response(200, [*headers, ("upload-metadata", format_metadata(state.metadata))], b"")


@answering
async def patch(context: Context) -> Response:
    """PATCH: more bytes; the last ones make the object."""
    request = context.request
    segment = _segment(context)
    if "upload-offset" not in request.headers:
        raise TusError(403, "Upload-Offset header required\n")
    if "content-type" not in request.headers:
        raise TusError(403, "Content-Type header required\n")
    upload_id = parse_upload_id(segment)
    state = await _read(context, upload_id)
    upload = await _permitted(context, upload_id, state.metadata, state.length)
    bucket = await uploads.find_bucket(context, upload_id.bucket)
    if state.is_finished:
        return _patch_finished(context, state)
    async with context.service.uploads.writing(upload_id.version):
        state = await _read(context, upload_id)
        if state.is_finished:
            return _patch_finished(context, state)
        if int(request.headers["upload-offset"]) != state.offset:
            raise TusError(409, "Upload-Offset conflict\n")
        state = _with_length(state, request.headers.get("upload-length"), _limit(context, bucket))
        state, more = await _append(context, upload, state, _limit(context, bucket))
    return Response(204, [*EVERY, ("upload-offset", str(state.offset)), *more], None)


def _patch_finished(context: Context, state: UploadState) -> Response:
    """Nothing at the end of a complete upload changes nothing. Raises TusError, TooLarge."""
    headers = context.request.headers
    if int(headers["upload-offset"]) != state.offset:
        raise TusError(409, "Upload-Offset conflict\n")
    if "upload-length" in headers:
        raise TusError(400, _NO_LENGTH)
    if context.request.content_length or "transfer-encoding" in headers:
        raise TooLarge
    return Response(204, [*EVERY, ("upload-offset", str(state.offset)), ("tus-complete", "1")], None)


@answering
async def terminate(context: Context) -> Response:
    """DELETE: forget an upload that is not complete."""
    upload_id = _named(context)
    state = await _read(context, upload_id)
    await _permitted(context, upload_id, state.metadata, state.length)
    if state.is_finished:
        raise TusError(400, "Cannot terminate an already completed upload")
    async with context.service.uploads.writing(upload_id.version):
        await context.service.uploads.remove(upload_id.version)
    return Response(204, list(EVERY), None)


def _named(context: Context) -> UploadId:
    return parse_upload_id(_segment(context))


def _segment(context: Context) -> str:
    """The last part of the path, which is the upload's id. Raises UploadMissing for a part of the service's own."""
    found = context.request.path.removesuffix("/").rpartition("/")[2]
    if found in context.settings.tus_path:
        raise UploadMissing(found)
    return found


async def _read(context: Context, upload_id: UploadId) -> UploadState:
    """The upload, if it is of that bucket and key. Raises UploadMissing, TusError."""
    state = await context.service.uploads.read(upload_id.version)
    if (state.bucket, state.key) != (upload_id.bucket, upload_id.key):
        raise UploadMissing(upload_id.version)
    is_gone = state.is_finished and not await _has_row(context, state.version)
    if is_gone or state.expires_at < context.service.clock.time():
        raise TusError(410, "The file for this url no longer exists\n")
    return state


def _limit(context: Context, bucket: Bucket) -> int:
    """How large the object may be. A bucket's limit of 0 means empty objects, as for every other upload."""
    return context.settings.size_limit if bucket.size is None else min(bucket.size, context.settings.size_limit)


async def _permitted(
    context: Context, upload_id: UploadId, metadata: dict[str, str | None], length: int | None
) -> Upload:
    """The object to be, if the caller may write it now. Raises StorageError."""
    claims = _verify_signature(context, upload_id)
    if claims is not None:
        owner, is_upsert, actor = claims.get("owner"), claims.get("upsert") is True, context.superuser()
    else:
        owner, is_upsert, actor = context.owner(), context.request.header("x-upsert") == "true", context.user()
    upload = Upload(
        upload_id.bucket, upload_id.key, metadata.get("contentType") or OCTETS,
        _stored_cache_control(metadata.get("cacheControl")), None if owner is None else str(owner), is_upsert,
        user_metadata(metadata),
    )  # fmt: skip
    await _test(context, upload, actor, metadata, length)
    return upload


async def _test(
    context: Context, upload: Upload, actor: Actor, metadata: dict[str, str | None], length: int | None
) -> None:
    seen = {"mimetype": metadata.get("contentType"), "contentLength": length}
    row_metadata = {name: value for name, value in seen.items() if value is not None}
    await uploads.test_row(context, upload, actor, row_metadata)


def _stored_cache_control(value: str | None) -> str:
    return value if value and value.startswith("max-age=") else cache_control(value)


def _is_signed(context: Context) -> bool:
    return context.operation.endswith("_signed")


def _verify_signature(context: Context, upload_id: UploadId) -> dict[str, object] | None:
    """The claims of a signed upload; None for one with a user's token. Raises StorageError."""
    if not _is_signed(context):
        return None
    token = context.request.header("x-signature")
    if not token:
        raise invalid_signature("Missing x-signature header")
    return verify_token(context, token, f"{upload_id.bucket}/{upload_id.key}", Scope.UPLOAD)


def _location(context: Context, upload_id: UploadId) -> str:
    settings, headers = context.settings, context.request.headers
    prefix = headers.get("x-forwarded-prefix", "").rstrip("/") if settings.allow_forwarded_path else ""
    folder = f"{prefix}{settings.tus_path}{_SIGNED if _is_signed(context) else ''}"
    return f"{origin_of(headers, context.request.scheme, settings.public_url)}{folder}/{upload_id.encode()}"


def _with_length(state: UploadState, declared: str | None, limit: int) -> UploadState:
    """An upload whose length was left open may get it now. Raises TusError."""
    if declared is None:
        return state
    length = int(declared)
    if state.length is not None or length < state.offset:
        raise TusError(400, _NO_LENGTH)
    if length > limit:
        raise TusError(413, "Maximum size exceeded\n")
    return replace(state, length=length)


async def _append(
    context: Context, upload: Upload, state: UploadState, limit: int
) -> tuple[UploadState, list[tuple[str, str]]]:
    """Write the body; headers of a completed upload. Raises TooLarge."""
    store = context.service.uploads
    end = state.length if state.length is not None else limit
    declared = context.request.content_length
    if declared is not None and state.offset + declared > end:
        raise TooLarge
    before = state
    try:
        state = await store.append(state, body_pieces(context.request), end)
    except asyncio.CancelledError:
        # A later request for the same upload ended this one; to the server it is an exchange like others.
        if (task := asyncio.current_task()) is not None and task.cancelling():
            task.uncancel()
        raise ClientDisconnected from None
    if state.length is not None and state.offset == state.length:
        return state, await _finish(context, upload, state)
    if state != before:
        await store.record(state)
    return state, []


async def _finish(context: Context, upload: Upload, state: UploadState) -> list[tuple[str, str]]:
    """Make the object of a complete upload; the header that says so."""
    store = context.service.uploads
    if not await _has_row(context, state.version):
        written = await context.service.files.adopt(store.data(state.version), state.version, store.digest(state))
        await uploads.complete(context, upload, written)
    await store.record(replace(state, is_finished=True))
    await context.service.disk.run(store.data(state.version).unlink, missing_ok=True)
    return [("tus-complete", "1")]


async def _has_row(context: Context, version: str) -> bool:
    """Whether a crash came between the row and its note in the state."""
    (rows,) = await context.db.run(context.superuser(), objects.known_versions([version]))
    return bool(rows)
