"""What both WebAuthn ceremonies share: the relying party and stored challenges."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from starlette.responses import Response

from emulator.auth import errors
from emulator.auth.api.auth import SignedInUser, require_not_anonymous, require_user
from emulator.auth.api.responses import json_response
from emulator.auth.context import RequestContext
from emulator.auth.crypto.webauthn import RelyingParty, is_wellformed
from emulator.auth.models import factors, webauthn_challenges
from emulator.auth.models.sql import Db
from emulator.auth.models.webauthn_challenges import WebAuthnChallenge
from emulator.errors import ApiError

CHALLENGE_LIFETIME = timedelta(minutes=5)


@dataclass(frozen=True)
class PasskeyVerifyParams:
    """The body of both verify endpoints."""

    challenge_id: str = ""
    credential: dict[str, Any] | None = None


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


async def require_manager(ctx: RequestContext, db: Db) -> SignedInUser:
    """Who may add or delete passkeys: somebody with a second factor only in a session of aal2."""
    caller = await require_passkey_user(ctx, db)
    if caller.aal == "aal1" and any(factor.is_verified for factor in await factors.factors_of(db, caller.user.id)):
        raise errors.insufficient_aal("AAL2 session is required to manage passkeys when MFA is enabled", 403)
    return caller


def parse_params(ctx: RequestContext) -> tuple[UUID, dict[str, Any]]:
    """The challenge and the credential of the body; raises bad_json, validation_failed."""
    params = ctx.params(PasskeyVerifyParams)
    if not params.challenge_id:
        raise errors.validation_failed("challenge_id is required")
    if params.credential is None:
        raise errors.validation_failed("credential is required")
    try:
        return UUID(params.challenge_id), params.credential
    except ValueError:
        raise errors.validation_failed("challenge_id must be a valid UUID") from None


async def take_challenge(
    ctx: RequestContext, db: Db, challenge_id: UUID, credential: dict[str, Any], kind: str, user_id: UUID | None = None
) -> WebAuthnChallenge | ApiError:
    """The stored challenge of that user, which is deleted: it is good for one try.

    An error is returned, not raised, so that the deletion is committed: webauthn_challenge_*, or
    webauthn_verification_failed for a credential that can't be one.
    """
    found = await webauthn_challenges.take_challenge(db, challenge_id, kind, user_id)
    if found is None:
        return errors.webauthn_challenge_not_found()
    if found.expires_at <= ctx.now:
        return errors.webauthn_challenge_expired()
    if not is_wellformed(credential):
        return errors.webauthn_verification_failed("Invalid credential response")
    return found
