"""Reading objects: public, as somebody, by a signed URL; their headers and their description."""

import json
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from emulator.storage import uploads
from emulator.storage.api.checks import require_header
from emulator.storage.database import objects
from emulator.storage.database.session import documents
from emulator.storage.errors import compact, internal_error, invalid_input, no_such_bucket, no_such_key
from emulator.storage.files.backend import FileMissing, Reading
from emulator.storage.images.options import TRANSFORM, transformations
from emulator.storage.recent import LARGEST, Kept
from emulator.storage.service import Context
from emulator.storage.signing import Scope, verify_signature
from emulator.storage.wire.caching import (
    cache_control,
    check_headers,
    disposition,
    http_date,
    is_unchanged,
    parse_range,
    robots_tag,
    safety_headers,
    served_type,
)  # fmt: skip
from emulator.storage.wire.names import check_key
from emulator.storage.wire.response import JSON_TYPE, Response
from emulator.storage.wire.validation import MAX_SAFE_INTEGER

Row = dict[str, Any]
_NUMBERS = ("contentLength", "httpStatusCode", "size")
_CONDITIONS = frozenset((b"range", b"if-none-match", b"if-modified-since"))
_DIGITS = re.compile(r"[0-9]{1,16}")


@dataclass(frozen=True)
class Options:
    """How an object is sent. `expires`: when the signed URL ends; it replaces Cache-Control."""

    download: str | None = None
    expires: str | None = None


async def get_public(context: Context) -> Response:
    """GET /object/public/B/P."""
    download = query_text(context, "download")
    found = await _find_public(context)
    is_plain = download is None and not context.request.has_any(_CONDITIONS)
    kept = context.service.recent.find(found) if is_plain else None
    if kept is not None:
        return Response(200, list(kept.headers), kept.body)
    response = await send_object(context, _public_row(found), Options(download))
    if is_plain and response.stream is not None and (response.length or 0) <= LARGEST:
        await _keep(context, found, response)
    return response


async def get_authenticated(context: Context) -> Response:
    """GET /object/authenticated/B/P."""
    download = query_text(context, "download")
    require_header(context)
    context.principal()
    return await send_object(context, await find_visible(context), Options(download))


async def get(context: Context) -> Response:
    """GET /object/B/P: a token is optional, and no rule is broken by a `download` that comes twice."""
    given = context.request.query.get("download")
    download = ",".join(given) if isinstance(given, list) else given
    return await send_object(context, await find_visible(context), Options(download))


async def get_signed(context: Context) -> Response:
    """GET /object/sign/B/P?token=T."""
    download = query_text(context, "download")
    claims = verify_signature(context, Scope.DOWNLOAD)
    row = await find_signed(context)
    return await send_object(context, row, Options(download, expires_of(claims)))


async def head(context: Context) -> Response:
    """HEAD /object/B/P and its public and authenticated forms: from the row alone."""
    listed = _transformed(context)
    return _head_response(context, await find_visible(context), listed)


async def head_public(context: Context) -> Response:
    """HEAD /object/public/B/P."""
    listed = _transformed(context)
    return _head_response(context, await find_visible(context), listed)


async def head_authenticated(context: Context) -> Response:
    """HEAD /object/authenticated/B/P."""
    listed = _transformed(context)
    require_header(context)
    context.principal()
    return _head_response(context, await find_visible(context), listed)


async def info(context: Context) -> Response:
    """GET /object/info/B/P."""
    listed = _transformed(context)
    return _info_response(await find_visible(context), listed)


async def info_public(context: Context) -> Response:
    """GET /object/info/public/B/P."""
    listed = _transformed(context)
    return _info_response(await find_visible(context), listed)


async def info_authenticated(context: Context) -> Response:
    """GET /object/info/authenticated/B/P."""
    listed = _transformed(context)
    require_header(context)
    context.principal()
    return _info_response(await find_visible(context), listed)


