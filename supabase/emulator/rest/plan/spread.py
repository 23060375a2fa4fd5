"""Spreads: which columns a child lifts into its parent, and where their aggregates are computed. Pure."""

from dataclasses import replace

from emulator.rest import errors
from emulator.rest.plan.types import PlannedSelect, ReadNode, SpreadField


def spread_fields(node: ReadNode) -> tuple[SpreadField, ...]:
    """Return the columns of a spread node as its parent sees them: own terms, embeds, and what it lifted itself."""
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
    """Move the aggregates inside a to-one spread up to the parent. Raises spread_aggregates (PGRST127)."""
    lifted = [spread for child in node.children if child.spread for spread in child.spread if spread.aggregate]
    if not lifted and not any(term.aggregate for term in node.select):
        return node
    if not node.is_to_one:
        raise errors.spread_aggregates()
    select: list[PlannedSelect] = []
    fields: list[SpreadField] = []
    for place, term in enumerate(node.select):
        if not term.aggregate:
            select.append(term)
            fields.append(SpreadField(output_name(term)))
            continue
        inner = f"{node.aggregate_alias}_{term.field.name}_{place}"
        select.append(replace(term, alias=inner, aggregate=None, aggregate_cast=None))
        fields.append(SpreadField(inner, output_name(term), term.aggregate, term.aggregate_cast))
    children: list[ReadNode] = []
    for child in node.children:
        if child.spread is None:
            children.append(child)
            if not child.is_empty:
                fields.append(SpreadField(child.output_name))
            continue
        raised = tuple(_plain(child, spread) for spread in child.spread)
        children.append(replace(child, spread=raised))
        fields.extend(
            SpreadField(now.alias or now.name, was.alias or was.name, was.aggregate, was.aggregate_cast)
            if was.aggregate
            else SpreadField(now.alias or now.name)
            for now, was in zip(raised, child.spread, strict=True)
        )
    return replace(node, select=tuple(select), children=tuple(children), spread=tuple(fields))


def _plain(child: ReadNode, spread: SpreadField) -> SpreadField:
    """Return what is lifted through a node when the aggregate over it is computed further up."""
    if not spread.aggregate:
        return spread
    return SpreadField(spread.name, f"{child.aggregate_alias}_{spread.name}")
