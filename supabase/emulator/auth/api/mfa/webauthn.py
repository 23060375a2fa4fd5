"""Security keys as second factors. The relying party is the one that the page names, as in GoTrue.

Credentials are stored in the JSON form of the Go library that GoTrue uses (go-webauthn).
"""

import base64
from urllib.parse import urlsplit
from uuid import UUID

from emulator.auth import errors
from emulator.auth.context import RequestContext
from emulator.auth.crypto import webauthn
from emulator.auth.crypto.webauthn import RelyingParty
from emulator.auth.models import factors
from emulator.auth.models.challenges import Challenge
from emulator.auth.models.factors import Factor
from emulator.auth.models.payloads import Json
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User


def _relying_party(ctx: RequestContext, given: Json) -> RelyingParty:
    """That of GOTRUE_WEBAUTHN_RP_*, whatever the page says, as with GoTrue.

    Without these variables GoTrue fails; here it is the page's `rpId` and `rpOrigins`, by default that of SITE_URL.
    """
    config = ctx.settings.passkeys
    if config.rp_configured:
        return RelyingParty(config.rp_id, config.rp_name, config.rp_origins)
    site = urlsplit(ctx.settings.site_url)
    origins = given.get("rpOrigins") or given.get("rp_origins") or f"{site.scheme}://{site.netloc}"
    listed = origins.split(",") if isinstance(origins, str) else origins
    rp_id = given.get("rpId") or given.get("rp_id") or site.hostname
    if not isinstance(rp_id, str) or not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
        raise errors.validation_failed("webauthn needs rpId and rpOrigins")
    return RelyingParty(rp_id, rp_id, tuple(one.strip() for one in listed))


def challenge(ctx: RequestContext, user: User, factor: Factor, given: Json) -> tuple[Json, Json]:
    """The session data to store, and the options for the page.

    For a new factor they create a credential, for a verified one they ask for its credential.
    """
    party = _relying_party(ctx, given)
    if factor.is_verified:
        credential_id = base64.b64decode((factor.web_authn_credential or {}).get("id", ""))
        options, challenge = webauthn.request_options(party, [credential_id])
        kind = "request"
    else:
        name = user.email or user.phone or str(user.id)
        options, challenge = webauthn.creation_options(party, user.id, (name, name), [], resident=False)
        kind = "create"
    session_data = {
        "challenge": challenge, "rpId": party.id, "rpOrigins": list(party.origins), "type": kind,
        "user_id": base64.b64encode(str(user.id).encode()).decode(),
    }  # fmt: skip
    return session_data, {"type": kind, "credential_options": {"publicKey": options}}


def check_params(given: Json | None) -> None:
    """Raise validation_failed for a body that can't be a response of an authenticator, in GoTrue's order."""
    if given is None:
        raise errors.validation_failed("WebAuthn config required")
    if given.get("type") not in ("create", "request"):
        raise errors.validation_failed("WebAuthn type must be create or request")
    if given.get("credential_response") is None:
        raise errors.validation_failed("credential_response required")


async def verify(ctx: RequestContext, db: Db, factor: Factor, challenge: Challenge, given: Json) -> None:
    """Verify the authenticator's response, and store what it changes; raises webauthn_verification_failed."""
    session_data = challenge.web_authn_session_data or {}
    rp_id, origins = str(session_data.get("rpId")), tuple(session_data.get("rpOrigins", ()))
    party, nonce = RelyingParty(rp_id, rp_id, origins), str(session_data.get("challenge", ""))
    credential = given.get("credential_response")
    if not isinstance(credential, dict) or not webauthn.is_wellformed(credential):
        raise errors.validation_failed("Invalid credential_response")
    if session_data.get("type") == "create":
        await _store_credential(ctx, db, factor, credential, nonce, party)
    else:
        await _use_credential(ctx, db, factor, credential, nonce, party)


async def _store_credential(
    ctx: RequestContext, db: Db, factor: Factor, credential: Json, nonce: str, party: RelyingParty
) -> None:
    created = webauthn.verify_creation(credential, nonce, party)
    stored: Json = {
        "id": base64.b64encode(created.credential_id).decode(),
        "publicKey": base64.b64encode(created.credential_public_key).decode(),
        "attestationType": webauthn.enum_text(created.fmt),
        "transport": webauthn.transports(credential),
        "flags": {
            "userPresent": True, "userVerified": created.user_verified,
            "backupEligible": webauthn.enum_text(created.credential_device_type) == "multi_device",
            "backupState": created.credential_backed_up,
        },
        "authenticator": {
            "AAGUID": base64.b64encode(UUID(created.aaguid).bytes).decode(), "signCount": created.sign_count,
            "cloneWarning": False, "attachment": credential.get("authenticatorAttachment") or "",
        },
    }  # fmt: skip
    await factors.update_factor(
        db, factor, ctx.now, web_authn_credential=stored, web_authn_aaguid=UUID(created.aaguid)
    )  # fmt: skip


async def _use_credential(
    ctx: RequestContext, db: Db, factor: Factor, credential: Json, nonce: str, party: RelyingParty
) -> None:
    stored = dict(factor.web_authn_credential or {})
    if not stored or webauthn.credential_id(credential) != base64.b64decode(stored["id"]):
        raise errors.webauthn_verification_failed()
    authenticator = dict(stored.get("authenticator", {}))
    sign_count = int(authenticator.get("signCount", 0))
    used = webauthn.verify_request(credential, nonce, party, base64.b64decode(stored["publicKey"]), sign_count)
    stored["authenticator"] = {**authenticator, "signCount": used.new_sign_count}
    await factors.update_factor(db, factor, ctx.now, web_authn_credential=stored)
