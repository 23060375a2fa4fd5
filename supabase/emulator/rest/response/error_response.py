"""An error as an HTTP response: compact JSON with code, details, hint and message. Pure."""

import json

from emulator.errors import ApiError
from emulator.rest.response.guc_headers import UNSAFE_IN_HEADER
from emulator.rest.response.types import Response


def error_body(error: ApiError, *, is_minimal: bool = False) -> bytes:
    """Write the body, its keys in PostgREST's order."""
    fields = {"code": error.code, "details": error.details, "hint": error.hint, "message": error.message}
    if is_minimal:
        fields = {"code": error.code, "message": error.message}
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def respond_to_error(error: ApiError, *, is_minimal: bool = False, reason: str | None = None) -> Response:
    """Build the response; headers that RAISE put into the error are dropped when they are unsafe."""
    headers = [
        ("Content-Type", "application/json; charset=utf-8"),
        ("Proxy-Status", f"PostgREST; error={error.code}"),
        *((name, value) for name, value in error.headers if not UNSAFE_IN_HEADER.search(name + value)),
    ]
    return Response(error.status, headers, error_body(error, is_minimal=is_minimal), reason)
