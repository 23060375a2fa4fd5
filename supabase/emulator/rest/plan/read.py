"""The plan of a read: the select tree with every relationship, column and condition resolved. Pure.

draft.py puts filters, orders and pages in their places first.
"""

from dataclasses import dataclass, replace

from emulator.rest import errors
from emulator.rest.api_request.request import ApiRequest
from emulator.rest.api_request.types import Field, FieldItem, Is, OrderTerm, Range
from emulator.rest.plan.draft import DraftNode, draft_tree
from emulator.rest.plan.fields import FieldResolver
from emulator.rest.plan.relationships import find_relationship
from emulator.rest.plan.spread import hoist, spread_fields
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
from emulator.rest.schema_cache.relationship import AnyRelationship


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
    draft = draft_tree(request, allow_legacy_targets=options.legacy_target_names)
    is_mutation = request.action.verb not in ("read", "call")
    max_rows = None if is_mutation else options.max_rows
    planner = _TreePlanner(cache, options.aggregates_enabled, max_rows)
    return ReadTree(planner.plan(draft.root, origin, None, ""), draft.legacy_targets)


class _TreePlanner:
    """Resolves nodes from the root down, because a relationship depends on the parent's relation.

    What children show is passed up again: a parent's columns depend on their spreads.
    """

    def __init__(self, cache: SchemaCache, aggregates_enabled: bool, max_rows: int | None) -> None:
        self._cache = cache
        self._aggregates_enabled = aggregates_enabled
        self._max_rows = max_rows

    def plan(
        self, draft: DraftNode, table: QualifiedIdentifier, rel: AnyRelationship | None, parent_name: str
    ) -> ReadNode:
        item = draft.item
        alias = f"{table.name}_{draft.depth}" if item else None
        resolver = FieldResolver(self._cache, self._cache.tables.get(table))
        is_spread = item is not None and item.is_spread
        # Two embeds of one name get one alias, which PostgreSQL refuses (42712). PostgREST gives the same error.
        children = tuple(self._plan_child(child, table) for child in draft.children)
        children = tuple(_with_order_columns(child, draft.order) for child in children)
        node = ReadNode(
            table=table,
            alias=alias,
            depth=draft.depth,
            name=item.relation if item else table.name,
            output_name=draft.output_name or table.name,
            aggregate_alias=f"{parent_name}_{draft.output_name}_{draft.depth}",
            select=self._select(draft, resolver, is_spread, children),
            children=children,
            where=tuple(_presence(resolver.condition(found), children) for found in draft.conditions),
            order=tuple(self._order(term, resolver, table, children) for term in draft.order),
            page=self._page(draft.page),
            relationship=rel,
            is_inner=item is not None and item.join == "inner",
            is_to_one=rel is not None and rel.is_to_one,
        )
        if not is_spread:
            return node
        return replace(node, spread=spread_fields(node))

    def _plan_child(self, child: DraftNode, table: QualifiedIdentifier) -> ReadNode:
        assert child.item is not None
        rel = find_relationship(self._cache, table, child.item.relation, child.item.hint)
        node = self.plan(child, rel.target, rel, table.name)
        return hoist(node) if node.spread is not None else node

    def _select(
        self, draft: DraftNode, resolver: FieldResolver, is_spread: bool, children: tuple[ReadNode, ...]
    ) -> tuple[PlannedSelect, ...]:
        terms: list[PlannedSelect] = []
        has_aggregates = any(entry.aggregate for entry in draft.items) or any(
            spread.aggregate for child in children if child.spread for spread in child.spread
        )
        if has_aggregates and not self._aggregates_enabled:
            raise errors.aggregates_disabled()
        expands_star = is_spread or resolver.has_representations() or has_aggregates
        for entry in draft.items:
            if entry.field.name == "*" and entry.aggregate is None and expands_star and resolver.table:
                terms.extend(
                    PlannedSelect(resolver.represented(Field(name)), name if resolver.output(name) else None)
                    for name in resolver.table.columns
                )
            else:
                terms.append(_select_term(entry, resolver))
        return tuple(terms)

    def _order(
        self, term: OrderTerm, resolver: FieldResolver, table: QualifiedIdentifier, children: tuple[ReadNode, ...]
    ) -> PlannedOrder:
        if term.relation is None:
            return PlannedOrder(resolver.field(term.field), term.direction, term.nulls)
        child = next((node for node in children if node.output_name == term.relation), None)
        child = child or next((node for node in children if node.name == term.relation), None)
        if child is None:
            raise errors.not_embedded(term.relation)
        if not child.is_to_one:
            raise errors.related_order_impossible(table.name, child.name)
        planned = PlannedField(term.field.name, term.field.path)
        return PlannedOrder(planned, term.direction, term.nulls, child.aggregate_alias)

    def _page(self, page: Range) -> Range:
        if self._max_rows is None:
            return page
        limit = self._max_rows if page.limit is None else min(page.limit, self._max_rows)
        return Range(page.offset, limit)


def _with_order_columns(child: ReadNode, order: tuple[OrderTerm, ...]) -> ReadNode:
    """Give an embed without columns of its own those that its parent is ordered by."""
    names = [term.field.name for term in order if term.relation in (child.output_name, child.name)]
    if not names or not child.is_empty or child.spread is not None:
        return child
    columns = tuple(PlannedSelect(PlannedField(name)) for name in dict.fromkeys(names))
    return replace(child, select=columns, only_orders=True)


def _select_term(entry: FieldItem, resolver: FieldResolver) -> PlannedSelect:
    if entry.field.name == "*" and entry.aggregate == "count":
        return PlannedSelect(PlannedField("*", is_row=True), entry.alias, None, "count", entry.aggregate_cast)
    planned = resolver.represented(entry.field)
    if entry.cast:
        planned = replace(planned, output=None)
    alias = entry.alias
    if alias is None and entry.aggregate is None:
        if entry.field.path:
            keys = [step.key for step in entry.field.path if not step.is_index]
            alias = keys[-1] if keys else entry.field.name
        elif planned.output or entry.cast:
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
