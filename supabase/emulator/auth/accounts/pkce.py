"""Proof Key for Code Exchange (RFC 7636): the challenge that a client begins a flow with."""

import base64
import hashlib
import hmac
import re
from dataclasses import dataclass

from emulator.auth.errors import validation_failed

_CHALLENGE = re.compile(r"[a-zA-Z0-9._~-]+")


@dataclass(frozen=True)
class Pkce:
    """A client's code challenge; both fields are empty in the implicit flow."""

    challenge: str = ""
    method: str = ""

    @classmethod
    def parse(cls, challenge: str, method: str) -> "Pkce":
        """Both or neither, and in the form of RFC 7636; raises validation_failed."""
        if bool(challenge) != bool(method):
            raise validation_failed("PKCE flow requires code_challenge_method and code_challenge")
        if not challenge:
            return NO_PKCE
        if not 43 <= len(challenge) <= 128:
            raise validation_failed("code challenge has to be between 43 and 128 characters")
        if _CHALLENGE.fullmatch(challenge) is None:
            raise validation_failed(
                "code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes"
            )
        if method.lower() not in ("s256", "plain"):
            raise validation_failed(f"unsupported code_challenge_method {method}".replace("\n", " "))
        return cls(challenge, method.lower())


NO_PKCE = Pkce()


def challenge_matches(verifier: str, challenge: str, method: str) -> bool:
    """Whether a code verifier is the one of the challenge, in constant time."""
    if method.lower() == "s256":
        digest = hashlib.sha256(verifier.encode()).digest()
        verifier = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
    return hmac.compare_digest(verifier.encode(), challenge.encode())