def _transformed(context: Context) -> list[tuple[str, str]]:
    """X-Transformations, which a description names as an image would. Raises StorageError."""
    options = TRANSFORM.read(dict(context.request.query), "querystring")
    listed = transformations(options, context.settings.images.bounds)
    return [("x-transformations", ",".join(listed))] if listed else []


async def _keep(context: Context, found: bytes, response: Response) -> None:
    """Read a small file at once, and keep the answer for who asks next. A file that is cut short is not kept."""
    assert response.stream is not None
    assert response.finish is not None
    try:
        body = b"".join([piece async for piece in response.stream])
    except BaseException:
        await response.finish()
        raise
    response.stream, response.body = None, body
    if len(body) == response.length:
        context.service.recent.keep(found, Kept(list(response.headers), body))


async def find_public(context: Context) -> Row:
    """An object of a public bucket: its version and metadata."""
    return _public_row(await _find_public(context))


async def _find_public(context: Context) -> bytes:
    """The same as the database has it."""
    request = context.request
    check_key(request.key)
    found = await context.service.lookups.find(request.bucket, request.key)
    if found is None:
        raise no_such_bucket()
    return found


def _public_row(found: bytes) -> Row:
    known = json.loads(found)
    if not known["public"]:
        raise no_such_bucket()
    row: Row | None = known["object"]
    if row is None:
        raise no_such_key()
    return row


async def find_visible(context: Context) -> Row:
    """An object of a public bucket, or one that the caller's token may see."""
    request = context.request
    principal = context.principal_or_none()
    bucket = await uploads.find_bucket(context, request.bucket)
    if not bucket.public and principal is None:
        raise no_such_bucket()
    check_key(request.key)
    actor = context.superuser() if bucket.public or principal is None else context.actor(principal, context.token)
    (rows,) = await context.db.run(actor, objects.find(request.bucket, request.key))
    return _first(rows)


async def find_signed(context: Context) -> Row:
    """An object whose signature was verified."""
    check_key(context.request.key)
    (rows,) = await context.db.run(context.superuser(), objects.find(context.request.bucket, context.request.key))
    return _first(rows)


def _first(rows: list[tuple[bytes | None, ...]]) -> Row:
    if not rows:
        raise no_such_key()
    row: Row = documents(rows)[0]
    return row


def query_text(context: Context, name: str) -> str | None:
    """A value of the query that may come once. Raises StorageError."""
    value = context.request.query.get(name)
    if isinstance(value, list):
        raise invalid_input(f"querystring/{name} must be string")
    return value


def expires_of(claims: dict[str, Any]) -> str:
    """The Expires header of a signed URL."""
    expires_at = claims.get("exp")
    return "Invalid Date" if expires_at is None else http_date(expires_at)


async def send_object(context: Context, row: Row, options: Options) -> Response:
    """The object's bytes, or the part of them that was asked for."""
    reading = await open_version(context, row)
    try:
        return _object_response(context, row, reading, options)
    except BaseException:
        await reading.close()
        raise


async def open_version(context: Context, row: Row) -> Reading:
    """The file of a row. Raises StorageError for a row without one."""
    try:
        return await context.service.files.open(row["version"] or "")
    except FileMissing as error:
        raise internal_error() from error


def _object_response(context: Context, row: Row, reading: Reading, options: Options) -> Response:
    metadata: Row = row["metadata"] or {}
    etag = str(metadata.get("eTag", ""))
    modified_at = modified_at_of(metadata, reading.modified_at)
    headers = context.request.headers
    start, length, status, ranged = 0, reading.size, 200, []
    if is_unchanged(headers, etag, modified_at):
        length, status = 0, 304
    elif "range" in headers:
        wanted = parse_range(headers["range"], reading.size)
        start, length, status = wanted.start, wanted.length, 206
        ranged = [("content-range", wanted.header(reading.size))]
    mime_type = served_type(str(metadata.get("mimetype") or "application/octet-stream"))
    answer = [
        ("accept-ranges", "bytes"),
        ("content-type", mime_type),
        ("etag", etag),
        ("x-robots-tag", robots_tag(metadata)),
        ("last-modified", http_date(modified_at)),
        *(cached_headers(context, metadata, etag, options)),
        *ranged,
        *disposition(options.download),
        *safety_headers(mime_type),
    ]
    check_headers(answer)
    return Response(status, answer, None, reading.pieces(start, length), length, reading.close)


