"""Operations on buckets, and lists of what is in them."""

from emulator.storage import uploads
from emulator.storage.api.buckets import create_bucket, delete_bucket
from emulator.storage.database import buckets
from emulator.storage.database.session import documents
from emulator.storage.errors import no_such_bucket
from emulator.storage.listing import Listing, ListingRequest, list_objects
from emulator.storage.s3.call import Call
from emulator.storage.wire.response import Response

_MAX_KEYS = 1000


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
    limit, found = await _list(call, call.query_text("continuation-token"), call.query_text("start-after"))
    return call.answer(
        "ListBucketResult",
        {
            "Name": call.bucket,
            "Prefix": call.query_text("prefix") or "",
            "ContinuationToken": call.query_text("continuation-token"),
            "Contents": _contents(found),
            "IsTruncated": found.next_cursor is not None,
            "MaxKeys": limit,
            "Delimiter": call.query_text("delimiter"),
            "EncodingType": call.query_text("encoding-type"),
            "KeyCount": len(found.objects) + len(found.folders),
            "CommonPrefixes": _folders(found),
            "NextContinuationToken": found.next_cursor,
        },
    )


async def list_v1(call: Call) -> Response:
    """ListObjects. `Marker` is where the next page begins, as the original has it."""
    limit, found = await _list(call, None, call.query_text("marker"))
    delimiter = call.query_text("delimiter")
    return call.answer(
        "ListBucketResult",
        {
            "Name": call.bucket,
            "Prefix": call.query_text("prefix") or "",
            "Marker": found.next_key,
            "NextMarker": found.next_key if delimiter else None,
            "MaxKeys": limit,
            "IsTruncated": found.next_cursor is not None,
            "Contents": _contents(found),
            "CommonPrefixes": _folders(found),
            "EncodingType": call.query_text("encoding-type"),
        },
    )


async def _list(call: Call, cursor: str | None, start_after: str | None) -> tuple[int, Listing]:
    limit = min(call.query_number("max-keys") or _MAX_KEYS, _MAX_KEYS)
    await uploads.find_bucket(call.context, call.bucket)
    wanted = ListingRequest(
        call.bucket, call.query_text("prefix") or "", call.query_text("delimiter") or "", limit, cursor or "",
        start_after or "", encodes_names=call.query_text("encoding-type") == "url",
    )  # fmt: skip
    return limit, await list_objects(call.context, call.caller.actor, wanted)


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
