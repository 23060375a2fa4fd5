"""Reading objects: public, as somebody, by a signed URL; their headers and their description."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from emulator.storage import uploads
from emulator.storage.api.checks import require_header
from emulator.storage.database import objects
from emulator.storage.database.session import documents
from emulator.storage.errors import compact, internal_error, invalid_input, no_such_bucket, no_such_key
from emulator.storage.files.backend import FileMissing, Reading
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

Row = dict[str, Any]


@dataclass(frozen=True)
class Options:
    """How an object is sent. `expires`: when the signed URL ends; it replaces Cache-Control."""

    download: str | None = None
    expires: str | None = None


async def get_public(context: Context) -> Response:
    """GET /object/public/B/P."""
    download = query_text(context, "download")
    row = await find_public(context)
    return await send_object(context, row, Options(download))


async def get_authenticated(context: Context) -> Response:
    """GET /object/authenticated/B/P."""
    download = query_text(context, "download")
    require_header(context)
    context.principal()
    return await send_object(context, await find_visible(context), Options(download))


async def get(context: Context) -> Response:
    """GET /object/B/P: a token is optional."""
    download = query_text(context, "download")
    return await send_object(context, await find_visible(context), Options(download))


async def get_signed(context: Context) -> Response:
    """GET /object/sign/B/P?token=T."""
    download = query_text(context, "download")
    claims = verify_signature(context, Scope.DOWNLOAD)
    row = await find_signed(context)
    return await send_object(context, row, Options(download, expires_of(claims)))


async def head(context: Context) -> Response:
    """HEAD /object/B/P and its public and authenticated forms: from the row alone."""
    return _head_response(context, await find_visible(context))


async def head_public(context: Context) -> Response:
    """HEAD /object/public/B/P."""
    return _head_response(context, await find_visible(context))


async def head_authenticated(context: Context) -> Response:
    """HEAD /object/authenticated/B/P."""
    require_header(context)
    context.principal()
    return _head_response(context, await find_visible(context))


async def info(context: Context) -> Response:
    """GET /object/info/B/P."""
    return _info_response(await find_visible(context))


async def info_public(context: Context) -> Response:
    """GET /object/info/public/B/P."""
    return _info_response(await find_visible(context))


async def info_authenticated(context: Context) -> Response:
    """GET /object/info/authenticated/B/P."""
    require_header(context)
    context.principal()
    return _info_response(await find_visible(context))


async def find_public(context: Context) -> Row:
    """An object of a public bucket: its version and metadata."""
    request = context.request
    check_key(request.key)
    (rows,) = await context.db.look_up(objects.find_public(request.bucket, request.key))
    if not rows or not (found := documents(rows)[0])["public"]:
        raise no_such_bucket()
    row: Row | None = found["object"]
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
    stored = str(metadata.get("cacheControl") or "")
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


def _head_response(context: Context, row: Row) -> Response:
    metadata: Row = row["metadata"] or {}
    etag = metadata.get("eTag")
    given = context.request.header("if-none-match")
    mime_type = metadata.get("mimetype")
    extra = ""
    if given and given != etag:
        extra = "must-revalidate"
    elif given and context.settings.s_maxage_s:
        extra = f"s-maxage={context.settings.s_maxage_s}"
    headers = [
        ("accept-ranges", "bytes"),
        *([("content-type", served_type(str(mime_type)))] if mime_type else []),
        ("etag", str(etag or "")),
        ("x-robots-tag", robots_tag(metadata)),
        *_row_times(metadata),
        *cache_control(str(metadata.get("cacheControl") or ""), extra),
        *safety_headers(str(mime_type or "")),
    ]
    check_headers(headers)
    return Response(int(metadata.get("httpStatusCode") or 200), headers, None, length=_length(metadata))


def _row_times(metadata: Row) -> list[tuple[str, str]]:
    modified_at = modified_at_of(metadata, -1)
    return [("last-modified", http_date(modified_at))] if modified_at >= 0 else []


def _length(metadata: Row) -> int | None:
    value = metadata.get("contentLength")
    return value if isinstance(value, int) else None


def _info_response(row: Row) -> Response:
    metadata: Row = row["metadata"] or {}
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
        ("etag", str(metadata.get("eTag") or "")),
        *_row_times(metadata),
        *cache_control(str(metadata.get("cacheControl") or "")),
    ]
    check_headers(headers)
    return Response(200, headers, compact(document))
