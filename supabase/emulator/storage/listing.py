"""Pages of objects and folders: what list-v2 and S3's ListObjects share."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from emulator.db.statement import Statement
from emulator.storage.database import objects
from emulator.storage.database.objects import Page
from emulator.storage.database.session import Actor, documents
from emulator.storage.errors import invalid_parameter
from emulator.storage.service import Context
from emulator.storage.wire.cursor import Cursor, decode_cursor

MAX_KEYS = 1000


@dataclass(frozen=True)
class ListingRequest:
    """What is asked for. `delimiter`: "" for every object however deep."""

    bucket: str
    prefix: str = ""
    delimiter: str = ""
    limit: int = MAX_KEYS
    cursor: str = ""
    start_after: str = ""
    column: str = ""
    order: str = ""
    encodes_names: bool = False


@dataclass(frozen=True)
class Listing:
    """One page. `next_cursor` None: the last one."""

    folders: list[dict[str, Any]]
    objects: list[dict[str, Any]]
    next_cursor: str | None = None
    next_key: str | None = None


def encode_name(name: str) -> str:
    """A name as JavaScript's encodeURIComponent prints it."""
    return quote(name, safe="-_.!~*'()")


async def list_objects(context: Context, actor: Actor, wanted: ListingRequest) -> Listing:
    """One page, as `actor` sees it. Raises StorageError."""
    limit = min(wanted.limit or MAX_KEYS, MAX_KEYS)
    cursor = decode_cursor(wanted.cursor) if wanted.cursor else None
    column = (cursor and cursor.column) or wanted.column
    order = (cursor and cursor.order) or wanted.order
    if column not in ("", "name", "created_at", "updated_at") or order not in ("", "asc", "desc"):
        raise invalid_parameter("continuation token")
    page = Page(
        wanted.prefix, limit + 1, (cursor and cursor.after) or wanted.start_after, column or "name", order or "asc",
        (cursor and cursor.after_value) or "",
    )  # fmt: skip
    found = await _fetch(context, actor, wanted, page)
    is_truncated = len(found) > limit
    folders: list[dict[str, Any]] = []
    files: list[dict[str, Any]] = []
    for item in found[:limit]:
        is_folder = item["id"] is None
        name = item["name"] + "/" if is_folder and not item["name"].endswith("/") else item["name"]
        shown = {**item, "name": encode_name(name) if wanted.encodes_names else name}
        (folders if is_folder else files).append(shown)
    if not is_truncated:
        return Listing(folders, files)
    last = found[limit - 1]
    value = last.get(column) if column not in ("", "name") else None
    following = Cursor(last["name"], order or "", column, value or "")
    return Listing(folders, files, following.encode(), last["name"])


async def _fetch(context: Context, actor: Actor, wanted: ListingRequest, page: Page) -> list[dict[str, Any]]:
    if not wanted.delimiter:
        return await _rows(context, actor, objects.page(wanted.bucket, page))
    if wanted.delimiter == "/":
        return await _rows(context, actor, objects.folded_page(wanted.bucket, page))
    return await _rows(context, actor, objects.delimited_page(wanted.bucket, page, wanted.delimiter))


async def _rows(context: Context, actor: Actor, statement: Statement) -> list[dict[str, Any]]:
    (rows,) = await context.db.run(actor, statement)
    return documents(rows)
