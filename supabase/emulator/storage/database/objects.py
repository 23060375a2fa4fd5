"""Statements on storage.objects; each returns JSON documents."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from emulator.db.statement import Statement
from emulator.storage.database.buckets import TIMES, escape_like
from emulator.storage.database.session import Value, statement
from emulator.storage.wire.names import lock_number

_TIME_PAIRS = ", ".join(f"'{name}', {TIMES.format('o.' + name)}" for name in ("updated_at", "created_at"))
_ACCESSED = f"'last_accessed_at', {TIMES.format('o.last_accessed_at')}"
DOCUMENT = (
    "json_build_object('name', o.name, 'bucket_id', o.bucket_id, 'owner', o.owner, 'owner_id', o.owner_id,"
    f" 'version', o.version, 'id', o.id, {_TIME_PAIRS}, {_ACCESSED}, 'metadata', o.metadata,"
    " 'user_metadata', o.user_metadata)::text"
)
_LISTED = f"json_build_object('id', o.id, 'name', o.name, {_TIME_PAIRS}, {_ACCESSED}, 'metadata', o.metadata)::text"
LOCK_TIMEOUT_MS = 5000


@dataclass(frozen=True)
class NewObject:
    """A row to be. `owner` is the sub of a token, None for one without."""

    bucket: str
    name: str
    version: str
    owner: str | None
    metadata: dict[str, Any] = field(default_factory=dict)
    user_metadata: Any = None

    def values(self) -> dict[str, Value]:
        """Columns and values; without an owner its columns stay as they are."""
        values: dict[str, Value] = {
            "bucket_id": self.bucket,
            "name": self.name,
            "version": self.version,
            "metadata": self.metadata,
        }
        if self.user_metadata is not None:
            values["user_metadata"] = self.user_metadata
        if self.owner is not None:
            values |= {"owner": as_uuid(self.owner), "owner_id": self.owner}
        return values


def as_uuid(subject: str) -> str | None:
    """The subject where it can be the old column `owner`."""
    try:
        return str(UUID(subject)) if len(subject) == 36 else None
    except ValueError:
        return None


def insert(row: NewObject, *, returning: bool = False) -> Statement:
    """A row that must not exist yet. With `returning`, who may not see it may not write it."""
    values = row.values()
    return statement(f"{_insert_text(values)}{f' returning {DOCUMENT}' if returning else ''}", *values.values())


def upsert(row: NewObject) -> Statement:
    """A row, whether it exists or not."""
    values = row.values()
    changes = ", ".join(f"{name} = excluded.{name}" for name in values if name not in ("bucket_id", "name"))
    return statement(
        f"{_insert_text(values)} on conflict (name, bucket_id) do update set {changes} returning {DOCUMENT}",
        *values.values(),
    )


def _insert_text(values: dict[str, Value]) -> str:
    marks = ", ".join(f"${index + 1}" for index in range(len(values)))
    return f"insert into storage.objects as o ({', '.join(values)}) values ({marks})"


def lock(bucket: str, name: str) -> tuple[Statement, ...]:
    """One writer at a time for a name, until the transaction ends; 55P03 when it takes too long."""
    return (
        statement("select set_config('lock_timeout', $1, true)", f"{LOCK_TIMEOUT_MS}ms"),
        statement("select pg_advisory_xact_lock($1::bigint)", lock_number(f"{bucket}/{name}")),
    )


def find(bucket: str, name: str, *, for_update: bool = False) -> Statement:
    """One object."""
    tail = " for update" if for_update else ""
    return statement(
        f"select {DOCUMENT} from storage.objects as o where o.bucket_id = $1 and o.name = $2{tail}", bucket, name
    )


def find_public(wanted: Sequence[tuple[str, str]]) -> Statement:
    """For each bucket and name, in their order: the bucket's flag, and what reading the object needs.

    null where there is no bucket, and for an object that is not there. The arrays are subqueries because the planner
    would count the elements of parameters, and so plan each execution anew, which takes as long as the execution.
    """
    return statement(
        "select (select json_build_object('public', coalesce(b.public, false), 'object', (select json_build_object("
        "'name', o.name, 'version', o.version, 'metadata', o.metadata, 'user_metadata', o.user_metadata)"
        " from storage.objects as o where o.bucket_id = b.id and o.name = w.name))::text"
        " from storage.buckets as b where b.id = w.bucket)"
        " from unnest((select $1::text[]), (select $2::text[])) with ordinality as w (bucket, name, number)"
        " order by w.number",
        [bucket for bucket, _ in wanted],
        [name for _, name in wanted],
    )


def existing(bucket: str, names: list[str]) -> Statement:
    """Those of `names` that are there."""
    return statement(
        "select json_build_object('name', o.name)::text from storage.objects as o"
        " where o.bucket_id = $1 and o.name = any($2::text[])",
        bucket,
        names,
    )


def delete(bucket: str, names: list[str]) -> Statement:
    """Delete several; the rows that were there and that the caller may see and delete."""
    return statement(
        f"delete from storage.objects as o where o.bucket_id = $1 and o.name = any($2::text[]) returning {DOCUMENT}",
        bucket,
        names,
    )


def delete_batch(bucket: str, until: str, size: int) -> Statement:
    """Up to `size` objects of a bucket that existed at `until`."""
    return statement(
        "delete from storage.objects as o where o.id in (select id from storage.objects where bucket_id = $1"
        f" and created_at <= $2::timestamptz limit $3::bigint) returning {DOCUMENT}",
        bucket,
        until,
        size,
    )


def count_up_to(bucket: str, most: int) -> Statement:
    """How many objects a bucket has, counted to `most`."""
    return statement(
        "select json_build_object('count', count(*), 'now', now())::text"
        " from (select from storage.objects where bucket_id = $1 limit $2::bigint) as o",
        bucket,
        most,
    )


def move(source: tuple[str, str], target: tuple[str, str], version: str, owner: str | None) -> Statement:
    """Another name, perhaps in another bucket; the mover becomes the owner."""
    return _move(source, target, (None, version), owner, None)


def move_version(
    source: tuple[str, str],
    target: tuple[str, str],
    versions: tuple[str, str],
    owner: str | None,
    metadata: dict[str, Any],
) -> Statement:
    """The same if the object still is the version that was copied: `versions` is that one and its copy."""
    return _move(source, target, versions, owner, metadata)


def _move(
    source: tuple[str, str],
    target: tuple[str, str],
    versions: tuple[str | None, str],
    owner: str | None,
    metadata: dict[str, Any] | None,
) -> Statement:
    known, version = versions
    values: list[Value] = [*source, *target, version, known, metadata]
    owned = ""
    if owner is not None:
        values += [as_uuid(owner), owner]
        owned = ", owner = $8::uuid, owner_id = $9"
    return statement(
        "update storage.objects as o set bucket_id = $3, name = $4, version = $5,"
        f" metadata = coalesce($7::jsonb, o.metadata){owned}"
        f" where o.bucket_id = $1 and o.name = $2 and ($6::text is null or o.version = $6) returning {DOCUMENT}",
        *values,
    )


def search(bucket: str, prefix: str, limit: int, offset: int, term: str, column: str, order: str) -> Statement:
    """The older listing: one level of a folder, case-insensitive."""
    if column != "name":  # those sortings go through ILIKE
        prefix, term = escape_like(prefix), escape_like(term)
    times = ", ".join(
        f"'{name}', {TIMES.format('s.' + name)}" for name in ("updated_at", "created_at", "last_accessed_at")
    )
    return statement(
        f"select json_build_object('name', s.name, 'id', s.id, {times}, 'metadata', s.metadata)::text"
        " from storage.search($1, $2, $3::integer, $4::integer, $5::integer, $6, $7, $8) as s",
        prefix,
        bucket,
        limit,
        prefix.count("/") + 1,
        offset,
        term,
        column,
        order,
    )


@dataclass(frozen=True)
class Page:
    """Where a listing by prefix begins and how it is sorted. `after` is exclusive; `after_value` its sort column's."""

    prefix: str = ""
    limit: int = 100
    after: str = ""
    column: str = "name"
    order: str = "asc"
    after_value: str = ""


