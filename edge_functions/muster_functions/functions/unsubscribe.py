"""Switch one kind of mail off, by the signed link in it: a GET asks, a POST does it (RFC 8058). Open to everybody.

Mail programs and scanners follow links on their own, so a GET changes nothing. A mail provider's one-click button posts
without cookies or a session; the signature alone identifies the member. The answer is the same whether the member
exists or not.
"""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, PlainTextResponse

from muster_functions.emails.link_pages import respond
from muster_functions.emails.unsubscribe_links import Subscription, read_token
from muster_functions.runtime.dependencies import Database
from muster_functions.runtime.function import Rules
from muster_functions.shared import Shared

rules = Rules(verify_jwt=False, timeout_s=30.0, max_body_bytes=16 * 1024)
router = APIRouter(include_in_schema=False)

# Of each preference, what the mails are about.
DESCRIPTIONS = {
    "messages": "messages",
    "connections": "connections",
    "mentions": "mentions and what people say about your posts",
    "system": "system notices",
    "certifications": "expiring certifications",
    "digest": "what’s new each week",
    "trainings": "trainings",
    "growth": "endorsements and mentoring",
}
# Missing settings have their defaults (§3.13): an entry is complete or absent.
_SWITCH_OFF = """
update public.profiles as p
set notification_settings = p.notification_settings || jsonb_build_object(
  'preferences',
  coalesce(p.notification_settings -> 'preferences', '{}') || jsonb_build_object(
    %(preference)s::text,
    coalesce(
      p.notification_settings #> array['preferences', %(preference)s],
      private.default_notification_settings() #> array['preferences', %(preference)s]
    ) || '{"email_enabled": false}'
  )
)
where p.id = %(member)s
"""


@router.api_route("", methods=["GET", "HEAD", "POST"])
async def unsubscribe(
    request: Request, services: Shared, database: Database, token: Annotated[list[str], Query(default_factory=list)]
) -> HTMLResponse:
    """Answer a page: the question, or that it is done; 400 for a link that we did not sign."""
    settings = services.settings
    subscription = read_token(token[0], settings.jwt_secret) if len(token) == 1 else None
    if subscription is None:
        return respond("unsubscribe.html", 400, site_url=settings.site_url, state="unknown")
    if request.method == "POST":
        await _switch_off(database, subscription)
    return respond(
        "unsubscribe.html",
        site_url=settings.site_url,
        state="done" if request.method == "POST" else "question",
        about=DESCRIPTIONS[subscription.preference],
    )


@router.options("")
async def options() -> PlainTextResponse:
    """Answer a bare OPTIONS, as functions on Supabase do."""
    return PlainTextResponse("ok")


async def _switch_off(database: Database, subscription: Subscription) -> None:
    async with database.transaction() as connection:
        values = {"member": subscription.member_id, "preference": subscription.preference}
        await connection.execute(_SWITCH_OFF, values)
