"""JSON Web Tokens: one secret or a key set in, verified claims out.

Only form and signature are verified here. Expiry, audience, roles and the words of a refusal differ between the
protocols and stay with them. Pure: no clock, no I/O; VerifiedTokens alone remembers.

PyJWT does what concerns keys in pairs. It is imported with the first token for one of them, because it loads
cryptography (9 MiB, 50 ms), which a shared secret does not need: HMAC is in the standard library. A project has
a P-256 key that few of its tokens are signed with; that it is one is checked here.
"""

import base64
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any

from emulator.json_object import read_json_object
from emulator.principal import Principal

Claims = dict[str, Any]

SUPPORTED = (
    "HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "EdDSA",
)  # fmt: skip
_DIGESTS = {"HS256": "sha256", "HS384": "sha384", "HS512": "sha512"}
_P256 = 2**256 - 2**224 + 2**192 + 2**96 - 1
_P256_B = 0x5AC635D8_AA3A93E7_B3EBBD55_769886BC_651D06B0_CC53B0F6_3BCE3C3E_27D2604B
MAX_KEPT_CHARS = 8_192
_FAMILY = {"oct": "HS", "RSA": "RS", "EC": "ES", "OKP": "Ed"}


class JwtError(Exception):
    """A token that can't be trusted. Subclasses say why; str() is a short English reason."""


class MalformedToken(JwtError):
    """Not three base64url parts, or the header is no JSON object. `parts` counts the parts."""

    def __init__(self, reason: str, parts: int = 3) -> None:
        super().__init__(reason)
        self.parts = parts


class MalformedClaims(MalformedToken):
    """A key signed it, but its payload is no JSON object."""


class UnsupportedAlgorithm(JwtError):
    """`alg` is missing, `none`, or not one of SUPPORTED."""

    def __init__(self, alg: object) -> None:
        super().__init__(f"unsupported algorithm {alg!r}")
        self.alg = alg


class NoSuitableKey(JwtError):
    """No key of the set fits the token's `kid` and `alg`."""


class BadSignature(JwtError):
    """A key fits, but did not make the signature."""


class PublicKey:
    """The public half of a JWK, which is known to be one."""

    def __init__(self, jwk: Mapping[str, Any]) -> None:
        self._jwk = jwk

    @cached_property
    def key(self) -> Any:
        """As cryptography has it. Raises ValueError for an unusable key."""
        import jwt as pyjwt

        try:
            return pyjwt.PyJWK(dict(self._jwk), algorithm=self._jwk.get("alg") or None).key
        except pyjwt.PyJWTError as error:
            raise ValueError(f"unusable key: {error}") from error


@dataclass(frozen=True)
class Key:
    """One verification key: the JWK's public half, or the bytes of a shared secret."""

    material: Any
    family: str
    kid: str | None = None
    alg: str | None = None

    def fits(self, alg: str, kid: str | None) -> bool:
        """Whether this key may verify a token with that header."""
        if kid is not None and self.kid is not None and kid != self.kid:
            return False
        return alg.startswith(self.family) and self.alg in (None, alg)


@dataclass(frozen=True)
class KeySet:
    """The keys a service trusts.

    `strict_kid`: a token that names a `kid` needs a key of that very `kid` (PostgREST's rule). Otherwise keys without
    a `kid` are tried too (Realtime's rule for the shared secret).
    """

    keys: tuple[Key, ...]

    @classmethod
    def parse(cls, secret: str | bytes) -> "KeySet":
        """Read a plain secret, a JWK or a JWK set (JSON text). Raises ValueError for an unusable key."""
        text = secret.decode("utf-8", "surrogateescape") if isinstance(secret, bytes) else secret
        raw = secret if isinstance(secret, bytes) else secret.encode()
        document = read_json_object(text)
        if document is None:
            return cls((Key(raw, "HS"),))
        entries = document.get("keys", [document])
        return cls(tuple(_read_jwk(entry) for entry in entries))

    def merged(self, other: "KeySet") -> "KeySet":
        """Both sets as one; this set's keys are tried first."""
        return KeySet(self.keys + other.keys)

    def verify(self, token: str, *, strict_kid: bool = False) -> Claims:
        """Return the claims of a token signed by one of the keys; raises a JwtError."""
        header, payload, signing_input, signature = _split(token)
        alg, kid = header.get("alg"), header.get("kid")
        if not isinstance(alg, str) or alg not in SUPPORTED:
            raise UnsupportedAlgorithm(alg)
        kid = kid if isinstance(kid, str) else None
        fitting = [key for key in self.keys if key.fits(alg, kid)]
        if strict_kid and kid is not None:
            fitting = [key for key in fitting if key.kid == kid]
        if not fitting:
            raise NoSuitableKey("no suitable key")
        if not any(_is_signature(signature, signing_input, alg, key.material) for key in fitting):
            raise BadSignature("signature is invalid")
        claims = read_json_object(payload)
        if claims is None:
            raise MalformedClaims("payload must be a JSON object")
        return claims


