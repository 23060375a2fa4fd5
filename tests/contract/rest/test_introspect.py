"""What the catalog says of relations and functions, as PostgREST reads it: corners that the API description shows."""

import asyncio
import json
from typing import Any

import psycopg
import pytest

from emulator.db.cluster import Cluster
from emulator.rest.introspect import load_schema_cache
from emulator.rest.response.openapi.document import Address, build_document
from emulator.rest.schema_cache.cache import SchemaCache
from emulator.rest.schema_cache.identifiers import QualifiedIdentifier

DDL = """
create schema shown;
create schema hidden;
create domain shown.code as varchar(5) default 'five' not null;
create domain shown.inner_code as shown.code;
create domain shown.plain as shown.code default 'own';
alter domain shown.plain drop default;
create table shown.kinds (
  id int generated always as identity primary key,
  code shown.code,
  inner_code shown.inner_code,
  plain shown.plain,
  twice text generated always as ('a' || 'b') stored
);
create table hidden.base (id int primary key, kind int references shown.kinds);
create view hidden.between as select * from hidden.base;
create view shown.direct as select * from hidden.base;
create view shown.over_a_view as select * from hidden.between;
create table shown.owners (id int primary key);
create table shown.junction (
  kind int unique references shown.kinds, owner int references shown.owners, other int references shown.owners,
  primary key (kind, owner, other)
);
create function shown.out_first(out a int, b int) language sql as 'select b';
create function shown.one_of_two(int, b int) returns int language sql as 'select b';
create function shown.rows_of(int) returns table (x int) language sql as 'select 1';
create function shown.unnamed(int) returns int language sql as 'select 1';
create function shown.on_ddl() returns event_trigger language plpgsql as 'begin end';
create function shown.on_row() returns trigger language plpgsql as 'begin return null; end';
"""


@pytest.fixture(scope="module")
def cache(cluster: Cluster, rest_database: str) -> SchemaCache:
    dsn = cluster.dsn(database=rest_database)
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(DDL.encode())

    async def load() -> SchemaCache:
        async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as connection:
            return await load_schema_cache(connection, ["shown"], ["public"], [])

    return asyncio.run(load())


@pytest.fixture(scope="module")
def document(cache: SchemaCache) -> Any:
    functions = [function for overloads in cache.functions.values() for function in overloads]
    address = Address.parse(None, "!4", 3000)
    tables = list(cache.tables_in("shown"))
    return json.loads(build_document(cache, "shown", tables, functions, address, search_path=(), is_secured=False))


def test_one_domain_is_looked_through(document: Any) -> None:
    kinds = document["definitions"]["kinds"]
    assert kinds["required"] == ["id", "code"], "not those of a domain on the one that is not null"
    described = {
        name: (column["format"], column.get("maxLength"), column.get("default"))
        for name, column in kinds["properties"].items()
    }
    assert described == {
        "id": ("int32", None, None),
        "code": ("character varying", 5, "five"),
        "inner_code": ("character varying", None, "five"),
        "plain": ("character varying", None, None),
        "twice": ("text", None, None),
    }


def test_keys_are_known_through_views_of_the_schemas_alone(document: Any) -> None:
    notes = {
        name: document["definitions"][name]["properties"]["id"].get("description") for name in ("direct", "over_a_view")
    }
    assert notes == {"direct": "Note:\nThis is a Primary Key.<pk/>", "over_a_view": None}


def test_a_junction_has_keys_that_many_rows_may_share(cache: SchemaCache) -> None:
    def ends(origin: str) -> list[str]:
        found = cache.relationships_from(QualifiedIdentifier("shown", origin), "shown")
        return sorted(rel.target.name for rel in found if rel.junction)  # type: ignore[union-attr]

    assert (ends("kinds"), ends("owners")) == ([], ["owners", "owners"])


def test_parameters_have_the_names_that_their_places_have(document: Any) -> None:
    described = {
        path.removeprefix("/rpc/"): list(item["post"]["parameters"][0]["schema"].get("properties", {}))
        for path, item in document["paths"].items()
        if path.startswith("/rpc/")
    }
    assert described == {"out_first": ["a"], "one_of_two": ["", "b"], "rows_of": [""], "on_ddl": []}


def test_an_address_for_everybody_is_named_as_one(document: Any) -> None:
    assert document["host"] == "0.0.0.0:3000"
