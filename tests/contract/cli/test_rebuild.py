"""`db reset` of a project: a new database beside the live one, from templates, and nothing changed when it fails."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from emulator.db.bootstrap import apply_bootstrap
from emulator.db.cluster import Cluster
from emulator.db.project_sql import ProjectSql, apply_project
from emulator.schemas import migrate_services
from muster_cli.db.rebuild import project_database, reset_project
from muster_cli.output import UserError
from tests.support.postgres import make_cluster
from tests.support.scratch import scratch_folder


@pytest.fixture(scope="module")
def server() -> Iterator[Cluster]:
    """A cluster of its own: the live database of a stack is `postgres`."""
    folder = scratch_folder("muster-reset-")
    made = make_cluster(folder)
    try:
        with psycopg.connect(made.dsn(), autocommit=True) as connection:
            apply_bootstrap(connection, made.password)
            migrate_services(connection)
        yield made
    finally:
        made.stop()
        shutil.rmtree(folder)


@pytest.fixture
def project(tmp_path: Path) -> ProjectSql:
    """A role, a table, a row."""
    supabase = tmp_path / "supabase"
    (supabase / "migrations").mkdir(parents=True)
    (supabase / "roles.sql").write_text("create role reader nologin")
    (supabase / "migrations" / "1_a.sql").write_text("create table a (id int); grant select on a to reader")
    (supabase / "migrations" / "2_b.sql").write_text(
        "create table b (id int); alter database postgres set search_path = '$user', public, extensions, odd;"
        "alter role anon in database postgres set work_mem = '8MB'; drop role if exists reader; create role reader"
    )
    (supabase / "seed.sql").write_text("insert into a values (1)")
    return ProjectSql(supabase)


SETTINGS = """
select nullif(setrole, 0)::regrole::text, setconfig from pg_db_role_setting
where setdatabase = (select oid from pg_database where datname = 'postgres') order by setrole
"""


def rows(server: Cluster, query: str) -> list[tuple[object, ...]]:
    with psycopg.connect(server.dsn("postgres")) as connection:
        return connection.execute(query.encode()).fetchall()


def test_a_reset_gives_what_a_first_start_gives(server: Cluster, project: ProjectSql) -> None:
    """Built once; the second copies what the migrations made. Rows of before are gone, seeds are there."""
    apply_project(project, server.dsn(), server.dsn("postgres"))
    for _ in range(2):
        with psycopg.connect(server.dsn("postgres"), autocommit=True) as connection:
            connection.execute("insert into a values (2); insert into auth.users (id) values (gen_random_uuid())")
        lines: list[str] = []
        reset_project(server.dsn(), server.password, project, lines.append)
        assert rows(server, "select id from a") == [(1,)]
        assert rows(server, "select count(*) from auth.users") == [(0,)]
        assert rows(server, SETTINGS) == [
            (None, ['search_path="$user", public, extensions, odd']), ("anon", ["work_mem=8MB"]),
        ]  # fmt: skip
    assert lines == ["Seeding data from supabase/seed.sql..."]
    owner = "datdba::regrole::text, has_database_privilege('supabase_auth_admin', oid, 'create')"
    assert rows(server, f"select {owner} from pg_database where datname = 'postgres'") == [("postgres", True)]
    # A later start has nothing to do.
    assert apply_project(project, server.dsn(), server.dsn("postgres")).seeds.applied == 0


def test_a_reset_stops_at_a_version_and_seeds_even_then(server: Cluster, project: ProjectSql) -> None:
    reset_project(server.dsn(), server.password, replace(project, last_version="1"))
    assert rows(server, "select to_regclass('b') is null, (select count(*) from a)") == [(True, 1)]


def test_a_reset_that_fails_changes_nothing(server: Cluster, project: ProjectSql) -> None:
    reset_project(server.dsn(), server.password, project)
    (project.migrations / "3_bad.sql").write_text("create table c (id int); select 1 / 0")
    with pytest.raises(UserError, match=r"3_bad.sql, line 1: division by zero .*; the database is as it was"):
        reset_project(server.dsn(), server.password, project)
    (project.migrations / "3_bad.sql").unlink()
    (project.supabase / "seed.sql").write_text("insert into nowhere values (1)")
    with pytest.raises(UserError, match=r"supabase/seed.sql"):
        reset_project(server.dsn(), server.password, project)
    with pytest.raises(UserError, match="no migration of version 7"):
        reset_project(server.dsn(), server.password, replace(project, last_version="7"))
    assert rows(server, "select id from a") == [(1,)]
    assert rows(server, "select datname from pg_database where datname = 'muster_new'") == []


def test_a_scratch_database_is_dropped_at_the_end(server: Cluster, project: ProjectSql) -> None:
    with project_database(server.dsn(), server.password, project, "muster_shadow") as (dsn, applied):
        assert applied.failure is None
        with psycopg.connect(dsn) as connection:
            assert connection.execute("select id from a").fetchall() == [(1,)]
    assert rows(server, "select datname from pg_database where datname = 'muster_shadow'") == []
