"""Who asks: a bearer token becomes a role and claims, or a refusal in the dialect's words. Pure but for its cache.

Signatures are checked once per token; what depends on time is checked on every request.
"""

import json
from dataclasses import dataclass
from typing import Any

from emulator.jwt import (
    BadSignature,
    JwtError,
    KeySet,
    MalformedClaims,
    MalformedToken,
    NoSuitableKey,
    UnsupportedAlgorithm,
)
from emulator.rest import errors
from emulator.rest.auth.claim_path import ClaimPath
from emulator.rest.settings import RestSettings

LEEWAY_S = 30
_TIMES = ("exp", "nbf", "iat")


@dataclass(frozen=True, slots=True, eq=False)
class Caller:
    """A role to become, and the claims as SQL will read them."""

    role: str
    claims: bytes
    is_anonymous: bool
    expires_at: int | None = None
    valid_from: int | None = None


class Authenticator:
    """Knows the keys; remembers tokens it has seen, up to a number of them."""

    def __init__(self, settings: RestSettings) -> None:
        secret = settings.jwt_secret
        self._keys = KeySet.parse(secret) if secret is not None else None
        self._audience = settings.jwt_aud
        self._anon_role = settings.db_anon_role
        self._role_path = ClaimPath(settings.jwt_role_claim_key)
        self._max_entries = settings.jwt_cache_max_entries
        self._verified: dict[str, dict[str, Any]] = {}
        self._callers: dict[str, Caller] = {}
        self.lookups = self.hits = 0
        self._anonymous = self._become(settings.db_anon_role, {}) if settings.db_anon_role else None

    def authenticate(self, authorization: str | None, now: float) -> Caller:
        """Return who asks; `now` is in seconds since 1970. Raises PGRST300, 301, 302, 303."""
        scheme, _, token = (authorization or "").partition(" ")
        if scheme.lower() != "bearer":
            if self._anonymous is None:
                raise errors.anonymous_disabled()
            return self._anonymous
        self.lookups += 1
        caller = self._callers.get(token)
        if caller is not None and _is_current(caller, now):
            self.hits += 1
            return caller
        return self._admit(token.strip(), now)

    def _admit(self, token: str, now: float) -> Caller:
        if self._keys is None:
            raise errors.secret_missing()
        claims = self._verify(token)
        check_claims(claims, now, self._audience)
        role = self._role_path.find(claims)
        if role is None and self._anon_role is None:
            raise errors.anonymous_disabled()
        caller = self._become(role if role is not None else self._anon_role or "", claims)
        self._remember(self._callers, token, caller)
        return caller

    def _verify(self, token: str) -> dict[str, Any]:
        known = self._verified.get(token)
        if known is not None:
            return known
        assert self._keys is not None
        if not token:
            raise errors.token_undecodable("Empty JWT is sent in Authorization header")
        parts = token.count(".") + 1
        if parts != 3:
            raise errors.token_undecodable(f"Expected 3 parts in JWT; got {parts}")
        try:
            claims = self._keys.verify(token, strict_kid=True)
        except JwtError as error:
            raise _refusal(error) from error
        self._remember(self._verified, token, claims)
        return claims

    def _remember(self, cache: dict[str, Any], token: str, value: Any) -> None:
        if self._max_entries == 0:
            return
        if len(cache) >= self._max_entries:
            del cache[next(iter(cache))]
        cache[token] = value

    def _become(self, role: str, claims: dict[str, Any]) -> Caller:
        text = json.dumps({**claims, "role": role}, ensure_ascii=False, separators=(",", ":"))
        expires, starts, issued = (_number(claims.get(name)) for name in _TIMES)
        starting = [time for time in (starts, issued) if time is not None]
        return Caller(
            role, text.encode("utf-8", "replace"), role == self._anon_role, expires, max(starting) if starting else None
        )


def _is_current(caller: Caller, now: float) -> bool:
    if caller.expires_at is not None and now - LEEWAY_S > caller.expires_at:
        return False
    return caller.valid_from is None or now + LEEWAY_S >= caller.valid_from


def _refusal(error: JwtError) -> Exception:
    if isinstance(error, NoSuitableKey):
        return errors.token_undecodable(
            "No suitable key or wrong key type", "No suitable key was found to decode the JWT"
        )
    if isinstance(error, BadSignature):
        return errors.token_undecodable(
            "No suitable key or wrong key type", "None of the keys was able to decode the JWT"
        )
    if isinstance(error, UnsupportedAlgorithm):
        details = str(error)
        if "'none'" in details:
            details = "JWT is unsecured but expected 'alg' was not 'none'"
        return errors.token_undecodable("Wrong or unsupported encoding algorithm", details)
    if isinstance(error, MalformedClaims):
        return errors.claims_refused("Parsing claims failed")
    if isinstance(error, MalformedToken):
        return errors.token_undecodable("JWT couldn't be decoded", str(error))
    return errors.token_undecodable("JWT cryptographic operation failed", str(error))


def check_claims(claims: dict[str, Any], now: float, audience: str | None) -> None:
    """Judge exp, nbf, iat, aud, in this order. Raises claims_refused (PGRST303)."""
    expires = _checked_number(claims, "exp")
    if expires is not None and now - LEEWAY_S > expires:
        raise errors.claims_refused("JWT expired")
    starts = _checked_number(claims, "nbf")
    if starts is not None and now + LEEWAY_S < starts:
        raise errors.claims_refused("JWT not yet valid")
    issued = _checked_number(claims, "iat")
    if issued is not None and now + LEEWAY_S < issued:
        raise errors.claims_refused("JWT issued at future")
    found = claims.get("aud")
    names = [found] if isinstance(found, str) else found
    if found is not None and not (isinstance(names, list) and all(isinstance(name, str) for name in names)):
        raise errors.claims_refused("The JWT 'aud' claim must be a string or an array of strings")
    if audience is not None and names and audience not in names:
        raise errors.claims_refused("JWT not in audience")


def _checked_number(claims: dict[str, Any], name: str) -> int | None:
    value = claims.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise errors.claims_refused(f"The JWT '{name}' claim must be a number")
    return _number(value)


def _number(value: Any) -> int | None:
    """Return a time; a fractional one counts as 0, as it does upstream."""
    if value is None or isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return int(value) if value == int(value) else 0
