"""Tokens of sockets and channels: text to the principal they stand for. The clock is handed in."""

import math
from collections.abc import Mapping
from typing import TypeGuard
from urllib.parse import unquote

from emulator.jwt import BadSignature, JwtError, KeySet, MalformedToken, NoSuitableKey, UnsupportedAlgorithm
from emulator.principal import Principal
from emulator.realtime import errors

NO_CLAIMS: Mapping[str, object] = {}
MAX_SKEW_S = 30  # of clocks, as the REST service allows


def read_token(text: str, keys: KeySet, now: float, required: Mapping[str, object] = NO_CLAIMS) -> Principal:
    """The principal of a token that has the `required` claims; raises errors.Refused with the original's reason."""
    token = "".join(unquote(text).split())
    try:
        claims = keys.verify(token)
    except MalformedToken as error:
        raise errors.token_malformed() from error
    except UnsupportedAlgorithm as error:
        raise errors.token_signer() from error
    except (BadSignature, NoSuitableKey) as error:
        raise errors.token_signature() from error
    except JwtError as error:
        raise errors.token_malformed() from error
    role, expires_at, issued_at = claims.get("role"), claims.get("exp"), claims.get("iat")
    if not isinstance(role, str) or expires_at is None:
        raise errors.token_lacks_fields()
    if not _is_number(expires_at) or not (issued_at is None or _is_number(issued_at)):
        raise errors.token_time_invalid()
    if any(claims.get(name) != value for name, value in required.items()):
        raise errors.token_malformed()
    not_before = claims.get("nbf")
    if _is_number(not_before) and not_before > now + MAX_SKEW_S:
        raise errors.token_not_yet_valid()
    principal = Principal(role, claims, float(expires_at))
    check_expiry(principal, now)
    return principal


def remaining_s(principal: Principal, now: float) -> float:
    """For how many seconds a token still holds; `now` is Unix time."""
    return math.inf if principal.expires_at is None else principal.expires_at - now


def check_expiry(principal: Principal, now: float) -> None:
    """Raises errors.Refused when the token has expired."""
    remaining = remaining_s(principal, now)
    if remaining <= 0:
        raise errors.token_expired(int(-remaining))


def is_opaque(token: object) -> bool:
    """Whether this is no token at all but an API key that the gateway has mapped already."""
    return isinstance(token, str) and token.startswith("sb_")


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
