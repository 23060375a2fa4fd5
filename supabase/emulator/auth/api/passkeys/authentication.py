"""/passkeys/authentication: sign in with a passkey."""

import base64
from typing import Any

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.api.passkeys.ceremony import PasskeyVerifyParams, relying_party, start_ceremony, take_ceremony
from emulator.auth.api.responses import grant_response
from emulator.auth.context import RequestContext
from emulator.auth.crypto import webauthn
from emulator.auth.models import users, webauthn_credentials
from emulator.auth.models.webauthn_credentials import WebAuthnCredential
from emulator.auth.tokens.sessions import issue_session


async def authentication_options(ctx: RequestContext) -> Response:
    """Begin to sign in; nobody says who they are yet."""
    party = relying_party(ctx)
    ctx.check_rate_limit(ctx.rate_limits.passkey_authentication)
    options, challenge = webauthn.request_options(party, [])
    async with ctx.transaction() as db:
        return await start_ceremony(ctx, db, "authentication", None, options, challenge)


async def authentication_verify(ctx: RequestContext) -> Response:
    """Finish signing in. The challenge is spent even when the answer is refused."""
    party, params = relying_party(ctx), ctx.params(PasskeyVerifyParams)
    async with ctx.transaction() as db:
        ceremony = await take_ceremony(ctx, db, params, "authentication")
    async with ctx.transaction() as db:
        passkey = await webauthn_credentials.credential_by_credential_id(db, webauthn.credential_id(params.credential))
        user = await users.user_by_id(db, passkey.user_id) if passkey else None
        if passkey is None or user is None:
            raise errors.webauthn_verification_failed()
        _check_handle(params.credential, passkey)
        challenge = str(ceremony.session_data.get("challenge"))
        used = webauthn.verify_request(params.credential, challenge, party, passkey.public_key, passkey.sign_count)
        if user.is_banned(ctx.now):
            raise errors.user_banned()
        await webauthn_credentials.update_credential(
            db, passkey, ctx.now,
            sign_count=used.new_sign_count, backed_up=used.credential_backed_up, last_used_at=ctx.now,
        )  # fmt: skip
        await audit.record(ctx, db, user, "login", provider="passkey")
        grant = await issue_session(ctx, db, user, "passkey")
    return grant_response(grant)


def _check_handle(credential: dict[str, Any], passkey: WebAuthnCredential) -> None:
    """The user that the authenticator believes in is the one whose passkey this is."""
    response = credential.get("response")
    handle = response.get("userHandle") if isinstance(response, dict) else None
    if handle in (None, ""):
        return
    own = (str(passkey.user_id).encode(), passkey.user_id.bytes)
    accepted = {base64.urlsafe_b64encode(raw).rstrip(b"=").decode() for raw in own}
    if not isinstance(handle, str) or handle.rstrip("=") not in accepted:
        raise errors.webauthn_verification_failed()
