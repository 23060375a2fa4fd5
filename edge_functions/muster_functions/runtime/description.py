"""The description of the functions' API, as OpenAPI has it."""

from typing import Any

from fastapi import APIRouter, Depends
from fastapi.openapi.utils import get_openapi

from muster_functions.runtime.dependencies import BEARER
from muster_functions.runtime.dispatcher import PREFIX
from muster_functions.runtime.registry import Registry


def describe(registry: Registry, server_url: str) -> dict[str, Any]:
    """FastAPI's description of every function that loads, as they are now."""
    described = APIRouter()
    for function in registry.load_all():
        token = [Depends(BEARER)] if function.rules.verify_jwt else []
        described.include_router(function.router, prefix=f"{PREFIX}/{function.name}", dependencies=token)
    servers: list[dict[str, Any]] = [{"url": server_url or "/"}]
    document = get_openapi(title="Functions", version="1", routes=described.routes, servers=servers)
    for operations in document["paths"].values():
        for operation in operations.values():
            operation["responses"].pop("422", None)  # a body of another shape is 400 here, INVALID_BODY
    return document
