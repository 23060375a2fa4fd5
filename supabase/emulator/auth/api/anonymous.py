"""POST /signup without an address or a number: an anonymous user."""

from starlette.responses import Response

from emulator.auth import errors
from emulator.auth.accounts.creation import signup_new_user
from emulator.auth.api.responses import grant_response
from emulator.auth.context import RequestContext
from emulator.auth.models.payloads import Json
from emulator.auth.tokens.sessions import issue_session


async def sign_up_anonymously(ctx: RequestContext, data: Json) -> Response:
    """Create an anonymous user, and sign in."""
    if not ctx.settings.anonymous_enabled:
        raise errors.anonymous_provider_disabled()
    ctx.check_rate_limit(ctx.rate_limits.anonymous)
    if ctx.settings.disable_signup:
        raise errors.signup_disabled()
    async with ctx.transaction() as db:
        user = await signup_new_user(ctx, db, aud=ctx.aud, user_metadata=data, is_anonymous=True)
        grant = await issue_session(ctx, db, user, "anonymous")
    return grant_response(grant)
