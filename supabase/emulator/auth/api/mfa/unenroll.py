"""DELETE /factors/{id}."""

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.accounts.mail import notify
from emulator.auth.api.mfa.factors import AMR, require_factor
from emulator.auth.api.responses import json_response
from emulator.auth.context import RequestContext
from emulator.auth.models import factors, sessions


async def unenroll(ctx: RequestContext) -> Response:
    """Delete a factor; sessions that it raised fall back to aal1."""
    async with ctx.transaction() as db:
        caller, factor = await require_factor(ctx, db)
        if factor.is_verified and caller.aal != "aal2":
            raise errors.insufficient_aal("AAL2 required to unenroll verified factor", 422)
        await sessions.release_factor(db, factor.id, tuple(AMR.values()), ctx.now)
        await factors.delete_factor(db, factor.id)
        await audit.record(
            ctx, db, caller.user, "factor_unenrolled",
            ip=ctx.ip, factor_id=str(factor.id), factor_status=factor.status,
        )  # fmt: skip
        notify(ctx, caller.user, "mfa_factor_unenrolled", FactorType=factor.factor_type)
    return json_response({"id": str(factor.id)})
