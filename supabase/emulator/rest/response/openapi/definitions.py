"""The definitions of the document: a relation's rows as a JSON schema. Pure."""

from emulator.rest.response.openapi.types import Json, default_of, format_of, items_of, type_of
from emulator.rest.schema_cache.cache import SchemaCache
from emulator.rest.schema_cache.identifiers import QualifiedIdentifier
from emulator.rest.schema_cache.relationship import Relationship
from emulator.rest.schema_cache.table import Column, Table


def definition(table: Table, cache: SchemaCache) -> Json:
    """Return the JSON schema of a relation's rows."""
    definition: Json = {"type": "object"}
    if table.description:
        definition["description"] = table.description
    if table.columns:
        definition["properties"] = {column.name: _property(table, column, cache) for column in table.columns.values()}
    required = [column.name for column in table.columns.values() if not column.is_nullable]
    if required:
        definition["required"] = required
    return definition


def _property(table: Table, column: Column, cache: SchemaCache) -> Json:
    declared = column.base_type
    found: Json = {**type_of(declared), "format": format_of(declared), **items_of(declared)}
    default = default_of(declared, column.default)
    if default is not None:
        found["default"] = default
    if column.enum:
        found["enum"] = list(column.enum)
    if column.max_length is not None:
        found["maxLength"] = column.max_length
    description = _description(table, column, cache)
    if description:
        found["description"] = description
    return found


def _description(table: Table, column: Column, cache: SchemaCache) -> str | None:
    notes = ["This is a Primary Key.<pk/>"] if column.name in table.primary_key else []
    target = _foreign_key(table.id, column.name, cache)
    if target:
        name, key = target
        notes.append(f"This is a Foreign Key to `{name}.{key}`.<fk table='{name}' column='{key}'/>")
    if not notes:
        return column.description
    prefix = f"{column.description}\n\n" if column.description else ""
    return prefix + "\n".join(["Note:", *notes])


def _foreign_key(table: QualifiedIdentifier, column: str, cache: SchemaCache) -> tuple[str, str] | None:
    """Return relation and column that a column refers to: tables before views, then by name."""
    found = [
        rel
        for rel in cache.relationships_from(table, table.schema)
        if isinstance(rel, Relationship)
        and rel.cardinality in ("many-to-one", "one-to-one")
        and not rel.is_parent
        and len(rel.columns) == 1
        and rel.columns[0][0] == column
    ]
    found.sort(
        key=lambda rel: (
            rel.target_is_view,
            rel.target,
            rel.is_self,
            rel.cardinality == "one-to-one",
            rel.constraint,
            rel.columns,
        )
    )
    return (found[0].target.name, found[0].columns[0][1]) if found else None
