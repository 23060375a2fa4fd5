"""Configuration that is kept in the database of a stack, as role postgres writes it there."""

import psycopg
from psycopg import sql

from tests.contract.rest.conftest import SECRET, wait_for
from tests.contract.rest.server import rest_server
from tests.support.postgres import Database


def test_postgres_configures_the_service_in_the_database(database: Database) -> None:
    """ALTER ROLE authenticator SET, as the documentation of the hosted service says it, and a notification."""
    dsn = database.cluster.dsn("authenticator", database.name)
    env = {"PGRST_DB_URI": dsn, "PGRST_DB_ANON_ROLE": "anon", "PGRST_JWT_SECRET": SECRET}
    with (
        rest_server(env) as (_, app),
        psycopg.connect(database.cluster.dsn("postgres", database.name), autocommit=True) as postgres,
    ):
        name = sql.Identifier(database.name)
        postgres.execute(sql.SQL("alter role authenticator in database {} set pgrst.db_max_rows = '2'").format(name))
        postgres.execute("alter role authenticator set pgrst.db_aggregates_enabled = 'true'")
        try:
            wait_for(lambda: app.listener.is_listening)
            postgres.execute("notify pgrst, 'reload config'")
            wait_for(lambda: app.service.settings.db_max_rows == 2)
            assert app.service.settings.db_aggregates_enabled
        finally:
            postgres.execute("alter role authenticator reset pgrst.db_aggregates_enabled")
