"""How a statement has to be run: alone, in a transaction, as a superuser."""

import pytest

from emulator.db.sql_kinds import (
    SuperuserStatement,
    changed_role,
    controls_transactions,
    copies_from_stdin,
    for_database,
    index_method,
    runs_alone,
    superuser_statement,
)
from emulator.db.sql_split import SqlStatement, split_statements


def one(text: str) -> SqlStatement:
    return SqlStatement(text, 0)


@pytest.mark.parametrize(("text", "want"), [
    ("create index concurrently i on t (a)", True),
    ("-- fast\nCREATE UNIQUE INDEX CONCURRENTLY i ON t (a)", True),
    ("reindex table concurrently t", True),
    ("vacuum analyze t", True),
    ("alter system set work_mem = '1MB'", True),
    ("create index i on t (a)", False),
    ("comment on table t is 'create index concurrently'", False),
    ("alter table t cluster on i", False),
])  # fmt: skip
def test_what_runs_alone(text: str, want: bool) -> None:
    assert runs_alone(one(text)) == want


@pytest.mark.parametrize(("script", "want"), [
    ("begin; select 1; commit;", True),
    ("START TRANSACTION; select 1; END", True),
    ("-- pg-delta: transaction=false\nselect 1", True),
    ("rollback to savepoint s", False),
    ("do $$ begin end $$; select 'commit'", False),
    ("create function f() returns int begin atomic select 1; end", False),
])  # fmt: skip
def test_what_controls_transactions(script: str, want: bool) -> None:
    assert controls_transactions(split_statements(script)) == want


@pytest.mark.parametrize(("text", "want"), [
    ("create event trigger \"Audit DDL\" on ddl_command_end execute function f()",
     SuperuserStatement("event trigger", "create", "Audit DDL")),
    ("drop event trigger if exists Audit", SuperuserStatement("event trigger", "drop", "audit")),
    ("create publication powersync for all tables", SuperuserStatement("publication", "create", "powersync")),
    ("create publication p for tables in schema public", SuperuserStatement("publication", "create", "p")),
    ("create publication p for table t", None),
    ("alter publication p add table t", SuperuserStatement("publication", "alter", "p")),
    ("create foreign data wrapper w handler h", SuperuserStatement("foreign data wrapper", "create", "w")),
    ("create extension if not exists \"uuid-ossp\" with schema extensions",
     SuperuserStatement("extension", "create", "uuid-ossp")),
    ("alter role authenticator set pgrst.db_some_day = 'x'",
     SuperuserStatement("role setting", "alter", "authenticator")),
    ("alter role authenticator set work_mem = '1GB'", None),
    ("alter role supabase_admin set pgrst.db_schemas = 'x'", None),
    ("create table event_trigger (id int)", None),
])  # fmt: skip
def test_what_needs_a_superuser(text: str, want: SuperuserStatement | None) -> None:
    assert superuser_statement(one(text)) == want


@pytest.mark.parametrize(("text", "want"), [
    ("-- x\nalter database postgres set timezone to 'UTC'", "-- x\nalter database \"new\" set timezone to 'UTC'"),
    ('ALTER DATABASE "postgres" SET a.b TO 1', 'ALTER DATABASE "new" SET a.b TO 1'),
    ("alter role anon in database postgres reset all", 'alter role anon in database "new" reset all'),
    ("alter database postgres2 set a.b = 1", "alter database postgres2 set a.b = 1"),
    ("select 'alter database postgres set'", "select 'alter database postgres set'"),
])  # fmt: skip
def test_what_is_said_of_the_database_is_said_of_its_successor(text: str, want: str) -> None:
    assert for_database(one(text), "new") == want


def test_roles_that_are_made_or_removed_are_seen() -> None:
    texts = ("create role A", 'drop user if exists "A b"', "create user mapping for x")
    assert [changed_role(one(text)) for text in texts] == ["a", "A b", None]


def test_copy_and_index_methods_are_seen() -> None:
    assert copies_from_stdin(one("COPY public.t (a, b) FROM stdin"))
    assert not copies_from_stdin(one("copy t to stdout"))
    assert index_method(one("create index if not exists i on t using HNSW (e vector_cosine_ops)")) == "hnsw"
    assert index_method(one("create index i on t (a)")) is None
    assert index_method(one("create unique index i on t using pgroonga (a)")) is None
