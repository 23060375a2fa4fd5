"""Operations on single objects, and on several at once."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from emulator.asgi.body import BodyTooLarge, read_body
from emulator.storage import changes, uploads
from emulator.storage.api.read import Row, modified_at_of, open_version
from emulator.storage.changes import Copy
from emulator.storage.database import objects
from emulator.storage.database.session import documents
from emulator.storage.errors import (
    StorageError,
    body_too_large,
    entity_too_large,
    invalid_bucket_name,
    invalid_parameter,
    invalid_request,
    missing_parameter,
)  # fmt: skip
from emulator.storage.files.backend import Reading
from emulator.storage.s3.call import Call, metadata_headers
from emulator.storage.s3.xml import MAX_XML_BYTES, parse
from emulator.storage.uploads import Upload
from emulator.storage.wire.caching import (
    check_headers,
    http_date,
    is_header_value,
    is_unchanged,
    parse_date,
    parse_range,
    safety_headers,
)  # fmt: skip
from emulator.storage.wire.names import FOLDER_MARK, check_bucket_name, check_key, check_segments, check_type
from emulator.storage.wire.response import Response
from emulator.storage.wire.validation import text

_OVERRIDES = ("content-disposition", "content-type", "cache-control", "content-encoding", "content-language")
_JAVASCRIPT_DATE = "%a %b %d %Y %H:%M:%S GMT+0000 (Coordinated Universal Time)"
OCTETS = "application/octet-stream"


async def put(call: Call) -> Response:
    """PutObject: always overwrites."""
    key = call.key + FOLDER_MARK if call.key.endswith("/") and call.request.content_length == 0 else call.key
    mime_type = call.request.header("content-type") or OCTETS
    cache_control = call.request.header("cache-control") or "no-cache"
    upload = Upload(
        call.bucket, key, mime_type, cache_control, call.caller.owner, True, call.user_metadata(),
        declared_length=call.body_length,
    )  # fmt: skip
    return await store(call, upload, call.pieces())


async def store(call: Call, upload: Upload, pieces: AsyncIterator[bytes], most: int | None = None) -> Response:
    """Write an object; `most`: a limit besides that of the bucket."""
    bucket = await uploads.find_bucket(call.context, upload.bucket)
    if not upload.key.endswith(FOLDER_MARK):
        check_type(upload.mime_type, bucket.types)
    limit = uploads.standard_limit(call.context, bucket, upload.key)
    limit = limit if most is None else min(limit, most)
    if upload.declared_length is not None and upload.declared_length > limit:
        raise entity_too_large()
    check_bucket_name(upload.bucket)
    check_key(upload.key)
    await uploads.test_permission(call.context, upload, call.caller.actor)
    check_segments(upload.bucket, upload.key)
    written = await uploads.write_file(call.context, pieces, limit)
    await uploads.complete(call.context, upload, written)
    return Response(200, [("etag", written.etag)])


async def get(call: Call) -> Response:
    """GetObject."""
    overrides = _read_overrides(call)
    row = await _visible(call)
    reading = await open_version(call.context, row)
    try:
        return _get_response(call, row, reading, overrides)
    except BaseException:
        await reading.close()
        raise


def _read_overrides(call: Call) -> dict[str, str]:
    """Headers that the query asks for; those that HTTP can't carry are left out. Raises StorageError."""
    wanted = call.query({f"response-{name}": text for name in (*_OVERRIDES, "expires")})
    expires = wanted.pop("response-expires", None)
    found = {name.removeprefix("response-"): value for name, value in wanted.items() if is_header_value(value)}
    if expires:
        seconds = parse_date(expires)
        if seconds is None:
            raise invalid_parameter("response-expires")
        found["expires"] = http_date(seconds)
    return found


def _get_response(call: Call, row: Row, reading: Reading, overrides: dict[str, str]) -> Response:
    metadata: Row = row["metadata"] or {}
    etag = str(metadata.get("eTag") or "")
    modified_at = modified_at_of(metadata, reading.modified_at)
    start, length, status = 0, reading.size, 200
    headers = {
        "cache-control": str(metadata.get("cacheControl") or "no-cache"),
        "content-type": str(metadata.get("mimetype") or OCTETS),
        "etag": etag,
        "last-modified": http_date(modified_at),
    }
    if is_unchanged(call.request.headers, etag, modified_at):
        length, status = 0, 304
    elif "range" in call.request.headers:
        wanted = parse_range(call.request.headers["range"], reading.size)
        start, length, status = wanted.start, wanted.length, 206
        headers["content-range"] = wanted.header(reading.size)
    headers |= {name: value for name, value in overrides.items() if value}
    answer = [(name, value) for name, value in headers.items() if value]
    answer += [*metadata_headers(row["user_metadata"]), *safety_headers(headers["content-type"])]
    check_headers(answer)
    return Response(status, answer, None, reading.pieces(start, length), length, reading.close)


