"""From an Authorization header to the Principal that calls. Pure; the time comes in as an argument."""

from typing import Any

from emulator.asgi.headers import bearer_token
from emulator.jwt import JwtError, KeySet
from emulator.principal import Principal
from muster_functions.runtime import errors

AUDIENCE = "authenticated"


def read_principal(authorization: bytes | None, keys: KeySet, now: float) -> Principal:
    """Verify `Bearer <token>`: signature, expiry, not-before, audience. Raises missing_token, invalid_token."""
    token = bearer_token(authorization)
    if token is None:
        raise errors.missing_token()
    try:
        claims = keys.verify(token.decode("latin-1"))
    except JwtError as error:
        raise errors.invalid_token() from error
    if not _is_current(claims, now) or not _audience_fits(claims.get("aud")):
        raise errors.invalid_token()
    role = claims.get("role")
    return Principal(role if isinstance(role, str) else "anon", claims, claims.get("exp"), claims.get("nbf"))


def _is_current(claims: dict[str, Any], now: float) -> bool:
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
