"""POST /recover: a mail that lets its reader in, to choose a password. GET /reauthenticate: a code for changing it."""

from dataclasses import dataclass

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.accounts.mail import REAUTHENTICATION, RECOVERY, MailKind, Pkce, send_mail_token, send_phone_token
from emulator.auth.api.auth import require_user
from emulator.auth.api.responses import answer
from emulator.auth.context import Call
from emulator.auth.models import users
from emulator.auth.models.users import User
from emulator.auth.security.enumeration_protection import after_the_answer, pause
from emulator.auth.utilities import addresses


@dataclass(frozen=True)
class RecoverParams:
    """The body."""

    email: str = ""
    code_challenge: str = ""
    code_challenge_method: str = ""


async def recover(call: Call) -> Response:
    """The same empty answer whether or not the address is known."""
    call.limit("recover", call.settings.rates.otp)
    params = call.params(RecoverParams)
    if not params.email:
        raise errors.validation_failed("Password recovery requires an email")
    pkce = Pkce.checked(params.code_challenge, params.code_challenge_method)
    email = addresses.validate_email(params.email)
    pause(call, email, "recovery")
    async with call.service.pool.connection() as db:
        user = await users.user_by_email(db, email, call.aud)

    async def mail_it() -> None:
        if user is not None:
            await mail_recovery(call, user, RECOVERY, pkce)

    await after_the_answer(call, mail_it)
    return answer({})


async def mail_recovery(call: Call, user: User, kind: MailKind, pkce: Pkce) -> None:
    """Mail a link that lets the user in, if the account is still there."""
    async with call.transaction() as db:
        still = await users.lock_user(db, user.id)
        if still is not None:
            await audit.record(call, db, still, "user_recovery_requested")
            await send_mail_token(call, db, still, kind, pkce)


async def reauthenticate(call: Call) -> Response:
    """Send the signed-in user a nonce for PUT /user."""
    async with call.transaction() as db:
        caller = await require_user(call, db, lock=True)
        user = caller.user
        if not user.email and not user.phone:
            raise errors.validation_failed("Reauthentication requires the user to have an email or a phone number")
        if user.email and user.email_confirmed_at is None:
            raise errors.email_not_confirmed(422, "Please verify your email first.")
        if not user.email and user.phone_confirmed_at is None:
            raise errors.phone_not_confirmed(422, "Please verify your phone first.")
        await audit.record(call, db, user, "user_reauthenticate_requested")
        if user.email:
            await send_mail_token(call, db, user, REAUTHENTICATION)
            return answer({})
        _, message_id = await send_phone_token(call, db, user, "reauthentication", user.phone or "")
        return answer({"message_id": message_id})
