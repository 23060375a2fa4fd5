"""Relationship detection: from foreign keys, the views that show their columns, and junction tables. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product

from emulator.rest.schema_cache.identifiers import QualifiedIdentifier
from emulator.rest.schema_cache.relationship import AnyRelationship, ColumnPairs, Junction, Relationship
from emulator.rest.schema_cache.table import Table

# view -> (table, column) -> the names of the view's columns that show it
ShownColumns = Mapping[tuple[QualifiedIdentifier, str], tuple[str, ...]]
ViewColumns = Mapping[QualifiedIdentifier, ShownColumns]
_ViewsByColumn = dict[tuple[QualifiedIdentifier, str], list[tuple[QualifiedIdentifier, ShownColumns]]]


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """A foreign key: columns of `owner` paired with those of `referenced`."""

    name: str
    owner: QualifiedIdentifier
    referenced: QualifiedIdentifier
    columns: tuple[tuple[str, str], ...]
    is_unique: bool


def detect_relationships(
    keys: Iterable[ForeignKey], views: ViewColumns, tables: Mapping[QualifiedIdentifier, Table]
) -> dict[QualifiedIdentifier, tuple[AnyRelationship, ...]]:
    """Return all relationships by their origin: many-to-one first, then their inverses, then many-to-many."""
    by_column = _views_by_column(views)
    forward = [rel for key in keys for rel in _foreign_key_relationships(key, by_column)]
    found: dict[QualifiedIdentifier, list[AnyRelationship]] = defaultdict(list)
    for rel in forward:
        found[rel.origin].append(rel)
    for rel in forward:
        found[rel.target].append(_inverse(rel))
    for many in _many_to_many(forward, tables):
        found[many.origin].append(many)
    return {origin: tuple(rels) for origin, rels in found.items()}


def _foreign_key_relationships(key: ForeignKey, views: _ViewsByColumn) -> Iterable[Relationship]:
    owners = [
        (key.owner, tuple(near for near, _ in key.columns), False),
        *_through_views(key.owner, key.columns, 0, views),
    ]
    targets = [
        (key.referenced, tuple(far for _, far in key.columns), False),
        *_through_views(key.referenced, key.columns, 1, views),
    ]
    for (owner, near, owner_is_view), (target, far, target_is_view) in product(owners, targets):
        yield Relationship(
            origin=owner,
            target=target,
            cardinality="one-to-one" if key.is_unique else "many-to-one",
            constraint=key.name,
            columns=tuple(zip(near, far, strict=True)),
            target_is_view=target_is_view,
            origin_is_view=owner_is_view,
        )


def _views_by_column(views: ViewColumns) -> _ViewsByColumn:
    """Return the views that show each column of a table."""
    found: _ViewsByColumn = {}
    for view, shown in views.items():
        for column in shown:
            found.setdefault(column, []).append((view, shown))
    return found


def _through_views(
    table: QualifiedIdentifier, pairs: ColumnPairs, side: int, views: _ViewsByColumn
) -> Iterable[tuple[QualifiedIdentifier, tuple[str, ...], bool]]:
    """Yield each view that shows all columns of one side of a foreign key, with every combination of their names."""
    for view, shown in views.get((table, pairs[0][side]), ()):
        names = [shown.get((table, pair[side]), ()) for pair in pairs]
        if all(names):
            for combination in product(*names):
                yield view, combination, True


def _inverse(rel: Relationship) -> Relationship:
    return Relationship(
        origin=rel.target,
        target=rel.origin,
        cardinality="one-to-one" if rel.cardinality == "one-to-one" else "one-to-many",
        constraint=rel.constraint,
        columns=tuple((far, near) for near, far in rel.columns),
        target_is_view=rel.origin_is_view,
        origin_is_view=rel.target_is_view,
        is_parent=True,
    )


def _many_to_many(forward: list[Relationship], tables: Mapping[QualifiedIdentifier, Table]) -> Iterable[Relationship]:
    """Yield a relationship for each pair of foreign keys that are part of one table's primary key: a junction."""
    by_junction: dict[QualifiedIdentifier, list[Relationship]] = defaultdict(list)
    for rel in forward:
        table = tables.get(rel.origin)
        if rel.cardinality == "many-to-one" and table and {near for near, _ in rel.columns} <= set(table.primary_key):
            by_junction[rel.origin].append(rel)
    for junction, rels in by_junction.items():
        for one, other in product(rels, rels):
            if one.constraint == other.constraint:
                continue
            yield Relationship(
                origin=one.target,
                target=other.target,
                cardinality="many-to-many",
                junction=Junction(junction, one.constraint, other.constraint, one.columns, other.columns),
                target_is_view=other.target_is_view,
                origin_is_view=one.target_is_view,
            )