class VerifiedTokens:
    """Whom tokens stand for whose signature was verified, so that none is verified twice; the oldest goes first.

    The times of a token are checked whenever it is used, by who asks. A change of keys makes a new one.
    """

    def __init__(self, most: int = 1_000) -> None:
        self._most = most  # 0: none
        self._principals: dict[str, Principal] = {}
        self.lookups = self.hits = 0

    @property
    def is_on(self) -> bool:
        """Whether any is kept."""
        return self._most > 0

    def count_hit(self) -> None:
        """Count a token that need not be looked up, as it came with what else is known."""
        self.lookups += 1
        self.hits += 1

    def find(self, token: str) -> Principal | None:
        """The principal that was kept: the same object each time."""
        self.lookups += 1
        found = self._principals.get(token)
        if found is not None:
            self.hits += 1
        return found

    def keep(self, token: str, principal: Principal) -> None:
        """Remember a token that a key has signed, unless it is long."""
        if self._most == 0 or len(token) > MAX_KEPT_CHARS:
            return
        if len(self._principals) >= self._most:
            del self._principals[next(iter(self._principals))]
        self._principals[token] = principal


def read_header(token: str) -> dict[str, Any]:
    """The header of a token that nobody has verified yet. Raises MalformedToken."""
    return _split(token)[0]


def sign(
    claims: Mapping[str, Any], key: str | bytes | Mapping[str, Any], headers: Mapping[str, Any] | None = None
) -> str:
    """Sign claims with a shared secret (HS256) or a private JWK (its `alg`, or the usual one of its type)."""
    if isinstance(key, (str, bytes)):
        return _sign_hs256(claims, key.encode() if isinstance(key, str) else key, headers or {})
    import jwt as pyjwt

    jwk = _read_private_jwk(json.dumps(dict(key)))
    named = {"kid": key["kid"]} if "kid" in key else {}
    return pyjwt.encode(dict(claims), jwk.key, algorithm=jwk.algorithm_name, headers={**named, **(headers or {})})


@lru_cache(maxsize=16)  # an RSA key is checked when it is read, which takes 45 ms; a signature takes one
def _read_private_jwk(text: str) -> Any:
    import jwt as pyjwt

    return pyjwt.PyJWK.from_json(text)


def _sign_hs256(claims: Mapping[str, Any], secret: bytes, headers: Mapping[str, Any]) -> str:
    parts = {"alg": "HS256", **headers, "typ": "JWT"}, dict(claims)
    signing_input = b".".join(_base64url(json.dumps(part, separators=(",", ":")).encode()) for part in parts)
    return f"{signing_input.decode()}.{_base64url(hmac.digest(secret, signing_input, 'sha256')).decode()}"


def _is_signature(signature: bytes, signing_input: bytes, alg: str, material: Any) -> bool:
    digest = _DIGESTS.get(alg)
    if digest is not None:
        return hmac.compare_digest(signature, hmac.digest(material, signing_input, digest))
    key = material.key if isinstance(material, PublicKey) else material
    return bool(_algorithms()[alg].verify(signing_input, key, signature))


@cache
def _algorithms() -> dict[str, Any]:
    from jwt.algorithms import get_default_algorithms

    return get_default_algorithms()


def _read_jwk(entry: Mapping[str, Any]) -> Key:
    family = _FAMILY.get(str(entry.get("kty")))
    if family is None:
        raise ValueError(f"unsupported key type {entry.get('kty')!r}")
    alg, kid = entry.get("alg"), entry.get("kid")
    material = _read_secret(entry) if family == "HS" else _read_public_key(entry)
    return Key(material, family, kid if isinstance(kid, str) else None, alg if isinstance(alg, str) else None)


def _read_secret(entry: Mapping[str, Any]) -> bytes:
    """The bytes of a shared secret (RFC 7518, section 6.4)."""
    if entry.get("alg") and entry["alg"] not in _DIGESTS:
        raise ValueError(f"unusable key: a shared secret is not for {entry['alg']}")
    value = entry.get("k")
    if not isinstance(value, str):
        raise ValueError("unusable key: a shared secret without k")
    try:
        return _part(value)
    except MalformedToken as error:
        raise ValueError("unusable key: k is not in base64url") from error


def _read_public_key(entry: Mapping[str, Any]) -> PublicKey:
    private = ("d", "p", "q", "dp", "dq", "qi", "key_ops")
    read = PublicKey({name: value for name, value in entry.items() if name not in private})
    if not _is_on_p256(entry):
        _ = read.key  # raises for what is none
    return read


def _is_on_p256(entry: Mapping[str, Any]) -> bool:
    """Whether a JWK is a point of P-256 (FIPS 186-4, D.1.2.3), for ES256 or nothing said."""
    if (entry.get("kty"), entry.get("crv"), entry.get("alg") or "ES256") != ("EC", "P-256", "ES256"):
        return False
    try:
        x, y = (_part(entry.get(name, "").rstrip("=")) for name in ("x", "y"))
    except (MalformedToken, AttributeError):
        return False
    if len(x) != 32 or len(y) != 32:
        return False
    across, up = int.from_bytes(x), int.from_bytes(y)
    return max(across, up) < _P256 and (up * up - across**3 + 3 * across - _P256_B) % _P256 == 0


def _split(token: str) -> tuple[dict[str, Any], bytes, bytes, bytes]:
    """Header, payload as it is, what was signed, signature. Raises MalformedToken."""
    parts = token.split(".")
    if len(parts) != 3:
        raise MalformedToken("token contains an invalid number of segments", len(parts))
    header = read_json_object(_part(parts[0]))
    if header is None:
        raise MalformedToken("header must be a JSON object")
    return header, _part(parts[1]), f"{parts[0]}.{parts[1]}".encode(), _part(parts[2])


def _part(text: str) -> bytes:
    try:
        return base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (ValueError, UnicodeEncodeError) as error:
        raise MalformedToken("could not base64 decode") from error


def _base64url(raw: bytes) -> bytes:
    return base64.urlsafe_b64encode(raw).rstrip(b"=")
