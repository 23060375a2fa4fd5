"""/admin/users/{id}/passkeys."""

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.api.admin.users import find_user
from emulator.auth.api.auth import path_uuid, require_admin
from emulator.auth.api.passkeys.ceremony import require_passkeys_enabled
from emulator.auth.api.responses import empty_response, json_response
from emulator.auth.context import RequestContext
from emulator.auth.models import webauthn_credentials
from emulator.auth.models.payloads import passkey_payload


async def list_passkeys(ctx: RequestContext) -> Response:
    """All passkeys of a user."""
    require_admin(ctx)
    require_passkeys_enabled(ctx)
    async with ctx.transaction() as db:
        user = await find_user(ctx, db)
        return json_response(
            [passkey_payload(passkey) for passkey in await webauthn_credentials.credentials_of(db, user.id)]
        )


async def delete_passkey(ctx: RequestContext) -> Response:
    """Delete a passkey of a user."""
    admin = require_admin(ctx)
    require_passkeys_enabled(ctx)
    async with ctx.transaction() as db:
        user_id = path_uuid(ctx, "user_id", "user_id must be an UUID")
        passkey_id = path_uuid(ctx, "passkey_id", "passkey_id must be an UUID")
        passkey = await webauthn_credentials.credential_of(db, user_id, passkey_id)
        if passkey is None:
            raise errors.webauthn_credential_not_found()
        await webauthn_credentials.delete_credential(db, passkey.id)
        await audit.record_admin(ctx, db, admin, "passkey_deleted", passkey_id=str(passkey.id))
    return empty_response()
