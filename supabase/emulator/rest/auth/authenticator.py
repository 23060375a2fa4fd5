"""From a bearer token to a Principal, or to the error that PostgREST answers with. Pure but for its cache.

Signatures are checked once per token, expiry on every request.
"""

from typing import Any

from emulator.jwt import (
    BadSignature,
    JwtError,
    KeySet,
    MalformedClaims,
    NoSuitableKey,
    UnsupportedAlgorithm,
    VerifiedTokens,
)
from emulator.principal import Principal
from emulator.rest import errors
from emulator.rest.auth.claim_path import ClaimPath
from emulator.rest.auth.claims import LEEWAY_S, check_claims, read_time


class Authenticator:
    """Verifies tokens with the configured keys; `max_entries` bounds its cache, 0 turns it off."""

    def __init__(
        self,
        secret: bytes | None,
        *,
        audience: str | None = None,
        anon_role: str | None = None,
        role_claim_key: str = "$.role",
        max_entries: int = 1000,
    ) -> None:
        self._keys = KeySet.parse(secret) if secret is not None else None
        self._audience = audience
        self._anon_role = anon_role
        self._role_path = ClaimPath(role_claim_key)
        self.tokens = VerifiedTokens(max_entries)
        self._anonymous = _principal(anon_role, {}) if anon_role else None

    def authenticate(self, authorization: str | None, now: float) -> Principal:
        """Return who sends the request; `now` is a Unix time. Raises PGRST300, 301, 302, 303."""
        scheme, _, token = (authorization or "").partition(" ")
        if scheme.lower() != "bearer":
            if self._anonymous is None:
                raise errors.anonymous_disabled()
            return self._anonymous
        token = token.strip()
        principal = self.tokens.find(token)
        if principal is None:
            return self._authenticate_token(token, now)
        if not _is_current(principal, now):
            check_claims(principal.claims, now, self._audience)
        return principal

    def is_still(self, principal: Principal, now: float) -> bool:
        """Whether `authenticate` would return this, which it returned before, for the same header without verifying."""
        if principal is self._anonymous:
            return True
        if not self.tokens.is_on or not _is_current(principal, now):
            return False
        self.tokens.count_hit()
        return True

    def _authenticate_token(self, token: str, now: float) -> Principal:
        if self._keys is None:
            raise errors.secret_missing()
        claims = _verify(self._keys, token)
        check_claims(claims, now, self._audience)
        role = self._role_path.find(claims)
        if role is None and self._anon_role is None:
            raise errors.anonymous_disabled()
        principal = _principal(role if role is not None else self._anon_role or "", claims)
        self.tokens.keep(token, principal)
        return principal


def _verify(keys: KeySet, token: str) -> dict[str, Any]:
    if not token:
        raise errors.token_undecodable("Empty JWT is sent in Authorization header")
    parts = token.count(".") + 1
    if parts != 3:
        raise errors.token_undecodable(f"Expected 3 parts in JWT; got {parts}")
    try:
        return keys.verify(token, strict_kid=True)
    except JwtError as error:
        raise _to_api_error(error) from error


def _principal(role: str, claims: dict[str, Any]) -> Principal:
    expires_at, not_before, issued_at = (read_time(claims.get(name)) for name in ("exp", "nbf", "iat"))
    beginnings = [time for time in (not_before, issued_at) if time is not None]
    return Principal(role, {**claims, "role": role}, expires_at, max(beginnings, default=None))


def _is_current(principal: Principal, now: float) -> bool:
    if principal.expires_at is not None and now - LEEWAY_S > principal.expires_at:
        return False
    return principal.valid_from is None or now + LEEWAY_S >= principal.valid_from


def _to_api_error(error: JwtError) -> Exception:
    if isinstance(error, NoSuitableKey):
        return errors.token_undecodable(
            "No suitable key or wrong key type", "No suitable key was found to decode the JWT"
        )
    if isinstance(error, BadSignature):
        return errors.token_undecodable(
            "No suitable key or wrong key type", "None of the keys was able to decode the JWT"
        )
    if isinstance(error, UnsupportedAlgorithm) and error.alg == "none":
        return errors.token_undecodable(
            "Wrong or unsupported encoding algorithm", "JWT is unsecured but expected 'alg' was not 'none'"
        )
    if isinstance(error, MalformedClaims):
        return errors.claims_refused("Parsing claims failed")
    # What is no token at all, an unknown algorithm included, is told no further.
    return errors.token_undecodable("JWT cryptographic operation failed")
