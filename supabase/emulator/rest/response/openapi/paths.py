"""The paths of the document: one for each relation and function, with the methods it takes. Pure."""

from collections.abc import Iterable, Sequence

from emulator.rest.response.openapi.comments import summary_and_description
from emulator.rest.response.openapi.types import Json, format_of, items_of, type_of
from emulator.rest.schema_cache.identifiers import quote
from emulator.rest.schema_cache.routine import Function, Parameter
from emulator.rest.schema_cache.table import Table

MEDIA_TYPES = [
    "application/json",
    "application/vnd.pgrst.object+json;nulls=stripped",
    "application/vnd.pgrst.object+json",
    "text/csv",
]


def paths(tables: list[Table], functions: list[Function], search_path: Sequence[str]) -> Json:
    """Return `paths`: the root, then relations, then functions, of overloads the one with most parameters."""
    root = {
        "get": {
            "tags": ["Introspection"],
            "summary": "OpenAPI description (this document)",
            "produces": ["application/openapi+json", "application/json"],
            "responses": {"200": {"description": "OK"}},
        }
    }
    return {
        "/": root,
        **{f"/{table.id.name}": _table_path(table) for table in tables},
        **{f"/rpc/{function.id.name}": _function_path(function, search_path) for function in functions},
    }


def _table_path(table: Table) -> Json:
    name = table.id.name
    rows = [f"rowFilter.{name}.{column}" for column in table.columns]
    common = {"tags": [name], **summary_and_description(table.description)}
    no_content = {"204": {"description": "No Content"}}
    shown = {"description": "OK", "schema": {"type": "array", "items": {"$ref": f"#/definitions/{name}"}}}
    paging = ["select", "order", "range", "rangeUnit", "offset", "limit", "preferCount"]
    path: Json = {
        "get": {
            **common,
            "parameters": _refs([*rows, *paging]),
            "responses": {"200": shown, "206": {"description": "Partial Content"}},
        }
    }
    if table.is_insertable or table.is_updatable or table.is_deletable:
        body = f"body.{name}"
        path["post"] = {
            **common,
            "parameters": _refs([body, "select", "preferPost"]),
            "responses": {"201": {"description": "Created"}},
        }
        path["patch"] = {**common, "parameters": _refs([*rows, body, "preferReturn"]), "responses": no_content}
        path["delete"] = {**common, "parameters": _refs([*rows, "preferReturn"]), "responses": no_content}
    return path


def _function_path(function: Function, search_path: Sequence[str]) -> Json:
    common = {
        "tags": [f"(rpc) {function.id.name}"],
        **summary_and_description(function.description),
        "produces": MEDIA_TYPES[:3],
        "responses": {"200": {"description": "OK"}},
    }
    arguments: Json = {"type": "object"}
    if function.description:
        arguments["description"] = function.description
    if function.parameters:
        # Those of one unnamed parameter have an empty name here, too.
        arguments["properties"] = {p.name: _argument(_local(p.type, search_path)) for p in function.parameters}
    required = [parameter.name for parameter in function.parameters if parameter.is_required]
    if required:
        arguments["required"] = required
    body = {"name": "args", "in": "body", "required": True, "schema": arguments}
    path: Json = {"post": {**common, "parameters": [body, *_refs(["preferParams"])]}}
    if function.volatility != "v":
        query = [_query_parameter(parameter, search_path) for parameter in function.parameters]
        path["get"] = {**common, "parameters": query} if query else common
    return path


def _refs(names: Iterable[str]) -> list[Json]:
    return [{"$ref": f"#/parameters/{name}"} for name in names]


def _local(declared: str, search_path: Sequence[str]) -> str:
    """Return a type's name as it reads with a search path."""
    for schema in search_path:
        declared = declared.removeprefix(f"{schema}.").removeprefix(f"{quote(schema)}.")
    return declared


def _argument(declared: str) -> Json:
    return {**type_of(declared), "format": format_of(declared), **items_of(declared)}


def _query_parameter(parameter: Parameter, search_path: Sequence[str]) -> Json:
    declared = _local(parameter.type, search_path)
    base: Json = {"name": parameter.name, "in": "query", "required": parameter.is_required}
    if parameter.is_variadic:
        element = declared.removesuffix("[]")
        items = {**type_of(element), "format": format_of(element)}
        return {**base, "type": "array", "collectionFormat": "multi", "items": items}
    kind = type_of(declared).get("type", "string")
    return {**base, "type": "string" if kind == "array" else kind, "format": format_of(declared)}
