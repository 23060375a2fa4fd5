"""The plan of a read: the select tree with every relationship, column and condition resolved. Pure.

draft.py puts filters, orders and pages in their places first. The stages, and so which of several errors is reported,
are PostgREST's: relationships, related orders, aggregates, spreads.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from emulator.rest import errors
from emulator.rest.api_request.request import ApiRequest
from emulator.rest.api_request.types import Field, FieldItem, Is, OrderTerm, Range
from emulator.rest.plan.draft import DraftNode, draft_tree, legacy_targets
from emulator.rest.plan.fields import FieldResolver
from emulator.rest.plan.relationships import find_relationship
from emulator.rest.plan.spread import hoist_aggregates, order_spreads, spread_fields
from emulator.rest.plan.types import (
    PlannedCondition,
    PlannedField,
    PlannedFilter,
    PlannedLogic,
    PlannedOrder,
    PlannedSelect,
    PresenceFilter,
    ReadNode,
)
from emulator.rest.schema_cache.cache import SchemaCache
from emulator.rest.schema_cache.identifiers import QualifiedIdentifier
from emulator.rest.schema_cache.relationship import Relationship

# How often one relation may come on the way from the root to an embed: each time multiplies the rows to be read.
_MAX_RECURSION = 6


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """The settings that planning depends on."""

    aggregates_enabled: bool = False
    max_rows: int | None = None
    legacy_target_names: bool = True


@dataclass(frozen=True, slots=True)
class ReadTree:
    """A planned tree, and the (name, alias) pairs of embeds that were addressed by name although they have an alias."""

    root: ReadNode
    legacy_targets: tuple[tuple[str, str], ...]


def plan_read(request: ApiRequest, origin: QualifiedIdentifier, cache: SchemaCache, options: PlanOptions) -> ReadTree:
    """Plan a request's select as a tree, one node per embed; `origin` is the relation of the root.

    Raises not_embedded (PGRST108), no_relationship (PGRST200), ambiguous_relationship (PGRST201), PGRST118, 123, 127.
    """
    draft = draft_tree(request, origin, allow_legacy_targets=options.legacy_target_names)
    _relate(draft, cache, request.schema, (draft.table.name,))
    for node in draft.walk():
        _check_related_orders(node)
    if not options.aggregates_enabled and any(entry.aggregate for node in draft.walk() for entry in node.items):
        raise errors.aggregates_disabled()
    is_mutation = request.action.verb not in ("read", "call")
    max_rows = None if is_mutation else options.max_rows
    root = _TreePlanner(cache, FieldResolver(cache, cache.tables.get(origin)), max_rows).plan(draft)
    return ReadTree(order_spreads(hoist_aggregates(root)), legacy_targets(draft))


def _relate(node: DraftNode, cache: SchemaCache, schema: str, path: tuple[str, ...]) -> None:
    """Find the relationship of every embed, from the root down: it depends on the parent's relation.

    `path` has the relations from the root to the node.
    """
    for child in node.children:
        assert child.item is not None
        origin = QualifiedIdentifier(schema, node.table.name)
        child.relationship = find_relationship(cache, origin, child.item.relation, child.item.hint)
        child.table = child.relationship.target
        if path.count(child.table.name) >= _MAX_RECURSION:
            raise errors.embeds_itself_too_often(child.table.name, _MAX_RECURSION)
        _relate(child, cache, schema, (*path, child.table.name))


def _check_related_orders(node: DraftNode) -> None:
    for term in node.order:
        if term.relation is None:
            continue
        child = next((one for one in node.children if one.output_name == term.relation), None)
        if child is None:
            raise errors.not_embedded(term.relation)
        if not child.is_to_one:
            raise errors.related_order_impossible(node.table.name, child.output_name)


class _TreePlanner:
    """Makes the nodes of the plan, children first: a parent's columns depend on their spreads."""

    def __init__(self, cache: SchemaCache, root: FieldResolver, max_rows: int | None) -> None:
        self._cache = cache
        self._root = root
        self._max_rows = max_rows

    def plan(self, draft: DraftNode, parent_name: str = "", *, is_aggregated: bool = False) -> ReadNode:
        """Plan a node. `is_aggregated`: there is an aggregate above it, so `*` must be written out."""
        item, rel = draft.item, draft.relationship
        is_aggregated = (
            is_aggregated or any(entry.aggregate for entry in draft.items) or (draft.is_spread and not draft.is_to_one)
        )
        # Two embeds of one name get one alias, which PostgreSQL refuses (42712). PostgREST gives the same error.
        children = tuple(self.plan(child, draft.table.name, is_aggregated=is_aggregated) for child in draft.children)
        # Names are resolved against the relation that the request names, though a constraint or a column may stand
        # there; and those of orders always against the root's.
        resolver = FieldResolver(self._cache, self._cache.tables.get(draft.named))
        is_junction = isinstance(rel, Relationship) and rel.junction is not None
        node = ReadNode(
            table=draft.table,
            alias=f"{draft.table.name}_{draft.depth}" if rel is not None and not is_junction else None,
            output_name=draft.output_name or draft.table.name,
            aggregate_alias=f"{parent_name}_{draft.output_name}_{draft.depth}",
            select=self._select(draft, resolver, is_aggregated=is_aggregated),
            children=children,
            where=tuple(_presence(resolver.condition(found), children) for found in (*draft.logic, *draft.filters)),
            order=tuple(self._order(term, children) for term in draft.order),
            page=self._page(draft.page),
            relationship=rel,
            is_inner=item is not None and item.join == "inner",
            is_to_one=draft.is_to_one,
        )
        return replace(node, spread=spread_fields(node)) if draft.is_spread else node

    def _select(self, draft: DraftNode, resolver: FieldResolver, *, is_aggregated: bool) -> tuple[PlannedSelect, ...]:
        of_table = FieldResolver(self._cache, self._cache.tables.get(draft.table))
        expands = is_aggregated or of_table.has_representations()
        terms: list[PlannedSelect] = []
        for entry in draft.items:
            is_star = entry.field.name == "*" and not entry.field.path and expands
            if is_star and entry.aggregate is None:
                terms.extend(_expanded(entry, of_table))
            else:
                terms.append(_select_term(entry, resolver.represented, is_spread=draft.is_spread))
        return tuple(terms)

    def _order(self, term: OrderTerm, children: tuple[ReadNode, ...]) -> PlannedOrder:
        if term.relation is None:
            return PlannedOrder(self._root.field(term.field), term.direction, term.nulls)
        child = next(node for node in children if node.output_name == term.relation)
        planned = PlannedField(term.field.name, term.field.path)
        return PlannedOrder(planned, term.direction, term.nulls, child.aggregate_alias)

    def _page(self, page: Range) -> Range:
        if self._max_rows is None:
            return page
        limit = self._max_rows if page.limit is None else min(page.limit, self._max_rows)
        return Range(page.offset, limit)


