"""Plans: what a request does in the database, with every name resolved against the schema cache. Pure.

Of a client's values a plan holds only `Value`s, so that one plan serves all requests of a shape.
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
    """A condition. `input`: the function that parses the client's text; `wraps_text_search`: with to_tsvector()."""

    field: PlannedField
    operation: Operation
    negated: bool = False
    input: QualifiedIdentifier | None = None
    wraps_text_search: bool = False


@dataclass(frozen=True, slots=True)
class PresenceFilter:
    """Whether an embed has rows."""

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
    """A key of an order; `table_alias`: that of an embed whose column it is."""

    field: PlannedField
    direction: str | None = None
    nulls: str | None = None
    table_alias: str | None = None


@dataclass(frozen=True, slots=True)
class SpreadField:
    """A column that a spread adds to its parent, perhaps aggregated there."""

    name: str
    alias: str | None = None
    aggregate: str | None = None
    aggregate_cast: str | None = None


@dataclass(frozen=True, slots=True)
class SpreadExtra:
    """A column that a to-many spread selects only to be ordered by; `table_alias` as in PlannedOrder."""

    term: PlannedSelect
    table_alias: str | None = None


@dataclass(frozen=True, slots=True)
class ReadNode:
    """One relation in a tree of reads.

    The root has no relationship; it and the target of a many-to-many one have no alias. `aggregate_alias` names the
    lateral join of a child. `spread` has the columns that a spread adds to its parent; it is None for an embed that
    becomes an object or array. `spread_extras` and `spread_order` are how a to-many spread is ordered.
    """

    table: QualifiedIdentifier
    alias: str | None
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
    spread_extras: tuple[SpreadExtra, ...] = ()
    spread_order: tuple[PlannedOrder, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing of it is returned: it only joins."""
        return not self.select and all(child.is_empty for child in self.children)

    @property
    def row_name(self) -> str:
        """What a whole-row reference to it is called."""
        return self.alias or self.table.name


@dataclass(frozen=True, slots=True)
class MutationPlan:
    """A write. `columns` come from the body, `inputs` are functions that parse them, `location_keys` for Location.

    `counts_inserted`: the status tells inserted rows from updated ones.
    """

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
    counts_inserted: bool = False
    location_keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CallPlan:
    """A function call. Arguments are values (query string, form), members of a JSON body, or the whole body.

    `returning`: the columns of its rows that the response needs; empty for all.
    """

    function: Function
    style: Literal["values", "body", "raw", "unnamed", "none"]
    arguments: tuple[tuple[Parameter, Value | tuple[Value, ...]], ...] = ()
    is_array: bool = False
    returning: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DbPlan:
    """What a request does in the database, and what its response looks like."""

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
    hides_rows: bool = False

    @property
    def counts(self) -> Literal["exact", "planned", "estimated"] | None:
        """Which total the client gets: an exact one where the planner's would tell of rows that policies hide."""
        return "exact" if self.hides_rows and self.preferences.count else self.preferences.count

    @property
    def returns_body(self) -> bool:
        """Whether the representation is sent."""
        if self.is_headers_only:
            return False
        return self.mutation is None or self.preferences.representation == "representation"
