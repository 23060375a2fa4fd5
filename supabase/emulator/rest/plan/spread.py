"""Spreads: which columns an embed adds to its parent, how these are aggregated and ordered. Pure."""

from dataclasses import dataclass, replace

from emulator.rest import errors
from emulator.rest.plan.types import PlannedField, PlannedOrder, PlannedSelect, ReadNode, SpreadExtra, SpreadField


def spread_fields(node: ReadNode) -> tuple[SpreadField, ...]:
    """Return the columns of a spread node as its parent sees them: its own, its embeds, and those of spreads in it."""
    fields = [SpreadField(term.alias or term.field.name) for term in node.select]
    for child in node.children:
        fields.extend(child.spread if child.spread is not None else [SpreadField(child.output_name)])
    return tuple(fields)


@dataclass(frozen=True, slots=True)
class _Hoisted:
    """An aggregate on its way up: the embed and column that it is computed from, and how."""

    embed: str
    column: str
    aggregate: str
    cast: str | None
    alias: str | None


def hoist_aggregates(root: ReadNode) -> ReadNode:
    """Move the aggregates of to-one spreads up to the first node that is none, which then groups."""
    return _hoist(root)[0]


def _hoist(node: ReadNode) -> tuple[ReadNode, list[_Hoisted]]:
    results = [_hoist(child) for child in node.children]
    children = tuple(child for child, _ in results)
    below = [hoisted for _, found in results for hoisted in found]
    if node.spread is None or not node.is_to_one:
        return replace(node, children=tuple(_computing(child, below) for child in children)), []
    select, own = [], []
    for term in node.select:
        if term.aggregate:
            name = term.alias or term.field.name
            own.append(_Hoisted(node.aggregate_alias, name, term.aggregate, term.aggregate_cast, term.alias))
            term = replace(term, aggregate=None, aggregate_cast=None)  # noqa: PLW2901
        select.append(term)
    passed = [replace(hoisted, embed=node.aggregate_alias) for hoisted in below]
    return replace(node, select=tuple(select), children=children), [*own, *passed]


def _computing(child: ReadNode, below: list[_Hoisted]) -> ReadNode:
    """Return a child whose spread columns are aggregated where an aggregate comes from them."""
    if not child.spread or not below:
        return child
    first = {(hoisted.embed, hoisted.column): hoisted for hoisted in reversed(below)}
    fields = []
    for field in child.spread:
        hoisted = first.get((child.aggregate_alias, field.name))
        fields.append(SpreadField(field.name, hoisted.alias, hoisted.aggregate, hoisted.cast) if hoisted else field)
    return replace(child, spread=tuple(fields))


def order_spreads(node: ReadNode) -> ReadNode:
    """Move the orders of to-many spreads into their aggregation. Raises spread_aggregates (PGRST127)."""
    if node.spread is not None and not node.is_to_one:
        spreads = [field for child in node.children if child.spread for field in child.spread]
        if any(term.aggregate for term in node.select) or any(field.aggregate for field in spreads):
            raise errors.spread_aggregates()
        node = _aggregated_order(node)
    return replace(node, children=tuple(order_spreads(child) for child in node.children))


def _aggregated_order(node: ReadNode) -> ReadNode:
    extras, order = [], []
    for place, term in enumerate(node.order, 1):
        alias = f"{node.aggregate_alias}_{term.field.name}_{place}"
        extras.append(SpreadExtra(PlannedSelect(term.field, alias), term.table_alias))
        order.append(PlannedOrder(PlannedField(alias), term.direction, term.nulls))
    return replace(node, order=(), spread_extras=tuple(extras), spread_order=tuple(order))
