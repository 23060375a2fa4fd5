"""POST /object/move and /object/copy, DELETE /object/B/P and /object/B."""

from emulator.storage import changes
from emulator.storage.api.checks import require_header
from emulator.storage.api.upload import decode_metadata
from emulator.storage.changes import Copy
from emulator.storage.service import Context
from emulator.storage.wire.bodies import read_json, read_object
from emulator.storage.wire.response import Response, json_response, message
from emulator.storage.wire.validation import Schema, flag, nested, text, texts

_NAMES = {"bucketId": text, "sourceKey": text, "destinationKey": text, "destinationBucket": text}
_MOVE = Schema(_NAMES, required=("bucketId", "sourceKey", "destinationKey"))
_COPY = Schema(
    {**_NAMES, "metadata": nested(Schema({"cacheControl": text, "mimetype": text})), "copyMetadata": flag},
    required=("sourceKey", "bucketId", "destinationKey"),
)
_DELETE = Schema({"prefixes": texts(least=1)}, required=("prefixes",))


async def move(context: Context) -> Response:
    """POST /object/move."""
    wanted = await read_object(context.request, _MOVE)
    require_header(context)
    target = (wanted.get("destinationBucket") or wanted["bucketId"], wanted["destinationKey"])
    source = (wanted["bucketId"], wanted["sourceKey"])
    await changes.move(context, context.user(), source, target, context.owner())
    return message("Successfully moved")


async def copy(context: Context) -> Response:
    """POST /object/copy."""
    wanted = await read_object(context.request, _COPY)
    require_header(context)
    target = (wanted.get("destinationBucket") or wanted["bucketId"], wanted["destinationKey"])
    row = await changes.copy(
        context,
        context.user(),
        Copy(
            (wanted["bucketId"], wanted["sourceKey"]),
            target,
            context.owner(),
            context.request.header("x-upsert") == "true",
            wanted.get("copyMetadata", True),
            True,
            wanted.get("metadata"),
            decode_metadata(context.request.header("x-metadata")),
        ),
    )
    return json_response({"Id": row["id"], "Key": "/".join(target), **changes.renamed(row)})


async def delete(context: Context) -> Response:
    """DELETE /object/B/P."""
    await read_json(context.request)
    require_header(context)
    await changes.delete(context, context.user(), context.request.bucket, context.request.key)
    return message("Successfully deleted")


async def delete_many(context: Context) -> Response:
    """DELETE /object/B: `prefixes` are whole names."""
    wanted = await read_object(context.request, _DELETE)
    require_header(context)
    rows = await changes.delete_many(context, context.user(), context.request.bucket, wanted["prefixes"])
    return json_response([changes.renamed(row) for row in rows])
