"""What is to be done, resolved against the schema cache: the values between plan.py and sql.py. Pure.

A plan holds no client values except through `Value`s; it is what plans are cached by.
"""

from dataclasses import dataclass
from typing import Literal

from emulator.rest.api_request.preferences import Preferences
from emulator.rest.api_request.types import JsonStep, Operation, Range, Value
from emulator.rest.plan.negotiate import NegotiatedMedia
from emulator.rest.schema_cache.identifiers import QualifiedIdentifier
from emulator.rest.schema_cache.relationship import AnyRelationship
from emulator.rest.schema_cache.routine import Function, Parameter
from emulator.rest.schema_cache.table import Column, Table


@dataclass(frozen=True, slots=True)
class PlannedField:
    """A column with its JSON path. `is_row`: the whole row; `output`: the function that represents it as JSON."""

    name: str
    path: tuple[JsonStep, ...] = ()
    wraps_json: bool = False
    output: QualifiedIdentifier | None = None
    is_row: bool = False


@dataclass(frozen=True, slots=True)
class PlannedSelect:
    """A term of a select list."""

    field: PlannedField
    alias: str | None = None
    cast: str | None = None
    aggregate: str | None = None
    aggregate_cast: str | None = None


@dataclass(frozen=True, slots=True)
class PlannedFilter:
    """A condition. `input` is the function that reads the client's text; `wraps_text_search` makes a tsvector."""

    field: PlannedField
    operation: Operation
    negated: bool = False
    input: QualifiedIdentifier | None = None
    wraps_text_search: bool = False


@dataclass(frozen=True, slots=True)
class PresenceFilter:
    """Whether an embed has rows; `node` is its place among the children."""

    aggregate_alias: str
    is_present: bool


@dataclass(frozen=True, slots=True)
class PlannedLogic:
    """A tree of conditions."""

    operator: Literal["and", "or"]
    children: tuple["PlannedCondition", ...]
    negated: bool = False


PlannedCondition = PlannedFilter | PresenceFilter | PlannedLogic


@dataclass(frozen=True, slots=True)
class PlannedOrder:
    """A key of an order; `table_alias` points into an embed."""

    field: PlannedField
    direction: str | None = None
    nulls: str | None = None
    table_alias: str | None = None


@dataclass(frozen=True, slots=True)
class SpreadField:
    """A column that a spread lifts into its parent, perhaps aggregated there."""

    name: str
    alias: str | None = None
    aggregate: str | None = None
    aggregate_cast: str | None = None


@dataclass(frozen=True, slots=True)
class ReadNode:
    """One relation in a tree of reads.

    `only_orders`: nothing of it is shown, its select is there for the parent's order.
    The root has no relationship and no alias; `aggregate_alias` names the lateral join of a child. For a spread,
    `spread` lists what goes up to the parent; it is None for an embed that becomes an object or array.
    """

    table: QualifiedIdentifier
    alias: str | None
    depth: int
    name: str
    output_name: str
    aggregate_alias: str
    select: tuple[PlannedSelect, ...]
    children: tuple["ReadNode", ...]
    where: tuple[PlannedCondition, ...] = ()
    order: tuple[PlannedOrder, ...] = ()
    page: Range = Range()
    relationship: AnyRelationship | None = None
    is_inner: bool = False
    is_to_one: bool = False
    spread: tuple[SpreadField, ...] | None = None
    only_orders: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing of it is shown: it only joins."""
        return self.only_orders or not self.select and all(child.is_empty for child in self.children)


@dataclass(frozen=True, slots=True)
class MutationPlan:
    """A write. `columns` with their types come from the body; `keys` are what Location is made of."""

    verb: Literal["insert", "upsert", "update", "delete"]
    table: Table
    columns: tuple[Column, ...]
    inputs: tuple[QualifiedIdentifier | None, ...]
    where: tuple[PlannedCondition, ...]
    returning: tuple[str, ...]
    is_array: bool = False
    applies_defaults: bool = False
    conflict_columns: tuple[str, ...] = ()
    resolution: Literal["merge-duplicates", "ignore-duplicates"] | None = None
    location_keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CallPlan:
    """A function call. Arguments are values (query string, form), members of a JSON body, or the whole body."""

    function: Function
    style: Literal["values", "body", "raw", "none"]
    arguments: tuple[tuple[Parameter, Value | tuple[Value, ...]], ...] = ()
    is_array: bool = False


@dataclass(frozen=True, slots=True)
class DbPlan:
    """One request's work in the database, and what its answer will look like."""

    root: ReadNode
    negotiated: NegotiatedMedia
    preferences: Preferences
    schema: str
    is_read_only: bool
    is_headers_only: bool = False
    mutation: MutationPlan | None = None
    call: CallPlan | None = None
    isolation: str | None = None
    hoisted_settings: tuple[tuple[str, str], ...] = ()
    warnings: tuple[tuple[str, str], ...] = ()

    @property
    def counts(self) -> Literal["exact", "planned", "estimated"] | None:
        """Which total is wanted."""
        return self.preferences.count

    @property
    def returns_body(self) -> bool:
        """Whether the representation is sent."""
        if self.is_headers_only:
            return False
        return self.mutation is None or self.preferences.representation == "representation"
