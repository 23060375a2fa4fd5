"""`db dump --data-only` and `--role-only`: SQL that gives the same rows and roles again."""

import psycopg
import pytest

from muster_cli.db.sql_dump import dump_roles, dump_rows
from tests.support.postgres import Database

TABLES = """
create schema odd;
create table odd."Quoted ""name" (
  id int generated always as identity primary key, "from" text, doubled int generated always as (id * 2) stored,
  tags text[], at timestamptz, raw bytea, parent int references odd."Quoted ""name"
);
insert into odd."Quoted ""name" ("from", tags, at, raw, parent) values
  (E'it''s\\\\ a\\nline', '{a,"b,c"}', '2026-01-02T03:04:05Z', '\\x00ff', null), (null, null, null, null, 1);
create table odd.nothing ();
"""


@pytest.fixture
def database_with_rows(database: Database) -> Database:
    with psycopg.connect(database.dsn("supabase_admin"), autocommit=True) as connection:
        connection.execute(TABLES.encode())
    return database


def test_rows_come_back_as_they_were(database_with_rows: Database) -> None:
    """Generated columns, identities, references within a table, quotes and binary values."""
    query = b'select t.* from odd."Quoted ""name" as t order by id'
    with psycopg.connect(database_with_rows.dsn("supabase_admin"), autocommit=True) as connection:
        before = connection.execute(query).fetchall()
        script = "".join(dump_rows(connection, ["odd"]))
        connection.execute(b'truncate odd."Quoted ""name" restart identity')
        connection.execute(script.encode())
        assert connection.execute(query).fetchall() == before
        added = connection.execute(b'insert into odd."Quoted ""name" default values returning id').fetchone()
        assert added == (3,)


def test_histories_of_the_platform_are_left_out(database: Database) -> None:
    with psycopg.connect(database.dsn(), autocommit=True) as connection:
        connection.execute("insert into auth.users (id, email) values (gen_random_uuid(), 'dana@example.org')")
        script = "".join(dump_rows(connection, None))
    assert "dana@example.org" in script
    assert "schema_migrations" not in script
    assert '"_muster"' not in script


def test_roles_are_those_of_the_project(database: Database) -> None:
    with psycopg.connect(database.dsn(), autocommit=True) as connection:
        connection.execute(
            'create role "Dump reader" nologin in role anon; alter role "Dump reader" set work_mem = \'8MB\''
        )
        try:
            script = "".join(dump_roles(connection))
        finally:
            connection.execute('drop role "Dump reader"')
    assert 'create role "Dump reader" with nologin inherit;\ngrant "anon" to "Dump reader";\n' in script
    assert "alter role \"Dump reader\" set work_mem to '8MB';\n" in script
    assert "create role supabase_admin" not in script
