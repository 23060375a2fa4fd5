"""A push as only the browser that subscribed can read it: RFC 8291, in one record of RFC 8188 (aes128gcm). Pure.

cryptography is imported with the first push, as everywhere (emulator.jwt says why).
"""

import base64
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

POINT_BYTES, SECRET_BYTES, SALT_BYTES = 65, 16, 16
RECORD_BYTES = 4096  # what every push service takes (RFC 8030, section 7.2)
LONGEST = RECORD_BYTES - SALT_BYTES - 5 - POINT_BYTES - 17
STEP = 512  # padded to a multiple of it: its length tells a push service little
_BASE64URL = re.compile(r"[A-Za-z0-9_-]*")


class UnusableKeys(ValueError):
    """The keys of a subscription are no point of P-256 and no secret of 16 bytes."""


def base64url(data: bytes) -> str:
    """Without padding, as in RFC 7515."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text: str) -> bytes:
    """The bytes of base64url without padding. Raises ValueError."""
    if not _BASE64URL.fullmatch(text):
        raise ValueError("not base64url")
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encrypt(
    payload: bytes, p256dh: str, auth: str, *, salt: bytes, sender: "EllipticCurvePrivateKey", step: int = STEP
) -> bytes:
    """The body of the request. `salt` (16 random bytes) and `sender` are for this push alone.

    Raises UnusableKeys; ValueError for a payload of over LONGEST bytes.
    """
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    if len(payload) > LONGEST:
        raise ValueError(f"a push of {len(payload)} bytes")
    try:
        point, secret = from_base64url(p256dh), from_base64url(auth)
        receiver = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError as error:
        raise UnusableKeys(str(error)) from error
    if len(point) != POINT_BYTES or len(secret) != SECRET_BYTES:
        raise UnusableKeys("of a wrong length")
    own = sender.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def derive(key: bytes, salt: bytes, info: bytes, length: int) -> bytes:
        return HKDF(SHA256(), length, salt, info).derive(key)

    shared = derive(sender.exchange(ec.ECDH(), receiver), secret, b"WebPush: info\0" + point + own, 32)
    key = derive(shared, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = derive(shared, salt, b"Content-Encoding: nonce\0", 12)
    padded = (payload + b"\x02").ljust(min(LONGEST + 1, -(-(len(payload) + 1) // step) * step), b"\0")
    header = salt + RECORD_BYTES.to_bytes(4, "big") + bytes([POINT_BYTES]) + own
    return header + AESGCM(key).encrypt(nonce, padded, None)
