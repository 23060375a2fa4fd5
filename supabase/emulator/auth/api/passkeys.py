"""/passkeys: signing in with a discoverable credential and nothing else; registering, naming and removing such."""

import base64
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.api.auth import Caller, path_uuid, refuse_anonymous, require_admin, require_user
from emulator.auth.api.responses import answer, empty
from emulator.auth.context import Call
from emulator.auth.crypto import webauthn
from emulator.auth.crypto.webauthn import RelyingParty
from emulator.auth.models import users, webauthn_challenges, webauthn_credentials
from emulator.auth.models.payloads import passkey_payload, time_text
from emulator.auth.models.sql import Db
from emulator.auth.models.webauthn_challenges import WebAuthnChallenge
from emulator.auth.models.webauthn_credentials import WebAuthnCredential
from emulator.auth.tokens import service

CHALLENGE_LIFETIME = timedelta(minutes=5)
MAX_PASSKEYS = 10
MAX_NAME_LENGTH = 120


@dataclass(frozen=True)
class PasskeyVerifyParams:
    """The body of both verify endpoints."""

    challenge_id: str = ""
    credential: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class PasskeyUpdateParams:
    """The body of PATCH."""

    friendly_name: str = ""


def _party(call: Call) -> RelyingParty:
    config = call.settings.passkeys
    if not config.enabled:
        raise errors.passkey_disabled()
    return RelyingParty(config.rp_id, config.rp_name, config.rp_origins)


async def _caller(call: Call, db: Db) -> Caller:
    caller = await require_user(call, db)
    refuse_anonymous(caller)
    return caller


async def registration_options(call: Call) -> Response:
    """Begin to register."""
    party = _party(call)
    call.limit("passkey_registration", call.settings.rates.passkey)
    async with call.transaction() as db:
        user = (await _caller(call, db)).user
        known = [passkey.credential_id for passkey in await webauthn_credentials.credentials_of(db, user.id)]
        name = user.email or user.phone or str(user.id)
        options, challenge = webauthn.creation_options(party, user.id, name, known, resident=True)
        return await _remember(call, db, "registration", user.id, options, challenge)


async def _remember(
    call: Call, db: Db, kind: str, user_id: UUID | None, options: dict[str, Any], challenge: str
) -> Response:
    challenge_id, expires_at = uuid4(), call.now + CHALLENGE_LIFETIME
    await webauthn_challenges.insert_challenge(
        db,
        {
            "id": challenge_id, "user_id": user_id, "challenge_type": kind, "session_data": {"challenge": challenge},
            "created_at": call.now, "expires_at": expires_at,
        },
    )  # fmt: skip
    payload = {"challenge_id": str(challenge_id), "options": options, "expires_at": int(expires_at.timestamp())}
    return answer(payload)


async def _take(call: Call, db: Db, params: PasskeyVerifyParams, kind: str) -> WebAuthnChallenge:
    """The ceremony being finished. A challenge is good for one try."""
    try:
        found = await webauthn_challenges.take_challenge(db, UUID(params.challenge_id), kind)
    except ValueError:
        found = None
    if found is None:
        raise errors.webauthn_challenge_not_found()
    if found.expires_at <= call.now:
        raise errors.webauthn_challenge_expired()
    return found


async def registration_verify(call: Call) -> Response:
    """Finish registering."""
    party, params = _party(call), call.params(PasskeyVerifyParams)
    async with call.transaction() as db:
        caller = await _caller(call, db)
        ceremony = await _take(call, db, params, "registration")
    async with call.transaction() as db:
        if ceremony.user_id != caller.user.id:
            raise errors.webauthn_challenge_not_found()
        made = webauthn.verify_creation(params.credential, str(ceremony.session_data.get("challenge")), party)
        if await webauthn_credentials.credential_by_credential_id(db, made.credential_id) is not None:
            raise errors.webauthn_credential_exists()
        if len(await webauthn_credentials.credentials_of(db, caller.user.id)) >= MAX_PASSKEYS:
            raise errors.validation_failed("Maximum number of passkeys reached", 422)
        values: dict[str, Any] = {
            "id": uuid4(), "user_id": caller.user.id, "credential_id": made.credential_id,
            "public_key": made.credential_public_key, "attestation_type": webauthn.plain(made.fmt),
            "aaguid": UUID(made.aaguid),
            "sign_count": made.sign_count, "transports": webauthn.transports(params.credential),
            "backup_eligible": webauthn.plain(made.credential_device_type) == "multi_device",
            "backed_up": made.credential_backed_up, "friendly_name": "", "created_at": call.now,
            "updated_at": call.now,
        }  # fmt: skip
        await webauthn_credentials.insert_credential(db, values)
        await audit.record(call, db, caller.user, "passkey_created", ip=call.ip, passkey_id=str(values["id"]))
    return answer({"id": str(values["id"]), "created_at": time_text(values["created_at"])})


