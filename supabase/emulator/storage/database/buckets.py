"""Statements on storage.buckets; each returns JSON documents."""

from typing import Any

from emulator.db.statement import Statement
from emulator.storage.database.session import Value, statement

TIMES = "to_char({} at time zone 'utc', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')"
_COLUMNS = (
    "'id', b.id, 'name', b.name, 'owner', coalesce(b.owner::text, ''), 'public', coalesce(b.public, false){type},"
    " 'file_size_limit', b.file_size_limit, 'allowed_mime_types', b.allowed_mime_types,"
    f" 'created_at', {TIMES.format('b.created_at')}, 'updated_at', {TIMES.format('b.updated_at')}"
)
_DOCUMENT = "json_build_object(" + _COLUMNS.format(type="") + ")"
_TYPED_DOCUMENT = "json_build_object(" + _COLUMNS.format(type=", 'type', b.type") + ")"
_SORTABLE = ("id", "name", "created_at", "updated_at")


def find(bucket: str) -> Statement:
    """One bucket as clients see it."""
    return statement(f"select {_DOCUMENT}::text from storage.buckets as b where b.id = $1", bucket)


def limits(bucket: str) -> Statement:
    """What an upload or a read has to know of its bucket."""
    return statement(
        "select json_build_object('id', b.id, 'public', coalesce(b.public, false), 'size', b.file_size_limit,"
        " 'types', b.allowed_mime_types)::text from storage.buckets as b where b.id = $1",
        bucket,
    )


def listing(
    limit: int | None, offset: int | None, column: str | None, order: str | None, search: str | None, *, typed: bool
) -> Statement:
    """Several buckets, by name unless `column` says otherwise."""
    assert column is None or column in _SORTABLE
    direction = "desc" if order == "desc" else "asc"
    sorting = f" order by b.{column} {direction}" if column else ""
    pattern = None if not search else "%" + escape_like(search) + "%"
    return statement(
        f"select {_TYPED_DOCUMENT if typed else _DOCUMENT}::text from storage.buckets as b"
        f" where $1::text is null or b.name ilike $1{sorting} limit $2::bigint offset $3::bigint",
        pattern,
        limit,
        offset,
    )


def insert(values: dict[str, Value]) -> Statement:
    """A new bucket. Names of columns are ours, never a client's."""
    names = ", ".join(values)
    marks = ", ".join(f"${index + 1}" for index in range(len(values)))
    return statement(f"insert into storage.buckets ({names}) values ({marks})", *values.values())


def insert_analytics(name: str) -> Statement:
    """A bucket of the other type, which has a table of its own."""
    return statement("insert into storage.buckets_analytics (name) values ($1)", name)


def change(bucket: str, values: dict[str, Any]) -> Statement:
    """New values for columns of ours."""
    assignments = ", ".join(f"{name} = ${index + 2}" for index, name in enumerate(values))
    return statement(
        f"update storage.buckets set {assignments} where id = $1 returning json_build_object('id', id)::text",
        bucket,
        *values.values(),
    )


def delete(bucket: str) -> Statement:
    return statement("delete from storage.buckets where id = $1 returning json_build_object('id', id)::text", bucket)


def lock(bucket: str) -> Statement:
    """Hold the bucket until the transaction ends."""
    return statement("select '{}'::text from storage.buckets where id = $1 for update", bucket)


def holds_objects(bucket: str) -> Statement:
    return statement("select '{}'::text from storage.objects where bucket_id = $1 limit 1", bucket)


def names() -> Statement:
    """All buckets, for S3."""
    return statement(
        f"select json_build_object('name', b.name, 'created_at', {TIMES.format('b.created_at')})::text"
        ' from storage.buckets as b order by b.name collate "C"'
    )


def escape_like(text: str) -> str:
    """Text as itself within a pattern."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
