"""POST /token?grant_type=password."""

from dataclasses import dataclass

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.api.password import find_password_weakness
from emulator.auth.api.responses import grant_response
from emulator.auth.context import RequestContext
from emulator.auth.hooks import v0hooks
from emulator.auth.models import sessions, users
from emulator.auth.models.users import User
from emulator.auth.security.password_failures import count_attempt, wait_for_turn
from emulator.auth.tokens.grant import weak_password_payload
from emulator.auth.tokens.sessions import issue_session
from emulator.auth.utilities import addresses


@dataclass(frozen=True)
class PasswordGrantParams:
    """The body."""

    email: str = ""
    phone: str = ""
    password: str = ""


async def password_grant(ctx: RequestContext) -> Response:
    """A session; an unknown account costs the same time as a wrong password."""
    params = _checked_params(ctx)
    account = params.email.lower() or addresses.format_phone(params.phone)
    await wait_for_turn(ctx, account)
    user = await _find_user(ctx, params)
    if user is not None and user.has_password and user.is_banned(ctx.now):
        raise errors.user_banned(400)
    is_valid = await ctx.service.hasher.verify(params.password, user.encrypted_password if user else None)
    if user is not None:
        await _apply_password_hook(ctx, user, is_valid)
    count_attempt(ctx, account, is_right=user is not None and is_valid)
    if user is None or not is_valid:
        raise errors.invalid_credentials()
    if params.email and user.email_confirmed_at is None:
        raise errors.email_not_confirmed()
    if params.phone and user.phone_confirmed_at is None:
        raise errors.phone_not_confirmed()
    async with ctx.transaction(pipelined=True) as db:
        await audit.record(ctx, db, user, "login", provider="email" if params.email else "phone")
        grant = await issue_session(ctx, db, user, "password")
    weak = await find_password_weakness(ctx, params.password)
    return grant_response(grant, more=weak_password_payload(weak))


def _checked_params(ctx: RequestContext) -> PasswordGrantParams:
    params, settings = ctx.params(PasswordGrantParams), ctx.settings
    if params.email and params.phone:
        raise errors.validation_failed("Only an email address or phone number should be provided on login.")
    if not params.email and not params.phone:
        raise errors.validation_failed("missing email or phone")
    if params.email and not settings.email_enabled:
        raise errors.email_provider_disabled("Email logins are")
    if params.phone and not settings.phone_enabled:
        raise errors.phone_provider_disabled("Phone logins are disabled")
    return params


async def _find_user(ctx: RequestContext, params: PasswordGrantParams) -> User | None:
    """The connection goes back to the pool before the password is verified, because hashing is slow."""
    async with ctx.service.pool.connection() as db:
        if params.email:
            return await users.user_by_email(db, params.email, ctx.aud)
        return await users.user_by_phone(db, addresses.format_phone(params.phone), ctx.aud)


async def _apply_password_hook(ctx: RequestContext, user: User, is_valid: bool) -> None:
    """Let the hook reject the attempt, and sign the user out everywhere; raises invalid_credentials."""
    rejection, sign_out = await v0hooks.password_verification_attempt(ctx, user.id, is_valid)
    if not rejection:
        return
    if sign_out:
        async with ctx.service.pool.connection() as db:
            await sessions.delete_sessions(db, user.id)
    raise errors.invalid_credentials(rejection)
