"""Password hashes of other systems that an admin may import: Argon2 (PHC string) and Firebase's scrypt.

Formats and limits are GoTrue's: `$argon2id$v=19$m=..,t=..,p=..$<salt>$<hash>` and
`$fbscrypt$v=1,n=..,r=..,p=..,ss=<base64>,sk=<base64>$<salt>$<hash>`. Source: RFC 9106; https://github.com/firebase/scrypt.
"""

import base64
import binascii
import hashlib
import hmac
import re
from collections.abc import Callable

PREFIXES = ("$argon2", "$fbscrypt")
MAX_ARGON2_KIB, MAX_ARGON2_TIME, MAX_ARGON2_LANES = 1024 * 1024, 20, 16
MAX_SCRYPT_BYTES = 256 * 1024 * 1024  # GoTrue has no limit here: whoever imports a hash decides how much it takes
_FIREBASE_KEY_BYTES = 32
_ARGON2 = re.compile(
    r"\$(?P<kind>argon2id?|argon2i)\$v=19\$m=(?P<m>\d{1,9}),t=(?P<t>\d{1,9}),p=(?P<p>\d{1,3})\$(?P<salt>[^$]+)\$(?P<hash>.+)"
)
_FIREBASE = re.compile(
    r"\$fbscrypt\$v=1,n=(?P<n>\d{1,3}),r=(?P<r>\d{1,9}),p=(?P<p>\d{1,3})(?:,ss=(?P<ss>[^,]+))?(?:,sk=(?P<sk>[^$]+))?"
    r"\$(?P<salt>[^$]+)\$(?P<hash>.+)"
)

Check = Callable[[bytes], bool]


def parse(text: str) -> Check:
    """A function that says whether a password is the hashed one. Raises ValueError for what GoTrue does not accept."""
    try:
        return _parse_argon2(text) if text.startswith("$argon2") else _parse_firebase(text)
    except binascii.Error as error:
        raise ValueError("not base64") from error


def _parse_argon2(text: str) -> Check:
    found = _ARGON2.fullmatch(text)
    if found is None:
        raise ValueError("not an Argon2 hash")
    memory, time, lanes = int(found["m"]), int(found["t"]), int(found["p"])
    within = memory <= MAX_ARGON2_KIB and 1 <= time <= MAX_ARGON2_TIME and 1 <= lanes <= MAX_ARGON2_LANES
    salt, want = _unpadded(found["salt"]), _unpadded(found["hash"])
    if not within or memory < 8 * lanes or len(salt) < 8 or len(want) < 4:
        raise ValueError("Argon2 parameters out of range")

    def check(password: bytes) -> bool:
        from cryptography.hazmat.primitives.kdf.argon2 import Argon2i, Argon2id  # few stacks import any

        kind = Argon2i if found["kind"] == "argon2i" else Argon2id
        derived = kind(salt=salt, length=len(want), iterations=time, lanes=lanes, memory_cost=memory).derive(password)
        return hmac.compare_digest(derived, want)

    return check


def _parse_firebase(text: str) -> Check:
    found = _FIREBASE.fullmatch(text)
    if found is None:
        raise ValueError("not a Firebase scrypt hash")
    power, rounds, lanes = int(found["n"]), int(found["r"]), int(found["p"])
    if not (1 <= power <= 30 and rounds >= 1 and lanes >= 1) or 128 * (1 << power) * rounds > MAX_SCRYPT_BYTES:
        raise ValueError("scrypt parameters out of range")
    salt, want, separator, signer = (
        base64.b64decode(found[name] or "", validate=True) for name in ("salt", "hash", "ss", "sk")
    )

    def check(password: bytes) -> bool:
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

        key = hashlib.scrypt(
            password, salt=salt + separator, n=1 << power, r=rounds, p=lanes, dklen=_FIREBASE_KEY_BYTES,
            maxmem=2 * MAX_SCRYPT_BYTES,
        )  # fmt: skip
        # The counter starts at nought by Firebase's definition: each key is used for this one text only.
        encryptor = Cipher(algorithms.AES(key), modes.CTR(bytes(16))).encryptor()
        return hmac.compare_digest(encryptor.update(signer) + encryptor.finalize(), want)

    return check


def _unpadded(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
