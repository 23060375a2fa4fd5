"""Notify a member (or the admins) by e-mail of an event (§7.42 to §7.46).

body -> caller's rate limit -> may it be sent, to whom (PostgreSQL) -> mails rendered -> receipts and queue, in one
transaction -> {success, error}. The mail server is never waited for.
"""

import math
import time
from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse, PlainTextResponse

from emulator.addresses import client_key
from emulator.errors import ApiError
from muster_functions import errors
from muster_functions.emails import render
from muster_functions.mailer import queue
from muster_functions.notifications import receipts
from muster_functions.notifications.accept import MAILED_BEFORE, Accepted, Declined, accept
from muster_functions.notifications.models import NotificationAnswer, NotificationRequest
from muster_functions.runtime.database import Connection
from muster_functions.runtime.dependencies import Caller, Database
from muster_functions.runtime.fastapi_function import JsonRoute
from muster_functions.runtime.function import Rules
from muster_functions.services import Services
from muster_functions.shared import Shared

SERVICE = "service"
REFUSALS: dict[int | str, dict[str, str]] = {
    400: {"description": "The body is not of this shape"},
    401: {"description": "No token, or an invalid one"},
    403: {"description": "Refused"},
    413: {"description": "The body is too large"},
    429: {"description": "Too many requests or mails; see Retry-After"},
    503: {"description": "Not now; see Retry-After"},
}

render.load()  # this module is imported off the event loop: compile the templates now, not at the first mail


def respond_error(error: ApiError) -> JSONResponse:
    """The answer to a refusal, in the shape of the function's other answers."""
    body = {"success": False, "error": error.message, "code": error.code}
    return JSONResponse(body, error.status, headers=dict(error.headers))


rules = Rules(timeout_s=30.0, max_body_bytes=64 * 1024, respond_error=respond_error)
router = APIRouter(route_class=JsonRoute)


async def _counted_caller(request: Request, caller: Caller, services: Shared) -> str:
    """The name that a call counts for: a member, or for visitors the address that the gateway saw.

    A dependency, so that calls with a wrong body count too. Raises too_many_requests.
    """
    if caller.role == "service_role":
        return SERVICE
    name = f"member:{caller.user_id}" if caller.user_id is not None else f"address:{_client_address(request)}"[:100]
    if wait_s := services.requests.take(name, time.monotonic()):
        raise errors.too_many_requests(math.ceil(wait_s))
    return name


@router.post("", responses=REFUSALS)
async def send_notification_email(
    body: NotificationRequest,
    caller: Caller,
    counted_as: Annotated[str, Depends(_counted_caller)],
    database: Database,
    services: Shared,
) -> NotificationAnswer:
    """Answer {success, error}: sent, or plainly declined and why."""
    async with database.transaction() as connection:
        decision = await accept(connection, body, caller)
        if isinstance(decision, Declined):
            return NotificationAnswer(success=False, error=decision.reason)
        queued = await _enqueue(connection, services, decision, counted_as)
    if queued == 0 and decision.tells_repeats:
        return NotificationAnswer(success=False, error=MAILED_BEFORE)
    services.mails_accepted()
    return NotificationAnswer(success=True, error=None)


@router.options("", include_in_schema=False)
async def options() -> PlainTextResponse:
    """Answer a bare OPTIONS, as functions on Supabase do."""
    return PlainTextResponse("ok")


async def _enqueue(connection: Connection, services: Services, accepted: Accepted, caller: str) -> int:
    """Queue the mails to recipients who were not mailed about it before; return how many."""
    limits, site_url = services.settings.limits, services.settings.site_url
    if caller != SERVICE:
        await receipts.check_caller(connection, caller, limits.mails_per_caller_per_hour)
    recipients = [mail.to for mail in accepted.mails]
    exhausted = await receipts.exhausted_recipients(connection, recipients, limits.mails_per_recipient_per_hour)
    if len(exhausted) == len(set(recipients)):
        raise errors.too_many_mails(min(exhausted.values()))
    emails = [
        render.render(mail, site_url=site_url, year=datetime.now(UTC).year, secret=services.settings.jwt_secret)
        for mail in accepted.mails
        if mail.to not in exhausted
        and await receipts.write_receipt(
            connection, accepted.kind, accepted.subject_id, mail.to, caller, again_after=accepted.again_after
        )
    ]
    if emails:
        await queue.enqueue(connection, emails, capacity=limits.queue_length)
    return len(emails)


def _client_address(request: Request) -> str:
    forwarded = request.headers.get("x-forwarded-for", "").split(",")[-1].strip()
    return client_key(forwarded or (request.client.host if request.client else "unknown"))
