"""Reads PostgreSQL's catalogue into a SchemaCache: one read-only transaction, a handful of queries. I/O."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import psycopg

from emulator.rest.schema_cache import catalog_queries
from emulator.rest.schema_cache.cache import (
    AnyRelationship,
    Column,
    ComputedRelationship,
    Function,
    MediaHandler,
    Parameter,
    Qualified,
    RoleSettings,
    SchemaCache,
    Table,
)
from emulator.rest.schema_cache.relationships import ForeignKey, build_relationships
from emulator.rest.schema_cache.view_origins import read_view_columns

Connection = psycopg.AsyncConnection[Any]
Row = tuple[Any, ...]

RAW_BODY_TYPES = ("bytea", "json", "jsonb", "text", "xml")
# Types that would cut or pad a value that is given to a function are read in their unlimited form.
_UNLIMITED = {"character": "character varying", "bit": "bit varying"}


async def load_schema_cache(
    connection: Connection, schemas: Sequence[str], extra_path: Sequence[str], hoisted: Sequence[str]
) -> SchemaCache:
    """Read the whole catalog_queries. `hoisted` names the function settings that go to the transaction."""
    arguments = {"schemas": list(schemas), "path": [*schemas, *extra_path]}
    async with connection.transaction():
        await connection.execute("set transaction isolation level repeatable read, read only")
        await connection.execute("select pg_catalog.set_config('search_path', '', true)")
        answers = {
            name: await (await connection.execute(getattr(catalog_queries, name), arguments)).fetchall()
            for name in (
                "TABLES",
                "COLUMNS",
                "CONSTRAINTS",
                "VIEW_RULES",
                "FUNCTIONS",
                "COMPUTED_RELATIONSHIPS",
                "HANDLERS",
                "REPRESENTATIONS",
                "SCHEMA_DESCRIPTIONS",
            )
        }
    return build_schema_cache(answers, tuple(schemas), frozenset(hoisted))


def build_schema_cache(answers: dict[str, list[Row]], schemas: Sequence[str], hoisted: frozenset[str]) -> SchemaCache:
    """Turn the answers to the catalogue's questions into a cache. Pure."""
    relations = _Relations(answers)
    tables = relations.tables()
    by_origin = build_relationships(relations.foreign_keys(), relations.views(), tables)
    merged: dict[Qualified, tuple[AnyRelationship, ...]] = dict(by_origin)
    for row in answers["COMPUTED_RELATIONSHIPS"]:
        computed = ComputedRelationship(Qualified(*row[0:2]), Qualified(*row[2:4]), Qualified(*row[4:6]), row[6])
        merged[computed.origin] = (*merged.get(computed.origin, ()), computed)
    functions: dict[Qualified, list[Function]] = defaultdict(list)
    for row in answers["FUNCTIONS"]:
        function = _function(row, hoisted)
        if function is not None:
            functions[function.id].append(function)
    return SchemaCache(
        tables=tables,
        relationships=merged,
        functions={key: tuple(overloads) for key, overloads in functions.items()},
        handlers={(handler.target, row[2]): handler for row in answers["HANDLERS"] for handler in [_handler(row)]},
        representations={(source, target): Qualified(schema, name)
                         for source, target, schema, name in answers["REPRESENTATIONS"]},
        schema_descriptions=dict(answers["SCHEMA_DESCRIPTIONS"]),
        exposed=frozenset(schemas),
    )  # fmt: skip


