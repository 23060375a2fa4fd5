"""Trainings for calendar programs (§12.3): a member's own calendar by its secret address, one training for a member.

The address is the only credential of a program that can't sign in. So the answers say nothing to strangers (an address
that was never given, was revoked, or whose member is suspended is answered alike), no cache may keep them, and they
have a bound.
"""

import asyncio
import re
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response

from muster_functions import errors
from muster_functions.runtime.dependencies import Caller, Database
from muster_functions.runtime.function import Rules
from muster_functions.shared import Shared
from muster_functions.trainings.icalendar_text import Training, write_calendar
from muster_functions.trainings.rows import member_of, training_seen_by, trainings_of

rules = Rules(verify_jwt=False, timeout_s=30.0, max_body_bytes=1024)
router = APIRouter(include_in_schema=False)

MOST = 200
_TOKEN = re.compile(r"[0-9a-f]{64}")
_HEADERS = {
    "cache-control": "private, no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-robots-tag": "noindex",
}


@router.api_route("", methods=["GET", "HEAD"])
async def calendar(
    services: Shared, database: Database, token: Annotated[list[str], Query(default_factory=list)]
) -> Response:
    """Answer what the member of this address answered or organizes; 404 for an address that is nobody's."""
    if len(token) != 1 or not _TOKEN.fullmatch(token[0]):
        raise errors.unknown_calendar()
    async with database.transaction() as connection:
        member = await member_of(connection, token[0])
        trainings = [] if member is None else await trainings_of(connection, member, MOST)
    if member is None:
        raise errors.unknown_calendar()
    return await _respond(trainings, services.settings.site_url, "Muster trainings", "muster.ics")


@router.api_route("/{training_id}", methods=["GET", "HEAD"])
async def training(training_id: str, caller: Caller, services: Shared, database: Database) -> Response:
    """Answer one training, as the caller sees it."""
    if caller.role != "authenticated":
        raise errors.members_only_calendar()
    try:
        id = UUID(training_id)
    except ValueError:
        raise errors.unknown_training() from None
    async with database.transaction() as connection:
        found = await training_seen_by(connection, caller, id)
    if found is None:
        raise errors.unknown_training()
    return await _respond([found], services.settings.site_url, found.title, "training.ics")


async def _respond(trainings: list[Training], site_url: str, name: str, file_name: str) -> Response:
    body = await asyncio.to_thread(write_calendar, trainings, site_url=site_url, name=name)
    headers = {**_HEADERS, "content-disposition": f'inline; filename="{file_name}"'}
    return Response(body, headers=headers, media_type="text/calendar")
