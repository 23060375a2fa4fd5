"""/admin/users/{id}/factors: other people's factors."""

from dataclasses import dataclass

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.api.auth import path_uuid, require_admin
from emulator.auth.api.mfa import AMR
from emulator.auth.api.responses import answer
from emulator.auth.context import Call
from emulator.auth.models import factors, sessions, users
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


async def _user(call: Call, db: Db) -> User:
    user = await users.user_by_id(db, path_uuid(call, "user_id", "user_id must be an UUID"))
    if user is None:
        raise errors.user_not_found()
    return user


async def _factor(call: Call, db: Db, user: User) -> Factor:
    factor = await factors.factor_of(db, user.id, path_uuid(call, "factor_id", "factor_id must be an UUID"))
    if factor is None:
        raise errors.mfa_factor_not_found()
    return factor


async def list_factors(call: Call) -> Response:
    """All of a user."""
    require_admin(call)
    async with call.transaction() as db:
        user = await _user(call, db)
        return answer([factor_payload(factor) for factor in await factors.factors_of(db, user.id)])


async def update_factor(call: Call) -> Response:
    """Rename one, or change its number."""
    claims = require_admin(call)
    params = call.params(AdminFactorParams)
    async with call.transaction() as db:
        user = await _user(call, db)
        factor = await _factor(call, db, user)
        changes = {"friendly_name": params.friendly_name} if params.friendly_name else {}
        if params.phone and factor.factor_type == "phone":
            changes["phone"] = addresses.validate_phone(params.phone)
        taken = [
            other for other in await factors.factors_of(db, user.id) if other.friendly_name == params.friendly_name
        ]
        if params.friendly_name and any(other.id != factor.id for other in taken):
            raise errors.mfa_factor_name_conflict(params.friendly_name)
        factor = await factors.update_factor(db, factor, call.now, **changes)
        await audit.record_admin(
            call, db, claims, "factor_updated",
            user_id=str(user.id), factor_id=str(factor.id), factor_type=factor.factor_type,
        )  # fmt: skip
    return answer(factor_payload(factor))


async def delete_factor(call: Call) -> Response:
    """Remove one; sessions that it raised fall back."""
    claims = require_admin(call)
    async with call.transaction() as db:
        user = await _user(call, db)
        factor = await _factor(call, db, user)
        await sessions.release_factor(db, factor.id, tuple(AMR.values()), call.now)
        await factors.delete_factor(db, factor.id)
        await audit.record_admin(call, db, claims, "factor_deleted", user_id=str(user.id), factor_id=str(factor.id))
    return answer(factor_payload(factor))
