"""A record that the caller issued, as a PDF (§16.6). Read as the caller: nobody gets anybody else's."""

import asyncio
import time
from uuid import UUID

from fastapi import APIRouter, Response

from muster_functions import errors
from muster_functions.records.rows import record_seen_by
from muster_functions.records.sheet import sheet_of
from muster_functions.runtime.dependencies import Caller, Database
from muster_functions.runtime.function import Rules
from muster_functions.shared import Shared

rules = Rules(verify_jwt=False, timeout_s=60.0, max_body_bytes=1024)
router = APIRouter(include_in_schema=False)


@router.api_route("/{record_id}", methods=["GET", "HEAD"])
async def record(record_id: str, caller: Caller, services: Shared, database: Database) -> Response:
    """Answer the PDF; 404 for what is not the caller's, or is turned off."""
    if caller.role != "authenticated":
        raise errors.members_only_record()
    if services.requests.take(f"record:{caller.user_id}", time.monotonic()):
        raise errors.too_many_records()
    try:
        id = UUID(record_id)
    except ValueError:
        raise errors.unknown_record() from None
    async with database.transaction() as connection:
        found = await record_seen_by(connection, caller, id)
    if found is None:
        raise errors.unknown_record()
    url = f"{services.settings.site_url}/verify/{found.code}"
    sheet = await asyncio.to_thread(sheet_of, found.document, found.code, url)
    headers = {
        "cache-control": "private, no-store",
        "content-disposition": f'attachment; filename="muster-record-{found.code}.pdf"',
        "x-content-type-options": "nosniff",
        "x-robots-tag": "noindex",
    }
    return Response(await services.typesetter.set(sheet), headers=headers, media_type="application/pdf")
