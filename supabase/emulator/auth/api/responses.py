"""The rim: answers as bytes, errors in the version that the caller speaks, CORS for a service that stands alone."""

import json
import logging
from collections.abc import Mapping
from datetime import date
from typing import Any
from uuid import uuid4

from starlette.responses import Response

from emulator.auth import errors
from emulator.errors import ApiError

log = logging.getLogger("emulator.auth")
VERSION_HEADER = "X-Supabase-Api-Version"
NEW_VERSION = "2024-01-01"


def answer(payload: Any, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Compact JSON."""
    text = json.dumps(payload, separators=(",", ":"), ensure_ascii=False)
    body = text.encode("utf-8", "replace")
    return Response(body, status, {"content-type": "application/json", **(headers or {})})


def empty(status: int = 204) -> Response:
    """No body at all."""
    return Response(status_code=status)


def see(url: str, status: int = 303) -> Response:
    """A redirect; the location is ASCII without control characters."""
    location = "".join(char for char in url if char >= " " and char != "\x7f")
    return Response(status_code=status, headers={"location": location.encode("ascii", "ignore").decode()})


def speaks_new_version(header: str) -> bool:
    """Whether the API version header asks for the form of 2024-01-01."""
    try:
        return date.fromisoformat(header) >= date.fromisoformat(NEW_VERSION)
    except ValueError:
        return False


def error_answer(error: ApiError, version_header: str) -> Response:
    """An error as JSON: the old body, the new one, or OAuth's own."""
    headers = dict(error.headers)
    if isinstance(error, errors.OAuthError):
        return answer({"error": error.code, "error_description": error.message}, status=400, headers=headers)
    weak = {"weak_password": {"reasons": list(error.reasons)}} if isinstance(error, errors.WeakPassword) else {}
    if speaks_new_version(version_header):
        headers[VERSION_HEADER] = NEW_VERSION
        if not weak:
            headers["x-sb-error-code"] = error.code
        return answer({"code": error.code, "message": error.message, **weak}, status=error.status, headers=headers)
    headers["x-sb-error-code"] = error.code
    error_id = {"error_id": str(uuid4())} if error.status >= 500 else {}
    if error_id:
        log.warning("error %s: %s", error_id["error_id"], error.message)
    body = {"code": error.status, "error_code": error.code, "msg": error.message, **error_id, **weak}
    return answer(body, status=error.status, headers=headers)
