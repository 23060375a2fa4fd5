"""POST /invite: an account made by an admin, and a mail to its owner."""

from dataclasses import dataclass, field
from typing import Any

from starlette.responses import Response

from emulator.auth.accounts.creation import find_or_invite_user
from emulator.auth.accounts.mail import send_mail_token
from emulator.auth.accounts.mail_tokens import INVITE
from emulator.auth.api.auth import require_admin
from emulator.auth.api.responses import json_response
from emulator.auth.context import RequestContext
from emulator.auth.models import identities
from emulator.auth.models.payloads import user_payload
from emulator.auth.utilities import addresses


@dataclass(frozen=True)
class InviteParams:
    """The body of /invite."""

    email: str = ""
    data: dict[str, Any] = field(default_factory=dict)


async def invite(ctx: RequestContext) -> Response:
    """Create the account if there is none, and mail the invitation."""
    admin = await require_admin(ctx)
    params = ctx.params(InviteParams)
    email = addresses.validate_email(params.email)
    async with ctx.transaction() as db:
        user = await find_or_invite_user(ctx, db, admin, email, params.data)
        user = await send_mail_token(ctx, db, user, INVITE, skip_rate_limit=True, invited_at=ctx.now)
        return json_response(user_payload(user, await identities.identities_of(db, user.id)))
