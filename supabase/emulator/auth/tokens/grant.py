"""The result of a sign-in, as a value and as GoTrue's AccessTokenResponse."""

from collections.abc import Sequence
from dataclasses import dataclass

from emulator.auth.errors import WeakPassword
from emulator.auth.models.factors import Factor
from emulator.auth.models.identities import Identity
from emulator.auth.models.payloads import Json, user_payload, without_empty
from emulator.auth.models.sessions import Session
from emulator.auth.models.users import User


@dataclass(frozen=True)
class Grant:
    """A session with its tokens, and the user as the response shows them."""

    user: User
    identities: Sequence[Identity]
    factors: Sequence[Factor]
    session: Session
    access_token: str
    refresh_token: str
    expires_in: int
    expires_at: int


def weak_password_payload(weak: WeakPassword | None) -> Json:
    """What the password grant says about the password that was just accepted: null if it is strong enough."""
    return {"weak_password": {"message": weak.message, "reasons": list(weak.reasons)} if weak else None}


def grant_payload(grant: Grant, *, provider_token: str = "", provider_refresh_token: str = "") -> Json:
    """An AccessTokenResponse."""
    return {
        "access_token": grant.access_token,
        "token_type": "bearer",
        "expires_in": grant.expires_in,
        "expires_at": grant.expires_at,
        "refresh_token": grant.refresh_token,
        "user": user_payload(grant.user, grant.identities, grant.factors),
        **without_empty(provider_token=provider_token, provider_refresh_token=provider_refresh_token),
    }
