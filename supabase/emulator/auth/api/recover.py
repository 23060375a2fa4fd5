"""POST /recover: a mail with a link that signs in, to choose a new password."""

from dataclasses import dataclass

from starlette.responses import Response

from emulator.auth import errors
from emulator.auth.accounts.mail import send_recovery
from emulator.auth.accounts.mail_tokens import RECOVERY
from emulator.auth.accounts.pkce import Pkce
from emulator.auth.api.responses import json_response
from emulator.auth.context import RequestContext
from emulator.auth.models import users
from emulator.auth.security.enumeration_protection import check_mail_interval, run_after_response
from emulator.auth.utilities import addresses


@dataclass(frozen=True)
class RecoverParams:
    """The body."""

    email: str = ""
    code_challenge: str = ""
    code_challenge_method: str = ""


async def recover(ctx: RequestContext) -> Response:
    """The same empty response whether or not the address is known."""
    ctx.check_rate_limit(ctx.rate_limits.recover)
    if not ctx.settings.email_enabled:
        raise errors.email_provider_disabled("Email logins are", 400)
    params = ctx.params(RecoverParams)
    if not params.email:
        raise errors.validation_failed("Password recovery requires an email")
    pkce = Pkce.parse(params.code_challenge, params.code_challenge_method)
    email = addresses.validate_email(params.email)
    check_mail_interval(ctx, email, "recovery")
    async with ctx.service.pool.connection() as db:
        user = await users.user_by_email(db, email, ctx.aud)

    async def send() -> None:
        if user is not None:
            await send_recovery(ctx, user, RECOVERY, pkce)

    await run_after_response(ctx, send)
    return json_response({})
