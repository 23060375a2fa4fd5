"""Uploads in parts: create, put or copy parts, list, complete, abort."""

import base64
import binascii
import hashlib
import hmac
import re
from typing import Any
from uuid import uuid4
from xml.etree.ElementTree import Element

from emulator.storage import changes, uploads
from emulator.storage.api.read import open_version
from emulator.storage.database import multipart as statements
from emulator.storage.database.session import documents
from emulator.storage.errors import (
    StorageError,
    disk_full,
    entity_too_large,
    invalid_checksum,
    invalid_request,
    invalid_upload_id,
    invalid_value,
    missing_content_length,
    missing_parameter,
    missing_part,
    no_such_bucket,
    no_such_key,
    no_such_upload,
)  # fmt: skip
from emulator.storage.files.backend import DiskFull, FileMissing, TooLarge
from emulator.storage.listing import encode_name
from emulator.storage.s3.call import Call
from emulator.storage.s3.objects import OCTETS, copy_source, read_document
from emulator.storage.s3.xml import parse
from emulator.storage.uploads import Bucket, Upload
from emulator.storage.wire.caching import parse_copy_range
from emulator.storage.wire.names import check_bucket_name, check_key, check_segments, check_type
from emulator.storage.wire.response import Response
from emulator.storage.wire.validation import integer, one_of, text

MAX_PARTS = 10_000
MAX_PART_BYTES = 5 << 30
_PAGE = 1000
_NUMBER = integer(1, MAX_PARTS)
_PART = {"uploadId": text, "partNumber": _NUMBER}
_LISTED = {
    "delimiter": text,
    "encoding-type": one_of("url"),
    "max-uploads": integer(1, _PAGE),
    "key-marker": text,
    "upload-id-marker": text,
    "prefix": text,
}
Row = dict[str, Any]


async def create(call: Call) -> Response:
    """CreateMultipartUpload."""
    call.require_authorization()
    check_bucket_name(call.bucket)
    check_key(call.key)
    bucket = await uploads.find_bucket(call.context, call.bucket)
    mime_type = call.request.header("content-type")
    # Without a type the object would be stored as octets: that is what has to be allowed.
    check_type(mime_type or OCTETS, bucket.types)
    metadata = {"mimetype": mime_type} if mime_type else {}
    await _test(call, metadata, call.user_metadata())
    check_segments(call.bucket, call.key)
    upload_id = str(uuid4())
    headers = {"cache_control": call.request.header("cache-control") or "no-cache"}
    await call.context.service.parts.create(upload_id, headers)
    values = {
        "id": upload_id,
        "upload_signature": _signature(call, upload_id, 0),
        "bucket_id": call.bucket,
        "key": call.key,
        "version": str(uuid4()),
        "owner_id": call.caller.owner,
        "user_metadata": call.user_metadata(),
        "metadata": metadata,
    }
    await call.context.db.run(call.context.superuser(), statements.insert(values))
    tree = {"Bucket": call.bucket, "Key": call.key, "UploadId": upload_id}
    return call.answer("InitiateMultipartUploadResult", tree)


async def put_part(call: Call) -> Response:
    """UploadPart."""
    query = call.query(_PART)
    length = call.body_length
    if not query["uploadId"]:
        raise invalid_upload_id()
    if length is None:
        raise missing_content_length()
    number, bucket = query["partNumber"], await uploads.find_bucket(call.context, call.bucket)
    upload = await _permitted_upload(call, query["uploadId"])
    await _reserve(call, bucket, upload, length)
    try:
        md5 = await call.context.service.parts.write(upload["id"], number, call.pieces(), length)
    except BaseException as error:
        await _reserve(call, bucket, upload, -length)
        raise _as_storage_error(error) from None
    await _insert_part(call, upload, number, md5)
    return Response(200, [("etag", md5), ("access-control-expose-headers", "etag")])


