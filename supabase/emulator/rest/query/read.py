"""A read as one SELECT with a lateral join per embed, and as the query that counts its rows. Pure."""

from emulator.rest.plan.types import PlannedCondition, PlannedLogic, PresenceFilter, ReadNode, SpreadField
from emulator.rest.query.fragments import (
    Binder,
    aggregate_sql,
    condition_sql,
    field_sql,
    filter_sql,
    order_sql,
    page_sql,
    select_sql,
)
from emulator.rest.schema_cache.identifiers import quote
from emulator.rest.schema_cache.relationship import ColumnPairs, ComputedRelationship


def read_sql(node: ReadNode, binder: Binder, *, source: str | None = None, parent: str = "") -> str:
    """Render the SELECT of a node. `source`: a CTE instead of the root's table; `parent`: the reference above."""
    reference = _reference(node, source)
    terms = [select_sql(reference, node.row_name, term, binder) for term in node.select]
    if not node.select and not node.children:
        terms.append(f"{reference}.*")
    terms.extend(
        select_sql(quote(extra.table_alias) if extra.table_alias else reference, node.row_name, extra.term, binder)
        for extra in node.spread_extras
    )
    joins: list[str] = []
    for child in node.children:
        terms.extend(_child_terms(child))
        # Of two embeds of one name both joins read the first, as in PostgREST; PostgreSQL refuses them (42712).
        first = next(one for one in node.children if one.aggregate_alias == child.aggregate_alias)
        joins.append(_join_sql(child, first, reference, binder))
    conditions = [*(condition_sql(reference, found, binder) for found in node.where), *_link_conditions(node, parent)]
    return "".join(
        (
            f"SELECT {', '.join(terms)} FROM {_from_sql(node, source, parent)}",
            *joins,
            f" WHERE {' AND '.join(conditions)}" if conditions else "",
            _group_sql(node, reference, binder),
            order_sql(reference, node.order, binder),
            page_sql(node.page, binder),
        )
    )


def _reference(node: ReadNode, source: str | None) -> str:
    if node.alias:
        return quote(node.alias)
    return quote(node.table.name) if source else node.table.sql


def _from_sql(node: ReadNode, source: str | None, parent: str) -> str:
    rel = node.relationship
    if rel is None:
        return f"{source} AS {quote(node.table.name)}" if source else node.table.sql
    alias = f" AS {quote(node.alias)}" if node.alias else ""
    if isinstance(rel, ComputedRelationship):
        # A row of a CTE is an anonymous record; the function needs the table's type.
        return f"{rel.function.sql}({_row_of(parent, rel)}::{rel.origin.sql}){alias}"
    return f"{node.table.sql}{alias}" + (f", {rel.junction.table.sql}" if rel.junction else "")


def _row_of(parent: str, rel: ComputedRelationship) -> str:
    """Return a whole-row reference. Of the root that is its bare name: `schema.table` would be read as a column."""
    return quote(rel.origin.name) if parent == rel.origin.sql else parent


def _link_conditions(node: ReadNode, parent: str) -> list[str]:
    rel = node.relationship
    if rel is None or isinstance(rel, ComputedRelationship):
        return []
    if rel.junction:
        junction = rel.junction.table.sql
        return [
            *_equal(junction, rel.junction.far_columns, node.table.sql),
            *_equal(junction, rel.junction.near_columns, parent),
        ]
    alias = quote(node.alias or node.table.name)
    return [f"{alias}.{quote(far)} = {parent}.{quote(near)}" for near, far in rel.columns]


def _equal(left: str, pairs: ColumnPairs, right: str) -> list[str]:
    return [f"{left}.{quote(one)} = {right}.{quote(other)}" for one, other in pairs]


def _child_terms(child: ReadNode) -> list[str]:
    alias = quote(child.aggregate_alias)
    if child.spread is not None:
        return [_spread_term(alias, spread) for spread in child.spread]
    if child.is_empty:
        return []
    if child.is_to_one:
        return [f"row_to_json({alias}.*)::jsonb AS {quote(child.output_name)}"]
    return [f"COALESCE({alias}.{alias}, '[]') AS {quote(child.output_name)}"]


def _spread_term(alias: str, spread: SpreadField) -> str:
    text = _spread_column(alias, spread)
    if spread.aggregate:
        text = aggregate_sql(text, spread.aggregate, spread.aggregate_cast)
    return f"{text} AS {quote(spread.alias)}" if spread.alias else text


def _spread_column(alias: str, spread: SpreadField) -> str:
    return f"{alias}.{'*' if spread.name == '*' else quote(spread.name)}"


def _join_sql(child: ReadNode, read: ReadNode, reference: str, binder: Binder) -> str:
    alias = quote(child.aggregate_alias)
    inner, condition = read_sql(read, binder, parent=reference), "TRUE"
    is_row = child.is_to_one if child.spread is None else read.is_to_one or read.spread is None
    if not is_row:
        order = order_sql(alias, read.spread_order, binder)
        columns = "".join(
            f", COALESCE(json_agg({_spread_column(alias, spread)}{order}), '[]')::jsonb "
            f"AS {quote(spread.alias or spread.name)}"
            for spread in child.spread or ()
        )
        inner = f"SELECT json_agg({alias})::jsonb AS {alias}{columns} FROM ({inner}) AS {alias}"
        if read.is_inner:
            condition = f"{alias} IS NOT NULL"
    return f" {'INNER' if read.is_inner else 'LEFT'} JOIN LATERAL ({inner}) AS {alias} ON {condition}"


def _group_sql(node: ReadNode, reference: str, binder: Binder) -> str:
    spreads = [spread for child in node.children if child.spread for spread in child.spread]
    if not any(term.aggregate for term in node.select) and not any(spread.aggregate for spread in spreads):
        return ""
    terms = [
        quote(term.alias) if term.alias else field_sql(reference, term.field, binder)
        for term in node.select
        if not term.aggregate
    ]
    for child in node.children:
        if child.spread is None:
            terms.append(quote(child.output_name))
            continue
        alias = quote(child.aggregate_alias)
        terms.extend(f"{alias}.{quote(spread.alias or spread.name)}" for spread in child.spread if not spread.aggregate)
    return f" GROUP BY {', '.join(terms)}" if terms else ""


def count_sql(node: ReadNode, binder: Binder, *, source: str | None = None, parent: str = "") -> str:
    """Render a query with one row per row the read would return without its page."""
    reference = _reference(node, source)
    conditions = [
        *(_count_condition(found, node, reference, binder) for found in node.where),
        *_link_conditions(node, parent),
        *(f"EXISTS ({count_sql(child, binder, parent=reference)})" for child in node.children if child.is_inner),
    ]
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    return f"SELECT 1 FROM {_from_sql(node, source, parent)}{where}"


def _count_condition(condition: PlannedCondition, node: ReadNode, reference: str, binder: Binder) -> str:
    if isinstance(condition, PlannedLogic):
        joint = f" {condition.operator.upper()} ".join(
            _count_condition(child, node, reference, binder) for child in condition.children
        )
        return f"{'NOT ' if condition.negated else ''}({joint})"
    if isinstance(condition, PresenceFilter):
        child = next(found for found in node.children if found.aggregate_alias == condition.aggregate_alias)
        exists = f"EXISTS ({count_sql(child, binder, parent=reference)})"
        return exists if condition.is_present else f"NOT {exists}"
    return filter_sql(reference, condition, binder)
