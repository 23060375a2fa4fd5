"""The select tree while filters, orders and pages are being put at the embeds that they address. Pure.

The nodes are mutable; read.py resolves them to a plan.
"""

from collections.abc import Iterable
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
    QueryParams,
    Range,
    SelectItem,
)


@dataclass(eq=False)
class DraftNode:
    """The root, or an embed."""

    item: EmbedItem | None
    items: tuple[FieldItem, ...]
    depth: int
    children: "list[DraftNode]"
    conditions: list[Condition] = field(default_factory=list)
    order: tuple[OrderTerm, ...] = ()
    page: Range = Range()

    @property
    def output_name(self) -> str:
        """The key in the response; empty for the root."""
        return (self.item.alias or self.item.relation) if self.item else ""


@dataclass(frozen=True, slots=True)
class Draft:
    """A tree, and the (name, alias) pairs of embeds that were addressed by name although they have an alias."""

    root: DraftNode
    legacy_targets: tuple[tuple[str, str], ...]


def draft_tree(request: ApiRequest, *, allow_legacy_targets: bool) -> Draft:
    """Return the tree of a request's select. Raises not_embedded, target_has_alias (PGRST108)."""
    query, is_mutation = request.query, request.action.verb not in ("read", "call")
    root = _draft(None, query.select, 0)
    paths = _Paths(root, allow_legacy_targets)
    # Filters and logic of a mutation's root restrict the write itself (mutation.py); pages have no meaning there.
    paths.add_conditions((path, found) for path, found in query.filters if path or not is_mutation)
    for path, order in query.orders:
        paths.find(path).order = order
    if not is_mutation:
        _set_pages(root, paths, request.page, query)
    paths.add_conditions((path, found) for path, found in query.logic if path or not is_mutation)
    return Draft(root, tuple(dict.fromkeys(paths.legacy_targets)))


def _draft(item: EmbedItem | None, items: tuple[SelectItem, ...], depth: int) -> DraftNode:
    fields = tuple(entry for entry in items if isinstance(entry, FieldItem))
    children = [_draft(entry, entry.items, depth + 1) for entry in items if isinstance(entry, EmbedItem)]
    if item is None and not items:
        fields = (FieldItem(Field("*")),)
    return DraftNode(item, fields, depth, children)


def _set_pages(root: DraftNode, paths: "_Paths", root_page: Range, query: QueryParams) -> None:
    root.page = root_page
    for path, page in query.ranges:
        paths.find(path).page = page


class _Paths:
    """Finds embeds by path. What is found moves to the front of its siblings, as in PostgREST."""

    def __init__(self, root: DraftNode, allow_legacy_targets: bool) -> None:
        self._root = root
        self._allow_legacy_targets = allow_legacy_targets
        self.legacy_targets: list[tuple[str, str]] = []

    def add_conditions(self, conditions: Iterable[tuple[Path, Condition]]) -> None:
        for path, condition in conditions:
            self.find(path).conditions.append(condition)

    def find(self, path: Path) -> DraftNode:
        node = self._root
        for name in path:
            child = self._child(node, name)
            node.children.remove(child)
            node.children.insert(0, child)
            node = child
        return node

    def _child(self, node: DraftNode, name: str) -> DraftNode:
        for child in node.children:
            item = child.item
            if item is None or name not in (item.alias, item.relation):
                continue
            if item.alias is not None and item.alias != name:
                if not self._allow_legacy_targets:
                    raise errors.target_has_alias(name, item.alias)
                self.legacy_targets.append((item.relation, item.alias))
            return child
        raise errors.not_embedded(name)
