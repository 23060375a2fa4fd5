"""Rules for connections (§3.20): a refusal stands, and nobody asks the whole house."""

import psycopg
import pytest

from muster_product.database.policies import act_as
from muster_product.database.policy_world import member_id

ASK = "insert into public.connections (user_id, connected_user_id) values (%s, %s)"
DELETE = "delete from public.connections where user_id = %s and connected_user_id = %s"


def declined(world: psycopg.Connection) -> tuple[object, object]:
    """A request of stranger that other has declined."""
    pair = (member_id("stranger"), member_id("other"))
    world.execute(
        "insert into public.connections (user_id, connected_user_id, status) values (%s, %s, 'declined')", pair
    )
    return pair


def test_who_was_declined_can_not_undo_it(world: psycopg.Connection) -> None:
    pair = declined(world)
    act_as(world, "stranger")
    assert world.execute(DELETE, pair).rowcount == 0
    with pytest.raises(psycopg.errors.UniqueViolation):
        world.execute(ASK, pair)


def test_who_declined_may_change_their_mind(world: psycopg.Connection) -> None:
    pair = declined(world)
    act_as(world, "other")
    assert world.execute(DELETE, pair).rowcount == 1
    world.execute(ASK, pair[::-1])


def test_a_member_asks_thirty_times_a_day(world: psycopg.Connection) -> None:
    """Whether or not the requests were withdrawn; those of yesterday do not count."""
    me, pair = member_id("stranger"), (member_id("stranger"), member_id("other"))
    world.execute(
        "insert into private.connection_requests (user_id, asked_at)"
        " select %s, now() - interval '25 hours' from generate_series(1, 40)",
        (me,),
    )
    act_as(world, "stranger")
    for _ in range(30):
        world.execute(ASK, pair)
        assert world.execute(DELETE, pair).rowcount == 1
    with pytest.raises(psycopg.Error, match="daily limit for connection requests") as refused:
        world.execute(ASK, pair)
    assert refused.value.sqlstate == "PT429"
