"""Which relation leads to which: built from foreign keys, views and junctions; found by name and hint. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product

from emulator.rest import errors
from emulator.rest.plan.suggestions import suggest
from emulator.rest.schema_cache.cache import (
    AnyRelationship,
    ComputedRelationship,
    Junction,
    Qualified,
    Relationship,
    SchemaCache,
    Table,
    far_schema,
)

# base column -> names under which a view shows it
ViewColumns = Mapping[Qualified, Mapping[tuple[Qualified, str], tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """A constraint: columns of `owner` paired with those of `referenced`."""

    name: str
    owner: Qualified
    referenced: Qualified
    columns: tuple[tuple[str, str], ...]
    is_unique: bool


def build_relationships(
    keys: Iterable[ForeignKey], views: ViewColumns, tables: Mapping[Qualified, Table]
) -> dict[Qualified, tuple[AnyRelationship, ...]]:
    """Return every way between relations, by where it starts."""
    forward = [rel for key in keys for rel in _of_key(key, views)]
    found: dict[Qualified, list[AnyRelationship]] = defaultdict(list)
    for rel in forward:
        found[rel.origin].append(rel)
    for rel in forward:
        found[rel.target].append(_inverse(rel))
    for many in _many_to_many(forward, tables):
        found[many.origin].append(many)
    return {origin: tuple(rels) for origin, rels in found.items()}


def _of_key(key: ForeignKey, views: ViewColumns) -> Iterable[Relationship]:
    owners = [(key.owner, tuple(near for near, _ in key.columns), False), *_as_seen(key.owner, key.columns, 0, views)]
    targets = [
        (key.referenced, tuple(far for _, far in key.columns), False),
        *_as_seen(key.referenced, key.columns, 1, views),
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


def _as_seen(
    table: Qualified, pairs: tuple[tuple[str, str], ...], side: int, views: ViewColumns
) -> Iterable[tuple[Qualified, tuple[str, ...], bool]]:
    """Yield each view that shows all columns of one side of a key, under every combination of names."""
    for view, shown in views.items():
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


def _many_to_many(forward: list[Relationship], tables: Mapping[Qualified, Table]) -> Iterable[Relationship]:
    by_junction: dict[Qualified, list[Relationship]] = defaultdict(list)
    for rel in forward:
        table = tables.get(rel.origin)
        if table and {near for near, _ in rel.columns} <= set(table.primary_key):
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


def find_relationship(cache: SchemaCache, origin: Qualified, target: str, hint: str | None) -> AnyRelationship:
    """Return the one way from `origin` to what the client calls `target`; raises PGRST200 or PGRST201."""
    ways = cache.relationships_from(origin, origin.schema)
    found = [rel for rel in ways if _matches(rel, target, hint)]
    if not found:
        raise _not_found(cache, origin, target, hint, ways)
    if len(found) > 1:
        raise _ambiguous(origin, target, found)
    return found[0]


def _matches(rel: AnyRelationship, target: str, hint: str | None) -> bool:
    if isinstance(rel, ComputedRelationship):
        return target == rel.function.name
    near, far = _single(rel, 0), _single(rel, 1)
    is_named = target == rel.target.name
    if rel.is_self:
        if hint is not None:
            return is_named and rel.cardinality == "one-to-many" and hint == far
        return (is_named and rel.cardinality == "one-to-many") or (rel.cardinality == "many-to-one" and target == near)
    constraint = rel.constraint if rel.junction is None else None
    if hint is None:
        return is_named or (not rel.target_is_view and target in (constraint, near))
    junction = rel.junction.table.name if rel.junction else None
    return is_named and hint in (constraint, near, far, junction)


def _single(rel: Relationship, side: int) -> str | None:
    return rel.columns[0][side] if len(rel.columns) == 1 else None


def _not_found(
    cache: SchemaCache, origin: Qualified, target: str, hint: str | None, ways: tuple[AnyRelationship, ...]
) -> Exception:
    suggestion: str | None = None
    # Ways through closed schemas can't be taken, but they show that the origin's name is right.
    if not any(far_schema(rel) == origin.schema for rel in cache.relationships.get(origin, ())):
        origins = {
            key.name
            for key, rels in cache.relationships.items()
            if any(far_schema(rel) == origin.schema for rel in rels)
        }
        near = suggest(origin.name, sorted(origins), 0.33)
        suggestion = f"Perhaps you meant '{near}' instead of '{origin.name}'." if near else None
    else:
        names = {rel.target.name for rel in ways}
        near = suggest(target, sorted(names), 0.33) if target not in names else None
        suggestion = f"Perhaps you meant '{near}' instead of '{target}'." if near else None
    return errors.no_relationship(origin.name, target, hint, origin.schema, suggestion)


def _ambiguous(origin: Qualified, target: str, found: list[AnyRelationship]) -> Exception:
    details: list[dict[str, str]] = []
    hints: list[str] = []
    for rel in found:
        if isinstance(rel, ComputedRelationship):
            continue
        details.append(
            {
                "cardinality": rel.cardinality,
                "embedding": f"{rel.origin.name} with {rel.target.name}",
                "relationship": _describe(rel),
            }
        )
        hints.append(f"'{rel.target.name}!{rel.junction.table.name if rel.junction else rel.constraint}'")
    hint = (
        f"Try changing '{target}' to one of the following: {', '.join(hints)}. "
        "Find the desired relationship in the 'details' key."
    )
    return errors.ambiguous_relationship(origin.name, target, details, hint)


def _describe(rel: Relationship) -> str:
    if rel.junction:
        near, far = rel.junction.near_columns, rel.junction.far_columns
        return (
            f"{rel.junction.table.name} using {rel.junction.near_constraint}({_names(near, 0)}) "
            f"and {rel.junction.far_constraint}({_names(far, 0)})"
        )
    return (
        f"{rel.constraint} using {rel.origin.name}({_names(rel.columns, 0)}) "
        f"and {rel.target.name}({_names(rel.columns, 1)})"
    )


def _names(pairs: tuple[tuple[str, str], ...], side: int) -> str:
    return ", ".join(pair[side] for pair in pairs)
