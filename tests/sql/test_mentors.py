"""Mentors (§16.2): who may ask, how many are accepted, what the mentor sees while it lasts, and how it ends."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import psycopg
import pytest
from psycopg.types.json import Jsonb

from muster_product.database.policies import act_as, make_world
from muster_product.database.policy_world import member_id
from tests.support.patience import eventually
from tests.support.postgres import Database

OFFER = "insert into mentors (topics, capacity, note) values ('{Pumps,Oral boards}', %s, 'Bring two fires.')"
ASK = "insert into mentorings (mentor_id, message) values (%s, 'Help me with the board') returning id"
CHANGE = "update mentorings set state = %s where id = %s"
PLAN = "select title from growth_plans where user_id = %s"
STEPS = "select title, state from requirements_of(%s)"
OWNER, OTHER, STRANGER, GUARDED = map(member_id, ("owner", "other", "stranger", "guarded"))


class Mentoring:
    """owner mentors; other and guarded are owner's connections. other's plan is shown to nobody."""

    def __init__(self, world: psycopg.Connection[Any]) -> None:
        self.world = world
        for table in ("mentorings", "mentors", "notifications", "functions.mail_requests"):
            world.execute(f"delete from {table}")
        self.act("other", "select choose_goal(null, 'rank', 'Engineer')")
        self.act("other", "insert into plan_requirements (title, met_by) values ('Pump hours', 'tick')")

    def act(self, actor: str, statement: str, *values: object) -> list[tuple[Any, ...]]:
        with self.world.transaction():
            act_as(self.world, actor)
            cursor = self.world.execute(statement, values)
            rows = cursor.fetchall() if cursor.description else []
            self.world.execute("reset role")
        return rows

    def ask(self, actor: str = "other", mentor: object = OWNER) -> object:
        return self.act(actor, ASK, mentor)[0][0]

    def states(self) -> list[str]:
        return [row[0] for row in self.world.execute("select state from mentorings order by asked_at, id").fetchall()]

    def told(self, actor: str) -> list[tuple[str, bool]]:
        query = "select title, seen from notifications where user_id = %s order by created_at, title"
        return self.world.execute(query, (member_id(actor),)).fetchall()


@pytest.fixture
def mentoring(world: psycopg.Connection[Any]) -> Mentoring:
    return Mentoring(world)


@pytest.mark.parametrize("ended_by", ["owner", "other"])
def test_both_see_the_plan_while_it_lasts(mentoring: Mentoring, ended_by: str) -> None:
    """§16.2: from the mentor's yes until either ends it; nothing of the plan's own visibility changes."""
    act = mentoring.act
    act("owner", OFFER, 2)
    id = mentoring.ask()
    assert act("owner", PLAN, OTHER) == []
    act("owner", CHANGE, "accepted", id)
    for actor in ("owner", "other"):
        assert act(actor, PLAN, OTHER) == [("Engineer",)]
        assert act(actor, STEPS, OTHER) == [("Pump hours", "open")]
    assert act("owner", "select from plan_requirements where user_id = %s", OTHER) == []
    assert act("guarded", PLAN, OTHER) == []
    assert act("owner", "update growth_plans set title = 'Mine' where user_id = %s returning user_id", OTHER) == []
    act(ended_by, CHANGE, "ended", id)
    assert act("owner", PLAN, OTHER) == []
    assert act("owner", STEPS, OTHER) == []
    assert act("other", PLAN, OTHER) == [("Engineer",)]
    assert mentoring.states() == ["ended"]


def test_each_is_told_what_the_other_did(mentoring: Mentoring) -> None:
    """§16.2: the request, the yes and the end, by the switch of growth; who is declined is not."""
    act = mentoring.act
    act("owner", OFFER, 2)
    id = mentoring.ask()
    assert mentoring.told("owner") == [("Other asks you to be their mentor", False)]
    act("owner", CHANGE, "accepted", id)
    assert mentoring.told("owner") == [("Other asks you to be their mentor", True)]
    act("owner", CHANGE, "ended", id)
    assert mentoring.told("other") == [("Owner ended the mentoring", False), ("Owner is your mentor now", False)]
    mails = mentoring.world.execute(
        "select recipient_id, facts ->> 'title', facts ->> 'text' from functions.mail_requests"
        " where kind = 'mentoring' order by 2"
    ).fetchall()
    assert mails == [
        (OWNER, "Other asks you to be their mentor", "Help me with the board"),
        (OTHER, "Owner ended the mentoring", ""), (OTHER, "Owner is your mentor now", "Bring two fires."),
    ]  # fmt: skip
    second = mentoring.ask()
    act("owner", CHANGE, "declined", second)
    assert len(mentoring.told("other")) == 2
    third = mentoring.ask("guarded")
    act("guarded", CHANGE, "ended", third)  # withdrawn: the request goes from the mentor's list
    assert [title for title, _ in mentoring.told("owner")] == ["Other asks you to be their mentor"] * 2
    mentoring.world.execute(
        "update profiles set notification_settings = jsonb_set(notification_settings,"
        " '{preferences,growth,enabled}', 'false')"
    )
    mentoring.ask("guarded")
    assert len(mentoring.told("owner")) == 2


def test_who_may_ask(mentoring: Mentoring) -> None:
    """§16.2: a connection of someone who mentors and has room, once at a time, ten times a day, not after a no."""
    act = mentoring.act
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        mentoring.ask()  # owner does not mentor
    act("owner", OFFER, 1)
    for actor in ("stranger", "asked", "owner", "admin"):
        with pytest.raises(psycopg.Error, match="You can ask a connection who mentors"):
            mentoring.ask(actor)
    for message in ("", "  ", "x" * 401):
        with pytest.raises(psycopg.errors.CheckViolation):
            act("other", "insert into mentorings (mentor_id, message) values (%s, %s)", OWNER, message)
    id = mentoring.ask()
    with pytest.raises(psycopg.errors.UniqueViolation):
        mentoring.ask()
    waiting = mentoring.ask("guarded")
    act("owner", CHANGE, "accepted", id)
    assert act("guarded", "select m.has_room from mentors as m") == [(False,)]
    with pytest.raises(psycopg.Error, match="You mentor as many members as you said"):
        act("owner", CHANGE, "accepted", waiting)
    act("guarded", CHANGE, "ended", waiting)
    with pytest.raises(psycopg.Error, match="This mentor has no room right now"):
        mentoring.ask("guarded")
    act("owner", "update mentors set capacity = 2")
    act("owner", CHANGE, "declined", mentoring.ask("guarded"))
    with pytest.raises(psycopg.Error, match="30 days after their answer"):
        mentoring.ask("guarded")
    mentoring.world.execute("update mentorings set answered_at = now() - interval '31 days'")
    for _ in range(8):
        act("guarded", CHANGE, "ended", mentoring.ask("guarded"))
    with pytest.raises(psycopg.Error, match="You can ask 10 mentors a day"):
        mentoring.ask("guarded")
    act("owner", "update mentors set is_open = false")
    mentoring.world.execute("update mentorings set asked_at = now() - interval '2 days'")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        mentoring.ask("guarded")
    assert act("owner", PLAN, OTHER) == [("Engineer",)]  # what was accepted goes on


@pytest.mark.parametrize(
    ("before", "actor", "state"),
    [
        ("asked", "other", "accepted"), ("asked", "other", "declined"), ("asked", "owner", "ended"),
        ("accepted", "other", "declined"), ("accepted", "owner", "accepted"), ("accepted", "other", "asked"),
        ("declined", "other", "accepted"), ("declined", "owner", "accepted"), ("ended", "other", "accepted"),
        ("ended", "owner", "asked"), ("asked", "guarded", "accepted"), ("accepted", "guarded", "ended"),
        ("asked", "owner", "rated"), ("accepted", "other", ""),
    ],
)  # fmt: skip
def test_nobody_answers_for_the_other(mentoring: Mentoring, before: str, actor: str, state: str) -> None:
    """§16.2: only the mentor answers, once; who asked withdraws; a third member changes nothing."""
    mentoring.act("owner", OFFER, 2)
    mentoring.world.execute(
        "insert into mentorings (mentor_id, mentee_id, message, state) values (%s, %s, 'Hi', %s)",
        (OWNER, OTHER, before),
    )
    with suppress(psycopg.Error):
        mentoring.act(actor, "update mentorings set state = %s", state)
    assert mentoring.states() == [before]


@pytest.mark.parametrize(
    "values",
    [
        "'{}', 2", "'{Ropes,NULL}', 2", "'{\"  \"}', 2", "'{{Ropes},{Pumps}}', 2", "array[repeat('x', 51)], 2",
        "array(select 'Topic ' || n from generate_series(1, 11) as n), 2", "'{\"a\nb\"}', 2",
        "'{Ropes}', 0", "'{Ropes}', 21",
    ],
)  # fmt: skip
def test_an_offer_is_topics_and_a_number(mentoring: Mentoring, values: str) -> None:
    """§16.2: one to ten topics in a line each, one to twenty members."""
    with pytest.raises(psycopg.errors.CheckViolation):
        mentoring.act("owner", f"insert into mentors (topics, capacity) values ({values})")


@pytest.mark.parametrize("end", ["connection", "block by the mentor", "block by the other", "account"])
def test_it_ends_with_what_it_rests_on(mentoring: Mentoring, end: str) -> None:
    """§16.2 §13.3: the connection, a block from either side, the account; nobody is told, and nothing waits on."""
    act = mentoring.act
    act("owner", OFFER, 2)
    act("other", OFFER, 2)
    act("owner", CHANGE, "accepted", mentoring.ask())
    mentoring.ask("owner", OTHER)  # the other way around
    mentoring.world.execute("delete from notifications where user_id = %s", (OTHER,))
    if end == "connection":
        act("other", "delete from connections where user_id = %s and connected_user_id = %s", OWNER, OTHER)
    elif end == "account":
        mentoring.world.execute("delete from auth.users where id = %s", (OTHER,))
    else:
        blocker, blocked = ("owner", OTHER) if end == "block by the mentor" else ("other", OWNER)
        act(blocker, "insert into blocks (blocked_id) values (%s)", blocked)
    assert mentoring.states() == (["ended", "ended"] if end == "connection" else [])
    assert act("owner", PLAN, OTHER) == []
    assert mentoring.told("other") == []
    assert act("guarded", "select m.has_room from mentors as m where user_id = %s", OWNER) == [(True,)]


def test_who_mentors_is_found_by_topic(mentoring: Mentoring) -> None:
    """§16.2 §11.6: in the directory, as long as the member says so, and only as far as the profile is shown."""
    act = mentoring.act
    act("owner", OFFER, 2)

    def found(**filters: str) -> list[Any]:
        asked = Jsonb(filters)
        return [row[0] for row in act("stranger", "select id from directory(%s)", asked)]

    assert found(mentor="oral BOARDS") == found(mentor="Any topic") == [OWNER]
    counts = "select value, members from directory_counts() where facet = 'mentor' order by value"
    assert act("stranger", counts) == [("any topic", 1), ("oral boards", 1), ("pumps", 1)]
    assert found(mentor="Ropes") == []
    act("owner", "update mentors set topics = '{Ropes}'")
    assert (found(mentor="Ropes"), found(mentor="Pumps")) == ([OWNER], [])
    privacy = (
        "update profiles set privacy_settings = privacy_settings || jsonb_build_object('profile_visibility', %s::text)"
    )
    act("owner", privacy + " where id = %s", "private", OWNER)
    assert (found(mentor="Ropes"), act("stranger", "select from mentors")) == ([], [])
    act("owner", privacy + " where id = %s", "public", OWNER)
    act("owner", "update mentors set is_open = false")
    assert (found(mentor="Ropes"), act("stranger", "select from mentors")) == ([], [])


def test_two_accepted_at_once_keep_to_the_number(database: Database) -> None:
    """§16.2: the second waits for the first, and is refused; so is a request while the connection ends."""
    dsn = database.dsn("supabase_admin")
    with (
        psycopg.connect(dsn, autocommit=True) as looks,
        psycopg.connect(dsn) as one,
        psycopg.connect(dsn) as two,
        ThreadPoolExecutor(1) as pool,
    ):
        make_world(looks)
        mentoring = Mentoring(looks)
        mentoring.act("owner", OFFER, 1)
        ids = [mentoring.ask("other"), mentoring.ask("guarded")]

        def refusal_of(actor: str, statement: str, *values: object) -> str:
            try:
                act_as(two, actor)
                two.execute(statement, values)
            except psycopg.Error as error:
                return error.diag.message_primary or ""
            finally:
                two.rollback()
            return "none"

        def meanwhile(first: tuple[Any, ...], second: tuple[Any, ...]) -> str:
            """How the second ends, which begins before the first commits."""
            act_as(one, first[0])
            one.execute(first[1], first[2:])
            later = pool.submit(refusal_of, *second)
            waits = "select wait_event_type = 'Lock' from pg_stat_activity where pid = %s"
            eventually(lambda: later.done() or looks.execute(waits, (two.info.backend_pid,)).fetchone() == (True,))
            one.commit()
            return later.result(timeout=20)

        accepted = (("owner", CHANGE, "accepted", id) for id in ids)
        assert meanwhile(*accepted).startswith("You mentor as many members as you said")
        assert sorted(mentoring.states()) == ["accepted", "asked"]
        looks.execute("delete from mentorings")
        disconnect = "delete from connections where connected_user_id = %s"
        asks = ("other", ASK, OWNER)
        assert meanwhile(("owner", disconnect, OTHER), asks) == "You can ask a connection who mentors"
        assert mentoring.states() == []
