"""A project's SQL on a fresh database: order, transactions, history, seeds, and what is said of failures."""

import hashlib
from pathlib import Path
from typing import Any

import psycopg
import pytest

from emulator.db.failure import Step
from emulator.db.project_sql import Applied, ProjectSql, apply_project
from tests.support.postgres import Database


class Project:
    """A folder with SQL files, and the database that they are applied to."""

    def __init__(self, supabase: Path, database: Database) -> None:
        self.supabase = supabase
        self.database = database
        self.lines: list[str] = []

    def write(self, **files: str) -> None:
        """Write migrations, by the name after m: m1_notes="create table ..."."""
        for name, text in files.items():
            (self.supabase / "migrations" / f"{name[1:]}.sql").write_text(text)

    def apply(self, **options: Any) -> Applied:
        """What a start does."""
        project = ProjectSql(self.supabase, **options)
        return apply_project(project, self.database.dsn("supabase_admin"), self.database.dsn(), self.lines.append)

    def rows(self, query: str) -> list[Any]:
        """The rows of a query, as role postgres."""
        with psycopg.connect(self.database.dsn()) as connection:
            return connection.execute(query.encode()).fetchall()

    def exists(self, name: str) -> bool:
        """Whether there is such a table."""
        return self.rows(f"select to_regclass('{name}') is not null") == [(True,)]


@pytest.fixture
def project(supabase: Path, project_database: Database) -> Project:
    """An empty project."""
    return Project(supabase, project_database)


@pytest.fixture
def refused(supabase: Path, refusing_database: Database) -> Project:
    """A project that fails."""
    return Project(supabase, refusing_database)


HISTORY = 'select version, name, statements from supabase_migrations.schema_migrations order by version collate "C"'


def test_everything_runs_in_order_and_is_recorded_as_the_official_cli_does(project: Project) -> None:
    """Files in the order of their names as text: 10_ before 1_."""
    (project.supabase / "roles.sql").write_text(
        "create role project_reader;\nalter role anon set statement_timeout = '3s'"
    )
    project.write(
        m10_a="create table a (id int primary key)", m1_b="create table b (id int references a); -- after a\n"
        "grant select on b to project_reader;", m2_empty="", m3_comment="-- later",
    )  # fmt: skip
    (project.supabase / "migrations" / "README.md").write_text("not a migration")
    (project.supabase / "seed.sql").write_text("insert into a values (1);\ninsert into b values (1);\n")
    done = project.apply()
    assert (done.migrations, done.seeds) == (Step(4), Step(1))
    assert done.warnings == (
        'Skipping migration README.md... (file name must match pattern "<timestamp>_name.sql")',
    )  # fmt: skip
    assert project.lines == [
        "Seeding globals from roles.sql...", "Applying migration 10_a.sql...", "Applying migration 1_b.sql...",
        "Applying migration 2_empty.sql...", "Applying migration 3_comment.sql...",
        "Seeding data from supabase/seed.sql...",
    ]  # fmt: skip
    assert project.rows(HISTORY) == [
        ("1", "b", ["create table b (id int references a)", "-- after a\ngrant select on b to project_reader"]),
        ("10", "a", ["create table a (id int primary key)"]), ("2", "empty", []), ("3", "comment", ["-- later"]),
    ]  # fmt: skip
    digest = hashlib.sha256((project.supabase / "seed.sql").read_bytes()).hexdigest()
    assert project.rows("select path, hash from supabase_migrations.seed_files") == [("supabase/seed.sql", digest)]


def test_a_second_start_applies_only_what_is_new(project: Project) -> None:
    project.write(m1_a="create table a (id int)")
    (project.supabase / "seed.sql").write_text("insert into a values (1)")
    project.apply()
    project.write(m2_b="create table b (id int)")
    (project.supabase / "seed.sql").write_text("insert into a values (2)")
    done = project.apply()
    assert (done.migrations, done.seeds) == (Step(1), Step(0))
    assert project.apply() == Applied()
    assert project.rows("select id from a") == [(1,)]


