"""The relationship an embed means, found by the target's name and the hint, with PostgREST's errors. Pure."""

from emulator.rest import errors
from emulator.rest.plan.suggestions import suggest
from emulator.rest.schema_cache.cache import SchemaCache
from emulator.rest.schema_cache.identifiers import QualifiedIdentifier
from emulator.rest.schema_cache.relationship import AnyRelationship, ComputedRelationship, Relationship, target_schema

# How alike two names must be for the error to suggest one for the other; PostgREST's value.
_MIN_SIMILARITY = 0.33
# In the order in which an ambiguous embed lists its candidates.
_CARDINALITIES = ("one-to-many", "many-to-one", "one-to-one", "many-to-many")


def find_relationship(
    cache: SchemaCache, origin: QualifiedIdentifier, target: str, hint: str | None
) -> AnyRelationship:
    """Return the one relationship from `origin` that `target` and `hint` mean. Raises PGRST200 or PGRST201."""
    candidates = cache.relationships_from(origin, origin.schema)
    found = [rel for rel in candidates if _matches(rel, target, hint)]
    if not found:
        raise _not_found(cache, origin, target, hint, candidates)
    if len(found) > 1:
        raise _ambiguous(origin, target, sorted(found, key=_rank))
    return found[0]


def _matches(rel: AnyRelationship, target: str, hint: str | None) -> bool:
    """Whether a name, and a hint if there is one, mean this relationship.

    Source: PostgREST reference, "Foreign Key Joins": a target is a relation, a constraint or a single column; a hint is
    a constraint, a column of either side, or a junction.
    """
    if isinstance(rel, ComputedRelationship):
        return target == rel.function.name
    near, far = _single_column(rel, 0), _single_column(rel, 1)
    is_named = target == rel.target.name
    if rel.is_self:
        # In a self-reference the relation's name embeds the children, the foreign key's column the parent.
        if hint is not None:
            return is_named and rel.cardinality == "one-to-many" and hint == far
        return (is_named and rel.cardinality == "one-to-many") or (rel.cardinality == "many-to-one" and target == near)
    constraint = rel.constraint if rel.junction is None else None
    if hint is None:
        return is_named or (not rel.target_is_view and target in (constraint, near))
    junction = rel.junction.table.name if rel.junction else None
    return is_named and hint in (constraint, near, far, junction)


def _single_column(rel: Relationship, side: int) -> str | None:
    return rel.columns[0][side] if len(rel.columns) == 1 else None


def _not_found(
    cache: SchemaCache,
    origin: QualifiedIdentifier,
    target: str,
    hint: str | None,
    candidates: tuple[AnyRelationship, ...],
) -> Exception:
    suggestion: str | None = None
    # Relationships through schemas that are not exposed can't be embedded, but they show that origin's name is right.
    if not any(target_schema(rel) == origin.schema for rel in cache.relationships.get(origin, ())):
        origins = {
            key.name
            for key, rels in cache.relationships.items()
            if any(target_schema(rel) == origin.schema for rel in rels)
        }
        near = suggest(origin.name, sorted(origins), _MIN_SIMILARITY)
        suggestion = f"Perhaps you meant '{near}' instead of '{origin.name}'." if near else None
    else:
        names = {rel.target.name for rel in candidates}
        near = suggest(target, sorted(names), _MIN_SIMILARITY) if target not in names else None
        suggestion = f"Perhaps you meant '{near}' instead of '{target}'." if near else None
    return errors.no_relationship(origin.name, target, hint, origin.schema, suggestion)


def _rank(rel: AnyRelationship) -> tuple[object, ...]:
    """Return the place of a relationship among candidates: by cardinality, then by constraint or junction."""
    if isinstance(rel, ComputedRelationship):
        return rel.target, len(_CARDINALITIES)
    name = (rel.junction.table, rel.junction.near_constraint) if rel.junction else (rel.constraint,)
    return rel.target, _CARDINALITIES.index(rel.cardinality), name, rel.columns


def _ambiguous(origin: QualifiedIdentifier, target: str, found: list[AnyRelationship]) -> Exception:
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
