"""Tell a device of the caller that it is told (§17.3): the first push after it was added, and a test."""

import math
import time
from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel

from muster_functions import errors
from muster_functions.push import queue
from muster_functions.push.message import confirmation
from muster_functions.runtime.dependencies import Caller, Database
from muster_functions.runtime.fastapi_function import JsonRoute
from muster_functions.runtime.function import Rules
from muster_functions.shared import Shared

rules = Rules(timeout_s=30.0, max_body_bytes=1024)
router = APIRouter(route_class=JsonRoute)


class PushRequest(BaseModel):
    """`id`: of a row of push_subscriptions."""

    id: UUID


class PushAnswer(BaseModel):
    """`gone`: the push service does not know the device any more, and its row was deleted."""

    success: bool
    gone: bool


@router.post(
    "",
    responses={
        400: {"description": "The body is not of this shape"},
        401: {"description": "No token, or an invalid one"},
        404: {"description": "The caller has no such device, or this stack no keys to push with"},
        413: {"description": "The body is too large"},
        429: {"description": "Too many requests; see Retry-After"},
        503: {"description": "Not now; see Retry-After"},
    },
)
async def push(body: PushRequest, caller: Caller, services: Shared, database: Database) -> PushAnswer:
    """Send it now, and answer what came of it."""
    if caller.role != "authenticated" or caller.user_id is None:
        raise errors.members_only_push()
    if wait_s := services.requests.take(f"push:{caller.user_id}", time.monotonic()):
        raise errors.too_many_requests(math.ceil(wait_s))
    if services.push_sender is None:
        raise errors.push_is_off()
    async with database.transaction() as connection:
        found = await queue.device_of(connection, body.id, caller.user_id)
    if found is None:
        raise errors.unknown_device()
    device, name = found
    outcome = await services.push_sender.send(confirmation(name), device)
    if outcome.state == "gone":
        async with database.transaction() as connection:
            await queue.drop_device(connection, body.id)
    services.device_added()
    return PushAnswer(success=outcome.state == "sent", gone=outcome.state == "gone")
