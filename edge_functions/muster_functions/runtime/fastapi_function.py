"""A function's module, as a person writes it, and the ASGI application that FastAPI makes of it.

A function module has `router`, an APIRouter whose paths begin after the function's name (`@router.post("")`), and may
have `rules`. Dependencies for its parameters are in dependencies.py.
"""

from collections.abc import Awaitable, Callable, Mapping
from types import ModuleType
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from emulator.errors import ApiError
from muster_functions.runtime import errors
from muster_functions.runtime.function import Function, Rules


class NotAFunction(Exception):
    """The module has no router."""


def make_function(name: str, module: ModuleType, provided: Mapping[str, object]) -> Function:
    """The function of a module. `provided` is what its dependencies find in `request.app.state`."""
    router, rules = getattr(module, "router", None), getattr(module, "rules", Rules())
    if not isinstance(router, APIRouter):
        raise NotAFunction("no router (an APIRouter)")
    app = FastAPI(openapi_url=None, redirect_slashes=False)
    for attribute, value in provided.items():
        setattr(app.state, attribute, value)
    app.include_router(router, prefix=f"/{name}")
    app.add_exception_handler(ApiError, _answering(rules, lambda error: error))
    app.add_exception_handler(HTTPException, _answering(rules, _http_error))
    app.add_exception_handler(RequestValidationError, _answering(rules, _validation_error))
    app.add_exception_handler(Exception, _answering(Rules(), lambda _: errors.failed_function()))
    return Function(name, rules, router, app)


class JsonRoute(APIRoute):
    """Reads the body as JSON whatever its content type: functions-js sends strings as text/plain."""

    def get_route_handler(self) -> Callable[[Request], Awaitable[Response]]:  # type: ignore[override]  # narrower
        """Call FastAPI's handler with a request whose content type is application/json."""
        handle = super().get_route_handler()

        async def handle_json(request: Request) -> Response:
            headers = [(name, value) for name, value in request.scope["headers"] if name != b"content-type"]
            scope = {**request.scope, "headers": [*headers, (b"content-type", b"application/json")]}
            return await handle(Request(scope, request.receive))

        return handle_json


def _answering(
    rules: Rules, translate: Callable[[Any], ApiError]
) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def answer(_: Request, error: Exception) -> Response:
        return rules.respond_error(translate(error))

    return answer


def _http_error(error: HTTPException) -> ApiError:
    """Errors of FastAPI's routing, and HTTPExceptions of the function."""
    status, headers = error.status_code, error.headers or {}
    if status == 405:
        methods = headers.get("Allow", "").split(", ")  # Starlette's are a set, in any order
        return errors.method_not_allowed(", ".join(sorted(methods)))
    code = {400: "INVALID_BODY", 404: "NOT_FOUND"}.get(status, f"HTTP_{status}")
    return ApiError(status, code, str(error.detail), headers=tuple(headers.items()))


def _validation_error(error: RequestValidationError) -> ApiError:
    """Name the first invalid field, never its value."""
    first = error.errors()[0]
    where = [str(part) for part in first["loc"] if part != "body"]
    if first["type"] == "json_invalid":  # `loc` holds the position
        where = []
    return errors.invalid_body(f"{'.'.join(where) or 'body'}: {first['msg']}")
