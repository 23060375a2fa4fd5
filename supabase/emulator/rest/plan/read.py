"""The select tree of a request, with relationships found and filters, orders and pages in their places. Pure.

Drafts are mutable while paths are being followed; what leaves this module is frozen.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

from emulator.rest import errors
from emulator.rest.api_request.request import ApiRequest
from emulator.rest.api_request.types import (
    Condition,
    EmbedItem,
    Field,
    FieldItem,
    Is,
    OrderTerm,
    Path,
    Range,
    SelectItem,
)
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

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """The settings a plan obeys."""

    aggregates_enabled: bool = False
    max_rows: int | None = None
    legacy_target_names: bool = True


@dataclass(frozen=True, slots=True)
class ReadTree:
    """A finished tree, and the (name, alias) pairs of embeds that were addressed by name despite an alias."""

    root: ReadNode
    legacy_targets: tuple[tuple[str, str], ...]


@dataclass(eq=False)
class _Draft:
    item: EmbedItem | None
    items: tuple[FieldItem, ...]
    depth: int
    children: "list[_Draft]"
    conditions: list[Condition] = field(default_factory=list)
    order: tuple[OrderTerm, ...] = ()
    page: Range = Range()

    @property
    def name(self) -> str:
        return self.item.relation if self.item else ""

    @property
    def output_name(self) -> str:
        return (self.item.alias or self.item.relation) if self.item else ""


def plan_read(request: ApiRequest, origin: QualifiedIdentifier, cache: SchemaCache, options: PlanOptions) -> ReadTree:
    """Lay a request's select out as a tree of reads, one node per embed.

    Raises not_embedded (PGRST108), no_relationship (PGRST200), ambiguous_relationship (PGRST201), PGRST118, 123, 127.
    """
    query, is_mutation = request.query, request.action.verb not in ("read", "call")
    root = _draft(None, query.select, 0)
    paths = _Paths(root, options.legacy_target_names)
    for path, condition in query.filters:
        if path or not is_mutation:
            paths.at(path, lambda node, found=condition: node.conditions.append(found))  # type: ignore[misc]
    for path, order in query.orders:
        paths.at(path, lambda node, found=order: setattr(node, "order", found))  # type: ignore[misc]
    if not is_mutation:
        root.page = request.page
        for path, page in query.ranges:
            paths.at(path, lambda node, found=page: setattr(node, "page", found))  # type: ignore[misc]
    for path, logic in query.logic:
        if path or not is_mutation:
            paths.at(path, lambda node, found=logic: node.conditions.append(found))  # type: ignore[misc]
    max_rows = None if is_mutation else options.max_rows
    node = _Freezer(cache, options.aggregates_enabled, max_rows).freeze_root(root, origin)
    return ReadTree(node, tuple(dict.fromkeys(paths.legacy)))


def _draft(item: EmbedItem | None, items: tuple[SelectItem, ...], depth: int) -> _Draft:
    plain = tuple(entry for entry in items if isinstance(entry, FieldItem))
    children = [_draft(entry, entry.items, depth + 1) for entry in items if isinstance(entry, EmbedItem)]
    if item is None and not items:
        plain = (FieldItem(Field("*")),)
    return _Draft(item, plain, depth, children)


class _Paths:
    """Finds embeds by path. A target moves to the front of its siblings, as it does upstream."""

    def __init__(self, root: _Draft, allow_legacy: bool) -> None:
        self._root = root
        self._allow_legacy = allow_legacy
        self.legacy: list[tuple[str, str]] = []

    def at(self, path: Path, change: Callable[[_Draft], object]) -> None:
        node = self._root
        for name in path:
            target = self._find(node, name)
            node.children.remove(target)
            node.children.insert(0, target)
            node = target
        change(node)

    def _find(self, node: _Draft, name: str) -> _Draft:
        for child in node.children:
            item = child.item
            if item is None or name not in (item.alias, item.relation):
                continue
            if item.alias is not None and item.alias != name:
                if not self._allow_legacy:
                    raise errors.target_has_alias(name, item.alias)
                self.legacy.append((item.relation, item.alias))
            return child
        raise errors.not_embedded(name)


class _Freezer:
    """Turns drafts into nodes, from the root down for relationships and back up for spreads."""

    def __init__(self, cache: SchemaCache, aggregates: bool, max_rows: int | None) -> None:
        self._cache = cache
        self._aggregates = aggregates
        self._max_rows = max_rows

    def freeze_root(self, draft: _Draft, origin: QualifiedIdentifier) -> ReadNode:
        return self._freeze(draft, origin, None, "")

    def _freeze(
        self, draft: _Draft, table: QualifiedIdentifier, rel: AnyRelationship | None, parent_name: str
    ) -> ReadNode:
        item = draft.item
        alias = f"{table.name}_{draft.depth}" if item else None
        resolver = FieldResolver(self._cache, self._cache.tables.get(table))
        is_spread = item is not None and item.is_spread
        # Two embeds of one name get one alias, which PostgreSQL refuses (42712), as upstream has it.
        children = tuple(self._freeze_child(child, table) for child in draft.children)
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

    def _freeze_child(self, child: _Draft, table: QualifiedIdentifier) -> ReadNode:
        assert child.item is not None
        rel = find_relationship(self._cache, table, child.item.relation, child.item.hint)
        frozen = self._freeze(child, rel.target, rel, table.name)
        return hoist(frozen) if frozen.spread is not None else frozen

    def _select(
        self, draft: _Draft, resolver: FieldResolver, is_spread: bool, children: tuple[ReadNode, ...]
    ) -> tuple[PlannedSelect, ...]:
        terms: list[PlannedSelect] = []
        has_aggregates = any(entry.aggregate for entry in draft.items) or any(
            spread.aggregate for child in children if child.spread for spread in child.spread
        )
        if has_aggregates and not self._aggregates:
            raise errors.aggregates_disabled()
        writes_out = is_spread or resolver.has_representations() or has_aggregates
        for entry in draft.items:
            if entry.field.name == "*" and entry.aggregate is None and writes_out and resolver.table:
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
    """Let an embed that shows nothing still offer the columns its parent is sorted by."""
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
    """Replace `embed.is.null` by a test of the embed's presence."""
    if isinstance(condition, PlannedLogic):
        return replace(condition, children=tuple(_presence(child, children) for child in condition.children))
    if isinstance(condition, PlannedFilter) and condition.operation == Is("NULL") and not condition.field.path:
        child = next((node for node in children if node.output_name == condition.field.name), None)
        if child is not None:
            return PresenceFilter(child.aggregate_alias, condition.negated)
    return condition
