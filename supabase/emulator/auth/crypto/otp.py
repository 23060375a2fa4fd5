"""One-time codes, their hashes, and refresh tokens."""

import hashlib
import hmac
import secrets
import string
from collections.abc import Callable

PKCE_PREFIX = "pkce_"
_REFRESH_ALPHABET = string.ascii_lowercase + "234567"
REFRESH_TOKEN_LENGTH = 12


def make_otp(length: int, below: Callable[[int], int] = secrets.randbelow) -> str:
    """Decimal digits, zero padded."""
    return str(below(10**length)).zfill(length)


def hash_otp(address: str, otp: str) -> str:
    """What is stored, and linked in mails: SHA-224 over address and code, 56 hex digits."""
    return hashlib.sha224((address + otp).encode()).hexdigest()


def matches(stored: str | None, address: str, otp: str) -> bool:
    """Whether a typed code is the stored one, with or without the PKCE prefix; in constant time."""
    if not stored:
        return False
    want = hash_otp(address, otp)
    return hmac.compare_digest(stored.removeprefix(PKCE_PREFIX).encode(), want.encode())


def make_refresh_token() -> str:
    """Twelve characters of a-z2-7: 60 bits."""
    return "".join(secrets.choice(_REFRESH_ALPHABET) for _ in range(REFRESH_TOKEN_LENGTH))
