"""/admin/users/{id}/factors."""

from dataclasses import dataclass

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.api.admin.users import find_user
from emulator.auth.api.auth import path_uuid, require_admin
from emulator.auth.api.mfa.factors import AMR
from emulator.auth.api.responses import json_response
from emulator.auth.context import RequestContext
from emulator.auth.models import factors, sessions
from emulator.auth.models.factors import Factor
from emulator.auth.models.payloads import factor_payload
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User
from emulator.auth.utilities import addresses


@dataclass(frozen=True)
class AdminFactorParams:
    """The body of PUT."""

    friendly_name: str = ""
    phone: str = ""


async def _find_factor(ctx: RequestContext, db: Db, user: User) -> Factor:
    factor = await factors.factor_of(db, user.id, path_uuid(ctx, "factor_id", "factor_id must be an UUID"))
    if factor is None:
        raise errors.mfa_factor_not_found()
    return factor


async def list_factors(ctx: RequestContext) -> Response:
    """All factors of a user."""
    await require_admin(ctx)
    async with ctx.transaction() as db:
        user = await find_user(ctx, db)
        return json_response([factor_payload(factor) for factor in await factors.factors_of(db, user.id)])


async def update_factor(ctx: RequestContext) -> Response:
    """Rename a factor, or change its number."""
    admin = await require_admin(ctx)
    params = ctx.params(AdminFactorParams)
    async with ctx.transaction() as db:
        user = await find_user(ctx, db)
        factor = await _find_factor(ctx, db, user)
        changes = {"friendly_name": params.friendly_name} if params.friendly_name else {}
        if params.phone and factor.factor_type == "phone":
            changes["phone"] = addresses.validate_phone(params.phone)
        taken = [
            other for other in await factors.factors_of(db, user.id) if other.friendly_name == params.friendly_name
        ]
        if params.friendly_name and any(other.id != factor.id for other in taken):
            raise errors.mfa_factor_name_conflict(params.friendly_name)
        factor = await factors.update_factor(db, factor, ctx.now, **changes)
        await audit.record_admin(
            ctx, db, admin, "factor_updated",
            user_id=str(user.id), factor_id=str(factor.id), factor_type=factor.factor_type,
        )  # fmt: skip
    return json_response(factor_payload(factor))


async def delete_factor(ctx: RequestContext) -> Response:
    """Delete a factor; sessions that it raised fall back to aal1."""
    admin = await require_admin(ctx)
    async with ctx.transaction() as db:
        user = await find_user(ctx, db)
        factor = await _find_factor(ctx, db, user)
        await sessions.release_factor(db, factor.id, tuple(AMR.values()), ctx.now)
        await factors.delete_factor(db, factor.id)
        await audit.record_admin(ctx, db, admin, "factor_deleted", user_id=str(user.id), factor_id=str(factor.id))
    return json_response(factor_payload(factor))
