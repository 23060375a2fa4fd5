"""Statements on uploads in parts; each returns JSON documents."""

from collections.abc import Mapping
from typing import Any

from emulator.db.statement import Statement
from emulator.storage.database.buckets import TIMES, escape_like
from emulator.storage.database.session import Value, statement

_UPLOAD = (
    "json_build_object('id', u.id, 'key', u.key, 'bucket_id', u.bucket_id, 'version', u.version,"
    " 'in_progress_size', u.in_progress_size, 'upload_signature', u.upload_signature, 'metadata', u.metadata,"
    f" 'user_metadata', u.user_metadata, 'created_at', {TIMES.format('u.created_at')})::text"
)
_PART = (
    "json_build_object('part_number', p.part_number, 'etag', p.etag, 'version', p.version,"
    f" 'created_at', {TIMES.format('p.created_at')})::text"
)


def insert(values: Mapping[str, Value]) -> Statement:
    """A new upload. Names of columns are ours."""
    marks = ", ".join(f"${index + 1}" for index in range(len(values)))
    return statement(
        f"insert into storage.s3_multipart_uploads ({', '.join(values)}) values ({marks})", *values.values()
    )


def find(upload_id: str, *, for_update: bool = False) -> Statement:
    tail = " for update" if for_update else ""
    return statement(f"select {_UPLOAD} from storage.s3_multipart_uploads as u where u.id = $1{tail}", upload_id)


def set_progress(upload_id: str, size: int, signature: str) -> Statement:
    return statement(
        "update storage.s3_multipart_uploads set in_progress_size = $2::bigint, upload_signature = $3 where id = $1",
        upload_id,
        size,
        signature,
    )


def delete(upload_id: str) -> Statement:
    return statement("delete from storage.s3_multipart_uploads where id = $1", upload_id)


def insert_part(upload: dict[str, Any], number: int, etag: str, owner: str | None) -> Statement:
    """A part that is on the disk."""
    return statement(
        "insert into storage.s3_multipart_uploads_parts"
        " (upload_id, part_number, bucket_id, key, etag, version, owner_id)"
        " values ($1, $2::integer, $3, $4, $5, $6, $7)",
        upload["id"],
        number,
        upload["bucket_id"],
        upload["key"],
        etag,
        upload["version"],
        owner,
    )


def parts(upload_id: str, after: int, limit: int) -> Statement:
    """The latest of each number, in order."""
    return statement(
        f"select {_PART} from (select distinct on (part_number) * from storage.s3_multipart_uploads_parts"
        " where upload_id = $1 and part_number > $2::integer order by part_number, created_at desc) as p"
        " order by p.part_number limit $3::integer",
        upload_id,
        after,
        limit,
    )


def listing(bucket: str, prefix: str, limit: int, after_key: str, after_id: str) -> Statement:
    """Uploads by key and age."""
    return statement(
        f"select {_UPLOAD} from storage.s3_multipart_uploads as u where u.bucket_id = $1 and u.key like $2"
        " and ($4 = '' or (u.key, u.id) > ($4 collate \"C\", $5)) order by u.key, u.created_at limit $3::integer",
        bucket,
        escape_like(prefix) + "%",
        limit,
        after_key,
        after_id,
    )


def folded_listing(bucket: str, prefix: str, delimiter: str, limit: int, after_key: str, after_id: str) -> Statement:
    """Uploads and folders."""
    return statement(
        f"select json_build_object('key', u.key, 'id', u.id, 'created_at', {TIMES.format('u.created_at')})::text"
        " from storage.list_multipart_uploads_with_delimiter($1, $2, $3, $4::integer, $5, $6) as u",
        bucket,
        prefix,
        delimiter,
        limit,
        after_key,
        after_id,
    )


def known_ids(ids: list[str]) -> Statement:
    """Those of `ids` that a row has."""
    return statement(
        "select json_build_object('id', u.id)::text from storage.s3_multipart_uploads as u"
        " where u.id = any($1::text[])",
        ids,
    )
