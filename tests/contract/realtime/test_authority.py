"""Permissions that change while a channel is joined: suspended members, changed policies, tokens of another role."""

from collections.abc import AsyncIterator

import pytest

from tests.support.postgres import Database

from .conftest import Client, Server, serving, sessions_of, token, until

ADA = token("authenticated", sub="ada")
ROOM = "realtime:room"
# Suspension as products do it: a restrictive policy that asks a table.
SCHEMA = """
create table public.suspended (sub text primary key);
grant select on public.suspended to authenticated;
create table public.mails (id int primary key, secret int);
alter table public.mails enable row level security;
grant select on public.mails to authenticated; grant select (id) on public.mails to anon;
create policy "Everyone reads" on public.mails for select to authenticated, anon using (true);
create policy "But not the suspended" on public.mails as restrictive for select to authenticated
  using (not exists (select from public.suspended s where s.sub = auth.jwt() ->> 'sub'));
create policy "Everyone listens" on realtime.messages for select to authenticated using (true);
create policy "Everyone speaks" on realtime.messages for insert to authenticated with check (true);
create policy "But the suspended do not listen" on realtime.messages as restrictive for select to authenticated
  using (not exists (select from public.suspended s where s.sub = auth.jwt() ->> 'sub'));
create policy "Nor speak" on realtime.messages as restrictive for insert to authenticated
  with check (not exists (select from public.suspended s where s.sub = auth.jwt() ->> 'sub'));
alter publication supabase_realtime add table public.mails;
"""


@pytest.fixture
async def server(database: Database) -> AsyncIterator[Server]:
    async with serving(database, POLICY_RECHECK_S="0.4") as made:
        await made.sql(SCHEMA)
        yield made


def _watching(**more: object) -> dict[str, object]:
    return {"postgres_changes": [{"event": "*", "schema": "public", "table": "mails", **more}]}


async def _subscribed(client: Client, config: object, key: str) -> None:
    assert (await client.join(ROOM, config, access_token=key))["status"] == "ok"
    assert (await client.expect("system"))["payload"]["status"] == "ok"


async def test_a_suspended_member_gets_no_further_change(server: Server) -> None:
    async with server.client() as ada, server.client() as ben:
        await _subscribed(ada, _watching(), ADA)
        await _subscribed(ben, _watching(), token("authenticated", sub="ben"))
        await server.sql("insert into mails values (1)")
        for client in (ada, ben):
            assert (await client.expect("postgres_changes"))["payload"]["data"]["record"]["id"] == 1
        await server.sql("insert into suspended values ('ada')")
        await server.sql("insert into mails values (2)")
        assert (await ben.expect("postgres_changes"))["payload"]["data"]["record"]["id"] == 2
        assert await ada.settle() == []


async def test_a_suspended_member_is_removed_from_private_channels(server: Server) -> None:
    async with server.client() as ada, server.client() as ben:
        for client, key in ((ada, ADA), (ben, token("authenticated", sub="ben"))):
            assert (await client.join(ROOM, {"private": True}, access_token=key))["status"] == "ok"
        await server.sql("insert into suspended values ('ada')")
        system = (await ada.expect("system", ROOM))["payload"]
        assert system["message"] == "You no longer have permission to read from this Channel topic: room"
        await ada.expect("phx_close", ROOM)
        assert server.context.hub.count_subscribers("room", True) == 1, "who may stay stays"


async def test_write_permission_is_checked_again(server: Server) -> None:
    await server.sql('drop policy "But the suspended do not listen" on realtime.messages')
    async with server.client() as ada, server.client() as ben:
        config = {"private": True, "broadcast": {"ack": True}}
        await ada.join(ROOM, config, access_token=ADA)
        await ben.join(ROOM, config, access_token=token("authenticated", sub="ben"))
        hello = {"type": "broadcast", "event": "hi", "payload": {}}
        assert (await ada.ask(ROOM, "broadcast", hello))["status"] == "ok"
        await ben.expect("broadcast")
        await server.sql("insert into suspended values ('ada')")
        (channel,) = [session.channels[ROOM] for session in sessions_of(server) if session._frames == 2]
        checked = channel._checked_at
        await until(lambda: channel._checked_at > checked)
        await ada.send(ROOM, "broadcast", hello)
        assert (await ada.settle(), await ben.settle()) == ([], []), "no reply, and nothing for the others"


async def test_policies_that_can_not_be_checked_again_change_nothing(server: Server) -> None:
    async with server.client() as client:
        await client.join(ROOM, {"private": True}, access_token=ADA)
        await server.sql("alter table realtime.messages rename to away", user="supabase_admin")
        session = sessions_of(server)[0]
        checked = session.channels[ROOM]._checked_at
        await until(lambda: session.channels[ROOM]._checked_at > checked + 0.4)
        assert await client.settle() == []


async def test_a_token_of_another_role_may_filter_only_by_its_columns(server: Server) -> None:
    async with server.client() as client:
        await _subscribed(client, _watching(filter="secret=eq.7"), ADA)
        await server.sql("insert into mails values (1, 7)")
        assert (await client.expect("postgres_changes"))["payload"]["data"]["record"] == {"id": 1, "secret": 7}
        await client.send(ROOM, "access_token", {"access_token": token("anon", sub="x")})
        system = (await client.expect("system"))["payload"]
        assert system["status"] == "error"
        assert "invalid column for filter secret" in system["message"]
        await server.sql("insert into mails values (2, 7)")
        assert await client.settle() == [], "a filter is no way to ask about a column that may not be read"
        await client.send(ROOM, "access_token", {"access_token": ADA})
        assert (await client.expect("system"))["payload"]["message"] == "Subscribed to PostgreSQL"
        await server.sql("insert into mails values (3, 7)")
        assert (await client.expect("postgres_changes"))["payload"]["data"]["record"]["id"] == 3
