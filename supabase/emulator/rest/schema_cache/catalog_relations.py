"""Relations as the catalog describes them: tables with their columns and keys, and what views show of them. Pure."""

from collections import defaultdict
from collections.abc import Sequence

from emulator.rest.schema_cache.catalog_queries import CatalogRows
from emulator.rest.schema_cache.identifiers import QualifiedIdentifier
from emulator.rest.schema_cache.relationship_detection import ForeignKey, ViewColumns
from emulator.rest.schema_cache.table import Column, Table
from emulator.rest.schema_cache.view_columns import read_view_columns

# Bits of pg_relation_is_updatable(): 1 << CMD_UPDATE, CMD_INSERT, CMD_DELETE of PostgreSQL's nodes.h.
_CAN_UPDATE, _CAN_INSERT, _CAN_DELETE = 4, 8, 16
# A view can't refer to itself, so this only guards against a broken catalog.
_MAX_VIEW_DEPTH = 64


class CatalogRelations:
    """Tables, views and foreign keys of the catalog, whose OIDs and attribute numbers become names here."""

    def __init__(self, rows: CatalogRows) -> None:
        self._table_rows = rows.tables
        self._constraints = rows.constraints
        self._names = {row[2]: QualifiedIdentifier(row[0], row[1]) for row in rows.tables}
        self._columns: dict[int, dict[int, Column]] = defaultdict(dict)
        for oid, name, number, declared, base, nullable, description, length, default, enum in rows.columns:
            self._columns[oid][number] = Column(
                name, declared, base, nullable, description, length, default, tuple(enum or ())
            )
        # view -> number of its column -> (relation, number of the column) that it shows
        self._view_columns = {
            oid: {number: (table, column) for number, table, column in read_view_columns(rule)}
            for oid, _, _, rule in rows.view_rules
        }

    def tables(self) -> dict[QualifiedIdentifier, Table]:
        """Return every relation by name."""
        keys = {owner: numbers for _, kind, owner, _, numbers, _ in self._constraints if kind == "p"}
        tables = {}
        for schema, name, oid, kind, description, updatable, hides_rows in self._table_rows:
            columns = self._columns[oid]
            is_view = oid in self._view_columns
            tables[QualifiedIdentifier(schema, name)] = Table(
                id=QualifiedIdentifier(schema, name),
                columns={column.name: column for _, column in sorted(columns.items())},
                primary_key=self._view_key(oid, keys) if is_view else self._names_of(oid, keys.get(oid, ())),
                description=description,
                is_view=kind in ("v", "m"),
                is_insertable=bool(updatable & _CAN_INSERT),
                hides_rows=hides_rows,
                is_updatable=bool(updatable & _CAN_UPDATE),
                is_deletable=bool(updatable & _CAN_DELETE),
            )
        return tables

    def views(self) -> ViewColumns:
        """Return which columns of tables each view shows, and under which names."""
        views: dict[QualifiedIdentifier, dict[tuple[QualifiedIdentifier, str], tuple[str, ...]]] = {}
        for view, numbers in self._view_columns.items():
            if view not in self._names:
                continue
            shown: dict[tuple[QualifiedIdentifier, str], tuple[str, ...]] = {}
            for number in sorted(numbers):
                origin = self._origin(view, number)
                if origin is None or origin[0] not in self._names or number not in self._columns[view]:
                    continue
                column = self._columns[origin[0]].get(origin[1])
                if column is not None:
                    key = (self._names[origin[0]], column.name)
                    shown[key] = (*shown.get(key, ()), self._columns[view][number].name)
            views[self._names[view]] = shown
        return views

    def foreign_keys(self) -> list[ForeignKey]:
        """Return every foreign key, with whether its columns are unique in its owner."""
        uniques: dict[int, list[frozenset[int]]] = defaultdict(list)
        for _, kind, owner, _, numbers, _ in self._constraints:
            if kind in ("p", "u"):
                uniques[owner].append(frozenset(numbers))
        return [
            ForeignKey(
                name,
                self._names[owner],
                self._names[referenced],
                tuple(zip(self._names_of(owner, near), self._names_of(referenced, far), strict=True)),
                frozenset(near) in uniques[owner],
            )
            for name, kind, owner, referenced, near, far in self._constraints
            if kind == "f" and owner in self._names and referenced in self._names
        ]

    def _names_of(self, oid: int, numbers: Sequence[int]) -> tuple[str, ...]:
        columns = self._columns[oid]
        return tuple(columns[number].name for number in numbers if number in columns)

    def _origin(self, relation: int, number: int) -> tuple[int, int] | None:
        """Follow a view's column down to the table that stores it; None for an expression."""
        for _ in range(_MAX_VIEW_DEPTH):
            if relation not in self._view_columns:
                return relation, number
            found = self._view_columns[relation].get(number)
            if found is None:
                return None
            relation, number = found
        return None

    def _view_key(self, view: int, keys: dict[int, list[int]]) -> tuple[str, ...]:
        """Return the primary key of a view: those of the tables whose keys it shows completely."""
        shown: dict[int, dict[int, int]] = defaultdict(dict)
        for number in sorted(self._view_columns[view]):
            origin = self._origin(view, number)
            if origin:
                shown[origin[0]].setdefault(origin[1], number)
        names: list[str] = []
        for table, numbers in shown.items():
            key = keys.get(table)
            if key and all(number in numbers for number in key):
                names.extend(self._names_of(view, [numbers[number] for number in key]))
        return tuple(names)
