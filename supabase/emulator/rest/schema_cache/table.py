"""Relations and their columns. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

from emulator.rest.schema_cache.identifiers import QualifiedIdentifier


@dataclass(frozen=True, slots=True)
class Column:
    """A column: `type` as declared, perhaps a domain. `base_type` of PostgreSQL's own has neither domain nor length."""

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
    """A relation: table, view, materialized view or foreign table.

    `hides_rows`: row-level security is enabled on it, or on a relation that a view reads.
    """

    id: QualifiedIdentifier
    columns: Mapping[str, Column]
    primary_key: tuple[str, ...] = ()
    description: str | None = None
    is_view: bool = False
    is_insertable: bool = True
    is_updatable: bool = True
    is_deletable: bool = True
    hides_rows: bool = False
