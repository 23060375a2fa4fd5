"""A function as the dispatcher calls it, and the rules that its module may set.

What FastAPI is needed for is in fastapi_function.py: 5 MiB, which a process without a call does without.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.responses import Response

from emulator.asgi.types import ASGIApp
from emulator.errors import ApiError

if TYPE_CHECKING:
    from fastapi import APIRouter


def respond_error(error: ApiError) -> Response:
    """The answer to a refusal: {"code", "message"}."""
    body = json.dumps({"code": error.code, "message": error.message})
    return Response(body, error.status, dict(error.headers), media_type="application/json")


@dataclass(frozen=True)
class Rules:
    """What a function asks of the runtime. None: the service's own limit. `respond_error` writes its own refusals.

    `verify_jwt`: only callers with a valid token get in (as `verify_jwt` of Supabase's config.toml).
    """

    verify_jwt: bool = True
    timeout_s: float | None = None
    max_body_bytes: int | None = None
    respond_error: Callable[[ApiError], Response] = respond_error


@dataclass(frozen=True)
class Function:
    """A loaded function. `app` is its router with its rules for errors; paths begin with `/<name>`."""

    name: str
    rules: Rules
    router: "APIRouter"
    app: ASGIApp
