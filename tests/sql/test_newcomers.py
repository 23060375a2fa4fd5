"""New members are limited for seven days (§13.5), and see the guidance once (§13.6)."""

import psycopg
import pytest

from muster_product.database.policies import act_as
from muster_product.database.policy_world import COMMAND, PARAMETERS, member_id

WRITES = {
    "posts": "insert into public.posts (content) values ('Hi')",
    "comments": f"insert into public.comments (post_id, content) values ('{COMMAND}', 'Hi')",
    "connections": "insert into public.connections (user_id, connected_user_id) values (%(stranger)s, %(other)s)",
    "messages": "insert into public.messages (sender_id, recipient_id, content) values (%(stranger)s, %(other)s, 'Hi')",
    "trainings": "insert into public.trainings (title, kind, starts_at, ends_at, time_zone, is_online)"
    " values ('Ladders', 'drill', now() + '1 day', now() + '2 days', 'UTC', true)",
}
SAID = {"connections": "connection requests"}


def write(world: psycopg.Connection, table: str) -> None:
    """One row as stranger; a request is withdrawn at once."""
    act_as(world, "stranger")
    world.execute(WRITES[table], PARAMETERS)
    if table == "connections":
        world.execute("delete from public.connections")
    world.execute("reset role")


@pytest.mark.parametrize("table", WRITES)
def test_new_members_are_limited_by_the_hour(world: psycopg.Connection, table: str) -> None:
    """§13.5: the message says how long to wait and when the limit ends; deleted rows count; old members are free."""
    world.execute("update auth.users set created_at = now() where id = %s", (member_id("stranger"),))
    if table == "messages":
        connect = "insert into public.connections (user_id, connected_user_id, status) values (%s, %s, 'accepted')"
        world.execute(connect, (member_id("stranger"), member_id("other")))
    (allowed,) = world.execute("select per_hour from private.newcomer_limits where act = %s", (table,)).fetchone() or (
        0,
    )
    for _ in range(allowed):
        write(world, table)
    with pytest.raises(psycopg.Error) as refused, world.transaction():
        write(world, table)
    assert refused.value.sqlstate == "PT429"
    said = refused.value.diag.message_primary or ""
    assert said.startswith(
        f"New members are limited to {allowed} {SAID.get(table, table)} an hour. Try again in 60 min."
    )
    ends = world.execute(
        "select to_char((created_at + interval '7 days') at time zone 'utc', 'FMMonth FMDD, HH24:MI \"UTC\"')"
        " from auth.users where id = %s", (member_id("stranger"),),
    ).fetchone()  # fmt: skip
    assert ends is not None
    assert said.endswith(f"The limit ends on {ends[0]}.")
    world.execute("update private.newcomer_acts set done_at = now() - interval '1 hour'")
    write(world, table)
    world.execute("update private.newcomer_acts set done_at = now()")
    world.execute(
        "update auth.users set created_at = now() - interval '7 days' where id = %s", (member_id("stranger"),)
    )
    for _ in range(2):
        write(world, table)


def test_guidance_is_seen_once(world: psycopg.Connection) -> None:
    """§13.6: the member's profile says when; it is never reset, and nobody writes it for somebody else."""
    act_as(world, "stranger")
    seen = "select guidance_seen_at from public.profiles where id = %(stranger)s"
    assert world.execute(seen, PARAMETERS).fetchone() == (None,)
    with pytest.raises(psycopg.errors.InsufficientPrivilege), world.transaction():
        world.execute("update public.profiles set guidance_seen_at = now()")
    world.execute("select public.see_guidance()")
    first = world.execute(seen, PARAMETERS).fetchone()
    assert first is not None
    assert first[0] is not None
    world.execute("select public.see_guidance()")
    assert world.execute(seen, PARAMETERS).fetchone() == first
    assert world.execute("select from public.profiles where guidance_seen_at is not null").rowcount == 1
