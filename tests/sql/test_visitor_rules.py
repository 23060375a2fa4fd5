"""What visitors may leave behind: one entry a request, and so many a minute from all of them."""

import psycopg
import pytest

from muster_product.database.policies import act_as

INSERTS = {
    "quiz_responses": "insert into public.quiz_responses (linkedin_missing) select '{}' from generate_series(1, %s)",
    "feedback": "insert into public.feedback (content) select 'Hi' from generate_series(1, %s)",
    "waitlist": "insert into public.waitlist (email) select gen_random_uuid() || '@x.test' from generate_series(1, %s)",
}


@pytest.mark.parametrize("table", INSERTS)
def test_a_visitor_sends_one_entry_at_a_time(world: psycopg.Connection, table: str) -> None:
    act_as(world, "visitor")
    world.execute(INSERTS[table], (1,))
    with pytest.raises(psycopg.Error, match="one entry at a time") as refused:
        world.execute(INSERTS[table], (2,))
    assert refused.value.sqlstate == "PT400"


@pytest.mark.parametrize("table", INSERTS)
def test_all_visitors_share_a_limit_a_minute(world: psycopg.Connection, table: str) -> None:
    world.execute(INSERTS[table], (119,))
    world.execute(f"update public.{table} set created_at = now() - interval '2 minutes'")
    act_as(world, "visitor")
    world.execute(INSERTS[table], (1,))  # what is older does not count
    world.execute("set local role none")
    world.execute(INSERTS[table], (119,))
    act_as(world, "visitor")
    with pytest.raises(psycopg.Error, match="Too many entries right now") as refused:
        world.execute(INSERTS[table], (1,))
    assert refused.value.sqlstate == "PT429"


@pytest.mark.parametrize("actor", ["other", "admin", "service"])
def test_members_and_services_have_no_such_limit(world: psycopg.Connection, actor: str) -> None:
    world.execute(INSERTS["feedback"], (130,))
    act_as(world, actor)
    world.execute(INSERTS["feedback"], (1,))