class _Relations:
    """Oids and positions of the catalogue's rows turned into names."""

    def __init__(self, answers: dict[str, list[Row]]) -> None:
        self._table_rows = answers["TABLES"]
        self._constraints = answers["CONSTRAINTS"]
        self._names = {row[2]: Qualified(row[0], row[1]) for row in self._table_rows}
        self._columns: dict[int, dict[int, Column]] = defaultdict(dict)
        for row in answers["COLUMNS"]:
            oid, name, place, declared, base, nullable, description, length, default, enum = row
            self._columns[oid][place] = Column(
                name, declared, base, nullable, description, length, default, tuple(enum or ())
            )
        self._rules = {
            oid: {place: (table, column) for place, table, column in read_view_columns(rule)}
            for oid, _, _, rule in answers["VIEW_RULES"]
        }

    def tables(self) -> dict[Qualified, Table]:
        keys = {owner: places for _, kind, owner, _, places, _ in self._constraints if kind == "p"}
        tables = {}
        for schema, name, oid, kind, description, updatable in self._table_rows:
            columns = self._columns[oid]
            primary_key = (
                self._view_primary_key(oid, keys) if oid in self._rules else self._names_of(oid, keys.get(oid, ()))
            )
            tables[Qualified(schema, name)] = Table(
                id=Qualified(schema, name),
                columns={column.name: column for _, column in sorted(columns.items())},
                primary_key=primary_key,
                description=description,
                is_view=kind in ("v", "m"),
                is_insertable=bool(updatable & 8),
                is_updatable=bool(updatable & 4),
                is_deletable=bool(updatable & 16),
            )
        return tables

    def _names_of(self, oid: int, places: Sequence[int]) -> tuple[str, ...]:
        columns = self._columns[oid]
        return tuple(columns[place].name for place in places if place in columns)

    def _origin(self, table: int, place: int) -> tuple[int, int] | None:
        """Follow a view's column down to the table that stores it."""
        for _ in range(64):
            if table not in self._rules:
                return table, place
            found = self._rules[table].get(place)
            if found is None:
                return None
            table, place = found
        return None

    def _view_primary_key(self, view: int, keys: dict[int, list[int]]) -> tuple[str, ...]:
        shown: dict[int, dict[int, int]] = defaultdict(dict)
        for place in sorted(self._rules[view]):
            origin = self._origin(view, place)
            if origin:
                shown[origin[0]].setdefault(origin[1], place)
        names: list[str] = []
        for table, places in shown.items():
            key = keys.get(table)
            if key and all(place in places for place in key):
                names.extend(self._names_of(view, [places[place] for place in key]))
        return tuple(names)

    def views(self) -> dict[Qualified, dict[tuple[Qualified, str], tuple[str, ...]]]:
        views: dict[Qualified, dict[tuple[Qualified, str], tuple[str, ...]]] = {}
        for view, places in self._rules.items():
            if view not in self._names:
                continue
            shown: dict[tuple[Qualified, str], tuple[str, ...]] = {}
            for place in sorted(places):
                origin = self._origin(view, place)
                if origin is None or origin[0] not in self._names or place not in self._columns[view]:
                    continue
                column = self._columns[origin[0]].get(origin[1])
                if column is not None:
                    key = (self._names[origin[0]], column.name)
                    shown[key] = (*shown.get(key, ()), self._columns[view][place].name)
            views[self._names[view]] = shown
        return views

    def foreign_keys(self) -> list[ForeignKey]:
        uniques: dict[int, list[frozenset[int]]] = defaultdict(list)
        for _, kind, owner, _, places, _ in self._constraints:
            if kind in ("p", "u"):
                uniques[owner].append(frozenset(places))
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