def cached_headers(context: Context, metadata: Row, etag: str, options: Options) -> list[tuple[str, str]]:
    """Expires of a signed URL, or Cache-Control."""
    if options.expires is not None:
        return [("expires", options.expires)]
    stored = str(metadata.get("cacheControl") or "no-cache")
    given = context.request.header("if-none-match")
    if not given:
        return cache_control(stored)
    shared = f"s-maxage={context.settings.s_maxage_s}" if context.settings.s_maxage_s else ""
    return cache_control(stored, shared, "" if given == etag else "stale-while-revalidate=30")


def modified_at_of(metadata: Row, otherwise: float) -> float:
    """When the bytes were written, in seconds; parts of a second count."""
    value = metadata.get("lastModified")
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value).timestamp()
        except ValueError:
            pass
    return otherwise


def _head_response(context: Context, row: Row, extra: list[tuple[str, str]]) -> Response:
    metadata = _typed(row["metadata"])
    etag, mime_type = metadata.get("eTag"), metadata.get("mimetype")
    given = context.request.header("if-none-match")
    shared = ""
    if given and given != etag:
        shared = "must-revalidate"
    elif given and context.settings.s_maxage_s:
        shared = f"s-maxage={context.settings.s_maxage_s}"
    headers = [
        ("accept-ranges", "bytes"),
        *([("content-type", served_type(mime_type))] if mime_type else []),
        ("etag", etag or ""),
        ("x-robots-tag", robots_tag(metadata)),
        *_row_times(metadata),
        *cache_control(metadata.get("cacheControl"), shared),
        *extra,
        *safety_headers(mime_type or ""),
    ]
    check_headers(headers)
    return Response(_status(metadata), headers, None, length=metadata.get("contentLength"))


def _status(metadata: Row) -> int:
    status: int = metadata.get("httpStatusCode", 200)
    return status if 200 <= status < 600 else 200


def _typed(metadata: Row | None) -> Row:
    """The values of a row's metadata that are of their type; numbers may be texts of digits."""
    found: Row = {}
    for name, value in (metadata or {}).items():
        if name in _NUMBERS:
            whole = int(value) if isinstance(value, str) and _DIGITS.fullmatch(value) else value
            if isinstance(whole, int) and not isinstance(whole, bool) and abs(whole) <= MAX_SAFE_INTEGER:
                found[name] = whole
        elif isinstance(value, str):
            found[name] = value
    return found


def _row_times(metadata: Row) -> list[tuple[str, str]]:
    modified_at = modified_at_of(metadata, -1)
    return [("last-modified", http_date(modified_at))] if modified_at >= 0 else []


def _info_response(row: Row, extra: list[tuple[str, str]]) -> Response:
    metadata = _typed(row["metadata"])
    document = {
        "id": row["id"],
        "name": row["name"],
        "version": row["version"],
        "bucket_id": row["bucket_id"],
        "size": metadata.get("size"),
        "content_type": metadata.get("mimetype"),
        "cache_control": metadata.get("cacheControl"),
        "etag": metadata.get("eTag"),
        "metadata": row["user_metadata"],
        "last_modified": row["updated_at"],
        "created_at": row["created_at"],
    }
    headers = [
        ("content-type", JSON_TYPE),
        ("etag", metadata.get("eTag", "")),
        *_row_times(metadata),
        *cache_control(metadata.get("cacheControl")),
        *extra,
    ]
    check_headers(headers)
    return Response(_status(metadata), headers, compact(document))
