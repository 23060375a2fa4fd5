"""What both WebAuthn ceremonies share: the relying party and stored challenges."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from starlette.responses import Response

from emulator.auth import errors
from emulator.auth.api.auth import SignedInUser, require_not_anonymous, require_user
from emulator.auth.api.responses import json_response
from emulator.auth.context import RequestContext
from emulator.auth.crypto.webauthn import RelyingParty
from emulator.auth.models import webauthn_challenges
from emulator.auth.models.sql import Db
from emulator.auth.models.webauthn_challenges import WebAuthnChallenge

CHALLENGE_LIFETIME = timedelta(minutes=5)


@dataclass(frozen=True)
class PasskeyVerifyParams:
    """The body of both verify endpoints."""

    challenge_id: str = ""
    credential: dict[str, Any] = field(default_factory=dict)


def require_passkeys_enabled(ctx: RequestContext) -> None:
    """Raise passkey_disabled unless PASSKEY_ENABLED."""
    if not ctx.settings.passkeys.enabled:
        raise errors.passkey_disabled()


def relying_party(ctx: RequestContext) -> RelyingParty:
    """Of the settings; raises passkey_disabled."""
    require_passkeys_enabled(ctx)
    config = ctx.settings.passkeys
    return RelyingParty(config.rp_id, config.rp_name, config.rp_origins)


async def require_passkey_user(ctx: RequestContext, db: Db) -> SignedInUser:
    """The signed-in user, who must not be anonymous."""
    caller = await require_user(ctx, db)
    require_not_anonymous(caller)
    return caller


async def start_ceremony(
    ctx: RequestContext, db: Db, kind: str, user_id: UUID | None, options: dict[str, Any], challenge: str
) -> Response:
    """Store the challenge; the response holds the options for the browser."""
    challenge_id, expires_at = uuid4(), ctx.now + CHALLENGE_LIFETIME
    await webauthn_challenges.insert_challenge(
        db,
        {
            "id": challenge_id, "user_id": user_id, "challenge_type": kind, "session_data": {"challenge": challenge},
            "created_at": ctx.now, "expires_at": expires_at,
        },
    )  # fmt: skip
    payload = {"challenge_id": str(challenge_id), "options": options, "expires_at": int(expires_at.timestamp())}
    return json_response(payload)


async def take_challenge(ctx: RequestContext, db: Db, params: PasskeyVerifyParams, kind: str) -> WebAuthnChallenge:
    """The stored challenge, which is deleted: it is good for one try. Raises webauthn_challenge_*."""
    try:
        found = await webauthn_challenges.take_challenge(db, UUID(params.challenge_id), kind)
    except ValueError:
        found = None
    if found is None:
        raise errors.webauthn_challenge_not_found()
    if found.expires_at <= ctx.now:
        raise errors.webauthn_challenge_expired()
    return found
