"""Security keys as second factors. The relying party is the one that the page names, as upstream.

Credentials are kept in the JSON form that the Go library keeps them in.
"""

import base64
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from emulator.auth import errors
from emulator.auth.context import Call
from emulator.auth.crypto import webauthn
from emulator.auth.crypto.webauthn import RelyingParty
from emulator.auth.models import challenges, factors
from emulator.auth.models.challenges import Challenge
from emulator.auth.models.factors import Factor
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User

Json = dict[str, Any]


def _party(call: Call, given: Json) -> RelyingParty:
    """`rpId` and `rpOrigins` of the body (a list, or comma separated); SITE_URL's where they are missing."""
    site = urlsplit(call.settings.site_url)
    origins = given.get("rpOrigins") or given.get("rp_origins") or f"{site.scheme}://{site.netloc}"
    listed = origins.split(",") if isinstance(origins, str) else origins
    rp_id = given.get("rpId") or given.get("rp_id") or site.hostname
    if not isinstance(rp_id, str) or not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
        raise errors.validation_failed("webauthn needs rpId and rpOrigins")
    return RelyingParty(rp_id, rp_id, tuple(one.strip() for one in listed))


def begin(call: Call, user: User, factor: Factor, given: Json) -> tuple[Json, Json]:
    """What to remember, and what the page gets: creation for a new factor, a request for a verified one."""
    party = _party(call, given)
    if factor.is_verified:
        known = base64.b64decode((factor.web_authn_credential or {}).get("id", ""))
        options, challenge = webauthn.request_options(party, [known])
        kind = "request"
    else:
        name = user.email or user.phone or str(user.id)
        options, challenge = webauthn.creation_options(party, user.id, name, [], resident=False)
        kind = "create"
    remembered = {
        "challenge": challenge, "rpId": party.id, "rpOrigins": list(party.origins), "type": kind,
        "user_id": base64.b64encode(user.id.bytes).decode(),
    }  # fmt: skip
    return remembered, {"type": kind, "credential_options": {"publicKey": options}}


async def find_challenge(db: Db, challenge_id: str, factor_id: UUID) -> Challenge | None:
    """A challenge of this factor, locked; a malformed id is none."""
    try:
        return await challenges.lock_challenge(db, UUID(challenge_id), factor_id)
    except ValueError:
        return None


async def finish(call: Call, db: Db, factor: Factor, question: Challenge, given: Json) -> None:
    """Judge the authenticator's answer; raises webauthn_verification_failed."""
    remembered = question.web_authn_session_data or {}
    origins = tuple(remembered.get("rpOrigins", ()))
    party = RelyingParty(str(remembered.get("rpId")), str(remembered.get("rpId")), origins)
    credential = given.get("credential_response")
    if not isinstance(credential, dict):
        raise errors.validation_failed("webauthn needs a credential_response")
    challenge = str(remembered.get("challenge", ""))
    if remembered.get("type") == "create":
        made = webauthn.verify_creation(credential, challenge, party)
        stored: Json = {
            "id": base64.b64encode(made.credential_id).decode(),
            "publicKey": base64.b64encode(made.credential_public_key).decode(),
            "attestationType": webauthn.plain(made.fmt),
            "transport": webauthn.transports(credential),
            "flags": {
                "userPresent": True, "userVerified": made.user_verified,
                "backupEligible": webauthn.plain(made.credential_device_type) == "multi_device",
                "backupState": made.credential_backed_up,
            },
            "authenticator": {
                "AAGUID": base64.b64encode(UUID(made.aaguid).bytes).decode(), "signCount": made.sign_count,
                "cloneWarning": False, "attachment": credential.get("authenticatorAttachment") or "",
            },
        }  # fmt: skip
        await factors.update_factor(
            db, factor, call.now, web_authn_credential=stored, web_authn_aaguid=UUID(made.aaguid)
        )
        return
    stored = dict(factor.web_authn_credential or {})
    if not stored or webauthn.credential_id(credential) != base64.b64decode(stored["id"]):
        raise errors.webauthn_verification_failed()
    known = dict(stored.get("authenticator", {}))
    used = webauthn.verify_request(
        credential, challenge, party, base64.b64decode(stored["publicKey"]), int(known.get("signCount", 0))
    )
    stored["authenticator"] = {**known, "signCount": used.new_sign_count}
    await factors.update_factor(db, factor, call.now, web_authn_credential=stored)
