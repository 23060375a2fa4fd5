"""The throw-away cluster comes up with roles, schemas and publication, and can be bootstrapped again."""

import psycopg
import pytest

from emulator.db.bootstrap import apply_bootstrap
from emulator.db.migrations import applied_versions, apply_migrations, list_migrations
from tests.support.postgres import Database


def test_every_migration_is_recorded_as_the_official_cli_does(database: Database) -> None:
    with psycopg.connect(database.dsn()) as connection:
        assert applied_versions(connection) == {migration.version for migration in list_migrations()}


def test_a_second_bootstrap_and_migration_changes_nothing(database: Database) -> None:
    with psycopg.connect(database.dsn("supabase_admin"), autocommit=True) as connection:
        assert apply_bootstrap(connection, database.cluster.password) == []
    with psycopg.connect(database.dsn(), autocommit=True) as connection:
        assert apply_migrations(connection) == []


def test_the_bootstrap_files_may_run_twice(database: Database) -> None:
    with psycopg.connect(database.dsn("supabase_admin"), autocommit=True) as connection:
        connection.execute("delete from _muster.bootstrap")
        assert "010_roles.sql" in apply_bootstrap(connection, database.cluster.password)


def test_a_role_made_by_a_service_that_started_first_gets_its_rights(database: Database) -> None:
    with psycopg.connect(database.dsn("supabase_admin")) as connection:
        try:
            connection.execute("alter role postgres nologin noinherit")
            connection.execute("revoke supabase_realtime_admin from postgres")
            connection.execute("delete from _muster.bootstrap")
            apply_bootstrap(connection, database.cluster.password)
            statement = "select pg_has_role('postgres', 'supabase_realtime_admin', 'usage'), rolcanlogin from pg_roles"
            got = connection.execute(f"{statement} where rolname = 'postgres'").fetchone()
        finally:
            connection.rollback()
    assert got == (True, True)


def test_the_application_role_is_no_superuser(database: Database) -> None:
    with psycopg.connect(database.dsn()) as connection:
        got = connection.execute("select rolsuper, rolbypassrls from pg_roles where rolname = current_user").fetchone()
    assert got == (False, True)


@pytest.mark.parametrize("socket", [True, False], ids=["socket", "tcp"])
def test_a_wrong_password_is_refused(database: Database, socket: bool) -> None:
    dsn = psycopg.conninfo.make_conninfo(database.dsn(socket=socket), password="wrong")
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(dsn)
