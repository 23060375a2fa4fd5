"""What the claims of a verified token must say about time and audience. Pure.

Source: PostgREST reference, "JWT Claims Validation".
"""

from collections.abc import Mapping
from typing import Any

from emulator.rest import errors

# How far clocks may differ.
LEEWAY_S = 30


def check_claims(claims: Mapping[str, Any], now: float, audience: str | None) -> None:
    """Check exp, nbf, iat, aud, in this order; `now` is a Unix time. Raises claims_refused (PGRST303)."""
    expires = _checked_time(claims, "exp")
    if expires is not None and now - LEEWAY_S > expires:
        raise errors.claims_refused("JWT expired")
    starts = _checked_time(claims, "nbf")
    if starts is not None and now + LEEWAY_S < starts:
        raise errors.claims_refused("JWT not yet valid")
    issued = _checked_time(claims, "iat")
    if issued is not None and now + LEEWAY_S < issued:
        raise errors.claims_refused("JWT issued at future")
    found = claims.get("aud")
    names = [found] if isinstance(found, str) else found
    if found is not None and not (isinstance(names, list) and all(isinstance(name, str) for name in names)):
        raise errors.claims_refused("The JWT 'aud' claim must be a string or an array of strings")
    if audience is not None and names and audience not in names:
        raise errors.claims_refused("JWT not in audience")


def _checked_time(claims: Mapping[str, Any], name: str) -> int | None:
    value = claims.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise errors.claims_refused(f"The JWT '{name}' claim must be a number")
    return read_time(value)


def read_time(value: Any) -> int | None:
    """Return the Unix time of a claim, None for anything else; a fractional one counts as 0, as in PostgREST."""
    if value is None or isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return int(value) if value == int(value) else 0
