"""Values that `dotenvx` encrypted: `encrypted:` and base64 of ECIES on secp256k1, opened with a private key. Pure.

The layout is that of eciesjs with its defaults: the ephemeral public key (65 bytes, uncompressed), a nonce of 16 bytes,
the tag of 16, the text; AES-256-GCM with a key that HKDF-SHA256 makes of ephemeral key and shared point.
"""

import base64
import binascii
from collections.abc import Iterable, Mapping

PREFIX = "encrypted:"
_FIELD = 2**256 - 2**32 - 977  # of secp256k1
_POINT, _NONCE, _TAG = 65, 16, 16


class DecryptionError(ValueError):
    """No key opens the value; the text says what is wrong with it, and has nothing of it."""


def private_keys(env: Mapping[str, str]) -> list[str]:
    """The keys that dotenvx's variables name: that of the environment first, several separated by commas."""
    name = env.get("SUPABASE_ENV", "")
    found = [env.get(f"DOTENV_PRIVATE_KEY_{name.upper()}", "")] if name else []
    found += [env.get("DOTENV_PRIVATE_KEY", "")]
    found += [value for key, value in sorted(env.items()) if key.startswith("DOTENV_PRIVATE_KEY_")]
    return list(dict.fromkeys(key.strip() for value in found for key in value.split(",") if key.strip()))


def decrypt(value: str, keys: Iterable[str]) -> str:
    """The text of an `encrypted:` value. Raises DecryptionError."""
    try:
        sealed = base64.b64decode(value.removeprefix(PREFIX), validate=True)
    except binascii.Error as error:
        raise DecryptionError("is not base64") from error
    if len(sealed) < _POINT + _NONCE + _TAG:
        raise DecryptionError("is too short")
    tried = False
    for key in keys:
        tried = True
        opened = _open(sealed, key)
        if opened is not None:
            return opened
    raise DecryptionError(
        "can't be decrypted with any of the keys" if tried else "needs the variable DOTENV_PRIVATE_KEY"
    )


def _open(sealed: bytes, key: str) -> str | None:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    point, rest = sealed[:_POINT], sealed[_POINT:]
    nonce, tag, text = rest[:_NONCE], rest[_NONCE : _NONCE + _TAG], rest[_NONCE + _TAG :]
    try:
        ephemeral = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256K1(), point)
        shared = ec.derive_private_key(int(key, 16), ec.SECP256K1()).exchange(ec.ECDH(), ephemeral)
    except ValueError:
        return None
    # An exchange gives the point's x alone, and the key is made of both: one of the two possible y fits.
    x = int.from_bytes(shared)
    y = pow(x**3 + 7, (_FIELD + 1) // 4, _FIELD)
    for each in (y, _FIELD - y):
        secret = point + b"\x04" + shared + each.to_bytes(32)
        made = HKDF(SHA256(), 32, salt=None, info=None).derive(secret)
        try:
            return AESGCM(made).decrypt(nonce, text + tag, None).decode("utf8")
        except (InvalidTag, UnicodeDecodeError):
            continue
    return None
