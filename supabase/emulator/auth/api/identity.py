"""/user/identities: more ways to be the same user."""

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.accounts.changes import update_app_metadata_providers
from emulator.auth.api.auth import Caller, path_uuid, require_user
from emulator.auth.api.external import begin
from emulator.auth.api.provider.provider import load_provider
from emulator.auth.api.responses import answer, see
from emulator.auth.context import Call
from emulator.auth.models import identities, users
from emulator.auth.models.identities import Identity
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User


def _allow(call: Call) -> None:
    if not call.settings.security.manual_linking:
        raise errors.manual_linking_disabled()


async def _caller(call: Call, db: Db) -> Caller:
    caller = await require_user(call, db, lock=True)
    if (caller.claims.get("aud") or "") != call.aud:
        raise errors.unexpected_audience()
    return caller


async def link(call: Call) -> Response:
    """Begin to link: where to send the browser, as JSON or as a redirect."""
    async with call.transaction() as db:
        caller = await _caller(call, db)
    _allow(call)
    provider = await load_provider(call, call.query("provider"))
    url = await begin(call, provider, target=caller.user)
    if call.query("skip_http_redirect") == "true":
        return answer({"url": url})
    return see(url, 302)


async def unlink(call: Call) -> Response:
    """Take one away; at least one remains."""
    async with call.transaction() as db:
        caller = await _caller(call, db)
        _allow(call)
        identity_id = path_uuid(call, "identity_id", "identity_id must be an UUID")
        known = await identities.identities_of(db, caller.user.id)
        if len(known) <= 1:
            raise errors.single_identity_not_deletable()
        gone = next((identity for identity in known if identity.id == identity_id), None)
        if gone is None:
            raise errors.identity_not_found()
        await identities.delete_identity(db, gone.id)
        user = await _without(call, db, caller.user, gone, [one for one in known if one.id != gone.id])
        await update_app_metadata_providers(call, db, user)
        await audit.record(
            call, db, user, "identity_unlinked", ip=call.ip, identity_id=str(gone.id), provider=gone.provider
        )
    return answer({})


async def _without(call: Call, db: Db, user: User, gone: Identity, rest: list[Identity]) -> User:
    """The number goes with the phone; the address moves to one that an identity still has."""
    if gone.provider == "phone":
        return await users.update_user(db, user, call.now, phone=None, phone_confirmed_at=None)
    remaining = [identity.email for identity in rest if identity.email]
    if not user.email or user.email in remaining or not remaining:
        return user
    if await users.email_owner(db, remaining[0], user.aud or "", user.id):
        raise errors.email_conflict_identity_not_deletable()
    return await users.update_user(db, user, call.now, email=remaining[0])
