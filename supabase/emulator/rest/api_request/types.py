"""A parsed query string: fields, filters, logic trees, orders, select items. Pure.

A `Value` is the client's text, or a `Placeholder` for a text that differs from request to request, so that one plan
serves all of them.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Placeholder:
    """Stands for a value by its index among the values of a request."""

    index: int


Value = str | Placeholder


@dataclass(frozen=True, slots=True)
class JsonStep:
    """One arrow of a JSON path; the `key` of an index has its sign."""

    key: str
    is_index: bool
    as_text: bool


@dataclass(frozen=True, slots=True)
class Field:
    """A column and a JSON path below it."""

    name: str
    path: tuple[JsonStep, ...] = ()


Quantifier = Literal["any", "all"]


@dataclass(frozen=True, slots=True)
class Compare:
    """`eq.5`, `like(any).{a,b}`, `cs.{1}`: an operator by its URL name and one value."""

    operator: str
    value: Value
    quantifier: Quantifier | None = None


@dataclass(frozen=True, slots=True)
class InList:
    """`in.(a,b)`."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Is:
    """`is.null`, `is.true` and so on; `word` is SQL."""

    word: Literal["NULL", "NOT NULL", "TRUE", "FALSE", "UNKNOWN"]


@dataclass(frozen=True, slots=True)
class FullText:
    """`fts(english).cat`: a text search operator, its configuration and the query."""

    operator: str
    config: str | None
    value: str


Operation = Compare | InList | Is | FullText


@dataclass(frozen=True, slots=True)
class Filter:
    """A condition on one field."""

    field: Field
    operation: Operation
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Logic:
    """`and(...)`, `or(...)`, perhaps negated."""

    operator: Literal["and", "or"]
    children: tuple["Condition", ...]
    negated: bool = False


Condition = Filter | Logic
Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OrderTerm:
    """One key of an order; `relation` names an embed whose column it is."""

    field: Field
    direction: Literal["ASC", "DESC"] | None = None
    nulls: Literal["NULLS FIRST", "NULLS LAST"] | None = None
    relation: str | None = None


@dataclass(frozen=True, slots=True)
class FieldItem:
    """A column in select, with casts and an aggregate; `*` and `count()` are fields of those names."""

    field: Field
    alias: str | None = None
    cast: str | None = None
    aggregate: str | None = None
    aggregate_cast: str | None = None


@dataclass(frozen=True, slots=True)
class EmbedItem:
    """A related resource in select."""

    relation: str
    alias: str | None
    hint: str | None
    join: Literal["inner", "left"] | None
    items: tuple["SelectItem", ...]
    is_spread: bool = False


SelectItem = FieldItem | EmbedItem


@dataclass(frozen=True, slots=True)
class Range:
    """A page: rows from `offset`, `limit` of them or all. Either may be negative (PostgreSQL refuses it)."""

    offset: int = 0
    limit: int | None = None

    @property
    def is_all(self) -> bool:
        """Whether this page is everything."""
        return self.limit is None and self.offset == 0


@dataclass(frozen=True, slots=True)
class QueryParams:
    """A parsed query string. Paths are the names of embeds from the root; () is the root itself.

    `filter_keys` are the keys of filters and arguments as they were written.
    """

    select: tuple[SelectItem, ...] = (FieldItem(Field("*")),)
    filters: tuple[tuple[Path, Filter], ...] = ()
    logic: tuple[tuple[Path, Condition], ...] = ()
    orders: tuple[tuple[Path, tuple[OrderTerm, ...]], ...] = ()
    ranges: tuple[tuple[Path, Range], ...] = ()
    root_range: Range = Range()
    columns: tuple[str, ...] | None = None
    on_conflict: tuple[str, ...] | None = None
    arguments: tuple[tuple[str, Value], ...] = ()
    filter_keys: frozenset[str] = frozenset()