def _expanded(entry: FieldItem, resolver: FieldResolver) -> list[PlannedSelect]:
    """Return `*` as the columns of a relation; none where they can't be known."""
    names = resolver.table.columns if resolver.table else ()
    terms = (FieldItem(Field(name), entry.alias, entry.cast) for name in names)
    return [_select_term(term, resolver.represented, is_spread=False) for term in terms]


def _select_term(entry: FieldItem, represent: Callable[[Field], PlannedField], *, is_spread: bool) -> PlannedSelect:
    if entry.field.name == "*" and entry.aggregate == "count":
        alias = entry.alias or (entry.aggregate if is_spread else None)
        return PlannedSelect(PlannedField("*", is_row=True), alias, None, "count", entry.aggregate_cast)
    planned, alias = represent(entry.field), entry.alias
    if alias is None and entry.aggregate is not None:
        # The parent of a spread refers to an aggregate by name.
        alias = entry.aggregate if is_spread else None
    elif alias is None and entry.field.path:
        keys = [step.key for step in entry.field.path if not step.is_index]
        # Of an index it is the last key before it, else the column.
        alias = keys[-1] if keys else entry.field.name
    elif alias is None and planned.output:
        alias = entry.field.name
    return PlannedSelect(planned, alias, entry.cast, entry.aggregate, entry.aggregate_cast)


def _presence(condition: PlannedCondition, children: tuple[ReadNode, ...]) -> PlannedCondition:
    """Replace `embed=is.null` by a test whether the embed has rows."""
    if isinstance(condition, PlannedLogic):
        return replace(condition, children=tuple(_presence(child, children) for child in condition.children))
    if isinstance(condition, PlannedFilter) and condition.operation == Is("NULL") and not condition.field.path:
        child = next((node for node in children if node.output_name == condition.field.name), None)
        if child is not None:
            return PresenceFilter(child.aggregate_alias, condition.negated)
    return condition
