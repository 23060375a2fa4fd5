"""Who sends a push: RFC 8292. The keys are generated with the stack's other secrets. Pure; the time is an argument."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from emulator import jwt
from muster_functions.push.encryption import base64url, from_base64url

TOKEN_S = 12 * 3600  # push services refuse more than a day


@dataclass(frozen=True)
class VapidKeys:
    """The raw private key (32 bytes) and the uncompressed public point (65 bytes), both in base64url."""

    public: str
    private: str

    def __repr__(self) -> str:
        return f"VapidKeys({self.public!r})"


def authorization(endpoint: str, keys: VapidKeys, subject: str, now: int) -> str:
    """The Authorization header for a push service: it may ask `subject` (mailto: or https:) about what we send."""
    service = urlsplit(endpoint)
    point = from_base64url(keys.public)
    jwk = {
        "kty": "EC", "crv": "P-256", "alg": "ES256", "d": keys.private,
        "x": base64url(point[1:33]), "y": base64url(point[33:]),
    }  # fmt: skip
    claims = {"aud": f"{service.scheme}://{service.netloc}", "exp": now + TOKEN_S, "sub": subject}
    return f"vapid t={jwt.sign(claims, jwk)}, k={keys.public}"
