"""POST /object/list/B and /object/list-v2/B."""

from emulator.storage.api.checks import require_header
from emulator.storage.database import objects
from emulator.storage.database.session import documents
from emulator.storage.listing import MAX_KEYS, ListingRequest, list_objects
from emulator.storage.service import Context
from emulator.storage.wire.bodies import read_object
from emulator.storage.wire.response import Response, json_response
from emulator.storage.wire.validation import Schema, flag, integer, nested, one_of, text

_ORDER = one_of("asc", "desc")
_V1 = Schema(
    {
        "prefix": text,
        "limit": integer(1),
        "offset": integer(0),
        "sortBy": nested(
            Schema(
                {"column": one_of("name", "updated_at", "created_at", "last_accessed_at"), "order": _ORDER}, ("column",)
            )
        ),
        "search": text,
    },
    required=("prefix",),
)
_V2 = Schema(
    {
        "prefix": text,
        "limit": integer(1),
        "cursor": text,
        "with_delimiter": flag,
        "sortBy": nested(Schema({"column": one_of("name", "updated_at", "created_at"), "order": _ORDER}, ("column",))),
    }
)
_MOST = 2**31 - 1


async def list_v1(context: Context) -> Response:
    """One level of a folder, paged by offset."""
    wanted = await read_object(context.request, _V1)
    require_header(context)
    prefix = wanted["prefix"]
    if prefix and not prefix.endswith("/"):
        prefix += "/"
    sort = wanted.get("sortBy", {})
    statement = objects.search(
        context.request.bucket, prefix, min(wanted.get("limit", 100), _MOST), min(wanted.get("offset", 0), _MOST),
        wanted.get("search", ""), sort.get("column", "name"), sort.get("order", "asc"),
    )  # fmt: skip
    (rows,) = await context.db.run(context.user(), statement)
    return json_response(documents(rows))


async def list_v2(context: Context) -> Response:
    """What begins with a prefix, paged by cursor, perhaps folded into folders."""
    wanted = await read_object(context.request, _V2)
    sort = wanted.get("sortBy", {})
    asked = ListingRequest(
        context.request.bucket, wanted.get("prefix", ""), "/" if wanted.get("with_delimiter") else "",
        min(wanted.get("limit", MAX_KEYS), MAX_KEYS), wanted.get("cursor", ""), "", sort.get("column", ""),
        sort.get("order", ""),
    )  # fmt: skip
    found = await list_objects(context, context.user(), asked)
    document = {
        "hasNext": found.next_cursor is not None,
        **({"nextCursor": found.next_cursor, "nextCursorKey": found.next_key} if found.next_cursor else {}),
        "folders": found.folders,
        "objects": found.objects,
    }
    return json_response(document)
