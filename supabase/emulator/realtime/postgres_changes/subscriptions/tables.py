"""A table with subscriptions as the catalog describes it."""

from dataclasses import dataclass
from functools import cached_property

SAFE_TEXT_TYPES = frozenset(
    ("text", "varchar", "bpchar", "uuid", "bool", "date", "time", "timestamp", "timestamptz", "bytea", "name")
)
NUMBER_TYPES = frozenset(("int2", "int4", "int8", "oid", "numeric", "float4", "float8"))
TEXT_LIKE_TYPES = frozenset(("text", "varchar", "bpchar", "name", "citext"))


@dataclass(frozen=True, slots=True)
class Column:
    """`type_name` is the declared type (pg_type.typname); the rest describes the type under a domain."""

    name: str
    number: int
    type_name: str
    base_name: str
    base_kind: str  # pg_type.typtype
    sql_type: str  # as a cast spells it, with its modifier
    is_deterministic: bool  # equal texts and only equal texts compare equal
    expression: str | None = None  # of a stored generated column

    @property
    def compares_as_text(self) -> bool:
        """Whether two values are equal exactly when their canonical texts are."""
        return self.is_deterministic and (self.base_name in SAFE_TEXT_TYPES or self.base_kind == "e")

    @property
    def is_number(self) -> bool:
        return self.base_name in NUMBER_TYPES

    @property
    def is_text_like(self) -> bool:
        return self.base_name in TEXT_LIKE_TYPES


@dataclass(frozen=True)
class Table:
    """One table at one moment."""

    oid: int
    schema: str
    name: str
    has_rls: bool
    key: tuple[str, ...]
    columns: dict[str, Column]

    @cached_property
    def generated(self) -> tuple[Column, ...]:
        """The stored generated columns; the log has them from PostgreSQL 18 on, if the publication asks for it."""
        return tuple(column for column in self.columns.values() if column.expression is not None)

    def __hash__(self) -> int:
        return self.oid


@dataclass(frozen=True, slots=True)
class RoleView:
    """What a role may read of a table."""

    columns: frozenset[str]
