"""The schema at the service's start: made on a plain database, left alone where the original made it."""

import httpx
import psycopg
import pytest

from emulator.realtime.database.migrate import OutdatedSchema, migrate
from tests.support.postgres import Database

from .conftest import Server, serving


async def test_a_plain_database_is_made_ready(bare_database: Database) -> None:
    async with serving(bare_database) as server, server.client() as client:
        async with httpx.AsyncClient(base_url=server.http) as http:
            assert (await http.get("/ready")).status_code == 200
        setup = "create table notes (id int primary key); grant select on notes to anon;"
        await server.sql(setup + "alter publication supabase_realtime add table notes", user="supabase_admin")
        await client.join("realtime:room", {"postgres_changes": [{"event": "*", "schema": "public"}]})
        assert (await client.expect("system"))["payload"]["status"] == "ok"
        await _send_both(server)
        assert (await client.expect("postgres_changes"))["payload"]["data"]["record"] == {"id": 1}
        assert (await client.expect("broadcast"))["payload"]["event"] == "hi"
    with psycopg.connect(bare_database.dsn("supabase_admin"), autocommit=True) as connection:
        assert migrate(connection) is False, "there is nothing left to do"


async def _send_both(server: Server) -> None:
    both = "insert into notes values (1); select realtime.send('{}', 'hi', 'room', false)"
    await server.sql(both, user="supabase_admin")


@pytest.mark.parametrize("version", [20240101000000, 20260709120000])
def test_a_schema_of_the_original_is_left_as_it_is(bare_database: Database, version: int) -> None:
    with psycopg.connect(bare_database.dsn("supabase_admin"), autocommit=True) as connection:
        connection.execute("create schema realtime create table schema_migrations (version bigint primary key)")
        connection.execute("insert into realtime.schema_migrations values (%s)", (version,))
        if version < 2026_01_01_000000:
            with pytest.raises(OutdatedSchema, match=str(version)):
                migrate(connection)
        else:
            assert migrate(connection) is False
        assert connection.execute("select to_regclass('realtime.messages')").fetchone() == (None,)
