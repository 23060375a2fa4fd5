"""/bucket: create, list, read, change, empty and delete. Policies on storage.buckets decide."""

import re
from typing import Any

from emulator.db.statement import Statement
from emulator.storage.api.checks import require_header
from emulator.storage.database import buckets, objects
from emulator.storage.database.session import Actor, documents
from emulator.storage.errors import (
    StorageError,
    bucket_already_exists,
    bucket_not_empty,
    bucket_too_full,
    invalid_bucket_name,
    invalid_role,
    no_such_bucket,
)  # fmt: skip
from emulator.storage.service import Context
from emulator.storage.wire.bodies import read_json, read_object
from emulator.storage.wire.names import check_allowed_types, check_bucket_name, parse_size
from emulator.storage.wire.response import Response, json_response, message
from emulator.storage.wire.validation import Schema, flag, integer, one_of, size_limit, text, texts

_NEW = Schema(
    {
        "name": text,
        "id": text,
        "public": flag,
        "type": one_of("STANDARD", "ANALYTICS"),
        "file_size_limit": size_limit,
        "allowed_mime_types": texts(nullable=True),
    },
    required=("name",),
)
_CHANGES = Schema(
    {"public": flag, "file_size_limit": size_limit, "allowed_mime_types": texts(nullable=True)},
    one_of=("public", "file_size_limit", "allowed_mime_types"),
)
_LISTING = Schema(
    {
        "limit": integer(1),
        "offset": integer(0),
        "sortColumn": one_of("id", "name", "created_at", "updated_at"),
        "sortOrder": one_of("asc", "desc"),
        "search": text,
    }
)
# Clients whose models forbid the key `type`.
_OLD_CLIENTS = (
    ("x-client-info", re.compile(r"supabase-py/(\d+)\.(\d+)\.(\d+)", re.IGNORECASE), (2, 18, 0)),
    ("user-agent", re.compile(r"supabase-py/storage3 v(\d+)\.(\d+)\.(\d+)", re.IGNORECASE), (0, 12, 1)),
)
_BATCH = 1000
_MOST_TO_EMPTY = 200_000


async def create(context: Context) -> Response:
    """POST /bucket."""
    wanted = await read_object(context.request, _NEW)
    require_header(context)
    actor, name = context.user(), wanted["name"]
    if wanted.get("type") == "ANALYTICS":
        check_bucket_name(name)
        await _insert(context, actor, buckets.insert_analytics(name))
        return json_response({"name": name})
    values = {"id": wanted.get("id") or name, "public": wanted.get("public", False), **_settings(context, wanted)}
    await create_bucket(context, actor, name, values, context.owner())
    return json_response({"name": name})


async def create_bucket(context: Context, actor: Actor, name: str, values: dict[str, Any], owner: str | None) -> None:
    """Make a bucket as somebody. Raises StorageError."""
    check_bucket_name(name)
    if owner is not None:
        values = {**values, "owner": objects.as_uuid(owner), "owner_id": owner}
    await _insert(context, actor, buckets.insert({"id": name, "name": name, **values}))


async def _insert(context: Context, actor: Actor, statement: Statement) -> None:
    try:
        await context.db.run(actor, statement)
    except StorageError as error:
        raise bucket_already_exists() if error.status == 409 else error from None


async def list_all(context: Context) -> Response:
    """GET /bucket."""
    wanted = _LISTING.read(dict(context.request.query), "querystring")
    require_header(context)
    statement = buckets.listing(
        wanted.get("limit"), wanted.get("offset"), wanted.get("sortColumn"), wanted.get("sortOrder"),
        wanted.get("search"), typed=not _is_old_client(context),
    )  # fmt: skip
    (rows,) = await context.db.run(context.user(), statement)
    return json_response(documents(rows))


async def read(context: Context) -> Response:
    """GET /bucket/B."""
    require_header(context)
    (rows,) = await context.db.run(context.user(), buckets.find(context.request.bucket))
    if not rows:
        raise no_such_bucket()
    return json_response(documents(rows)[0])


async def change(context: Context) -> Response:
    """PUT /bucket/B."""
    wanted = await read_object(context.request, _CHANGES)
    require_header(context)
    actor, bucket = context.user(), context.request.bucket
    if not bucket.strip() or len(bucket) > 100:
        raise invalid_bucket_name()
    values = _settings(context, wanted)
    if "public" in wanted:
        values["public"] = wanted["public"]
    (rows,) = await context.db.run(actor, buckets.change(bucket, values))
    if not rows:
        raise no_such_bucket()
    return message("Successfully updated")


async def empty(context: Context) -> Response:
    """POST /bucket/B/empty: delete what is there now, in batches, before the answer."""
    await read_json(context.request, may_be_empty=True)
    require_header(context)
    actor, bucket = context.user(), context.request.bucket
    if not context.settings.users_may_empty and not context.require_service_role():
        raise invalid_role()
    (found,) = await context.db.run(actor, buckets.find(bucket))
    if not found:
        raise no_such_bucket()
    (counted,) = await context.db.run(context.superuser(), objects.count_up_to(bucket, _MOST_TO_EMPTY + 1))
    known = documents(counted)[0]
    if known["count"] > _MOST_TO_EMPTY:
        raise bucket_too_full()
    while True:
        (rows,) = await context.db.run(actor, objects.delete_batch(bucket, known["now"], _BATCH))
        await context.service.files.remove([row["version"] for row in documents(rows) if row["version"]])
        if len(rows) < _BATCH:
            return message("Empty bucket has been queued. Completion may take up to an hour.")


async def delete(context: Context) -> Response:
    """DELETE /bucket/B."""
    await read_json(context.request, may_be_empty=True)
    require_header(context)
    await delete_bucket(context, context.request.bucket, context.user())
    return message("Successfully deleted")


async def delete_bucket(context: Context, bucket: str, actor: Actor) -> None:
    """Delete an empty bucket as somebody. Raises StorageError."""
    async with context.db.transaction(context.superuser()) as transaction:
        locked, held = await transaction.run(buckets.lock(bucket), buckets.holds_objects(bucket))
        if not locked:
            raise no_such_bucket()
        if held:
            raise bucket_not_empty()
        _, deleted = await transaction.run(context.db.become(actor), buckets.delete(bucket))
        if not deleted:
            raise no_such_bucket()


def _settings(context: Context, wanted: dict[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    if "file_size_limit" in wanted:
        values["file_size_limit"] = parse_size(wanted["file_size_limit"], context.settings.size_limit)
    if "allowed_mime_types" in wanted:
        check_allowed_types(wanted["allowed_mime_types"])
        types = wanted["allowed_mime_types"]
        values["allowed_mime_types"] = None if types is None else [entry for entry in types if entry]
    return values


def _is_old_client(context: Context) -> bool:
    for header, pattern, since in _OLD_CLIENTS:
        match = pattern.search(context.request.header(header) or "")
        if match and tuple(map(int, match.groups())) < since:
            return True
    return False
