"""Bearer tokens and the tokens of signed URLs: verified, and refused in the original's words (those of jose). Pure."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from emulator import jwt
from emulator.principal import Principal

SERVICE_ROLE = "service_role"


class TokenError(Exception):
    """A token that is refused; the text is meant for the client."""


@dataclass(frozen=True)
class Minted:
    """A token that we made."""

    token: str
    expires_at: int


class Tokens:
    """Verifies and makes tokens. `secret` is the shared one; `jwks` a key set as JSON, or ""."""

    def __init__(self, secret: str, jwks: str = "", clock: Callable[[], float] = time.time) -> None:
        self._secret = secret
        self._clock = clock
        shared = jwt.KeySet((jwt.Key(secret.encode(), "HS", None, "HS256"),))
        self._keys = jwt.KeySet.parse(jwks).merged(shared) if jwks else shared
        self._signing = _url_signing_key(jwks)
        self._verified = jwt.VerifiedTokens()

    def principal(self, token: str) -> Principal:
        """Who a bearer token speaks for; without a role it is anon. Raises TokenError."""
        found = self._verified.find(token)
        if found is None:
            claims = self.claims(token)
            role = claims.get("role")
            found = Principal(str(role) if role else "anon", claims, claims.get("exp"), claims.get("nbf"))
            self._verified.keep(token, found)
        else:
            _check_times(found.claims, self._clock())
        return found

    def claims(self, token: str) -> dict[str, Any]:
        """The claims of a token that a key signed and that is valid now. Raises TokenError."""
        try:
            claims = self._keys.verify(token)
        except jwt.MalformedClaims as error:
            raise TokenError("JWT Claims Set must be a top-level JSON object") from error
        except jwt.MalformedToken as error:
            parts = token.split(".")
            whole = len(parts) == 3
            raise TokenError("JWS Protected Header is invalid" if whole else "Invalid Compact JWS") from error
        except (jwt.UnsupportedAlgorithm, jwt.NoSuitableKey) as error:
            raise TokenError('"alg" (Algorithm) Header Parameter value not allowed') from error
        except jwt.BadSignature as error:
            raise TokenError("signature verification failed") from error
        _check_times(claims, self._clock())
        return claims

    def mint(self, claims: Mapping[str, Any], lifetime_s: int) -> Minted:
        """A token of our own for a signed URL."""
        now = int(self._clock())
        whole = {**claims, "iat": now, "exp": now + lifetime_s}
        if self._signing is not None:
            return Minted(jwt.sign(whole, self._signing), now + lifetime_s)
        return Minted(_sign(whole, self._secret), now + lifetime_s)


def _sign(claims: Mapping[str, Any], secret: str) -> str:
    """HS256 whose header names the algorithm alone, as the original's."""
    import base64
    import hmac

    def part(raw: bytes) -> bytes:
        return base64.urlsafe_b64encode(raw).rstrip(b"=")

    text = json.dumps(claims, ensure_ascii=False, separators=(",", ":")).encode()
    signed = part(b'{"alg":"HS256"}') + b"." + part(text)
    return (signed + b"." + part(hmac.digest(secret.encode(), signed, "sha256"))).decode()


def _url_signing_key(jwks: str) -> Mapping[str, Any] | None:
    """The key of the set that is meant for URLs; None: the shared secret signs them."""
    if not jwks:
        return None
    found: Mapping[str, Any] | None = json.loads(jwks).get("urlSigningKey")
    return found


def _check_times(claims: Mapping[str, Any], now: float) -> None:
    for name in ("nbf", "exp"):
        value = claims.get(name)
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise TokenError(f'"{name}" claim must be a number')
        if (now < int(value)) if name == "nbf" else (int(value) <= int(now)):
            raise TokenError(f'"{name}" claim timestamp check failed')


def bearer(authorization: str) -> str:
    """The token of an Authorization header; the scheme may be missing."""
    if authorization[:7].lower() == "bearer ":
        return authorization[7:].strip()
    return authorization.strip()