def test_a_failing_statement_is_named_and_its_file_undone(project: Project) -> None:
    """The files before it stay, and the next start goes on with it."""
    project.write(
        m1_a="create table a (id int)", m2_b="create table b (id int);\n\n-- why\nalter table c\n  add x int;"
    )
    done = project.apply()
    assert done.migrations.applied == 1
    failed = done.migrations.failed
    assert failed is not None
    assert (failed.file, failed.line, failed.number, failed.sqlstate) == ("2_b.sql", 4, 1, "42P01")
    assert failed.statement == "alter table c\n  add x int"
    assert failed.message == 'relation "c" does not exist'
    assert failed.hint == (
        "no migration creates the table c; it was made outside of them: "
        "`supabase db pull` writes a migration that creates it"
    )
    assert (project.exists("a"), project.exists("b")) == (True, False)
    project.write(m2_b="create table b (id int);")
    (project.supabase / "seed.sql").write_text("insert into b values (7)")
    assert project.apply() == Applied(Step(1), Step(1))


def test_a_table_that_a_later_file_creates_is_said(project: Project) -> None:
    project.write(m1_a="insert into notes values (1)", m2_b='create table if not exists public."notes" (id int)')
    failed = project.apply().migrations.failed
    assert failed is not None
    assert failed.hint == "2_b.sql creates the table, later: files run in the order of their names"


@pytest.mark.parametrize(("script", "sqlstate", "part"), [
    pytest.param("select 1;\n\\connect other\nselect 2", "42601", "psql", id="psql-command"),
    pytest.param("create table t (a int);\nCOPY t (a) FROM stdin;\n1\n\\.\n", "08P01", "INSERT", id="copy"),
    pytest.param("create extension wrappers", "0A000", "containers", id="extension"),
    pytest.param("select 'a'; select 1 +", "42601", "syntax error", id="syntax"),
    pytest.param("create table t (id int references missing.t)", "3F000", "migration creates the schema", id="schema"),
    pytest.param("select cron.schedule('a', 'b')", "3F000", "create extension pg_cron", id="extension-schema"),
    pytest.param("alter table auth.users add x int", "42501", "must be owner of table users", id="auth"),
    pytest.param("select 1/0", "22012", "division by zero", id="data"),
])  # fmt: skip
def test_bad_statements_are_one_line_that_says_what_to_do(
    refused: Project, script: str, sqlstate: str, part: str
) -> None:
    refused.write(m1_bad=script)
    failed = refused.apply().migrations.failed
    assert failed is not None
    assert failed.sqlstate == sqlstate
    assert part in str(failed)
    assert "\n" not in str(failed)
    assert refused.rows("select count(*) from supabase_migrations.schema_migrations") == [(0,)]


def test_files_that_are_no_text_are_refused(refused: Project) -> None:
    (refused.supabase / "migrations" / "1_latin.sql").write_bytes("select 'é'".encode("latin-1"))
    failed = refused.apply().migrations.failed
    assert failed is not None
    assert "not UTF-8" in failed.message
    (refused.supabase / "migrations" / "1_latin.sql").write_bytes(b"select 1;\n select '\0'")
    failed = refused.apply().migrations.failed
    assert failed is not None
    assert (failed.sqlstate, failed.line) == ("22021", 2)


def test_two_files_of_one_version_stop_before_anything_runs(project: Project) -> None:
    project.write(m1_a="create table a (id int)", m1_b="create table b (id int)")
    failed = project.apply().migrations.failed
    assert failed is not None
    assert str(failed) == "1_b.sql: 1_a.sql has the same version 1; rename one of them (SQLSTATE 23505)"
    assert not project.exists("a")


def test_what_can_not_run_in_a_transaction_runs_alone(project: Project) -> None:
    """What came before it is committed; the file is not recorded when something after it fails."""
    index = "create table a (id int);\ncreate index concurrently i on a (id);\n"
    project.write(m1_index=f"{index}create table b (id int references nowhere);")
    assert project.apply().migrations.failed is not None
    assert (project.exists("a"), project.exists("i"), project.exists("b")) == (True, True, False)
    project.write(m1_index=f"drop table a;{index}vacuum a; create table b (id int)")
    assert project.apply().migrations == Step(1)


def test_a_file_with_its_own_transactions_runs_as_written(project: Project) -> None:
    project.write(
        m1_a="begin; create table a (id int); commit; create table b (id int); begin; create table c (x nope);"
    )
    assert project.apply().migrations.failed is not None
    assert (project.exists("a"), project.exists("b"), project.exists("c")) == (True, True, False)
    project.write(m1_a="begin; create table c (id int); rollback; begin; create table d (id int); commit;")
    assert project.apply().migrations == Step(1)
    assert (project.exists("c"), project.exists("d")) == (False, True)


def test_settings_and_roles_do_not_leak_into_the_next_file(project: Project) -> None:
    project.write(m1_a="set search_path = ''; set role anon;", m2_b="create table a (id int); create extension hstore")
    assert project.apply().migrations == Step(2)
    assert project.rows("select relnamespace::regnamespace::text from pg_class where relname = 'a'") == [("public",)]


