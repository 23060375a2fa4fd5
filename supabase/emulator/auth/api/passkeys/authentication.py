"""/passkeys/authentication: sign in with a passkey."""

import base64
from typing import Any

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.api.passkeys.ceremony import parse_params, relying_party, start_ceremony, take_challenge
from emulator.auth.api.responses import grant_response
from emulator.auth.context import RequestContext
from emulator.auth.crypto import webauthn
from emulator.auth.models import users, webauthn_credentials
from emulator.auth.models.webauthn_credentials import WebAuthnCredential
from emulator.auth.tokens.sessions import issue_session
from emulator.errors import ApiError


async def authentication_options(ctx: RequestContext) -> Response:
    """Start to sign in; the credential will identify the user."""
    party = relying_party(ctx)
    ctx.check_rate_limit(ctx.rate_limits.passkey_authentication)
    options, challenge = webauthn.request_options(party, [], "preferred")
    async with ctx.transaction() as db:
        return await start_ceremony(ctx, db, "authentication", None, options, challenge)


async def authentication_verify(ctx: RequestContext) -> Response:
    """Verify the credential and sign in. The challenge is deleted even if this fails."""
    party = relying_party(ctx)
    challenge_id, credential = parse_params(ctx)
    async with ctx.transaction() as db:
        stored = await take_challenge(ctx, db, challenge_id, credential, "authentication")
    if isinstance(stored, ApiError):
        raise stored
    async with ctx.transaction() as db:
        passkey = await webauthn_credentials.credential_by_credential_id(db, webauthn.credential_id(credential))
        user = await users.user_by_id(db, passkey.user_id) if passkey else None
        if passkey is None or user is None:
            raise errors.webauthn_verification_failed()
        _check_user_handle(credential, passkey)
        challenge = str(stored.session_data.get("challenge"))
        used = webauthn.verify_request(credential, challenge, party, passkey.public_key, passkey.sign_count)
        if user.is_banned(ctx.now):
            raise errors.user_banned()
        await webauthn_credentials.update_credential(
            db, passkey, ctx.now,
            sign_count=used.new_sign_count, backed_up=used.credential_backed_up, last_used_at=ctx.now,
        )  # fmt: skip
        await audit.record(ctx, db, user, "login", ip=ctx.ip, passkey_id=str(passkey.id))
        grant = await issue_session(ctx, db, user, "passkey")
    return grant_response(grant)


def _check_user_handle(credential: dict[str, Any], passkey: WebAuthnCredential) -> None:
    """The user handle that the authenticator sends, if any, must be that of the passkey's owner."""
    response = credential.get("response")
    handle = response.get("userHandle") if isinstance(response, dict) else None
    if handle in (None, ""):
        return
    handles = (str(passkey.user_id).encode(), passkey.user_id.bytes)
    accepted = {base64.urlsafe_b64encode(raw).rstrip(b"=").decode() for raw in handles}
    if not isinstance(handle, str) or handle.rstrip("=") not in accepted:
        raise errors.webauthn_verification_failed()
