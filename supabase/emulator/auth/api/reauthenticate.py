"""GET /reauthenticate: a one-time code for changing the password."""

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.accounts.mail import send_mail_token
from emulator.auth.accounts.mail_tokens import REAUTHENTICATION
from emulator.auth.accounts.phone import send_phone_token
from emulator.auth.api.auth import require_user
from emulator.auth.api.responses import json_response
from emulator.auth.context import RequestContext


async def reauthenticate(ctx: RequestContext) -> Response:
    """Send the signed-in user the `nonce` for PUT /user."""
    async with ctx.transaction() as db:
        caller = await require_user(ctx, db, lock=True)
        user = caller.user
        if not user.email and not user.phone:
            raise errors.validation_failed("Reauthentication requires the user to have an email or a phone number")
        if user.email and user.email_confirmed_at is None:
            raise errors.email_not_confirmed(422, "Please verify your email first.")
        if not user.email and user.phone_confirmed_at is None:
            raise errors.phone_not_confirmed(422, "Please verify your phone first.")
        await audit.record(ctx, db, user, "user_reauthenticate_requested")
        if user.email:
            await send_mail_token(ctx, db, user, REAUTHENTICATION)
            return json_response({})
        _, message_id = await send_phone_token(ctx, db, user, "reauthentication", user.phone or "")
        return json_response({"message_id": message_id})
