"""The keys that sign and verify access tokens (GOTRUE_JWT_SECRET, GOTRUE_JWT_KEYS)."""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from emulator.auth import errors
from emulator.auth.conf.jwt import JwtSettings
from emulator.jwt import (
    BadSignature,
    Claims,
    JwtError,
    Key,
    KeySet,
    NoSuitableKey,
    UnsupportedAlgorithm,
    VerifiedTokens,
    sign,
)
from emulator.principal import Principal

_PUBLIC_MEMBERS = ("kty", "kid", "alg", "crv", "x", "y", "n", "e")
_ALG_OF_CURVE = {"P-256": "ES256", "P-384": "ES384", "P-521": "ES512", "Ed25519": "EdDSA"}


@dataclass(frozen=True)
class Keyring:
    """The signing key and all that verify. Without JWT_KEYS the secret does both, as HS256."""

    secret: str
    signing: Mapping[str, Any] | None
    key_id: str
    by_kid: Mapping[str, KeySet]
    fallback: KeySet
    methods: frozenset[str]
    public: tuple[Mapping[str, Any], ...]
    _verified: VerifiedTokens = field(default_factory=VerifiedTokens, compare=False, repr=False)

    @classmethod
    def from_settings(cls, settings: JwtSettings) -> "Keyring":
        """Raises ValueError for an unusable key."""
        with_alg = [{**key, "alg": key.get("alg") or _algorithm(key)} for key in settings.keys]
        signing = next((key for key in with_alg if "sign" in key.get("key_ops", ())), None)
        by_kid = {str(key["kid"]): KeySet.parse(_as_json(key)) for key in with_alg if key.get("kid")}
        fallback = KeySet((Key(settings.secret.encode(), "HS", None, "HS256"),))
        if not with_alg and settings.key_id:
            by_kid[settings.key_id] = fallback
        methods = frozenset(settings.valid_methods) or frozenset({"HS256", *(str(key["alg"]) for key in with_alg)})
        public = tuple(public_jwk(key) for key in with_alg if key.get("kty") != "oct")
        return cls(settings.secret, signing, settings.key_id, by_kid, fallback, methods, public)

    @property
    def is_asymmetric(self) -> bool:
        """Whether others can verify what is signed, by the public key set."""
        return self.signing is not None and self.signing.get("kty") != "oct"

    def sign(self, claims: Claims) -> str:
        """A signed token."""
        if self.signing is not None:
            return sign(claims, self.signing)
        return sign(claims, self.secret, {"kid": self.key_id} if self.key_id else None)

    def verify(self, token: str, now: datetime) -> Principal:
        """Who a token is for, its signature and times verified; raises bad_jwt with golang-jwt's details."""
        principal = self._verified.find(token)
        if principal is None:
            claims = self._verify_signature(token)
            role = claims.get("role")
            principal = Principal(role if isinstance(role, str) else "", claims, claims.get("exp"), claims.get("nbf"))
            self._verified.keep(token, principal)
        _check_times(principal.claims, now.timestamp())
        return principal

    def _verify_signature(self, token: str) -> Claims:
        header = _header(token)
        alg = header.get("alg")
        if not isinstance(alg, str) or alg not in self.methods:  # a list can't even be looked up
            raise errors.bad_jwt(f"token signature is invalid: signing method {alg} is invalid")
        keys = self.by_kid.get(str(header["kid"]), self.fallback) if header.get("kid") else self.fallback
        try:
            return keys.verify(token)
        except (NoSuitableKey, UnsupportedAlgorithm):
            raise errors.bad_jwt(
                "token is unverifiable: error while executing keyfunc: unrecognized JWT kid for this algorithm"
            ) from None
        except BadSignature:
            raise errors.bad_jwt("token signature is invalid: signature is invalid") from None
        except JwtError as error:
            raise errors.bad_jwt(f"token is malformed: {error}") from None


def _header(token: str) -> dict[str, Any]:
    parts = token.split(".")
    if len(parts) != 3:
        raise errors.bad_jwt("token is malformed: token contains an invalid number of segments")
    try:
        header = json.loads(base64.urlsafe_b64decode(parts[0] + "=" * (-len(parts[0]) % 4)))
    except (ValueError, RecursionError):
        raise errors.bad_jwt("token is malformed: could not base64 decode header") from None
    if not isinstance(header, dict):
        raise errors.bad_jwt("token is malformed: could not JSON decode header")
    return header


def _check_times(claims: Mapping[str, Any], now: float) -> None:
    for name, message in (("exp", "token is expired"), ("nbf", "token is not valid yet")):
        value = claims.get(name)
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise errors.bad_jwt(f"token has invalid claims: {name} is invalid")
        if (now >= value) if name == "exp" else (now < value):
            raise errors.bad_jwt(f"token has invalid claims: {message}")


def _as_json(key: Mapping[str, Any]) -> str:
    return json.dumps(dict(key))


def _algorithm(key: Mapping[str, Any]) -> str:
    kinds = {"oct": "HS256", "RSA": "RS256"}
    return kinds.get(str(key.get("kty"))) or _ALG_OF_CURVE.get(str(key.get("crv")), "ES256")


def public_jwk(key: Mapping[str, Any]) -> dict[str, Any]:
    """The public part of a private JWK."""
    members = {name: key[name] for name in _PUBLIC_MEMBERS if name in key}
    return {**members, "use": "sig", "key_ops": ["verify"]}
