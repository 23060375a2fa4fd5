"""Builds the schema cache from rows of the catalog. Pure; introspect.py runs the queries."""

from collections.abc import Iterable, Sequence

from emulator.rest.schema_cache.cache import SchemaCache
from emulator.rest.schema_cache.catalog_queries import CatalogRows, Row
from emulator.rest.schema_cache.catalog_relations import CatalogRelations
from emulator.rest.schema_cache.identifiers import QualifiedIdentifier
from emulator.rest.schema_cache.relationship import AnyRelationship, ComputedRelationship
from emulator.rest.schema_cache.relationship_detection import detect_relationships
from emulator.rest.schema_cache.routine import Function, MediaHandler, Parameter

# The types that the whole body can be passed as, to a function with one unnamed parameter.
RAW_BODY_TYPES = ("bytea", "json", "jsonb", "text", "xml")
# format_type() without a modifier says "character", which a cast reads as character(1) and would cut the argument.
_WITHOUT_LENGTH = {"character": "character varying", "bit": "bit varying"}
_ISOLATION = "default_transaction_isolation"


def build_schema_cache(rows: CatalogRows, exposed: Sequence[str], hoisted: frozenset[str]) -> SchemaCache:
    """Return the cache for the exposed schemas. `hoisted` names the function settings that go to the transaction."""
    relations = CatalogRelations(rows)
    tables = relations.tables()
    detected = detect_relationships(relations.foreign_keys(), relations.views(), tables)
    return SchemaCache(
        tables=tables,
        relationships=_with_computed(detected, rows.computed_relationships),
        functions=_functions(rows.functions, hoisted),
        handlers=_handlers(rows.handlers),
        representations={
            (source, target): QualifiedIdentifier(schema, name) for source, target, schema, name in rows.representations
        },
        schema_descriptions=dict(rows.schema_descriptions),
        exposed=frozenset(exposed),
    )


def _with_computed(
    detected: dict[QualifiedIdentifier, tuple[AnyRelationship, ...]], rows: Iterable[Row]
) -> dict[QualifiedIdentifier, tuple[AnyRelationship, ...]]:
    relationships = dict(detected)
    for function_schema, function, origin_schema, origin, target_schema, target, is_to_one in rows:
        computed = ComputedRelationship(
            QualifiedIdentifier(function_schema, function),
            QualifiedIdentifier(origin_schema, origin),
            QualifiedIdentifier(target_schema, target),
            is_to_one,
        )
        relationships[computed.origin] = (*relationships.get(computed.origin, ()), computed)
    return relationships


def _functions(rows: Iterable[Row], hoisted: frozenset[str]) -> dict[QualifiedIdentifier, tuple[Function, ...]]:
    overloads: dict[QualifiedIdentifier, tuple[Function, ...]] = {}
    for row in rows:
        function = _function(row, hoisted)
        if function is not None:
            overloads[function.id] = (*overloads.get(function.id, ()), function)
    return {key: tuple(sorted(found, key=_rank)) for key, found in overloads.items()}


def _rank(function: Function) -> tuple[object, ...]:
    """Return the place of a function among overloads: by number of parameters, description, their names and types."""
    parameters = function.parameters
    described = (function.description is not None, function.description or "")
    return len(parameters), described, [(p.name, p.type, p.body_type, p.is_required) for p in parameters]


def _function(row: Row, hoisted: frozenset[str]) -> Function | None:
    """Read one function, or None when it can't be called: its parameters have no names, and are not one for the body.

    As PostgREST, names and modes of all parameters are paired with the types of those that are passed: where one that
    is returned comes before them, they are known by its name. A name that is missing among others is empty.
    """
    (schema, name, description, returns_set, volatility, is_void, is_composite, row_name,
     arg_names, modes, types, defaults, config, oid) = row  # fmt: skip
    if arg_names is None and types and (len(types) > 1 or types[0] not in RAW_BODY_TYPES):
        return None
    inputs = list(zip(arg_names or ("",) * len(types), types, modes, strict=False))
    required = len(inputs) - defaults
    settings = {key: value for key, _, value in (entry.partition("=") for entry in config or ()) if key in hoisted}
    isolation = settings.pop(_ISOLATION, None)
    return Function(
        id=QualifiedIdentifier(schema, name),
        parameters=tuple(
            Parameter(arg, declared, _without_length(declared), place < required, mode == "v")
            for place, (arg, declared, mode) in enumerate(inputs)
        ),
        returns_set=returns_set,
        returns_composite=is_composite,
        returns_void=is_void,
        row_name=row_name if is_composite else None,
        volatility=volatility,
        description=description,
        settings=tuple(settings.items()),
        isolation=isolation,
        oid=oid,
    )


def _without_length(declared: str) -> str:
    bare, brackets, _ = declared.partition("[]")
    return _WITHOUT_LENGTH.get(bare, bare) + brackets


def _handlers(rows: Iterable[Row]) -> dict[tuple[QualifiedIdentifier | None, str], MediaHandler]:
    handlers: dict[tuple[QualifiedIdentifier | None, str], MediaHandler] = {}
    for schema, name, media_type, arg_schema, arg_name, is_any_element, is_aggregate in rows:
        function = QualifiedIdentifier(schema, name)
        if is_aggregate:
            target = None if is_any_element or arg_name is None else QualifiedIdentifier(arg_schema, arg_name)
        else:
            target = function
        # A handler of any type sets its own Content-Type; this is what is sent when it does not.
        sent = "application/octet-stream" if media_type == "*/*" else media_type
        handlers[target, media_type] = MediaHandler(function, target, sent, is_aggregate)
    return handlers