async def copy_part(call: Call) -> Response:
    """UploadPartCopy."""
    query = call.query(_PART)
    if not query["uploadId"]:
        raise missing_parameter("UploadId")
    number, source = query["partNumber"], await _source_of_part(call)
    size = int((source["metadata"] or {}).get("size") or 0)
    given = call.request.header("x-amz-copy-source-range")
    wanted = None if given is None else parse_copy_range(given, size)
    start, length = (0, size) if wanted is None else (wanted.start, wanted.length)
    bucket = await uploads.find_bucket(call.context, call.bucket)
    upload = await _permitted_upload(call, query["uploadId"])
    await _reserve(call, bucket, upload, length)
    reading = await open_version(call.context, source)
    try:
        pieces = reading.pieces(start, length)
        md5 = await call.context.service.parts.write(upload["id"], number, pieces, length)
    except BaseException as error:
        await _reserve(call, bucket, upload, -length)
        raise _as_storage_error(error) from None
    finally:
        await reading.close()
    part = await _insert_part(call, upload, number, md5)
    return call.answer("CopyPartResult", {"ETag": md5, "LastModified": part})


async def complete(call: Call) -> Response:
    """CompleteMultipartUpload: the parts that the body names, all of them without a body."""
    document = await read_document(call)
    wanted = [] if document is None else _wanted_parts(document)
    call.require_authorization()
    upload = await _permitted_upload(call, _upload_id(call))
    (rows,) = await call.context.db.run(call.context.superuser(), statements.parts(upload["id"], 0, MAX_PARTS))
    known = {part["part_number"]: part["etag"] for part in documents(rows)}
    wanted = wanted or list(known.items())
    service = call.context.service
    missing = await service.parts.missing(upload["id"], [part for part in wanted if known.get(part[0]) == part[1]])
    for number, md5 in wanted:
        if number not in known or number == missing:
            raise missing_part(number, upload["id"])
        if md5 != known[number]:
            raise invalid_checksum(f"Invalid ETag for part {number}")
    try:
        headers = await service.parts.headers(upload["id"])
    except FileMissing as error:
        raise no_such_upload() from error
    bucket = await uploads.find_bucket(call.context, call.bucket)
    written = await uploads.write_version(
        call.context, service.parts.pieces(upload["id"], wanted), _limit(call, bucket), upload["version"]
    )
    mime_type = (upload["metadata"] or {}).get("mimetype") or OCTETS
    made = Upload(
        call.bucket, call.key, mime_type, headers["cache_control"], call.caller.owner, True, upload["user_metadata"]
    )
    await uploads.complete(call.context, made, written)
    await call.context.db.run(call.context.superuser(), statements.delete(upload["id"]))
    await service.parts.remove(upload["id"])
    location = f"{call.bucket}/{call.key}"
    tree = {"Location": location, "Bucket": call.bucket, "Key": call.key, "ETag": written.etag}
    return call.answer("CompleteMultipartUploadResult", tree)


async def abort(call: Call) -> Response:
    """AbortMultipartUpload."""
    upload = await _permitted_upload(call, _upload_id(call))
    await call.context.db.run(call.context.superuser(), statements.delete(upload["id"]))
    await call.context.service.parts.remove(upload["id"])
    return Response(200)


async def list_parts(call: Call) -> Response:
    """ListParts."""
    query = call.query({"uploadId": text, "max-parts": integer(1, _PAGE), "part-number-marker": text})
    if not query["uploadId"]:
        raise missing_parameter("UploadId")
    upload = await _find(call, query["uploadId"])
    limit, marker = query.get("max-parts", _PAGE), query.get("part-number-marker")
    after = _marked_part(marker) if marker else 0
    (rows,) = await call.context.db.run(call.caller.actor, statements.parts(upload["id"], after, limit + 1))
    found = documents(rows)
    shown, is_truncated = found[:limit], len(found) > limit
    return call.answer(
        "ListPartsResult",
        {
            "Bucket": call.bucket,
            "Key": call.key,
            "UploadId": upload["id"],
            "PartNumberMarker": marker,
            "NextPartNumberMarker": shown[-1]["part_number"] if is_truncated else None,
            "MaxParts": limit,
            "IsTruncated": is_truncated,
            "Part": [
                {"PartNumber": part["part_number"], "LastModified": part["created_at"], "ETag": part["etag"]}
                for part in shown
            ],
        },
    )


