"""SQL fragments: parameters, fields, conditions, orders, select terms. Pure.

Values are always parameters ($1 without a type, so that PostgreSQL infers it); identifiers are always quoted.
"""

from dataclasses import dataclass, field

from emulator.rest.api_request.types import Compare, FullText, InList, Is, Placeholder, Range, Value
from emulator.rest.plan.types import (
    PlannedCondition,
    PlannedField,
    PlannedFilter,
    PlannedLogic,
    PlannedOrder,
    PlannedSelect,
    PresenceFilter,
)
from emulator.rest.schema_cache.identifiers import quote

# The request's body, which is not among its other values: as text, and as the text form of a bytea.
BODY = Placeholder(-1)
BODY_BYTES = Placeholder(-2)

OPERATORS = {
    "eq": "=",
    "neq": "<>",
    "gt": ">",
    "gte": ">=",
    "lt": "<",
    "lte": "<=",
    "like": "like",
    "ilike": "ilike",
    "match": "~",
    "imatch": "~*",
    "cs": "@>",
    "cd": "<@",
    "ov": "&&",
    "sl": "<<",
    "sr": ">>",
    "nxr": "&<",
    "nxl": "&>",
    "adj": "-|-",
    "isdistinct": "IS DISTINCT FROM",
}
# What these compare with is no value of the column's domain.
_OF_UNKNOWN_TYPE = frozenset({"like", "ilike", "match", "imatch", "isdistinct"})
_TEXT_SEARCH_FUNCTIONS = {
    "fts": "to_tsquery",
    "plfts": "plainto_tsquery",
    "phfts": "phraseto_tsquery",
    "wfts": "websearch_to_tsquery",
}


@dataclass(slots=True)
class Binder:
    """Collects the parameters of one statement."""

    values: list[Value] = field(default_factory=list)

    def bind(self, value: Value) -> str:
        """Return `$n` for a value. The body is bound once: it may be large."""
        if value == BODY and BODY in self.values:
            return f"${self.values.index(BODY) + 1}"
        self.values.append(value)
        return f"${len(self.values)}"


def array_literal(values: tuple[str, ...]) -> str:
    """Render a PostgreSQL array of texts, every element quoted."""
    escaped = (value.replace("\\", "\\\\").replace('"', '\\"') for value in values)
    return "{" + ",".join(f'"{value}"' for value in escaped) + "}"


def field_sql(reference: str, planned: PlannedField, binder: Binder) -> str:
    """Render a field: its column, then the arrows of its path."""
    column = f"{reference}.*" if planned.name == "*" else f"{reference}.{quote(planned.name)}"
    if not planned.path:
        return column
    text = f"to_jsonb({column})" if planned.wraps_json else column
    for step in planned.path:
        arrow = "->>" if step.as_text else "->"
        text += f"{arrow}{binder.bind(step.key)}{'::int' if step.is_index else ''}"
    return text


def select_sql(reference: str, row_name: str, term: PlannedSelect, binder: Binder) -> str:
    """Render a term of a select list; `row_name` is what a reference to the whole row is called."""
    if term.field.is_row:
        text = "*" if term.aggregate else quote(row_name)
    else:
        text = field_sql(reference, term.field, binder)
    if term.field.output:
        text = f"{term.field.output.sql}({text})"
    if term.cast:
        text = f"CAST({text} AS {term.cast})"
    if term.aggregate:
        text = aggregate_sql(text, term.aggregate, term.aggregate_cast)
    return f"{text} AS {quote(term.alias)}" if term.alias else text


def aggregate_sql(inner: str, aggregate: str, cast: str | None) -> str:
    """Render an aggregate over `inner`."""
    text = f"{aggregate.upper()}({inner})"
    return f"CAST({text} AS {cast})" if cast else text


def condition_sql(reference: str, condition: PlannedCondition, binder: Binder) -> str:
    """Render a condition of a read."""
    if isinstance(condition, PlannedLogic):
        joint = f" {condition.operator.upper()} ".join(
            condition_sql(reference, child, binder) for child in condition.children
        )
        return f"{'NOT ' if condition.negated else ''}({joint})"
    if isinstance(condition, PresenceFilter):
        return f"{quote(condition.aggregate_alias)} IS {'' if condition.is_present else 'NOT '}DISTINCT FROM NULL"
    return filter_sql(reference, condition, binder)


def filter_sql(reference: str, condition: PlannedFilter, binder: Binder) -> str:
    """Render one comparison."""
    left, operation = field_sql(reference, condition.field, binder), condition.operation
    prefix = "NOT " if condition.negated else ""
    if isinstance(operation, Is):
        return f"{prefix}{left} IS {operation.word}"
    if isinstance(operation, FullText):
        config = f"{binder.bind(operation.config)}, " if operation.config else ""
        if condition.wraps_text_search:
            left = f"to_tsvector({config}{left})"
        return f"{prefix}{left} @@ {_TEXT_SEARCH_FUNCTIONS[operation.operator]}({config}{binder.bind(operation.value)})"
    if isinstance(operation, InList):
        if operation.values == ("",):
            return f"{prefix}{left} = ANY ('{{}}')"
        right = binder.bind(array_literal(operation.values))
        if condition.input:
            right = f"(SELECT {condition.input.sql}(unnest({right}::text[])))"
        return f"{prefix}{left} = ANY ({right})"
    return f"{prefix}{left} {_comparison(operation, condition, binder)}"


def _comparison(operation: Compare, condition: PlannedFilter, binder: Binder) -> str:
    value = operation.value
    if operation.operator in ("like", "ilike") and isinstance(value, str):
        value = value.replace("*", "%")
    right = binder.bind(value)
    if condition.input and operation.operator not in _OF_UNKNOWN_TYPE:
        right = f"{condition.input.sql}({right})"
    if operation.quantifier:
        right = f"{operation.quantifier.upper()} ({right})"
    return f"{OPERATORS[operation.operator]} {right}"


def order_sql(reference: str, order: tuple[PlannedOrder, ...], binder: Binder) -> str:
    """Render ORDER BY, or nothing."""
    if not order:
        return ""
    terms = []
    for term in order:
        owner = quote(term.table_alias) if term.table_alias else reference
        words = (field_sql(owner, term.field, binder), term.direction, term.nulls)
        terms.append(" ".join(word for word in words if word))
    return f" ORDER BY {', '.join(terms)}"


def page_sql(page: Range, binder: Binder) -> str:
    """Render LIMIT and OFFSET, or nothing."""
    if page.limit is None and page.offset == 0:
        return ""
    limit = "ALL" if page.limit is None else binder.bind(str(page.limit))
    return f" LIMIT {limit} OFFSET {binder.bind(str(page.offset))}"