async def authentication_options(call: Call) -> Response:
    """Begin to sign in; nobody says who they are yet."""
    party = _party(call)
    call.limit("passkey_authentication", call.settings.rates.passkey)
    options, challenge = webauthn.request_options(party, [])
    async with call.transaction() as db:
        return await _remember(call, db, "authentication", None, options, challenge)


async def authentication_verify(call: Call) -> Response:
    """Finish signing in. The challenge is spent even when the answer is refused."""
    party, params = _party(call), call.params(PasskeyVerifyParams)
    async with call.transaction() as db:
        ceremony = await _take(call, db, params, "authentication")
    async with call.transaction() as db:
        passkey = await webauthn_credentials.credential_by_credential_id(db, webauthn.credential_id(params.credential))
        user = await users.user_by_id(db, passkey.user_id) if passkey else None
        if passkey is None or user is None:
            raise errors.webauthn_verification_failed()
        _check_handle(params.credential, passkey)
        challenge = str(ceremony.session_data.get("challenge"))
        used = webauthn.verify_request(params.credential, challenge, party, passkey.public_key, passkey.sign_count)
        if user.is_banned(call.now):
            raise errors.user_banned()
        await webauthn_credentials.update_credential(
            db, passkey, call.now,
            sign_count=used.new_sign_count, backed_up=used.credential_backed_up, last_used_at=call.now,
        )  # fmt: skip
        await audit.record(call, db, user, "login", provider="passkey")
        grant = await service.sign_in(call, db, user, "passkey")
    return service.grant_answer(grant)


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


async def list_own(call: Call) -> Response:
    """My passkeys."""
    _party(call)
    async with call.transaction() as db:
        caller = await _caller(call, db)
        return answer(
            [passkey_payload(passkey) for passkey in await webauthn_credentials.credentials_of(db, caller.user.id)]
        )


async def _own(call: Call, db: Db) -> tuple[Caller, WebAuthnCredential]:
    caller = await _caller(call, db)
    passkey_id = path_uuid(call, "passkey_id", "passkey_id must be an UUID")
    passkey = await webauthn_credentials.credential_of(db, caller.user.id, passkey_id)
    if passkey is None:
        raise errors.webauthn_credential_not_found()
    return caller, passkey


async def rename(call: Call) -> Response:
    """Name one of mine."""
    _party(call)
    params = call.params(PasskeyUpdateParams)
    if not params.friendly_name or len(params.friendly_name) > MAX_NAME_LENGTH:
        raise errors.validation_failed(f"friendly_name must have between 1 and {MAX_NAME_LENGTH} characters")
    async with call.transaction() as db:
        caller, passkey = await _own(call, db)
        passkey = await webauthn_credentials.update_credential(
            db, passkey, call.now, friendly_name=params.friendly_name
        )
        await audit.record(call, db, caller.user, "passkey_updated", ip=call.ip, passkey_id=str(passkey.id))
    return answer(passkey_payload(passkey))


async def remove(call: Call) -> Response:
    """Remove one of mine."""
    _party(call)
    async with call.transaction() as db:
        caller, passkey = await _own(call, db)
        await webauthn_credentials.delete_credential(db, passkey.id)
        await audit.record(call, db, caller.user, "passkey_deleted", ip=call.ip, passkey_id=str(passkey.id))
    return empty()


async def admin_list(call: Call) -> Response:
    """Anybody's, for admins."""
    require_admin(call)
    _party(call)
    async with call.transaction() as db:
        user = await users.user_by_id(db, path_uuid(call, "user_id", "user_id must be an UUID"))
        if user is None:
            raise errors.user_not_found()
        return answer([passkey_payload(passkey) for passkey in await webauthn_credentials.credentials_of(db, user.id)])


async def admin_remove(call: Call) -> Response:
    """Remove anybody's, for admins."""
    claims = require_admin(call)
    _party(call)
    async with call.transaction() as db:
        user_id = path_uuid(call, "user_id", "user_id must be an UUID")
        passkey_id = path_uuid(call, "passkey_id", "passkey_id must be an UUID")
        passkey = await webauthn_credentials.credential_of(db, user_id, passkey_id)
        if passkey is None:
            raise errors.webauthn_credential_not_found()
        await webauthn_credentials.delete_credential(db, passkey.id)
        await audit.record_admin(call, db, claims, "passkey_deleted", passkey_id=str(passkey.id))
    return empty()
