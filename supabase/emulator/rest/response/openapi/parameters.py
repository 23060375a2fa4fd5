"""The parameters that several paths of the document refer to. Pure."""

from emulator.rest.response.openapi.types import Json
from emulator.rest.schema_cache.table import Table


def shared_parameters(tables: list[Table]) -> Json:
    """Return `parameters`: preferences, paging, and for each relation its body and a filter per column."""
    parameters: Json = {
        "preferParams": _prefer([]),
        "preferReturn": _prefer(["return=representation", "return=minimal", "return=none"]),
        "preferCount": _prefer(["count=none"]),
        "preferPost": _prefer(
            ["return=representation", "return=minimal", "return=none", "resolution=ignore-duplicates",
             "resolution=merge-duplicates"]
        ),
        "select": _text("select", "Filtering Columns", "query"),
        "on_conflict": _text("on_conflict", "On Conflict", "query"),
        "order": _text("order", "Ordering", "query"),
        "range": _text("Range", "Limiting and Pagination", "header"),
        "rangeUnit": {**_text("Range-Unit", "Limiting and Pagination", "header"), "default": "items"},
        "offset": _text("offset", "Limiting and Pagination", "query"),
        "limit": _text("limit", "Limiting and Pagination", "query"),
    }  # fmt: skip
    for table in tables:
        name = table.id.name
        shape = {"$ref": f"#/definitions/{name}"}
        parameters[f"body.{name}"] = {
            "name": name,
            "in": "body",
            "required": False,
            "description": name,
            "schema": shape,
        }
        for column in table.columns.values():
            parameters[f"rowFilter.{name}.{column.name}"] = _text(column.name, column.description, "query")
    return parameters


def _text(name: str, description: str | None, place: str) -> Json:
    found: Json = {"name": name, "in": place, "required": False, "type": "string"}
    return {**found, "description": description} if description else found


def _prefer(values: list[str]) -> Json:
    found = _text("Prefer", "Preference", "header")
    return {**found, "enum": values} if values else found