def page(bucket: str, wanted: Page) -> Statement:
    """Every object below a prefix, however deep."""
    descending = wanted.order == "desc"
    sign, direction = ("<", "desc") if descending else (">", "asc")
    values: list[Value] = [bucket, wanted.prefix, wanted.limit]
    conditions = ["o.bucket_id = $1", "starts_with(o.name, $2)"]
    if wanted.prefix:
        conditions.append('o.name collate "C" >= $2')
    sorting = f'o.name collate "C" {direction}'
    if wanted.column != "name":
        assert wanted.column in ("updated_at", "created_at")
        truncated = f"date_trunc('milliseconds', o.{wanted.column})"
        sorting = f"{truncated} {direction}, {sorting}"
        if wanted.after:
            values += [wanted.after_value, wanted.after]
            conditions.append(f'row({truncated}, o.name collate "C") {sign} row($4::timestamptz, $5)')
    elif wanted.after:
        values.append(wanted.after)
        conditions.append(f'o.name collate "C" {sign} $4')
    return statement(
        f"select {_LISTED}"
        f" from storage.objects as o where {' and '.join(conditions)} order by {sorting} limit $3::bigint",
        *values,
    )


def folded_page(bucket: str, wanted: Page) -> Statement:
    """Objects and folders of one level below a prefix."""
    times = ", ".join(
        f"'{name}', {TIMES.format('s.' + name)}" for name in ("updated_at", "created_at", "last_accessed_at")
    )
    return statement(
        f"select json_build_object('key', s.key, 'id', s.id, 'name', s.name, {times}, 'metadata', s.metadata)::text"
        " from storage.search_v2($1, $2, $3::integer, $4::integer, $5, $6, $7, $8) as s",
        wanted.prefix,
        bucket,
        wanted.limit,
        wanted.prefix.count("/") + 1,
        wanted.after,
        wanted.order,
        wanted.column,
        wanted.after_value,
    )


def delimited_page(bucket: str, wanted: Page, delimiter: str) -> Statement:
    """The same with another delimiter than "/", by name."""
    return statement(
        f"select {_LISTED} from storage.list_objects_with_delimiter($1, $2, $3, $4::integer, $5, '') as o",
        bucket,
        wanted.prefix,
        delimiter,
        wanted.limit,
        wanted.after,
    )


def known_versions(versions: list[str]) -> Statement:
    """Those of `versions` that a row names."""
    return statement(
        "select json_build_object('version', o.version)::text from storage.objects as o"
        " where o.version = any($1::text[])",
        versions,
    )
