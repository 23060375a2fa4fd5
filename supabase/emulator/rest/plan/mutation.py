"""Inserts, updates, deletes: target columns, conflict handling, what must be returned. Pure."""

from emulator.rest import errors
from emulator.rest.api_request.request import ApiRequest
from emulator.rest.api_request.types import Compare
from emulator.rest.plan.fields import FieldResolver
from emulator.rest.plan.types import MutationPlan, PlannedCondition, ReadNode
from emulator.rest.schema_cache.cache import SchemaCache
from emulator.rest.schema_cache.relationship import ComputedRelationship, Relationship
from emulator.rest.schema_cache.table import Column, Table


def plan_mutation(request: ApiRequest, table: Table, root: ReadNode, cache: SchemaCache) -> MutationPlan:
    """Plan the write of a request. Raises column_not_found (PGRST204), put_filters (PGRST105)."""
    verb = request.action.verb
    assert verb in ("insert", "upsert", "update", "delete")
    columns = () if verb == "delete" else _target_columns(request, table)
    if verb == "upsert":
        _check_put(request, table)
    conflict = table.primary_key if verb == "upsert" or not request.query.on_conflict else request.query.on_conflict
    resolution = request.preferences.resolution if verb == "insert" and conflict else None
    wants_location = verb == "insert" and request.preferences.representation == "headers-only"
    location_keys = table.primary_key if wants_location else ()
    return MutationPlan(
        verb=verb,
        table=table,
        columns=columns,
        inputs=tuple(cache.representations.get(("json", column.type)) for column in columns),
        where=_conditions(request, table, cache),
        returning=_returning(request, table, root),
        is_array=request.payload is not None and request.payload.is_array,
        applies_defaults=request.preferences.missing == "default" and verb in ("insert", "update"),
        conflict_columns=tuple(conflict) if verb == "upsert" or resolution else (),
        resolution="merge-duplicates" if verb == "upsert" else resolution,
        counts_inserted=verb == "upsert" or (verb == "insert" and request.preferences.resolution == "merge-duplicates"),
        location_keys=location_keys,
    )


def _target_columns(request: ApiRequest, table: Table) -> tuple[Column, ...]:
    columns = []
    for name in request.columns:
        column = table.columns.get(name)
        if column is None:
            raise errors.column_not_found(name, table.id.name)
        columns.append(column)
    return tuple(columns)


def _check_put(request: ApiRequest, table: Table) -> None:
    query = request.query
    are_plain = all(
        isinstance(condition.operation, Compare)
        and condition.operation.operator == "eq"
        and condition.operation.quantifier is None
        and not condition.negated
        for path, condition in query.filters
        if not path
    )
    if query.logic or not are_plain or not table.primary_key or query.filter_keys != set(table.primary_key):
        raise errors.put_filters()


def _conditions(request: ApiRequest, table: Table, cache: SchemaCache) -> tuple[PlannedCondition, ...]:
    """Return what restricts the write itself. Logic trees of embeds are included, as in PostgREST."""
    resolver = FieldResolver(cache, table)
    own = [condition for path, condition in request.query.filters if not path]
    return tuple(resolver.condition(found) for found in [*own, *(logic for _, logic in request.query.logic)])


def _returning(request: ApiRequest, table: Table, root: ReadNode) -> tuple[str, ...]:
    if request.preferences.representation in (None, "minimal"):
        return ()
    return columns_needed(root, table.primary_key)


def columns_needed(root: ReadNode, keys: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the columns that a select on the rows of a write or a call needs, sorted; `*` alone means all of them."""
    names = {term.field.name for term in root.select}
    if "*" in names:
        return ("*",)
    for child in root.children:
        rel = child.relationship
        if isinstance(rel, ComputedRelationship):
            return ("*",)
        if isinstance(rel, Relationship):
            names.update([far for _, far in rel.junction.near_columns] if rel.junction else [n for n, _ in rel.columns])
    return tuple(sorted(names.union(keys)))
