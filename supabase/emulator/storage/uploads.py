"""What every way to upload has in common: the permission test, the file, and the row that names it.

The caller's right is tested on a row that is rolled back. Then the body is written, outside of any transaction; the row
comes last, as the service role. So no row is without its file, and a file without a row is at worst collected later.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from emulator.storage.database import buckets, objects
from emulator.storage.database.objects import NewObject
from emulator.storage.database.session import Actor, documents
from emulator.storage.errors import (
    StorageError,
    disk_full,
    entity_too_large,
    key_already_exists,
    lock_timeout,
    no_such_bucket,
)  # fmt: skip
from emulator.storage.files.backend import DiskFull, TooLarge, Written
from emulator.storage.service import Context
from emulator.storage.wire.names import FOLDER_MARK


@dataclass(frozen=True)
class Bucket:
    """What an upload or a read has to know of a bucket. `size`: its limit in bytes, None without one."""

    id: str
    public: bool
    size: int | None
    types: list[str] | None


@dataclass(frozen=True)
class Upload:
    """An object to be. `owner`: the subject of the token, None without one."""

    bucket: str
    key: str
    mime_type: str
    cache_control: str
    owner: str | None
    is_upsert: bool
    user_metadata: Any = field(default_factory=dict)
    robots_tag: str | None = None
    declared_length: int | None = None


async def find_bucket(context: Context, bucket: str) -> Bucket:
    """The bucket, whether the caller may see it or not. Raises NoSuchBucket."""
    (rows,) = await context.db.look_up(buckets.limits(bucket))
    if not rows:
        raise no_such_bucket()
    return Bucket(**documents(rows)[0])


def standard_limit(context: Context, bucket: Bucket, key: str) -> int:
    """How large an upload in one request may be."""
    if key.endswith(FOLDER_MARK):
        return 0
    limit = context.settings.standard_limit
    return limit if bucket.size is None else min(bucket.size, limit)


async def test_permission(context: Context, upload: Upload, actor: Actor) -> None:
    """Whether the caller may write this. Raises StorageError."""
    metadata: dict[str, Any] = {"mimetype": upload.mime_type}
    if upload.declared_length is not None:
        metadata["contentLength"] = upload.declared_length
    await test_row(context, upload, actor, metadata)


async def test_row(context: Context, upload: Upload, actor: Actor, metadata: dict[str, Any]) -> None:
    """The same with other metadata for the policies."""
    row = NewObject(upload.bucket, upload.key, "1", upload.owner, metadata, upload.user_metadata)
    try:
        await context.db.probe(actor, objects.upsert(row) if upload.is_upsert else objects.insert(row))
    except StorageError as error:
        raise _as_key_error(error) from None


async def write_file(context: Context, pieces: AsyncIterator[bytes], limit: int | None) -> Written:
    """The body as a file. Raises StorageError."""
    return await write_version(context, pieces, limit, None)


async def write_version(
    context: Context, pieces: AsyncIterator[bytes], limit: int | None, version: str | None
) -> Written:
    """The same for a version that has its name already."""
    try:
        return await context.service.files.write(pieces, limit, version)
    except TooLarge as error:
        raise entity_too_large() from error
    except DiskFull as error:
        raise disk_full() from error


def file_metadata(upload: Upload, written: Written) -> dict[str, Any]:
    """The row's `metadata`."""
    metadata = {
        "eTag": written.etag,
        "size": written.size,
        "mimetype": upload.mime_type,
        "cacheControl": upload.cache_control,
        "lastModified": iso_time(written.modified_at),
        "contentLength": written.size,
        "httpStatusCode": 200,
    }
    return {**metadata, "xRobotsTag": upload.robots_tag} if upload.robots_tag else metadata


def iso_time(seconds: float) -> str:
    """A time as the service prints it: UTC, milliseconds."""
    return datetime.fromtimestamp(int(seconds * 1000) / 1000, UTC).isoformat(timespec="milliseconds")[:-6] + "Z"


async def complete(context: Context, upload: Upload, written: Written) -> dict[str, Any]:
    """Write the row for a file that is there, and remove the version that it replaces; returns the row.

    Raises StorageError; the file is removed then.
    """
    return await complete_row(
        context,
        NewObject(
            upload.bucket, upload.key, written.version, upload.owner, file_metadata(upload, written),
            upload.user_metadata,
        ),
        is_upsert=upload.is_upsert,
    )  # fmt: skip


async def complete_row(context: Context, row: NewObject, *, is_upsert: bool) -> dict[str, Any]:
    """The same for a row that is made already."""
    write = objects.upsert(row) if is_upsert else objects.insert(row, returning=True)
    try:
        *_, before, after = await context.db.run(
            context.superuser(), *objects.lock(row.bucket, row.name), objects.find(row.bucket, row.name), write
        )
    except BaseException as error:
        # A lost connection leaves open whether the row was committed: then the collector decides, later.
        if isinstance(error, StorageError) and error.status != 544:
            await context.service.files.remove([row.version])
            raise (lock_timeout() if error.code == "ResourceLocked" else _as_key_error(error)) from None
        raise
    replaced = [found["version"] for found in documents(before) if found["version"] not in (None, row.version)]
    if replaced:
        await context.service.files.remove(replaced)
    found: dict[str, Any] = documents(after)[0]
    return found


def _as_key_error(error: StorageError) -> StorageError:
    return key_already_exists() if error.code == "ResourceAlreadyExists" else error
