"""An upload made a file (§14): known by its content, cleaned, moved to its bucket; its row is what others read it by.

uploads/<member>/<place> -> kind, by its bytes -> cleaned in a process -> object in its bucket -> row of public.files
"""

import math
import time
from typing import Annotated, Literal
from uuid import UUID, uuid4

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from emulator.errors import ApiError
from muster_functions import errors
from muster_functions.files import rows
from muster_functions.files.cleaner import clean_picture
from muster_functions.files.content import MAX_PICTURE_BYTES, kind_of
from muster_functions.files.store import UPLOADS
from muster_functions.runtime.dependencies import Caller, Database
from muster_functions.runtime.fastapi_function import JsonRoute
from muster_functions.runtime.function import Rules
from muster_functions.services import Services
from muster_functions.shared import Shared

Bucket = Literal[
    "profile-photos", "profile-covers", "post-pictures", "project-covers", "certification-scans", "message-files",
    "article-covers",
]  # fmt: skip
_TAKE_PDF = ("certification-scans", "message-files")
_KNOWN = ("JPEG, PNG, WebP and AVIF pictures", "JPEG, PNG, WebP and AVIF pictures and PDF files")
_OF_ADMINS = ("article-covers",)
_ENDINGS = {"image/jpeg": "jpg", "image/webp": "webp", "application/pdf": "pdf"}
REFUSALS: dict[int | str, dict[str, str]] = {
    400: {"description": "The body is not of this shape"},
    401: {"description": "No token, or an invalid one"},
    403: {"description": "Not for this caller"},
    404: {"description": "Nothing was uploaded there"},
    413: {"description": "Too large, or no room left"},
    415: {"description": "Not of a known type"},
    429: {"description": "Too many requests; see Retry-After"},
    503: {"description": "Not now; see Retry-After"},
}

rules = Rules(timeout_s=90.0, max_body_bytes=4 * 1024)
router = APIRouter(route_class=JsonRoute)


class FileRequest(BaseModel):
    """`place`: the caller's upload is uploads/<member>/<place>. `name`: what the member's device calls it."""

    model_config = ConfigDict(extra="forbid")

    place: Annotated[int, Field(ge=0, le=9)]
    bucket: Bucket
    name: Annotated[str, Field(max_length=200, pattern=r"^[^\x00-\x1f\x7f/\\]*$")] = ""


class FileAnswer(BaseModel):
    """The new row. `preview` is a data URL; a PDF has neither measures nor preview."""

    id: UUID
    address: str
    mime_type: str
    width: int | None
    height: int | None
    preview: str | None
    name: str


@router.post("", responses=REFUSALS)
async def files(body: FileRequest, caller: Caller, database: Database, services: Shared) -> FileAnswer:
    """Answer the file that was made of the upload, which is gone then, whatever came of it."""
    if wait_s := services.requests.take(f"files:{caller.user_id}", time.monotonic()):
        raise errors.too_many_requests(math.ceil(wait_s))
    async with database.transaction() as connection:
        member = await rows.check_standing(connection, caller, as_admin=body.bucket in _OF_ADMINS)
    upload = f"{member}/{body.place}"
    async with services.cleaner:
        data = await services.store.read_upload(upload)
        try:
            file, made = await _make(data, member, body)
            del data
            address = await _keep(services, file, made)
        finally:
            await _discard(services, UPLOADS, upload)
    return FileAnswer(
        id=file.id, address=address, mime_type=file.mime_type, width=file.width, height=file.height,
        preview=file.preview, name=file.name,
    )  # fmt: skip


async def _make(data: bytes, member: UUID, body: FileRequest) -> tuple[rows.NewFile, bytes]:
    """The row and the bytes. Raises unknown_type, picture_too_large, too_many_pixels."""
    kind = kind_of(data)
    if kind is None or (kind == "pdf" and body.bucket not in _TAKE_PDF):
        raise errors.unknown_type(_KNOWN[body.bucket in _TAKE_PDF])
    if kind == "pdf":
        return _row(member, body, "application/pdf", len(data), None, None, None), data
    if len(data) > MAX_PICTURE_BYTES:
        raise errors.picture_too_large()
    made = await clean_picture(data)
    return _row(member, body, made.mime_type, len(made.data), made.width, made.height, made.preview), made.data


def _row(
    member: UUID, body: FileRequest, mime_type: str, size: int, width: int | None, height: int | None,
    preview: str | None,
) -> rows.NewFile:  # fmt: skip
    return rows.NewFile(uuid4(), member, body.bucket, mime_type, size, width, height, preview, body.name)


async def _keep(services: Services, file: rows.NewFile, made: bytes) -> str:
    """Write the object, then the row: a row is never without its bytes."""
    name = f"{file.user_id}/{file.id}.{_ENDINGS[file.mime_type]}"
    await services.store.write(file.bucket_id, name, made, file.mime_type)
    try:
        async with services.database.transaction() as connection:
            return await rows.insert(connection, file)
    except ApiError:
        await _discard(services, file.bucket_id, name)
        raise


async def _discard(services: Services, bucket: str, name: str) -> None:
    async with services.database.transaction() as connection:
        await rows.queue_removal(connection, bucket, name)
    services.remover.wake()
