"""Copy, move and delete as rules: what the routes and S3 share."""

import time
from dataclasses import dataclass
from typing import Any

from emulator.storage import uploads
from emulator.storage.database import objects
from emulator.storage.database.objects import NewObject
from emulator.storage.database.session import Actor, documents
from emulator.storage.errors import (
    StorageError,
    access_denied,
    disk_full,
    internal_error,
    lock_timeout,
    no_such_key,
)  # fmt: skip
from emulator.storage.files.backend import DiskFull, FileMissing
from emulator.storage.service import Context
from emulator.storage.uploads import Upload
from emulator.storage.wire.names import check_key, check_segments

Row = dict[str, Any]
_BATCH = 500
# What a backend knows of a file, which is all that a move keeps.
_OF_FILES = ("eTag", "size", "mimetype", "cacheControl", "contentLength", "httpStatusCode")


@dataclass(frozen=True)
class Copy:
    """A copy to be. `metadata`: another cacheControl or mimetype; where it has none, the source's if keeps_unnamed."""

    source: tuple[str, str]
    target: tuple[str, str]
    owner: str | None
    is_upsert: bool
    keeps_metadata: bool = True
    keeps_unnamed: bool = True
    metadata: dict[str, str] | None = None
    user_metadata: Any = None


async def copy(context: Context, actor: Actor, wanted: Copy) -> Row:
    """Copy an object that the caller sees to where the caller may write; the new row. Raises StorageError."""
    check_key(wanted.target[1])
    check_segments(*wanted.target)
    source = await visible_row(context, actor, *wanted.source)
    metadata: Row = dict(source["metadata"] or {})
    if not wanted.keeps_metadata:
        if not wanted.keeps_unnamed:
            metadata = {name: value for name, value in metadata.items() if name not in ("cacheControl", "mimetype")}
        metadata |= wanted.metadata or {}
    user_metadata = source["user_metadata"] if wanted.keeps_metadata else wanted.user_metadata
    bucket, key = wanted.target
    upload = Upload(bucket, key, "", "", wanted.owner, wanted.is_upsert, user_metadata)
    await uploads.test_row(context, upload, actor, metadata)
    try:
        written = await context.service.files.copy(source["version"] or "")
    except FileMissing as error:
        raise internal_error() from error
    except DiskFull as error:
        raise disk_full() from error
    metadata["lastModified"] = uploads.iso_time(time.time())
    row = NewObject(bucket, key, written.version, wanted.owner, metadata, user_metadata)
    return await uploads.complete_row(context, row, is_upsert=wanted.is_upsert)


async def visible_row(context: Context, actor: Actor, bucket: str, key: str) -> Row:
    """The row as the caller sees it. Raises NoSuchKey."""
    (rows,) = await context.db.run(actor, objects.find(bucket, key))
    if not rows:
        raise no_such_key()
    found: Row = documents(rows)[0]
    return found


async def move(
    context: Context, actor: Actor, source: tuple[str, str], target: tuple[str, str], owner: str | None
) -> None:
    """Give an object another name. Raises StorageError.

    The bytes get a new version, as the original's: two links to one file until the row is committed.
    """
    check_key(target[1])
    check_segments(*target)
    found, changed = await context.db.probe(actor, objects.find(*source), objects.move(source, target, "1", owner))
    if not found or not changed:
        raise no_such_key()
    if source == target:
        return
    (rows,) = await context.db.run(context.superuser(), objects.find(*source))
    if not rows:
        raise no_such_key()
    row = documents(rows)[0]
    version = row["version"]
    try:
        written = await context.service.files.copy(version or "")
    except FileMissing as error:
        raise internal_error() from error
    except DiskFull as error:
        raise disk_full() from error
    metadata = {name: value for name, value in (row["metadata"] or {}).items() if name in _OF_FILES}
    metadata["lastModified"] = uploads.iso_time(time.time())
    try:
        *_, changed = await context.db.run(
            context.superuser(),
            *objects.lock(source[0], target[1]),
            objects.move_version(source, target, (version, written.version), owner, metadata),
        )
        if not changed:
            raise no_such_key()
    except StorageError as error:
        if error.status != 544:
            await context.service.files.remove([written.version])
        raise (lock_timeout() if error.code == "ResourceLocked" else error) from None
    await context.service.files.remove([version])


async def delete(context: Context, actor: Actor, bucket: str, key: str) -> None:
    """Delete one object. Raises NoSuchKey when it is not there, AccessDenied when the caller may not."""
    async with context.db.transaction(context.superuser()) as transaction:
        (found,) = await transaction.run(objects.find(bucket, key, for_update=True))
        if not found:
            raise no_such_key()
        _, deleted = await transaction.run(context.db.become(actor), objects.delete(bucket, [key]))
        if not deleted:
            raise access_denied()
    version = documents(found)[0]["version"]
    if version:
        await context.service.files.remove([version])


async def delete_many(context: Context, actor: Actor, bucket: str, keys: list[str]) -> list[Row]:
    """Delete several, those that the caller may; the rows that were there."""
    deleted: list[Row] = []
    for start in range(0, len(keys), _BATCH):
        (rows,) = await context.db.run(actor, objects.delete(bucket, keys[start : start + _BATCH]))
        found = documents(rows)
        await context.service.files.remove([row["version"] for row in found if row["version"]])
        deleted += found
    return deleted


def renamed(row: Row) -> Row:
    """A row as the schema of answers prints it: a missing owner is an empty text."""
    return {**row, "owner": row["owner"] or "", "owner_id": row["owner_id"] or ""}
