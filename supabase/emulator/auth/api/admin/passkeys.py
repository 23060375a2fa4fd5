"""/admin/users/{id}/passkeys."""

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.api.admin.users import find_user
from emulator.auth.api.auth import path_uuid, require_admin
from emulator.auth.api.passkeys.manage import PASSKEY_NOT_FOUND
from emulator.auth.api.responses import empty_response, json_response
from emulator.auth.context import RequestContext
from emulator.auth.models import webauthn_credentials
from emulator.auth.models.payloads import passkey_payload


async def list_passkeys(ctx: RequestContext) -> Response:
    """All passkeys of a user."""
    await require_admin(ctx)
    async with ctx.transaction() as db:
        user = await find_user(ctx, db)
        return json_response(
            [passkey_payload(passkey) for passkey in await webauthn_credentials.credentials_of(db, user.id)]
        )


async def delete_passkey(ctx: RequestContext) -> Response:
    """Delete a passkey of a user."""
    admin = await require_admin(ctx)
    async with ctx.transaction() as db:
        user = await find_user(ctx, db)
        passkey_id = path_uuid(ctx, "passkey_id", PASSKEY_NOT_FOUND)
        passkey = await webauthn_credentials.credential_of(db, user.id, passkey_id)
        if passkey is None:
            raise errors.validation_failed(PASSKEY_NOT_FOUND, 404)
        await webauthn_credentials.delete_credential(db, passkey.id)
        await audit.record_admin(ctx, db, admin, "passkey_deleted", user_id=str(user.id), passkey_id=str(passkey.id))
    return empty_response()
