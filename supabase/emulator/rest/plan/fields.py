"""Columns, JSON paths and conditions of a query string resolved against a relation's columns. Pure."""

from dataclasses import dataclass

from emulator.rest.api_request.types import Condition, Field, Filter, FullText
from emulator.rest.plan.types import PlannedCondition, PlannedField, PlannedFilter, PlannedLogic
from emulator.rest.schema_cache.cache import SchemaCache
from emulator.rest.schema_cache.identifiers import QualifiedIdentifier
from emulator.rest.schema_cache.table import Column, Table

_JSON_TYPES = ("json", "jsonb")


@dataclass(frozen=True, slots=True)
class FieldResolver:
    """Fields of one relation; `table` is None where columns can't be known (a function's TABLE result)."""

    cache: SchemaCache
    table: Table | None

    def column(self, name: str) -> Column | None:
        """Return the column of that name, if the relation is known to have it."""
        return self.table.columns.get(name) if self.table else None

    def field(self, field: Field) -> PlannedField:
        """Resolve a field for a condition or an order."""
        column = self.column(field.name)
        is_json = column is not None and column.type in _JSON_TYPES
        return PlannedField(field.name, field.path, bool(field.path) and not is_json)

    def represented(self, field: Field) -> PlannedField:
        """Resolve a field for output: a domain may have its own representation as JSON."""
        planned, output = self.field(field), self.output(field.name)
        return PlannedField(planned.name, planned.path, planned.wraps_json, output) if output else planned

    def output(self, name: str) -> QualifiedIdentifier | None:
        """Return the function that makes a column's JSON, if its domain has one."""
        column = self.column(name)
        return self.cache.representations.get((column.type, "json")) if column else None

    def has_representations(self) -> bool:
        """Whether any column has its own JSON form, so that `*` must be written out."""
        return self.table is not None and any(self.output(name) for name in self.table.columns)

    def condition(self, condition: Condition) -> PlannedCondition:
        """Resolve a condition."""
        if isinstance(condition, Filter):
            return self._filter(condition)
        children = tuple(self.condition(child) for child in condition.children)
        return PlannedLogic(condition.operator, children, condition.negated)

    def _filter(self, condition: Filter) -> PlannedFilter:
        field = condition.field
        column = self.column(field.name)
        reads = self.cache.representations.get(("text", column.type)) if column else None
        wraps = isinstance(condition.operation, FullText) and column is not None and column.base_type != "tsvector"
        return PlannedFilter(self.field(field), condition.operation, condition.negated, reads, wraps)
