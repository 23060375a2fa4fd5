"""The select tree while filters, orders and pages are being put at the embeds that they address. Pure.

The nodes are mutable; read.py finds their relationships and makes the plan of them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from emulator.rest import errors
from emulator.rest.api_request.request import ApiRequest
from emulator.rest.api_request.types import (
    Condition,
    EmbedItem,
    Field,
    FieldItem,
    OrderTerm,
    Path,
    Range,
    SelectItem,
)
from emulator.rest.schema_cache.identifiers import QualifiedIdentifier
from emulator.rest.schema_cache.relationship import AnyRelationship


@dataclass(eq=False)
class DraftNode:
    """The root, or an embed. `named`: the relation as the request names it; `table`: that of the relationship."""

    item: EmbedItem | None
    items: tuple[FieldItem, ...]
    depth: int
    children: "list[DraftNode]"
    named: QualifiedIdentifier
    table: QualifiedIdentifier
    relationship: AnyRelationship | None = None
    filters: list[Condition] = field(default_factory=list)
    logic: list[Condition] = field(default_factory=list)
    order: tuple[OrderTerm, ...] = ()
    page: Range = Range()
    legacy_name: str | None = None

    @property
    def output_name(self) -> str:
        """The key in the response; empty for the root."""
        return (self.item.alias or self.item.relation) if self.item else ""

    @property
    def is_spread(self) -> bool:
        """Whether its columns become its parent's."""
        return self.item is not None and self.item.is_spread

    @property
    def is_to_one(self) -> bool:
        """Whether a row of the parent has at most one."""
        return self.relationship is not None and self.relationship.is_to_one

    def walk(self) -> "Iterator[DraftNode]":
        """Yield the node and all below it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()


def draft_tree(request: ApiRequest, origin: QualifiedIdentifier, *, allow_legacy_targets: bool) -> DraftNode:
    """Return the tree of a request's select. Raises not_embedded, target_has_alias (PGRST108).

    Parameters of one kind are applied from the last to the first, as in PostgREST: that decides which of two errors is
    reported, and the order of the embeds in the response.
    """
    query, is_mutation = request.query, request.action.verb not in ("read", "call")
    root = _draft(None, query.select, 0, origin, request.schema)
    paths = _Paths(root, allow_legacy_targets)
    # Filters and logic of a mutation's root restrict the write itself (mutation.py); pages have no meaning there.
    for path, found in reversed(query.filters):
        if path or not is_mutation:
            paths.find(path).filters.insert(0, found)
    for path, order in reversed(query.orders):
        paths.find(path).order = order
    if not is_mutation:
        root.page = request.page
        for path, page in query.ranges:
            paths.find(path).page = page
    for path, tree in reversed(query.logic):
        if path or not is_mutation:
            paths.find(path).logic.insert(0, tree)
    return root


def legacy_targets(root: DraftNode) -> tuple[tuple[str, str], ...]:
    """Return the (name, alias) pairs of embeds that were addressed by name although they have an alias."""
    return tuple((node.legacy_name, node.output_name) for node in root.walk() if node.legacy_name)


def _draft(
    item: EmbedItem | None, items: Iterable[SelectItem], depth: int, named: QualifiedIdentifier, schema: str
) -> DraftNode:
    items = tuple(items)
    fields = tuple(entry for entry in items if isinstance(entry, FieldItem))
    children = [
        _draft(entry, entry.items, depth + 1, QualifiedIdentifier(schema, entry.relation), schema)
        for entry in items
        if isinstance(entry, EmbedItem)
    ]
    return DraftNode(item, fields, depth, children, named, named)


STAR = FieldItem(Field("*"))


class _Paths:
    """Finds embeds by path. What is found moves to the front of its siblings, as in PostgREST."""

    def __init__(self, root: DraftNode, allow_legacy_targets: bool) -> None:
        self._root = root
        self._allow_legacy_targets = allow_legacy_targets

    def find(self, path: Path) -> DraftNode:
        node = self._root
        for name in path:
            child = self._child(node, name)
            node.children.remove(child)
            node.children.insert(0, child)
            node = child
        return node

    def _child(self, node: DraftNode, name: str) -> DraftNode:
        aliased: DraftNode | None = None
        for child in node.children:
            assert child.item is not None
            if child.output_name == name:
                return self._named(child, name)
            if child.item.relation == name:
                if self._allow_legacy_targets:
                    return self._named(child, name)
                aliased = aliased or child
        if aliased is not None:
            raise errors.target_has_alias(name, aliased.output_name)
        raise errors.not_embedded(name)

    def _named(self, child: DraftNode, name: str) -> DraftNode:
        if child.output_name != name:
            child.legacy_name = name
        return child
