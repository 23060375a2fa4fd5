"""What role postgres may do on the bootstrapped database, statement by statement, and what it may not."""

import psycopg
import pytest

from tests.support.postgres import Database

FUNCTION = "create function public.f() returns trigger language plpgsql as $$ begin return new; end $$"

ALLOWED = [
    pytest.param(["create policy p on storage.objects for select using (true)",
                  "alter policy p on storage.objects using (false)", "drop policy p on storage.objects"], id="policy"),
    pytest.param([FUNCTION, "create trigger t after insert on auth.users for each row execute function public.f()",
                  "drop trigger t on auth.users"], id="trigger-on-users"),
    pytest.param(["create table public.x (id uuid primary key references auth.users on delete cascade)",
                  "drop table public.x"], id="reference-to-users"),
    pytest.param(["create policy p on realtime.messages for select to authenticated using (true)"], id="realtime"),
    pytest.param(["alter role authenticator set pgrst.db_schemas = 'public, api'",
                  "alter role authenticator reset pgrst.db_schemas"], id="authenticator"),
    pytest.param(["alter role anon set statement_timeout = '3s'"], id="anon-timeout"),
    pytest.param(["set local session_replication_role = replica"], id="session-replication-role"),
    pytest.param(["create extension hstore with schema extensions"], id="trusted-extension"),
    pytest.param(["create role api_reader nologin in role anon", "grant api_reader to authenticator",
                  "drop role api_reader"], id="role"),
    pytest.param(["create publication users_only for table auth.users"], id="publication"),
    pytest.param(["drop publication supabase_realtime", "create publication supabase_realtime"], id="realtime-again"),
    pytest.param(["create view public.emails as select email from auth.users"], id="view-on-users"),
    pytest.param(["grant usage on schema storage to pgbouncer, supabase_functions_admin, dashboard_user"], id="grant"),
    pytest.param(["truncate auth.users cascade"], id="truncate-users"),
]  # fmt: skip

REFUSED = [
    pytest.param("alter table auth.users add column nickname text", "must be owner of table users", id="column"),
    pytest.param("set session_replication_role = replica; alter table auth.users add column nickname text",
                 "must be owner of table users", id="column-as-replica"),
    pytest.param("alter table storage.objects disable row level security", "must be owner of table objects", id="rls"),
    pytest.param("create index on auth.users (aud)", "must be owner of table users", id="index"),
    pytest.param("drop table storage.objects", "must be owner of table objects", id="drop"),
    pytest.param("create table auth.mine (id int)", "permission denied for schema auth", id="new-table"),
    pytest.param("create function storage.mine() returns int return 1", "permission denied for schema storage",
                 id="new-function"),
    pytest.param("set role supabase_auth_admin", "permission denied to set role", id="set-role"),
    pytest.param("alter role supabase_admin set work_mem = '1GB'", "permission denied to alter role", id="superuser"),
    pytest.param("alter role postgres superuser", "permission denied to alter role", id="promotion"),
    pytest.param("copy (select 1) to program 'true'", "permission denied to COPY", id="program"),
    pytest.param("select extensions.execute_as_superuser('alter role postgres superuser', 'guessed')",
                 "only the migration runner", id="guessed-token"),
    pytest.param("insert into _muster.runner_token values ('\\x00')", "permission denied for table", id="own-token"),
]  # fmt: skip


@pytest.mark.parametrize("statements", ALLOWED)
def test_postgres_may(platform: Database, statements: list[str]) -> None:
    with psycopg.connect(platform.dsn()) as connection:
        for statement in statements:
            connection.execute(statement.encode())
        connection.rollback()


@pytest.mark.parametrize(("statement", "message"), REFUSED)
def test_postgres_may_not(platform: Database, statement: str, message: str) -> None:
    with psycopg.connect(platform.dsn()) as connection:
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match=message):
            connection.execute(statement.encode())
        connection.rollback()


@pytest.mark.parametrize("role", ["anon", "authenticated", "service_role"])
@pytest.mark.parametrize("creator", ["postgres", "supabase_admin"])
def test_a_new_table_is_open_to_the_roles_of_the_api(platform: Database, role: str, creator: str) -> None:
    with psycopg.connect(platform.dsn(creator)) as connection:
        connection.execute("create table public.notes (id int generated always as identity, body text)")
        connection.execute(psycopg.sql.SQL("set local role {}").format(psycopg.sql.Identifier(role)))
        connection.execute("insert into public.notes (body) values ('open')")
        assert connection.execute("select body from public.notes").fetchall() == [("open",)]
        connection.rollback()


def test_names_of_extensions_are_found_without_their_schema(platform: Database) -> None:
    with psycopg.connect(platform.dsn()) as connection:
        connection.execute("select uuid_generate_v4(), gen_random_bytes(4), extensions.uuid_generate_v4()")


def test_graphql_says_that_its_extension_is_missing(platform: Database) -> None:
    with psycopg.connect(platform.dsn()) as connection:
        connection.execute("set local role anon")
        got = connection.execute("select graphql_public.graphql(query => '{ a }') -> 'errors' -> 0 ->> 'message'")
        assert got.fetchone() == ("pg_graphql extension is not enabled.",)