async def head(call: Call) -> Response:
    """HeadObject: from the row alone."""
    row = await _visible(call)
    metadata: Row = row["metadata"] or {}
    created_at = datetime.fromisoformat(row["created_at"])
    updated_at = datetime.fromisoformat(row["updated_at"])
    headers = [
        (
            "created-at",
            created_at.astimezone(UTC).strftime(_JAVASCRIPT_DATE),
        ),
        ("cache-control", str(metadata.get("cacheControl") or "")),
        ("expires", str(metadata.get("expires") or "")),
        ("content-type", str(metadata.get("mimetype") or "")),
        ("etag", str(metadata.get("eTag") or "")),
        ("last-modified", http_date(updated_at.timestamp())),
    ]
    answer = [(name, value) for name, value in headers if value]
    answer += [*metadata_headers(row["user_metadata"]), *safety_headers(str(metadata.get("mimetype") or ""))]
    check_headers(answer)
    size = metadata.get("size")
    return Response(200, answer, None, length=size if isinstance(size, int) else None)


async def tagging(call: Call) -> Response:
    """GetObjectTagging: there are no tags."""
    await _visible(call)
    return call.answer("Tagging", {"TagSet": ""})


async def delete(call: Call) -> Response:
    """DeleteObject: a missing one is as good as deleted."""
    try:
        await changes.delete(call.context, call.caller.actor, call.bucket, call.key)
    except StorageError as error:
        if error.code != "NoSuchKey":
            raise
        await uploads.find_bucket(call.context, call.bucket)
    return Response(204, body=None)


async def delete_many(call: Call) -> Response:
    """DeleteObjects."""
    keys = await _keys_to_delete(call)
    rows = await changes.delete_many(call.context, call.caller.actor, call.bucket, keys)
    deleted = {row["name"] for row in rows}
    (left,) = await call.context.db.run(call.context.superuser(), objects.existing(call.bucket, keys))
    remaining = {row["name"] for row in documents(left)}
    if not deleted and not remaining:
        await uploads.find_bucket(call.context, call.bucket)
    refused = [key for key in keys if key in remaining and key not in deleted]
    return call.answer(
        "DeleteResult",
        {
            "Deleted": [{"Key": key} for key in keys if key not in refused],
            "Error": [{"Key": key, "Code": "AccessDenied", "Message": "Access Denied"} for key in refused],
        },
    )


async def _keys_to_delete(call: Call) -> list[str]:
    document = await read_document(call)
    if document is None:
        given = call.request.header("content-type")
        raise invalid_request("must have required property 'Body'" if given is None else "Body must be object")
    root = parse(document)
    if root.tag != "Delete":
        raise invalid_request("Body must have required property 'Delete'")
    found = root.findall("Object")
    if not found:
        raise invalid_request("Body, Delete must be object" if len(root) == 0 else _NO_OBJECT)
    return [_key_of(item, index) for index, item in enumerate(found)]


_NO_OBJECT = "Body, Delete must have required property 'Object'"


def _key_of(item: Element, index: int) -> str:
    if len(item) == 0:
        raise invalid_request(f"Body, Delete, Object, {index} must be object")
    key = item.find("Key")
    if key is None:
        raise invalid_request(f"Body, Delete, Object, {index} must have required property 'Key'")
    return key.text or ""


async def read_document(call: Call) -> bytes | None:
    """A body of XML; None for one of another type, or without any. AWS's SDK for Python sends none."""
    try:
        raw = await read_body(call.request.receive, MAX_XML_BYTES)
    except BodyTooLarge as error:
        raise body_too_large() from error
    media_type = (call.request.header("content-type") or "").partition(";")[0].strip().lower()
    if not media_type and call.is_from_sdk:
        media_type = "application/xml"
    return raw if raw and media_type in ("application/xml", "text/xml") else None


async def copy(call: Call) -> Response:
    """CopyObject."""
    keeps = (call.request.header("x-amz-metadata-directive") or "COPY") == "COPY"
    given = {"cacheControl": call.request.header("cache-control"), "mimetype": call.request.header("content-type")}
    row = await changes.copy(
        call.context,
        call.caller.actor,
        Copy(
            copy_source(call), (call.bucket, call.key), call.caller.owner, True, keeps, False,
            {name: value for name, value in given.items() if value is not None}, call.user_metadata(),
        ),
    )  # fmt: skip
    tree = {"ETag": row["metadata"].get("eTag"), "LastModified": row["metadata"].get("lastModified")}
    return call.answer("CopyObjectResult", tree)


def copy_source(call: Call) -> tuple[str, str]:
    """Bucket and key of x-amz-copy-source, which SDKs percent-encode. Raises StorageError."""
    given = call.request.header("x-amz-copy-source") or ""
    plain = unquote(given) if call.is_from_sdk else given
    bucket, _, key = plain.removeprefix("/").partition("/")
    if given and not bucket:
        raise invalid_bucket_name()
    if not key:
        raise missing_parameter("CopySource")
    return bucket, key


async def _visible(call: Call) -> Row:
    check_key(call.key)
    return await changes.visible_row(call.context, call.caller.actor, call.bucket, call.key)
