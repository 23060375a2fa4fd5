"""Spreads: which columns an embed adds to its parent, and where their aggregates are computed. Pure."""

from dataclasses import replace

from emulator.rest import errors
from emulator.rest.plan.types import PlannedSelect, ReadNode, SpreadField


def spread_fields(node: ReadNode) -> tuple[SpreadField, ...]:
    """Return the columns of a spread node as its parent sees them: its own, its embeds, and those of spreads in it."""
    fields = [SpreadField(output_name(term)) for term in node.select]
    for child in node.children:
        if child.spread is not None:
            fields.extend(SpreadField(spread.alias or spread.name) for spread in child.spread)
        elif not child.is_empty:
            fields.append(SpreadField(child.output_name))
    return tuple(fields)


def output_name(term: PlannedSelect) -> str:
    """Return the name a select term has in its result."""
    return term.alias or (term.aggregate if term.aggregate else term.field.name)


def hoist(node: ReadNode) -> ReadNode:
    """Move the aggregates of a to-one spread to its parent, which groups. Raises spread_aggregates (PGRST127)."""
    nested = [field for child in node.children if child.spread for field in child.spread]
    if not any(term.aggregate for term in node.select) and not any(field.aggregate for field in nested):
        return node
    if not node.is_to_one:
        raise errors.spread_aggregates()
    select, own = _hoist_select(node)
    children, inherited = _hoist_children(node)
    return replace(node, select=select, children=children, spread=(*own, *inherited))


def _hoist_select(node: ReadNode) -> tuple[tuple[PlannedSelect, ...], list[SpreadField]]:
    """Return a node's own terms without aggregates, and the columns from which its parent computes them."""
    select: list[PlannedSelect] = []
    fields: list[SpreadField] = []
    for place, term in enumerate(node.select):
        if term.aggregate:
            alias = f"{node.aggregate_alias}_{term.field.name}_{place}"
            select.append(replace(term, alias=alias, aggregate=None, aggregate_cast=None))
            fields.append(SpreadField(alias, output_name(term), term.aggregate, term.aggregate_cast))
        else:
            select.append(term)
            fields.append(SpreadField(output_name(term)))
    return tuple(select), fields


def _hoist_children(node: ReadNode) -> tuple[tuple[ReadNode, ...], list[SpreadField]]:
    """The same for what the spreads within a node add to it."""
    children: list[ReadNode] = []
    fields: list[SpreadField] = []
    for child in node.children:
        if child.spread is None:
            children.append(child)
            if not child.is_empty:
                fields.append(SpreadField(child.output_name))
            continue
        plain = tuple(_without_aggregate(child, field) for field in child.spread)
        children.append(replace(child, spread=plain))
        for new, old in zip(plain, child.spread, strict=True):
            name = new.alias or new.name
            if old.aggregate:
                fields.append(SpreadField(name, old.alias or old.name, old.aggregate, old.aggregate_cast))
            else:
                fields.append(SpreadField(name))
    return tuple(children), fields


def _without_aggregate(child: ReadNode, field: SpreadField) -> SpreadField:
    return SpreadField(field.name, f"{child.aggregate_alias}_{field.name}") if field.aggregate else field
