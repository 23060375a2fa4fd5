"""What the REST service knows of the database: tables, relationships, functions, handlers; types and look-ups. Pure.

introspect.py fills it; everything here is immutable, so a reload swaps one whole cache for another.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple


class Qualified(NamedTuple):
    """A name in a schema."""

    schema: str
    name: str

    @property
    def sql(self) -> str:
        """The name as it stands in a statement."""
        return f"{quote(self.schema)}.{quote(self.name)}" if self.schema else quote(self.name)


def quote(name: str) -> str:
    """Quote an identifier. The only place that does."""
    return '"' + name.replace('"', '""') + '"'


def quote_literal(text: str) -> str:
    """Quote a constant that is part of a statement's shape (never a client's value)."""
    escaped = text.replace("'", "''")
    return "E'" + escaped.replace("\\", "\\\\") + "'" if "\\" in text else f"'{escaped}'"


@dataclass(frozen=True, slots=True)
class Column:
    """A column: `type` as declared (a domain's name), `base_type` with domains resolved."""

    name: str
    type: str
    base_type: str
    is_nullable: bool
    description: str | None = None
    max_length: int | None = None
    default: str | None = None
    enum: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A relation: table, view, foreign table."""

    id: Qualified
    columns: Mapping[str, Column]
    primary_key: tuple[str, ...] = ()
    description: str | None = None
    is_view: bool = False
    is_insertable: bool = True
    is_updatable: bool = True
    is_deletable: bool = True


Cardinality = Literal["many-to-one", "one-to-many", "one-to-one", "many-to-many"]
ColumnPairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Junction:
    """The table in the middle: its columns paired with those of the near and of the far side."""

    table: Qualified
    near_constraint: str
    far_constraint: str
    near_columns: ColumnPairs
    far_columns: ColumnPairs


@dataclass(frozen=True, slots=True)
class Relationship:
    """A way from one relation to another. `columns` pair near with far; a junction has its own."""

    origin: Qualified
    target: Qualified
    cardinality: Cardinality
    constraint: str = ""
    columns: ColumnPairs = ()
    junction: Junction | None = None
    target_is_view: bool = False
    origin_is_view: bool = False
    is_parent: bool = False

    @property
    def is_self(self) -> bool:
        """Whether both ends are the same relation."""
        return self.origin == self.target

    @property
    def is_to_one(self) -> bool:
        """Whether there is at most one row on the far side."""
        return self.cardinality in ("many-to-one", "one-to-one")


@dataclass(frozen=True, slots=True)
class ComputedRelationship:
    """A function from a relation's row to rows of a relation."""

    function: Qualified
    origin: Qualified
    target: Qualified
    is_to_one: bool


AnyRelationship = Relationship | ComputedRelationship


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function. `body_type` is the type a JSON body's member is read as."""

    name: str
    type: str
    body_type: str
    is_required: bool
    is_variadic: bool = False


@dataclass(frozen=True, slots=True)
class Function:
    """A callable function. `row_type` names the relation whose rows it returns."""

    id: Qualified
    parameters: tuple[Parameter, ...]
    returns_set: bool
    returns_composite: bool
    returns_void: bool = False
    row_type: Qualified | None = None
    return_type: Qualified | None = None
    volatility: Literal["v", "s", "i"] = "v"
    description: str | None = None
    settings: tuple[tuple[str, str], ...] = ()
    isolation: str | None = None
    oid: int = 0

    @property
    def returns_scalar(self) -> bool:
        """Whether the result is a bare value and no row."""
        return not self.returns_composite


@dataclass(frozen=True, slots=True)
class MediaHandler:
    """A function or aggregate that makes a media type. `target` None: any element. `media_type` is what is sent."""

    function: Qualified
    target: Qualified | None
    media_type: str
    is_aggregate: bool


@dataclass(frozen=True, slots=True)
class RoleSettings:
    """ALTER ROLE ... SET of a role the service may become."""

    settings: tuple[tuple[str, str], ...] = ()
    isolation: str | None = None


@dataclass(frozen=True)
class SchemaCache:
    """One reading of the catalogue."""

    tables: Mapping[Qualified, Table] = field(default_factory=dict)
    relationships: Mapping[Qualified, tuple[AnyRelationship, ...]] = field(default_factory=dict)
    functions: Mapping[Qualified, tuple[Function, ...]] = field(default_factory=dict)
    handlers: Mapping[tuple[Qualified | None, str], MediaHandler] = field(default_factory=dict)
    representations: Mapping[tuple[str, str], Qualified] = field(default_factory=dict)
    schema_descriptions: Mapping[str, str] = field(default_factory=dict)
    exposed: frozenset[str] = frozenset()

    def relationships_from(self, origin: Qualified, schema: str) -> tuple[AnyRelationship, ...]:
        """Return the ways from a relation to relations of a schema, computed ones replacing detected ones."""
        found = [rel for rel in self.relationships.get(origin, ()) if far_schema(rel) == schema and self._is_open(rel)]
        computed = {rel.function.name for rel in found if isinstance(rel, ComputedRelationship)}
        return tuple(rel for rel in found if isinstance(rel, ComputedRelationship) or rel.target.name not in computed)

    def _is_open(self, rel: AnyRelationship) -> bool:
        """Whether a way leads through exposed schemas only."""
        junction = rel.junction if isinstance(rel, Relationship) else None
        return junction is None or junction.table.schema in self.exposed

    def functions_named(self, schema: str, name: str) -> tuple[Function, ...]:
        """Return all overloads."""
        return self.functions.get(Qualified(schema, name), ())

    def tables_in(self, schema: str) -> Iterable[Table]:
        """Yield the relations of a schema, by name."""
        return (self.tables[key] for key in sorted(self.tables) if key.schema == schema)


def far_schema(rel: AnyRelationship) -> str:
    """Return the schema in which a relationship can be asked for."""
    return rel.function.schema if isinstance(rel, ComputedRelationship) else rel.target.schema
