"""/passkeys/registration: add a passkey to the signed-in account."""

from typing import Any
from uuid import UUID, uuid4

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.api.passkeys.ceremony import (
    parse_params,
    relying_party,
    require_manager,
    start_ceremony,
    take_challenge,
)
from emulator.auth.api.responses import json_response
from emulator.auth.context import RequestContext
from emulator.auth.crypto import webauthn
from emulator.auth.models import webauthn_credentials
from emulator.auth.models.payloads import time_text
from emulator.errors import ApiError

MAX_PASSKEYS = 10


async def registration_options(ctx: RequestContext) -> Response:
    """Start to register a passkey."""
    party = relying_party(ctx)
    ctx.check_rate_limit(ctx.rate_limits.passkey_registration)
    async with ctx.transaction() as db:
        user = (await require_manager(ctx, db)).user
        registered = [passkey.credential_id for passkey in await webauthn_credentials.credentials_of(db, user.id)]
        if len(registered) >= MAX_PASSKEYS:
            raise errors.too_many_passkeys()
        name, shown = user.email or user.phone or "", (user.raw_user_meta_data or {}).get("name")
        names = (name, shown if isinstance(shown, str) and shown else name)
        options, challenge = webauthn.creation_options(party, user.id, names, registered, resident=True)
        return await start_ceremony(ctx, db, "registration", user.id, options, challenge)


async def registration_verify(ctx: RequestContext) -> Response:
    """Verify the new credential and store it. The challenge is deleted even if this fails."""
    party = relying_party(ctx)
    async with ctx.transaction() as db:
        caller = await require_manager(ctx, db)
        challenge_id, credential = parse_params(ctx)
        challenge = await take_challenge(ctx, db, challenge_id, credential, "registration", caller.user.id)
    if isinstance(challenge, ApiError):
        raise challenge
    async with ctx.transaction() as db:
        created = webauthn.verify_creation(credential, str(challenge.session_data.get("challenge")), party)
        if await webauthn_credentials.credential_by_credential_id(db, created.credential_id) is not None:
            raise errors.webauthn_credential_exists()
        if len(await webauthn_credentials.credentials_of(db, caller.user.id)) >= MAX_PASSKEYS:
            raise errors.too_many_passkeys()
        values: dict[str, Any] = {
            "id": uuid4(), "user_id": caller.user.id, "credential_id": created.credential_id,
            "public_key": created.credential_public_key, "attestation_type": webauthn.enum_text(created.fmt),
            "aaguid": UUID(created.aaguid), "sign_count": created.sign_count,
            "transports": webauthn.transports(credential),
            "backup_eligible": webauthn.enum_text(created.credential_device_type) == "multi_device",
            "backed_up": created.credential_backed_up, "friendly_name": "", "created_at": ctx.now,
            "updated_at": ctx.now,
        }  # fmt: skip
        await webauthn_credentials.insert_credential(db, values)
        await audit.record(ctx, db, caller.user, "passkey_created", ip=ctx.ip, passkey_id=str(values["id"]))
    return json_response({"id": str(values["id"]), "created_at": time_text(values["created_at"])})
