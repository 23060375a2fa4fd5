"""The API description (development only): every function that names the models of its body and answer."""

from typing import Any

from muster_functions.runtime.registry import BrokenFunction, Function, Registry
from muster_functions.runtime.runner import PREFIX

REFERENCE = "#/components/schemas/{model}"


def describe(registry: Registry, server_url: str) -> dict[str, Any]:
    """An OpenAPI 3.1 document of the functions that load and have a body model; the others are left out."""
    schemas: dict[str, Any] = {}
    paths = {
        f"{PREFIX}/{function.name}": {"post": _operation(function, schemas)}
        for function in _described(registry)
    }  # fmt: skip
    bearer = {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Muster functions", "version": "1"},
        "servers": [{"url": server_url or "/"}],
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": {"token": bearer}},
    }


def _described(registry: Registry) -> list[Function]:
    found = []
    for name in registry.names():
        try:
            function = registry.find(name)
        except BrokenFunction:  # reported to whoever calls it
            continue
        if function is not None and function.body is not None:
            found.append(function)
    return found


def _operation(function: Function, schemas: dict[str, Any]) -> dict[str, Any]:
    answer = _content(function.answer, schemas, "serialization")
    refusals = {
        "400": "The body is not of this shape", "401": "No token, or one that does not hold", "403": "Refused",
        "404": "What the body names does not exist", "413": "The body is too large",
        "429": "Too many requests or mails; see Retry-After", "503": "Not now; see Retry-After",
    }  # fmt: skip
    return {
        "operationId": function.name,
        "summary": function.summary,
        "security": [{"token": []}] if function.verify_jwt else [],
        "requestBody": {"required": True, "content": _content(function.body, schemas, "validation")},
        "responses": {
            "200": {"description": "Done, or a plain reason why not", "content": answer},
            **{status: {"description": text} for status, text in refusals.items()},
        },
    }


def _content(model: type[Any] | None, schemas: dict[str, Any], mode: str) -> dict[str, Any]:
    if model is None:
        return {"application/json": {}}
    schema = model.model_json_schema(ref_template=REFERENCE, mode=mode)
    schemas.update(schema.pop("$defs", {}))
    schemas[model.__name__] = schema
    return {"application/json": {"schema": {"$ref": REFERENCE.format(model=model.__name__)}}}