def test_statements_for_superusers_pass_in_migrations_alone(project: Project) -> None:
    function = "create function f() returns event_trigger language plpgsql as $$ begin end $$;"
    project.write(
        m1_a=f"{function} create event trigger watch on ddl_command_end execute function f();"
        "create publication everything for all tables; alter publication everything set (publish = 'insert');"
        "create foreign data wrapper files; create server s foreign data wrapper files;"
        "alter role authenticator set pgrst.a_setting_of_tomorrow = 'x';",
        m2_b="drop event trigger watch; drop publication everything; drop server s; drop foreign data wrapper files;"
        "alter role authenticator reset pgrst.a_setting_of_tomorrow",
    )  # fmt: skip
    assert project.apply() == Applied(Step(2))
    assert project.rows("select * from _muster.runner_token") == []


@pytest.mark.parametrize("statement", [
    "create publication p for all tables; alter role postgres superuser",
    "create publication p for all tables with (publish = 'insert;'); select 1",
    "do $$ begin create publication p for all tables; end $$",
    "create extension file_fdw", "alter role supabase_admin set pgrst.db_schemas = 'x'",
])  # fmt: skip
def test_nothing_else_is_run_as_a_superuser(refused: Project, statement: str) -> None:
    refused.write(m1_a=f"{statement};")
    failed = refused.apply().migrations.failed
    assert failed is not None
    assert failed.sqlstate == "42501"
    assert refused.rows("select rolsuper from pg_roles where rolname = 'postgres'") == [(False,)]


def test_an_index_of_a_method_that_is_missing_is_left_out(project: Project) -> None:
    project.write(m1_a="create table a (e text);\n-- fast\ncreate index on a using hnsw (e);")
    done = project.apply()
    assert done.migrations == Step(1)
    assert done.warnings == ("1_a.sql, line 3: the index is left out, there is no access method hnsw here",)


def test_an_extension_that_a_project_works_without_is_left_out(project: Project) -> None:
    project.write(m1_a='create extension if not exists "pgaudit" with schema extensions; create table a (id int)')
    done = project.apply()
    assert done.migrations == Step(1)
    assert done.warnings == ("1_a.sql, line 1: the extension pgaudit is left out, this PostgreSQL does not have it",)


def test_seeds_run_once_each_and_a_failing_one_is_tried_again(project: Project) -> None:
    project.write(m1_a="create table a (id int primary key)")
    seeds = project.supabase / "seeds"
    seeds.mkdir()
    (seeds / "1.sql").write_text("insert into a values (1)")
    (seeds / "2.sql").write_text("insert into a values (2); insert into a values (1)")
    done = project.apply(seed_patterns=("./seeds/*.sql", "seeds/1.sql", "missing/*.sql"))
    assert done.warnings == ("no files matched pattern: missing/*.sql",)
    assert done.seeds.applied == 1
    assert done.seeds.failed is not None
    assert (done.seeds.failed.file, done.seeds.failed.sqlstate) == ("supabase/seeds/2.sql", "23505")
    (seeds / "2.sql").write_text("insert into a values (2)")
    assert project.apply(seed_patterns=("seeds",)).seeds == Step(1)
    assert project.rows("select id from a order by id") == [(1,), (2,)]


def test_vault_secrets_are_there_before_the_migrations(project: Project) -> None:
    project.write(m1_a="create table a as select decrypted_secret from vault.decrypted_secrets where name = 'key'")
    assert project.apply(vault_secrets={"key": "hidden"}).migrations == Step(1)
    assert project.rows("select * from a") == [("hidden",)]


def test_a_project_can_keep_new_tables_closed(project: Project) -> None:
    project.write(m1_a="create table a (id int)")
    project.apply(exposes_new_tables=False)
    assert project.rows("select has_table_privilege('anon', 'a', 'select')") == [(False,)]


def test_history_and_files_that_differ_are_warnings(project: Project) -> None:
    """A file that is older than the newest applied one, and an applied version without a file."""
    project.write(m20_a="create table a (id int)", m30_c="create table c (id int)")
    project.apply()
    (project.supabase / "migrations" / "30_c.sql").unlink()
    project.write(m10_b="create table b (id int)")
    done = project.apply()
    assert done.migrations == Step(0)
    assert [warning.partition(":")[2].split()[0] for warning in done.warnings] == ["10_b.sql", "30"]
    assert not project.exists("b")