async def list_uploads(call: Call) -> Response:
    """ListMultipartUploads."""
    query = call.query(_LISTED)
    limit = query.get("max-uploads", _PAGE)
    await uploads.find_bucket(call.context, call.bucket)
    prefix, delimiter = query.get("prefix", ""), query.get("delimiter")
    key_marker, id_marker = query.get("key-marker"), query.get("upload-id-marker")
    after = (_decode_marker(key_marker), _decode_marker(id_marker))
    statement = (
        statements.folded_listing(call.bucket, prefix, delimiter, limit + 1, *after)
        if delimiter
        else statements.listing(call.bucket, prefix, limit + 1, *after)
    )
    (rows,) = await call.context.db.run(call.caller.actor, statement)
    found = documents(rows)
    shown, is_truncated = found[:limit], len(found) > limit
    folders = [row for row in shown if delimiter and delimiter in row["key"].removeprefix(prefix)]
    last = shown[-1] if is_truncated else {}
    if "encoding-type" in query:
        last = {**last, "key": encode_name(last["key"])} if last in folders else last
        shown = [{**row, "key": encode_name(row["key"])} for row in shown]
        folders = [{**row, "key": encode_name(row["key"])} for row in folders]
    return call.answer(
        "ListMultipartUploadsResult",
        {
            "Name": call.bucket,
            "Prefix": prefix,
            "KeyMarker": key_marker,
            "UploadIdMarker": id_marker,
            "NextKeyMarker": _encode_marker(last["key"]) if is_truncated else None,
            "NextUploadIdMarker": _encode_marker(last["id"]) if is_truncated else None,
            "Upload": [
                {
                    "Key": row["key"],
                    "Initiated": row["created_at"],
                    "UploadId": row["id"],
                    "StorageClass": "STANDARD",
                }
                for row in shown
                if row not in folders
            ],
            "IsTruncated": is_truncated,
            "MaxUploads": limit,
            "Delimiter": delimiter,
            "EncodingType": query.get("encoding-type"),
            "KeyCount": len(shown),
            "CommonPrefixes": [{"Prefix": row["key"]} for row in folders],
        },
    )


def _upload_id(call: Call) -> str:
    """The upload that the query names. Raises InvalidUploadId."""
    found: str = call.query({"uploadId": text})["uploadId"]
    if not found:
        raise invalid_upload_id()
    return found


def _marked_part(marker: str) -> int:
    """The part that a page begins after. Raises InvalidParameter, as PostgreSQL would of the original's."""
    match = re.fullmatch(r"\s*\+?0*(\d{1,9})\s*", marker)
    if match is None:
        raise invalid_value(f'invalid input syntax for type integer: "{marker}"')
    return int(match[1])


async def _source_of_part(call: Call) -> Row:
    """What a part is copied from, as the caller sees it. Raises StorageError."""
    try:
        bucket, key = copy_source(call)
    except StorageError as error:
        if not call.request.header("x-amz-copy-source"):
            raise
        raise (no_such_bucket() if error.code == "InvalidBucketName" else no_such_key()) from None
    return await changes.visible_row(call.context, call.caller.actor, bucket, key)


async def _find(call: Call, upload_id: str) -> Row:
    """An upload, if it is of this bucket and key. Raises NoSuchUpload."""
    (rows,) = await call.context.db.run(call.context.superuser(), statements.find(upload_id))
    found = documents(rows)
    if not found or (found[0]["bucket_id"], found[0]["key"]) != (call.bucket, call.key):
        raise no_such_upload()
    row: Row = found[0]
    return row