def _function(row: Row, hoisted: frozenset[str]) -> Function | None:
    """Read one function, or None when it can't be called by name: several parameters, some without one."""
    (schema, name, description, returns_set, volatility, is_void, is_composite, row_schema, row_name,
     type_schema, type_name, arg_names, modes, types, defaults, config, oid) = row  # fmt: skip
    inputs = [
        (arg_names[at] if at < len(arg_names) else "", types[at], mode)
        for at, mode in enumerate(modes)
        if mode in ("i", "b", "v")
    ]
    if any(not arg for arg, _, _ in inputs) and not (len(inputs) == 1 and inputs[0][1] in RAW_BODY_TYPES):
        return None
    required = len(inputs) - defaults
    settings = [entry.partition("=") for entry in config or ()]
    return Function(
        id=Qualified(schema, name),
        parameters=tuple(
            Parameter(arg, declared, _unlimited(declared), place < required, mode == "v")
            for place, (arg, declared, mode) in enumerate(inputs)
        ),
        returns_set=returns_set,
        returns_composite=is_composite,
        returns_void=is_void,
        row_type=Qualified(row_schema, row_name) if row_name else None,
        return_type=Qualified(type_schema, type_name),
        volatility=volatility,
        description=description,
        settings=tuple((key, value) for key, _, value in settings
                       if key in hoisted and key != "default_transaction_isolation"),
        isolation=next((value for key, _, value in settings
                        if key == "default_transaction_isolation" and key in hoisted), None),
        oid=oid,
    )  # fmt: skip


def _unlimited(declared: str) -> str:
    bare, brackets, _ = declared.partition("[]")
    return _UNLIMITED.get(bare, bare) + brackets


def _handler(row: Row) -> MediaHandler:
    schema, name, media_type, arg_schema, arg_name, is_any, is_aggregate = row
    if is_aggregate:
        target = None if is_any or arg_name is None else Qualified(arg_schema, arg_name)
    else:
        target = Qualified(schema, name)
    sent = "application/octet-stream" if media_type == "*/*" else media_type
    return MediaHandler(Qualified(schema, name), target, sent, is_aggregate)


async def load_role_settings(connection: Connection) -> dict[str, RoleSettings]:
    """Read ALTER ROLE ... SET of every role the service is a direct member of."""
    privilege = catalog_queries.PARAMETER_PRIVILEGE if connection.info.server_version >= 150000 else ""
    query = catalog_queries.ROLE_SETTINGS.format(parameter_privilege=privilege)
    rows = await (await connection.execute(query.encode())).fetchall()
    by_role: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for role, key, value in rows:
        by_role[role].append((key, value))
    return {
        role: RoleSettings(
            tuple((key, value) for key, value in entries if key != "default_transaction_isolation"),
            next((value for key, value in entries if key == "default_transaction_isolation"), None),
        )
        for role, entries in by_role.items()
    }


async def load_database_config(connection: Connection, pre_config: str | None) -> dict[str, str]:
    """Read the service's own settings kept in the database: of the pre-config function, the role, the database."""
    config: dict[str, str] = {}
    if pre_config:
        async with connection.transaction():
            await connection.execute("set transaction read only")
            await connection.execute(f"select {_call(pre_config)}()".encode())
            rows = await (
                await connection.execute(
                    "select name, current_setting(name, true) from unnest(%s::text[]) as name",
                    ([f"pgrst.{name}" for name in DATABASE_SETTINGS],),
                )
            ).fetchall()
            config.update({name: value for name, value in rows if value not in (None, "")})
    for name, value in await (await connection.execute(catalog_queries.IN_DATABASE_CONFIG, {})).fetchall():
        config[name] = value
    return {name.removeprefix("pgrst."): value for name, value in config.items()}


def _call(name: str) -> str:
    schema, dot, function = name.partition(".")
    return Qualified(schema, function).sql if dot else Qualified("", name).sql


# Which settings the database may override.
DATABASE_SETTINGS = (
    "client_error_verbosity",
    "db_aggregates_enabled",
    "db_anon_role",
    "db_extra_search_path",
    "db_hoisted_tx_settings",
    "db_max_rows",
    "db_plan_enabled",
    "db_pre_request",
    "db_prepared_statements",
    "db_root_spec",
    "db_schemas",
    "db_tx_end",
    "jwt_aud",
    "jwt_role_claim_key",
    "jwt_secret",
    "jwt_secret_is_base64",
    "openapi_mode",
    "openapi_security_active",
    "openapi_server_proxy_uri",
    "server_timing_enabled",
    "server_trace_header",
    "url_use_legacy_target_names",
)
