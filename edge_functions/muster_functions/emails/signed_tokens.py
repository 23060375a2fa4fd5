"""Tokens of the links in mails: a few bytes and their signature, in letters that stand in a URL as they are. Pure.

The key is derived for each purpose, so that a link does one thing only and is never a token for the API.
"""

import base64
import binascii
import hashlib
import hmac

TAG_BYTES = 16


def write(payload: bytes, purpose: bytes, secret: str) -> str:
    """The payload, signed."""
    return base64.urlsafe_b64encode(payload + _tag(payload, purpose, secret)).rstrip(b"=").decode()


def read(token: str, length: int, purpose: bytes, secret: str) -> bytes | None:
    """The payload of that length; None unless it was signed for this purpose with this secret."""
    try:
        raw = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        return None
    payload, tag = raw[:-TAG_BYTES], raw[-TAG_BYTES:]
    signed = len(payload) == length and hmac.compare_digest(tag, _tag(payload, purpose, secret))
    return payload if signed else None


def _tag(payload: bytes, purpose: bytes, secret: str) -> bytes:
    key = hmac.digest(secret.encode(), purpose, hashlib.sha256)
    return hmac.digest(key, payload, hashlib.sha256)[:TAG_BYTES]
