"""Relationships between relations: from a foreign key, through a junction table, or computed by a function. Pure."""

from dataclasses import dataclass
from typing import Literal

from emulator.rest.schema_cache.identifiers import QualifiedIdentifier

Cardinality = Literal["many-to-one", "one-to-many", "one-to-one", "many-to-many"]
ColumnPairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Junction:
    """The table in the middle of a many-to-many relationship.

    Its columns come first in the pairs with those of the near relation (origin) and of the far one (target).
    """

    table: QualifiedIdentifier
    near_constraint: str
    far_constraint: str
    near_columns: ColumnPairs
    far_columns: ColumnPairs


@dataclass(frozen=True, slots=True)
class Relationship:
    """A relationship from `origin` to `target`. `columns` pair those of origin with those of target.

    With a junction, `columns` is empty. `is_parent`: the target holds the foreign key.
    """

    origin: QualifiedIdentifier
    target: QualifiedIdentifier
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
        """Whether a row of origin has at most one row of target."""
        return self.cardinality in ("many-to-one", "one-to-one")


@dataclass(frozen=True, slots=True)
class ComputedRelationship:
    """A function that takes a row of `origin` and returns rows of `target`."""

    function: QualifiedIdentifier
    origin: QualifiedIdentifier
    target: QualifiedIdentifier
    is_to_one: bool


AnyRelationship = Relationship | ComputedRelationship


def target_schema(rel: AnyRelationship) -> str:
    """Return the schema through which a relationship is embedded: a computed one belongs to its function's."""
    return rel.function.schema if isinstance(rel, ComputedRelationship) else rel.target.schema
