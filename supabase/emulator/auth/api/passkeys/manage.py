"""GET, PATCH and DELETE /passkeys: the signed-in user's own."""

from dataclasses import dataclass

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.api.auth import SignedInUser, path_uuid
from emulator.auth.api.passkeys.ceremony import require_manager, require_passkey_user, require_passkeys_enabled
from emulator.auth.api.responses import empty_response, json_response
from emulator.auth.context import RequestContext
from emulator.auth.models import webauthn_credentials
from emulator.auth.models.payloads import passkey_payload
from emulator.auth.models.sql import Db
from emulator.auth.models.webauthn_credentials import WebAuthnCredential

MAX_NAME_LENGTH = 120
PASSKEY_NOT_FOUND = "Passkey not found"


@dataclass(frozen=True)
class PasskeyUpdateParams:
    """The body of PATCH."""

    friendly_name: str = ""


async def list_own(ctx: RequestContext) -> Response:
    """All passkeys of the signed-in user."""
    require_passkeys_enabled(ctx)
    async with ctx.transaction() as db:
        caller = await require_passkey_user(ctx, db)
        return json_response(
            [passkey_payload(passkey) for passkey in await webauthn_credentials.credentials_of(db, caller.user.id)]
        )


async def _find_own(ctx: RequestContext, db: Db, caller: SignedInUser) -> WebAuthnCredential:
    passkey_id = path_uuid(ctx, "passkey_id", PASSKEY_NOT_FOUND)
    passkey = await webauthn_credentials.credential_of(db, caller.user.id, passkey_id)
    if passkey is None:
        raise errors.validation_failed(PASSKEY_NOT_FOUND, 404)
    return passkey


async def rename(ctx: RequestContext) -> Response:
    """Rename a passkey."""
    require_passkeys_enabled(ctx)
    async with ctx.transaction() as db:
        caller = await require_passkey_user(ctx, db)
        path_uuid(ctx, "passkey_id", PASSKEY_NOT_FOUND)
        params = ctx.params(PasskeyUpdateParams)
        if not params.friendly_name:
            raise errors.validation_failed("friendly_name is required")
        if len(params.friendly_name) > MAX_NAME_LENGTH:
            raise errors.validation_failed(f"friendly_name must be {MAX_NAME_LENGTH} characters or less")
        passkey = await _find_own(ctx, db, caller)
        passkey = await webauthn_credentials.update_credential(db, passkey, ctx.now, friendly_name=params.friendly_name)
        await audit.record(ctx, db, caller.user, "passkey_updated", ip=ctx.ip, passkey_id=str(passkey.id))
    return json_response(passkey_payload(passkey))


async def remove(ctx: RequestContext) -> Response:
    """Delete a passkey."""
    require_passkeys_enabled(ctx)
    async with ctx.transaction() as db:
        caller = await require_manager(ctx, db)
        passkey = await _find_own(ctx, db, caller)
        await webauthn_credentials.delete_credential(db, passkey.id)
        await audit.record(ctx, db, caller.user, "passkey_deleted", ip=ctx.ip, passkey_id=str(passkey.id))
    return empty_response()
