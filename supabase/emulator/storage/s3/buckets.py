"""Operations on buckets, and lists of what is in them."""

from typing import Any

from emulator.storage import uploads
from emulator.storage.api.buckets import create_bucket, delete_bucket
from emulator.storage.database import buckets
from emulator.storage.database.session import documents
from emulator.storage.errors import no_such_bucket
from emulator.storage.listing import Listing, ListingRequest, list_objects
from emulator.storage.s3.call import Call
from emulator.storage.wire.response import Response
from emulator.storage.wire.validation import integer, one_of, text

_MAX_KEYS = 1000
_LISTED = {"delimiter": text, "encoding-type": one_of("url"), "max-keys": integer(0, None), "prefix": text}
_V1 = {**_LISTED, "marker": text}
_V2 = {**_LISTED, "continuation-token": text, "start-after": text}


async def list_buckets(call: Call) -> Response:
    """ListBuckets."""
    (rows,) = await call.context.db.run(call.caller.actor, buckets.names())
    found = [{"Name": row["name"], "CreationDate": row["created_at"]} for row in documents(rows)]
    return call.answer("ListAllMyBucketsResult", {"Buckets": {"Bucket": found}})


async def create(call: Call) -> Response:
    """CreateBucket; the ACL public-read makes it public."""
    is_public = call.request.header("x-amz-acl") == "public-read"
    values = {"public": is_public}
    await create_bucket(call.context, call.caller.actor, call.bucket, values, call.caller.owner)
    return Response(200, [("location", f"/{call.bucket}")])


async def delete(call: Call) -> Response:
    """DeleteBucket."""
    await delete_bucket(call.context, call.bucket, call.caller.actor)
    return Response(204, body=None)


async def head(call: Call) -> Response:
    """HeadBucket."""
    await _require_visible(call)
    return Response(200, [("x-amz-bucket-region", call.context.settings.bucket_backend.region)])


async def location(call: Call) -> Response:
    """GetBucketLocation."""
    await _require_visible(call)
    region = call.context.settings.bucket_backend.region
    return call.answer("LocationConstraint", {"LocationConstraint": region})


async def versioning(call: Call) -> Response:
    """GetBucketVersioning: there is none."""
    await _require_visible(call)
    return call.answer("VersioningConfiguration", {"Status": "Suspended", "MfaDelete": "Disabled"})


async def list_v2(call: Call) -> Response:
    """ListObjectsV2."""
    wanted = call.query(_V2)
    limit, found = await _list(call, wanted, wanted.get("start-after"))
    return call.answer(
        "ListBucketResult",
        {
            "Name": call.bucket,
            "Prefix": wanted.get("prefix", ""),
            "ContinuationToken": wanted.get("continuation-token"),
            "Contents": _contents(found),
            "IsTruncated": found.next_cursor is not None,
            "MaxKeys": limit,
            "Delimiter": wanted.get("delimiter"),
            "EncodingType": wanted.get("encoding-type"),
            "KeyCount": len(found.objects) + len(found.folders),
            "CommonPrefixes": _folders(found),
            "NextContinuationToken": found.next_cursor,
        },
    )


async def list_v1(call: Call) -> Response:
    """ListObjects. `Marker` is where the next page begins, as the original has it."""
    wanted = call.query(_V1)
    limit, found = await _list(call, wanted, wanted.get("marker"))
    return call.answer(
        "ListBucketResult",
        {
            "Name": call.bucket,
            "Prefix": wanted.get("prefix", ""),
            "Marker": found.next_key,
            "NextMarker": found.next_key if wanted.get("delimiter") else None,
            "MaxKeys": limit,
            "IsTruncated": found.next_cursor is not None,
            "Contents": _contents(found),
            "CommonPrefixes": _folders(found),
            "EncodingType": wanted.get("encoding-type"),
        },
    )


async def _list(call: Call, wanted: dict[str, Any], start_after: str | None) -> tuple[int, Listing]:
    limit = min(wanted.get("max-keys") or _MAX_KEYS, _MAX_KEYS)
    await uploads.find_bucket(call.context, call.bucket)
    asked = ListingRequest(
        call.bucket, wanted.get("prefix", ""), wanted.get("delimiter", ""), limit,
        wanted.get("continuation-token", ""), start_after or "", encodes_names="encoding-type" in wanted,
    )  # fmt: skip
    return limit, await list_objects(call.context, call.caller.actor, asked)


def _contents(found: Listing) -> list[dict[str, object]]:
    return [
        {
            "Key": item["name"],
            "LastModified": item["updated_at"],
            "ETag": (item["metadata"] or {}).get("eTag"),
            "Size": (item["metadata"] or {}).get("size") or 0,
            "StorageClass": "STANDARD",
        }
        for item in found.objects
    ]


def _folders(found: Listing) -> list[dict[str, object]]:
    return [{"Prefix": item["name"]} for item in found.folders]


async def _require_visible(call: Call) -> None:
    (rows,) = await call.context.db.run(call.caller.actor, buckets.find(call.bucket))
    if not rows:
        raise no_such_bucket()