async def _permitted_upload(call: Call, upload_id: str) -> Row:
    """The same, for who may write the object. Raises StorageError."""
    upload = await _find(call, upload_id)
    await _test(call, upload["metadata"] or {}, upload["user_metadata"])
    return upload


async def _test(call: Call, metadata: Row, user_metadata: Any) -> None:
    upload = Upload(call.bucket, call.key, "", "", call.caller.owner, True, user_metadata)
    await uploads.test_row(call.context, upload, call.caller.actor, metadata)


def _limit(call: Call, bucket: Bucket) -> int:
    limit = call.context.settings.size_limit
    return limit if bucket.size is None else min(bucket.size, limit)


async def _reserve(call: Call, bucket: Bucket, upload: Row, length: int) -> None:
    """Count a part's bytes against the bucket's limit, before they come. Raises EntityTooLarge."""
    if length > MAX_PART_BYTES:
        raise entity_too_large()
    async with call.context.db.transaction(call.context.superuser()) as transaction:
        (rows,) = await transaction.run(statements.find(upload["id"], for_update=True))
        if not rows:
            raise no_such_upload()
        known = documents(rows)[0]
        size = known["in_progress_size"]
        if not hmac.compare_digest(known["upload_signature"], _signature(call, upload["id"], size)):
            raise invalid_request("Invalid upload Signature")
        if size + length > _limit(call, bucket):
            raise entity_too_large()
        total = max(size + length, 0)
        signature = _signature(call, upload["id"], total)
        await transaction.run(statements.set_progress(upload["id"], total, signature))


def _signature(call: Call, upload_id: str, size: int) -> str:
    """What keeps users from changing how much they have uploaded."""
    secret = call.context.settings.jwt_secret.encode()
    return hmac.new(secret, f"multipart:{upload_id}:{size}".encode(), hashlib.sha256).hexdigest()


async def _insert_part(call: Call, upload: Row, number: int, md5: str) -> str:
    """Note a part; when that was."""
    superuser = call.context.superuser()
    _, rows = await call.context.db.run(
        superuser,
        statements.insert_part(upload, number, md5, call.caller.owner),
        statements.parts(upload["id"], number - 1, 1),
    )
    return str(documents(rows)[0]["created_at"])


def _wanted_parts(document: bytes) -> list[tuple[int, str]]:
    """The numbers and MD5s of a CompleteMultipartUpload; none for another document. Raises StorageError."""
    root = parse(document)
    if root.tag != "CompleteMultipartUpload":
        return []
    if len(root) == 0:
        raise invalid_request("Body, CompleteMultipartUpload must be object")
    return [
        _wanted_part(part, f"Body, CompleteMultipartUpload, Part, {index}")
        for index, part in enumerate(root.findall("Part"))
    ]


def _wanted_part(part: Element, place: str) -> tuple[int, str]:
    if len(part) == 0:
        raise invalid_request(f"{place} must be object")
    number, md5 = part.find("PartNumber"), part.find("ETag")
    for name, found in (("PartNumber", number), ("ETag", md5)):
        if found is None:
            raise invalid_request(f"{place} must have required property '{name}'")
    assert number is not None
    assert md5 is not None
    return _NUMBER(number.text or "", f"{place}, PartNumber"), md5.text or ""


def _as_storage_error(error: BaseException) -> BaseException:
    if isinstance(error, TooLarge):
        return invalid_request("The request body is longer than declared")
    return disk_full() if isinstance(error, DiskFull) else error


def _encode_marker(value: str) -> str:
    return base64.b64encode(f"l:{value}".encode()).decode()


def _decode_marker(token: str | None) -> str:
    if not token:
        return ""
    try:
        return base64.b64decode(token).decode().partition(":")[2]
    except (binascii.Error, ValueError):
        return ""
