"""The service's own answers: the edge runtime's statuses, codes and messages. Pure.

https://supabase.com/docs/guides/functions/status-codes
"""

import json
from dataclasses import dataclass

from emulator.asgi.types import Headers

_ALLOWED_HEADERS = b"authorization, x-client-info, apikey"


@dataclass(frozen=True)
class FunctionError(Exception):
    """A refusal or a failure that is not the function's own answer."""

    status: int
    code: str
    message: str

    @property
    def headers(self) -> Headers:
        """The headers of the answer."""
        return [
            (b"content-type", b"application/json"),
            (b"sb-error-code", self.code.encode()),
            (b"access-control-allow-origin", b"*"),
            (b"access-control-allow-headers", _ALLOWED_HEADERS),
            (b"access-control-expose-headers", b"sb-error-code"),
        ]

    @property
    def body(self) -> bytes:
        """The body of the answer; `msg` is the name that older clients read."""
        return json.dumps({"code": self.code, "message": self.message, "msg": self.message}).encode()


def missing_token() -> FunctionError:
    """No Authorization header."""
    return FunctionError(401, "UNAUTHORIZED_NO_AUTH_HEADER", "Missing authorization header")


def malformed_token() -> FunctionError:
    """A header that carries no JSON Web Token."""
    return FunctionError(401, "UNAUTHORIZED_INVALID_JWT_FORMAT", "Invalid JWT")


def invalid_token() -> FunctionError:
    """HS256: the signature is wrong, or the token has expired."""
    return FunctionError(401, "UNAUTHORIZED_JWT", "Invalid JWT")


def invalid_asymmetric_token() -> FunctionError:
    """ES256 or RS256: no such key, the signature is wrong, or the token has expired."""
    return FunctionError(401, "UNAUTHORIZED_ASYMMETRIC_JWT", "Invalid JWT")


def unsupported_algorithm(alg: str) -> FunctionError:
    """Any other algorithm."""
    return FunctionError(401, "UNAUTHORIZED_UNSUPPORTED_TOKEN_ALGORITHM", f"Unsupported JWT algorithm {alg}")


def boot_error() -> FunctionError:
    """The process ended before it served, or did not serve in time."""
    return FunctionError(503, "BOOT_ERROR", "Worker failed to boot (please check logs)")


def worker_error() -> FunctionError:
    """The process ended while it had the request."""
    return FunctionError(500, "WORKER_ERROR", "Function exited due to an error (please check logs)")


def worker_limit() -> FunctionError:
    """Memory, processor time or time ran out. 546 is the edge runtime's own status."""
    return FunctionError(546, "WORKER_LIMIT", "Worker failed to respond due to a resource limit (please check logs)")
