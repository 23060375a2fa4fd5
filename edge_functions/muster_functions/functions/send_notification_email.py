"""Tell a member (or the admins) by e-mail of something that happened (§7.42 to §7.46).

body -> caller's allowance -> what really happened, who wants to know -> mails rendered -> receipts and queue, in one
transaction -> {success, error}. The mail server is never waited for.
"""

import time
from datetime import UTC, datetime

from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from emulator.errors import ApiError
from muster_functions.emails import render
from muster_functions.mailer import queue
from muster_functions.notifications import receipts
from muster_functions.notifications.decide import Declined, Granted, decide
from muster_functions.notifications.models import NotificationAnswer, NotificationRequest
from muster_functions.runtime import errors
from muster_functions.runtime.caller import Caller
from muster_functions.services import Connection, Services

VERIFY_JWT = True
TIMEOUT_S = 30.0
MAX_BODY_BYTES = 64 * 1024
BODY = NotificationRequest
ANSWER = NotificationAnswer

SERVICE = "service"

render.load()  # this module is imported off the event loop: compile the templates now, not at the first mail


async def handle(request: Request) -> Response:
    """Answer {success, error}: 200 for sent or plainly declined, else the refusal's status."""
    if request.method == "OPTIONS":
        return PlainTextResponse("ok")
    try:
        if request.method != "POST":
            raise errors.method_not_allowed("POST")
        error = await _notify(request)
    except ApiError as refusal:
        body = {"success": False, "error": refusal.message, "code": refusal.code}
        return JSONResponse(body, refusal.status, headers=dict(refusal.headers))
    return JSONResponse({"success": error is None, "error": error})


async def _notify(request: Request) -> str | None:
    """Do it; returns why no mail goes out, None when one does. Raises the refusals of the catalogue."""
    services: Services = request.app.state.services
    caller: Caller = request.state.caller
    name = caller_name(caller, request)
    if not caller.is_service and (wait_s := services.requests.take(name, time.monotonic())):
        raise errors.too_many_requests(wait_s)
    asked = read_body(await request.body())
    async with services.transaction() as connection:
        decision = await decide(connection, asked, caller)
        if isinstance(decision, Declined):
            return decision.reason
        await _accept(connection, services, decision, name)
    services.mails_accepted()
    return None


async def _accept(connection: Connection, services: Services, granted: Granted, caller: str) -> None:
    """Queue the mails of those not mailed about it before; for the others it is done already."""
    limits, site_url = services.settings.limits, services.settings.site_url
    if caller != SERVICE:
        await receipts.check_caller(connection, caller, limits.mails_per_caller_per_hour)
    recipients = [notice.to for notice in granted.notices]
    exhausted = await receipts.exhausted_recipients(connection, recipients, limits.mails_per_recipient_per_hour)
    if len(exhausted) == len(set(recipients)):
        raise errors.too_many_mails(min(exhausted.values()))
    emails = [
        render.render(notice, site_url=site_url, year=datetime.now(UTC).year, secret=services.settings.jwt_secret)
        for notice in granted.notices
        if notice.to not in exhausted
        and await receipts.write_receipt(
            connection, granted.kind, granted.subject_id, notice.to, caller, again_s=granted.again_s
        )
    ]
    if emails:
        await queue.enqueue(connection, emails, room=limits.queue_length)


def read_body(body: bytes) -> NotificationRequest:
    """Parse the body. Raises invalid_body, naming the first field that is wrong and never what it held."""
    try:
        return NotificationRequest.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "body"
        raise errors.invalid_body(f"{where}: {first['msg']}") from error


def caller_name(caller: Caller, request: Request) -> str:
    """Whose limits a call counts for: a member, or for the anonymous the address that the gateway saw."""
    if caller.is_service:
        return SERVICE
    if caller.user_id is not None:
        return f"member:{caller.user_id}"
    forwarded = request.headers.get("x-forwarded-for", "").split(",")[-1].strip()
    return f"address:{forwarded or (request.client.host if request.client else 'unknown')}"[:100]
