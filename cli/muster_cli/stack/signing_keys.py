"""The key set of a project's stack: what signs users' tokens, and what everybody verifies tokens with."""

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from muster_cli.output import UserError
from muster_cli.project.config import ProjectConfig
from muster_cli.stack.secrets import write_private

_PRIVATE = ("d", "p", "q", "dp", "dq", "qi", "oth")
Jwk = dict[str, Any]


@dataclass(frozen=True)
class KeySets:
    """`signing`: private keys, the first of which signs. `are_own`: they are the project's, from its file."""

    signing: tuple[Jwk, ...]
    are_own: bool

    def signing_text(self) -> str:
        """As GOTRUE_JWT_KEYS: the first key signs, the others verify."""
        marked = [
            {**key, "key_ops": ["verify"] if index else ["sign", "verify"]} for index, key in enumerate(self.signing)
        ]
        return json.dumps(marked)

    def verifying_text(self, secret: str, others: tuple[Jwk, ...] = ()) -> str:
        """The JWKS for every service: keys of others, public halves of ours, and the shared secret.

        A project with signing keys of its own has left the shared secret behind.
        """
        public = [{name: value for name, value in key.items() if name not in _PRIVATE} for key in self.signing]
        for key in public:
            key["key_ops"] = ["verify"]
        encoded = base64.urlsafe_b64encode(secret.encode()).rstrip(b"=").decode()
        shared = [] if self.are_own else [{"kty": "oct", "k": encoded}]
        return json.dumps({"keys": [*others, *public, *shared]})


def read_keys(config: ProjectConfig, home: Path) -> KeySets:
    """The project's own signing keys, or the one that this stack made at its first start. Raises UserError."""
    path = config.auth.signing_keys_path
    if path:
        own = _parse((config.root / path).read_text("utf8"), config.root / path)
        if own:  # an empty list is as none, for the official CLI too
            return KeySets(own, are_own=True)
    file = home / "signing-keys.json"
    if not file.exists():
        write_private(file.with_suffix(".partial"), json.dumps([generate_key()])).rename(file)
    return KeySets(_parse(file.read_text("utf8"), file), are_own=False)


def _parse(text: str, file: Path) -> tuple[Jwk, ...]:
    try:
        found = json.loads(text)
        keys = tuple(dict(key) for key in (found["keys"] if isinstance(found, dict) else found))
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(f"{file} is not a JSON list of private keys") from error
    if not all(key.get("kty") in ("EC", "RSA") and "d" in key for key in keys):
        raise UserError(f"{file} may only have private keys, EC or RSA (muster gen signing-key makes one)")
    return keys


def generate_key(algorithm: str = "ES256") -> Jwk:
    """A new private key, with its thumbprint (RFC 7638) as id. Raises UserError for an algorithm that is unknown."""
    import hashlib

    from cryptography.hazmat.primitives.asymmetric import ec, rsa

    if algorithm == "ES256":
        of_curve = ec.generate_private_key(ec.SECP256R1()).private_numbers()
        point = of_curve.public_numbers
        public = {"crv": "P-256", "kty": "EC", "x": _encode(point.x, 32), "y": _encode(point.y, 32)}
        private = {"d": _encode(of_curve.private_value, 32)}
    elif algorithm == "RS256":
        of_rsa = rsa.generate_private_key(public_exponent=65537, key_size=2048).private_numbers()
        public = {"e": _encode(of_rsa.public_numbers.e), "kty": "RSA", "n": _encode(of_rsa.public_numbers.n)}
        names = ("d", "p", "q", "dmp1", "dmq1", "iqmp")
        private = {
            {"dmp1": "dp", "dmq1": "dq", "iqmp": "qi"}.get(name, name): _encode(getattr(of_rsa, name)) for name in names
        }
    else:
        raise UserError(f"--algorithm is ES256 or RS256, not {algorithm!r}", 2)
    digest = hashlib.sha256(json.dumps(public, separators=(",", ":"), sort_keys=True).encode()).digest()
    kid = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
    return {**public, **private, "kid": kid, "alg": algorithm, "use": "sig"}


def _encode(number: int, length: int | None = None) -> str:
    return base64.urlsafe_b64encode(number.to_bytes(length or (number.bit_length() + 7) // 8)).rstrip(b"=").decode()


def signing_key_of(sets: KeySets) -> Mapping[str, Any] | None:
    """What signs the role keys: the first of the project's own; None where the shared secret does."""
    return sets.signing[0] if sets.are_own else None
