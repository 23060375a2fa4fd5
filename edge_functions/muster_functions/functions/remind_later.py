"""Remind of a certification again in a week, by the signed link in its mail: a GET asks, a POST does it, once (§10.6).

Open to everybody, because scanners follow links and members are not signed in on every device; the signature alone
identifies the reminder. It says nothing about the certification.
"""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, PlainTextResponse

from muster_functions.emails.link_pages import respond
from muster_functions.emails.reminder_links import read_token
from muster_functions.notifications.job_content import day_in_words
from muster_functions.runtime.dependencies import Database
from muster_functions.runtime.function import Rules
from muster_functions.shared import Shared

rules = Rules(verify_jwt=False, timeout_s=30.0, max_body_bytes=16 * 1024)
router = APIRouter(include_in_schema=False)

_FOLLOW = "select private.follow_reminder_link(%(certification_id)s, %(expires_on)s, %(mailed_on)s)::text"


@router.api_route("", methods=["GET", "HEAD", "POST"])
async def remind_later(
    request: Request, services: Shared, database: Database, token: Annotated[list[str], Query(default_factory=list)]
) -> HTMLResponse:
    """Answer a page: the question, or the day of the reminder; 400 for a link that is not, or no longer, good."""
    settings = services.settings
    reminder = read_token(token[0], settings.jwt_secret) if len(token) == 1 else None
    state, day = "unknown", None
    if reminder is not None and request.method == "POST":
        async with database.transaction() as connection:
            [day] = await (await connection.execute(_FOLLOW, vars(reminder))).fetchone() or (None,)
        state = "done" if day else "unknown"
    elif reminder is not None:
        state = "question"
    return respond(
        "remind_later.html",
        400 if state == "unknown" else 200,
        site_url=settings.site_url,
        state=state,
        day=day_in_words(day) if day else "",
    )


@router.options("")
async def options() -> PlainTextResponse:
    """Answer a bare OPTIONS, as functions on Supabase do."""
    return PlainTextResponse("ok")
