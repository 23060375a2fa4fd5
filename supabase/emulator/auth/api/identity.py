"""/user/identities: linking external identities to the signed-in account, and unlinking them."""

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.accounts.identities import update_app_metadata_providers
from emulator.auth.accounts.mail import notify
from emulator.auth.api.auth import SignedInUser, path_uuid, require_user
from emulator.auth.api.external import start_external_flow
from emulator.auth.api.provider.loading import load_provider
from emulator.auth.api.responses import json_response, redirect
from emulator.auth.context import RequestContext
from emulator.auth.models import identities, users
from emulator.auth.models.identities import Identity
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User


def _require_manual_linking(ctx: RequestContext) -> None:
    if not ctx.settings.security.manual_linking:
        raise errors.manual_linking_disabled()


async def _caller(ctx: RequestContext, db: Db) -> SignedInUser:
    return await require_user(ctx, db, lock=True)


async def link(ctx: RequestContext) -> Response:
    """Start to link: the provider's URL as JSON, or as a redirect."""
    async with ctx.transaction() as db:
        caller = await _caller(ctx, db)
    _require_manual_linking(ctx)
    provider = await load_provider(ctx, ctx.query("provider"))
    url = await start_external_flow(ctx, provider, linking_target=caller.user)
    if ctx.query("skip_http_redirect") == "true":
        return json_response({"url": url})
    return redirect(url, 302)


async def unlink(ctx: RequestContext) -> Response:
    """Delete an identity; at least one has to remain."""
    async with ctx.transaction() as db:
        caller = await _caller(ctx, db)
        _require_manual_linking(ctx)
        identity_id = path_uuid(ctx, "identity_id", "identity_id must be an UUID")
        if (caller.principal.claims.get("aud") or "") != (ctx.header("x-jwt-aud") or ctx.aud):
            raise errors.unexpected_audience()
        known = await identities.identities_of(db, caller.user.id)
        if len(known) <= 1:
            raise errors.single_identity_not_deletable()
        gone = next((identity for identity in known if identity.id == identity_id), None)
        if gone is None:
            raise errors.identity_not_found()
        await identities.delete_identity(db, gone.id)
        user = await _remove_address(ctx, db, caller.user, gone, [one for one in known if one.id != gone.id])
        await update_app_metadata_providers(ctx, db, user)
        await audit.record(
            ctx, db, user, "identity_unlinked", ip=ctx.ip, identity_id=str(gone.id), provider=gone.provider
        )
        notify(ctx, user, "identity_unlinked", to=caller.user.email or "", Provider=gone.provider)
    return json_response({})


async def _remove_address(ctx: RequestContext, db: Db, user: User, gone: Identity, rest: list[Identity]) -> User:
    """Unlinking the phone removes the number; the address changes to one that an identity still has."""
    if gone.provider == "phone":
        return await users.update_user(db, user, ctx.now, phone=None, phone_confirmed_at=None)
    remaining = [identity.email for identity in rest if identity.email]
    if not user.email or user.email in remaining or not remaining:
        return user
    if await users.email_owner(db, remaining[0], user.aud or "", user.id):
        raise errors.email_conflict_identity_not_deletable()
    return await users.update_user(db, user, ctx.now, email=remaining[0])
