"""The schema cache: what the service knows of the database, with lookups. Pure.

build.py makes it from rows of the catalog. It is immutable: a reload replaces the whole cache.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from emulator.rest.schema_cache.identifiers import QualifiedIdentifier
from emulator.rest.schema_cache.relationship import AnyRelationship, ComputedRelationship, Relationship, target_schema
from emulator.rest.schema_cache.routine import Function, MediaHandler
from emulator.rest.schema_cache.table import Table


@dataclass(frozen=True)
class SchemaCache:
    """One reading of the catalog.

    `representations` maps (source type, target type) to the cast function between a domain and json or text.
    """

    tables: Mapping[QualifiedIdentifier, Table] = field(default_factory=dict)
    relationships: Mapping[QualifiedIdentifier, tuple[AnyRelationship, ...]] = field(default_factory=dict)
    functions: Mapping[QualifiedIdentifier, tuple[Function, ...]] = field(default_factory=dict)
    handlers: Mapping[tuple[QualifiedIdentifier | None, str], MediaHandler] = field(default_factory=dict)
    representations: Mapping[tuple[str, str], QualifiedIdentifier] = field(default_factory=dict)
    schema_descriptions: Mapping[str, str] = field(default_factory=dict)
    exposed: frozenset[str] = frozenset()

    def relationships_from(self, origin: QualifiedIdentifier, schema: str) -> tuple[AnyRelationship, ...]:
        """Return the relationships to relations of a schema; a computed one replaces detected ones of its name."""
        found = [
            rel for rel in self.relationships.get(origin, ()) if target_schema(rel) == schema and self._is_exposed(rel)
        ]
        computed = {rel.function.name for rel in found if isinstance(rel, ComputedRelationship)}
        return tuple(rel for rel in found if isinstance(rel, ComputedRelationship) or rel.target.name not in computed)

    def _is_exposed(self, rel: AnyRelationship) -> bool:
        """Whether the junction, if there is one, is in an exposed schema."""
        junction = rel.junction if isinstance(rel, Relationship) else None
        return junction is None or junction.table.schema in self.exposed

    def functions_named(self, schema: str, name: str) -> tuple[Function, ...]:
        """Return all overloads."""
        return self.functions.get(QualifiedIdentifier(schema, name), ())

    def tables_in(self, schema: str) -> Iterable[Table]:
        """Yield the relations of a schema, sorted by name."""
        return (self.tables[key] for key in sorted(self.tables) if key.schema == schema)
