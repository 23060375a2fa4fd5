"""Switch one kind of mail off, by the signed link in it: a GET asks, a POST does it (RFC 8058). Open to everybody.

Mail programs and scanners follow links on their own, so looking changes nothing. A mail provider's one-click button
posts without cookies or a session; the signature alone says whom it is about. The same answer whoever the member is.
"""

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from muster_functions.emails import render
from muster_functions.notifications.unsubscribe_links import Subscription, read_token
from muster_functions.runtime import errors
from muster_functions.services import Services

VERIFY_JWT = False
TIMEOUT_S = 30.0
MAX_BODY_BYTES = 16 * 1024

SECURITY = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-robots-tag": "noindex",
}
WORDS = {
    "messages": "messages",
    "connections": "connections",
    "mentions": "mentions and what people say about your posts",
    "system": "system notices",
}
# What is missing has its default (§3.13): a preference is whole or not there.
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

render.load()  # imported off the event loop


async def handle(request: Request) -> Response:
    """Answer a page: the question, or that it is done; 400 for a link that we did not sign."""
    if request.method == "OPTIONS":
        return PlainTextResponse("ok")
    if request.method not in ("GET", "HEAD", "POST"):
        raise errors.method_not_allowed("GET, HEAD, POST")
    services: Services = request.app.state.services
    tokens = request.query_params.getlist("token")
    wanted = read_token(tokens[0], services.settings.jwt_secret) if len(tokens) == 1 else None
    if wanted is None:
        return _page(services, "unknown", 400)
    if request.method == "POST":
        await _switch_off(services, wanted)
        return _page(services, "done", preference=wanted)
    return _page(services, "question", preference=wanted)


async def _switch_off(services: Services, wanted: Subscription) -> None:
    async with services.transaction() as connection:
        await connection.execute(_SWITCH_OFF, {"member": wanted.member_id, "preference": wanted.preference})


def _page(services: Services, state: str, status: int = 200, *, preference: Subscription | None = None) -> Response:
    about = WORDS[preference.preference] if preference is not None else ""
    settings_link = services.settings.site_url + render.SETTINGS_PATH
    html = render.load().get_template("unsubscribe.html").render(state=state, about=about, settings_link=settings_link)
    return HTMLResponse(html, status, headers=SECURITY)
