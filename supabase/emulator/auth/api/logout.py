"""POST /logout: end this session (`scope` local), the others, or all (global)."""

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.api.auth import refuse_application, require_user
from emulator.auth.api.responses import empty_response
from emulator.auth.context import RequestContext
from emulator.auth.models import sessions


async def logout(ctx: RequestContext) -> Response:
    """Delete the sessions. Their access tokens are refused here at once, by PostgREST only when they expire."""
    async with ctx.transaction() as db:
        caller = await require_user(ctx, db)
        scope = ctx.query("scope") or "global"
        if scope not in ("global", "local", "others"):
            raise errors.validation_failed(f'Unsupported logout scope "{scope}"')
        if scope != "local":
            refuse_application(ctx)
        if scope == "global" or caller.session is None:
            await sessions.delete_sessions(db, caller.user.id)
        elif scope == "local":
            await sessions.delete_session(db, caller.session.id)
        else:
            await sessions.delete_sessions(db, caller.user.id, keep=caller.session.id)
        await audit.record(ctx, db, caller.user, "logout")
    return empty_response()
