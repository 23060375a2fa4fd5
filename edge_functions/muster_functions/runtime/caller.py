"""Who calls: the Authorization header judged, as a frozen Caller. Pure; the time comes in as an argument."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from emulator.jwt import JwtError, KeySet
from muster_functions.runtime import errors

AUDIENCE = "authenticated"


@dataclass(frozen=True)
class Caller:
    """A token that holds. `user_id` is a member's; the keys anon and service_role have none."""

    role: str
    user_id: UUID | None

    @property
    def is_member(self) -> bool:
        """Whether a signed-in user calls."""
        return self.role == "authenticated" and self.user_id is not None

    @property
    def is_service(self) -> bool:
        """Whether the service key calls: a server of the house's own."""
        return self.role == "service_role"


def read_caller(authorization: str | None, keys: KeySet, now: float) -> Caller:
    """Judge `Bearer <token>`: signature, expiry, not-before, audience. Raises missing_token, invalid_token."""
    scheme, _, token = (authorization or "").strip().partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise errors.missing_token()
    try:
        claims = keys.verify(token.strip())
    except JwtError as error:
        raise errors.invalid_token() from error
    if not _in_time(claims, now) or not _audience_fits(claims.get("aud")):
        raise errors.invalid_token()
    role = claims.get("role")
    return Caller(role if isinstance(role, str) else "anon", _uuid(claims.get("sub")))


def _in_time(claims: dict[str, Any], now: float) -> bool:
    exp, nbf = claims.get("exp"), claims.get("nbf")
    if exp is not None and not (_is_number(exp) and now < exp):
        return False
    return nbf is None or (_is_number(nbf) and nbf <= now)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _audience_fits(audience: object) -> bool:
    """Absent in the anon and service keys; a user's token names `authenticated`."""
    if audience is None:
        return True
    return AUDIENCE in audience if isinstance(audience, list) else audience == AUDIENCE


def _uuid(value: object) -> UUID | None:
    try:
        return UUID(value) if isinstance(value, str) else None
    except ValueError:
        return None
