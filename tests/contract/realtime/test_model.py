"""A model: random writers under several members' policies. What each received is what SQL says it should have.

Writers keep a journal in the same transaction as each change (so rolled back ones leave none), ordered by commit
through a lock; members, tokens and rows are drawn from a seed that a failure names.
"""

import asyncio
import random
from typing import Any

import psycopg
import pytest

from .conftest import SERVICE, Client, Server, token

SCHEMA = """
create table public.cards (id int primary key, owner int not null, is_open boolean not null, version int not null);
alter table public.cards enable row level security;
alter table public.cards replica identity full;
grant select on public.cards to authenticated, service_role;
create policy "Owners read" on public.cards for select to authenticated
  using (owner = (select (current_setting('request.jwt.claims', true)::jsonb ->> 'sub')::int));
create policy "Everyone reads open cards" on public.cards for select to authenticated using (is_open);
create table public.journal (
  number bigint generated always as identity, kind text, id int, owner int, is_open boolean, version int
);
alter publication supabase_realtime add table public.cards;
"""
MEMBERS, WRITERS, STEPS = 4, 3, 60
TOPIC = "realtime:cards"


async def _write(dsn: str, seed: int, writer: int) -> None:
    """Insert, update and delete own rows; a third of the transactions are rolled back."""
    draw, version = random.Random(f"{seed}.{writer}"), 0
    mine: dict[int, tuple[int, bool]] = {}
    async with await psycopg.AsyncConnection.connect(dsn) as connection:
        for step in range(STEPS):
            planned = dict(mine)
            # One lock orders the commits, so that the journal's order is the log's.
            await connection.execute("select pg_advisory_xact_lock(1)")
            for _ in range(draw.randint(1, 3)):
                version += 1
                kind = draw.choice(["INSERT", "UPDATE", "DELETE"]) if planned else "INSERT"
                identity = writer * 10_000 + step * 10 + draw.randint(0, 9)
                if kind != "INSERT":
                    identity = draw.choice(sorted(planned))
                elif identity in planned:
                    continue
                row = (draw.randrange(MEMBERS), draw.random() < 0.3)
                if kind == "INSERT":
                    await connection.execute("insert into cards values (%s, %s, %s, %s)", (identity, *row, version))
                elif kind == "UPDATE":
                    await connection.execute(
                        "update cards set owner = %s, is_open = %s, version = %s where id = %s",
                        (*row, version, identity),
                    )
                else:
                    await connection.execute("delete from cards where id = %s", (identity,))
                    row = planned[identity]
                if kind == "DELETE":
                    del planned[identity]
                else:
                    planned[identity] = row
                await connection.execute(
                    "insert into journal (kind, id, owner, is_open, version) values (%s, %s, %s, %s, %s)",
                    (kind, identity, *row, version),
                )
            if draw.random() < 0.33:
                await connection.rollback()
            else:
                await connection.commit()
                mine = planned


async def _received(client: Client, last: int) -> list[tuple[str, int, int | None]]:
    """Everything until the mark that ends the run."""
    got: list[tuple[str, int, int | None]] = []
    while True:
        data = (await client.expect("postgres_changes"))["payload"]["data"]
        row = data.get("record") or data["old_record"]
        if data["type"] == "INSERT" and row["id"] == last:
            return got
        assert data["errors"] is None
        got.append((data["type"], row["id"], row.get("version")))


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_every_client_receives_what_sql_returns(realtime: Server, seed: int) -> None:
    await realtime.sql(SCHEMA)
    binding = {"event": "*", "schema": "public", "table": "cards"}
    keys = [token("authenticated", sub=str(member)) for member in range(MEMBERS)] + [SERVICE]
    clients: list[Any] = [realtime.client(version=1 + number % 2) for number in range(len(keys))]
    async with clients[0] as a, clients[1] as b, clients[2] as c, clients[3] as d, clients[4] as service:
        readers = [a, b, c, d, service]
        for client, key in zip(readers, keys, strict=True):
            await client.join(TOPIC, {"postgres_changes": [binding]}, access_token=key)
            assert (await client.expect("system"))["payload"]["status"] == "ok"
        dsn = realtime.database.dsn()
        await asyncio.gather(*(_write(dsn, seed, writer) for writer in range(1, WRITERS + 1)))
        await realtime.sql("insert into cards values (0, 0, true, 0)")
        got = await asyncio.gather(*(_received(client, 0) for client in readers))
    journal = await realtime.sql("select kind, id, owner, is_open, version from journal order by number")
    final = {row[0]: row for row in await realtime.sql("select id, owner, is_open, version from cards")}
    assert len(journal) > 100
    for member, received in enumerate(got):
        _check(journal, final, member if member < MEMBERS else None, received, f"seed {seed}, member {member}")


def _check(
    journal: list[tuple[Any, ...]],
    final: dict[int, tuple[Any, ...]],
    member: int | None,
    received: list[tuple[str, int, int | None]],
    case: str,
) -> None:
    """Policies are asked about the row as it is when the change is read, between its commit and the end.

    So a change must have come when the member might see the row ever since, must not when never, and may otherwise.
    A deletion comes exactly to those who might see the row as it was.
    """
    wanted = [(kind, identity, None if kind == "DELETE" else version) for kind, identity, _, _, version in journal]
    position = 0
    came = []
    for one in received:
        assert one in wanted[position:], f"{case}: {one} is a repetition, out of order, or never happened"
        position = wanted.index(one, position) + 1
        came.append(position - 1)
    for index, (kind, identity, owner, is_open, _) in enumerate(journal):
        if kind == "DELETE":
            may_see = member is None or owner == member or is_open
            assert (index in came) == may_see, f"{case}: {journal[index]}"
            continue
        states = [
            later[0] != "DELETE" and (member is None or later[2] == member or later[3])
            for later in journal[index:]
            if later[1] == identity
        ]
        is_kept = all(later[0] != "DELETE" for later in journal[index:] if later[1] == identity)
        if (member is None and is_kept) or (all(states) and identity in final):
            assert index in came, f"{case}: {journal[index]} is missing"
        elif not any(states):
            assert index not in came, f"{case}: {journal[index]} was for others"
