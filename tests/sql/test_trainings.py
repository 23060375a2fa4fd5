"""Trainings (§12): seats and the waiting list, who is told of what, reminders, and what others see."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from muster_product.database.policies import act_as, make_world
from muster_product.database.policy_world import member_id
from tests.support.postgres import Database

START = datetime(2031, 6, 7, 13, tzinfo=UTC)
NEW = (
    "insert into trainings (user_id, title, kind, starts_at, ends_at, time_zone, state, place, seats)"
    " values (%(owner)s, 'Ladder drill', 'drill', %(start)s, %(end)s, 'America/New_York', 'OH', 'Station 9', %(seats)s)"
    " returning id"
)


class Training:
    """A training of the owner's, and what members do with it."""

    def __init__(self, connection: psycopg.Connection[Any], seats: int | None) -> None:
        self.connection = connection
        connection.execute("delete from trainings")
        connection.execute("delete from notifications")
        connection.execute("delete from functions.mail_requests")
        connection.execute("delete from calendar_addresses")
        row = connection.execute(
            NEW, {"owner": member_id("owner"), "start": START, "end": START + timedelta(hours=8), "seats": seats}
        ).fetchone()
        assert row is not None
        self.id: UUID = row[0]

    def act(self, actor: str, statement: str, *values: object) -> int:
        """The rows that a statement of a member's writes; `%s` are the values."""
        with self.connection.transaction():
            act_as(self.connection, actor)
            count = self.connection.execute(statement, values).rowcount
            self.connection.execute("reset role")
        return count

    def answer(self, actor: str, answer: str = "going") -> None:
        statement = (
            "insert into training_attendances (training_id, answer) values (%s, %s)"
            " on conflict (training_id, user_id) do update set answer = excluded.answer"
        )
        self.act(actor, statement, self.id, answer)

    def leave(self, actor: str) -> None:
        self.act(actor, "delete from training_attendances where training_id = %s", self.id)

    def change(self, assignments: str, *values: object) -> int:
        return self.act("owner", f"update trainings set {assignments} where id = %s", *values, self.id)

    def counts(self) -> tuple[int, int, int]:
        """Going, waiting, interested."""
        query = (
            "select public.going_count(t), public.waiting_count(t), public.interested_count(t)"
            " from trainings as t where id = %s"
        )
        found = self.connection.execute(query, (self.id,)).fetchone()
        assert found is not None
        return (found[0], found[1], found[2])

    def told(self, actor: str) -> list[str]:
        """The titles of a member's notifications; their mails say the same."""
        rows = self.connection.execute(
            "select title from notifications where user_id = %s and type = 'training' order by created_at, title",
            (member_id(actor),),
        ).fetchall()
        mails = self.connection.execute(
            "select facts ->> 'title' from functions.mail_requests where recipient_id = %s order by requested_at, 1",
            (member_id(actor),),
        ).fetchall()
        assert rows == mails
        return [row[0] for row in rows]

    def remind(self, before: timedelta) -> int:
        """Run the job so long before the start; how many reminders it gave."""
        row = self.connection.execute("select private.give_training_reminders(%s)", (START - before,)).fetchone()
        assert row is not None
        return int(row[0])


@pytest.fixture
def make(world: psycopg.Connection) -> Callable[[int | None], Training]:
    return lambda seats: Training(world, seats)


def test_who_comes_late_waits_and_moves_up_in_order(make: Callable[[int | None], Training]) -> None:
    """§12.2: seats, a waiting list, and a notification for who moves up."""
    training = make(1)
    for actor in ("other", "asked", "stranger"):
        training.answer(actor)
    training.answer("admin", "interested")
    assert training.counts() == (1, 2, 1)
    training.leave("other")
    assert training.counts() == (1, 1, 1)
    assert training.told("asked") == ["You have a seat: Ladder drill"]
    assert training.told("stranger") == []
    training.answer("asked", "interested")
    assert training.counts() == (1, 0, 2)
    assert training.told("stranger") == ["You have a seat: Ladder drill"]
    training.answer("asked")
    assert training.counts() == (1, 1, 1)
    training.change("seats = 2")
    assert training.counts() == (2, 0, 1)
    assert training.told("asked")[-1] == "You have a seat: Ladder drill"


def test_fewer_seats_take_nobodys_and_no_limit_seats_all(make: Callable[[int | None], Training]) -> None:
    training = make(None)
    for actor in ("other", "asked", "stranger"):
        training.answer(actor)
    training.change("seats = 1")
    assert training.counts() == (3, 0, 0)
    training.leave("other")
    training.answer("other")
    assert training.counts() == (2, 1, 0)
    training.change("seats = null")
    assert training.counts() == (3, 0, 0)


def test_the_same_answer_again_keeps_the_place(make: Callable[[int | None], Training]) -> None:
    training = make(1)
    for actor in ("other", "asked", "stranger", "asked"):
        training.answer(actor)
    training.leave("other")
    assert training.told("asked") == ["You have a seat: Ladder drill"]


def test_seats_hold_against_answers_at_once(new_database: Callable[[], Database]) -> None:
    """§12.2: ten members want three seats in the same moment."""
    database = new_database()
    with psycopg.connect(database.dsn("supabase_admin"), autocommit=True) as connection:
        make_world(connection)
        training = Training(connection, 3)
        members = [UUID(int=900 + number) for number in range(10)]
        connection.execute(
            "insert into auth.users (instance_id, id, aud, role, email, email_confirmed_at, raw_user_meta_data)"
            " select '00000000-0000-0000-0000-000000000000', id, 'authenticated', 'authenticated',"
            " id || '@rush.test', now(), '{}' from unnest(%s::uuid[]) as m (id)",
            (members,),
        )

        def go(member: UUID) -> None:
            with psycopg.connect(database.dsn("supabase_admin"), autocommit=True) as own:
                own.execute(
                    "insert into training_attendances (training_id, user_id, answer) values (%s, %s, 'going')",
                    (training.id, member),
                )

        threads = [threading.Thread(target=go, args=(member,)) for member in members]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert training.counts() == (3, 7, 0)


@pytest.mark.parametrize(
    ("change", "values", "title"),
    [
        ("starts_at = starts_at + interval '1 hour'", (), "New time: Ladder drill"),
        ("place = 'Station 10'", (), "New place: Ladder drill"),
        ("is_online = true, state = null, place = null, ends_at = ends_at + interval '1 hour'", (),
         "New time and place: Ladder drill"),
        ("is_canceled = true", (), "Canceled: Ladder drill"),
    ],
)  # fmt: skip
def test_a_change_is_told_at_once(
    make: Callable[[int | None], Training], change: str, values: tuple[object, ...], title: str
) -> None:
    """§12.4: time, place and cancellation, to everybody who answered."""
    training = make(1)
    for actor in ("other", "asked"):
        training.answer(actor)
    training.answer("stranger", "interested")
    assert training.change(change, *values) == 1
    assert [training.told(actor) for actor in ("other", "asked", "stranger", "admin", "owner")] == [
        [title], [title], [title], [], [],
    ]  # fmt: skip
    revision = training.connection.execute("select revision from trainings").fetchone()
    assert revision == (1,)


def test_other_words_are_told_to_nobody(make: Callable[[int | None], Training]) -> None:
    training = make(1)
    training.answer("other")
    training.change("title = 'Ladder drills', description = 'Bring gloves', link = 'https://station9.example'")
    assert training.told("other") == []


def test_time_and_place_change_at_most_20_times(make: Callable[[int | None], Training]) -> None:
    """§12.4: each change is mailed to everybody who answered, so a script can't flood them."""
    training = make(None)
    for number in range(20):
        training.change("place = %s", f"Station {number}")
    with pytest.raises(psycopg.Error, match="at most 20 times") as refused:
        training.change("place = 'Station 20'")
    assert refused.value.sqlstate == "PT429"
    assert training.change("title = 'Ladders'") == 1
    assert training.change("is_canceled = true") == 1


def test_who_waits_knows_the_place_on_the_list(make: Callable[[int | None], Training]) -> None:
    """§12.2: from 1, one's own only."""
    training = make(1)
    for actor in ("other", "asked", "stranger"):
        training.answer(actor)

    def position(actor: str) -> object:
        act_as(training.connection, actor)
        row = training.connection.execute("select waiting_position(%s)", (training.id,)).fetchone()
        training.connection.execute("reset role")
        return row and row[0]

    assert [position(actor) for actor in ("other", "asked", "stranger", "owner", "admin")] == [None, 1, 2, None, None]
    training.leave("asked")
    assert position("stranger") == 1


def test_words_find_coming_trainings(make: Callable[[int | None], Training]) -> None:
    """§11.1 §11.3: by title, place and description, with beginnings; not what is canceled, or of who is blocked."""
    training = make(None)

    def found(actor: str, term: str) -> int:
        act_as(training.connection, actor)
        rows = training.connection.execute("select from search_trainings(%s)", (term,)).rowcount
        training.connection.execute("reset role")
        return rows

    terms = ("ladders", "ladd", '"station 9"', "drill -station", "hose", "", "  ")
    assert [found("other", term) for term in terms] == [1, 1, 1, 0, 0, 0, 0]
    training.act("other", "insert into blocks (blocked_id) values (%s)", member_id("owner"))
    assert [found(actor, "ladder") for actor in ("other", "asked")] == [0, 1]
    training.change("is_canceled = true")
    assert found("asked", "ladder") == 0


def test_what_is_canceled_or_over_stays_so(make: Callable[[int | None], Training]) -> None:
    training = make(None)
    training.answer("other")
    training.change("is_canceled = true")
    for attempt in (
        lambda: training.change("is_canceled = false"),
        lambda: training.answer("asked"),
    ):
        with pytest.raises(psycopg.Error, match="canceled") as refused:
            attempt()
        assert refused.value.sqlstate == "PT409"
    training = make(None)
    past = "starts_at = now() - interval '3 hours', ends_at = now() - interval '1 hour'"
    training.connection.execute(f"update trainings set {past}")
    for attempt in (lambda: training.change("seats = 3"), lambda: training.answer("asked")):
        with pytest.raises(psycopg.Error, match="over") as refused:
            attempt()
        assert refused.value.sqlstate == "PT409"


def test_who_goes_is_reminded_once(make: Callable[[int | None], Training]) -> None:
    """§12.4: from a day before; not who waits, is interested, or has just answered."""
    training = make(1)
    for actor in ("other", "asked"):
        training.answer(actor)
    training.answer("stranger", "interested")
    assert training.remind(timedelta(hours=25)) == 0
    assert training.remind(timedelta(hours=24)) == 1
    assert training.remind(timedelta(hours=23)) == 0
    assert training.told("other") == ["Coming up: Ladder drill"]
    assert training.told("asked") == training.told("stranger") == []
    # Another start is another reminder.
    training.change("starts_at = starts_at + interval '30 minutes'")
    assert training.remind(timedelta(hours=20)) == 1
    training.connection.execute("update training_attendances set reminded_at = null, answered_at = %s",
                                (START - timedelta(hours=2),))  # fmt: skip
    assert training.remind(timedelta(hours=1)) == 0


def test_settings_decide_who_is_told(make: Callable[[int | None], Training]) -> None:
    training = make(None)
    training.answer("other")
    training.connection.execute(
        """update profiles set notification_settings = '{"preferences": {"trainings": {"enabled": false}}}'"""
        " where id = %s",
        (member_id("other"),),
    )
    training.change("is_canceled = true")
    assert training.told("other") == []


def test_answers_are_the_organizers_and_ones_own(make: Callable[[int | None], Training]) -> None:
    """§12.2: the organizer sees who comes; nobody answers for another, takes a seat by hand, or goes to their own."""
    training = make(1)
    training.answer("other")
    training.answer("asked")
    seen = "select from training_attendances"
    assert {actor: training.act(actor, seen) for actor in ("owner", "other", "asked", "stranger")} == {
        "owner": 2, "other": 1, "asked": 1, "stranger": 0,
    }  # fmt: skip
    for actor, statement in (
        ("asked", "update training_attendances set is_waiting = false"),
        ("asked", "update training_attendances set answered_at = '2020-01-01'"),
        ("stranger", f"insert into training_attendances (training_id, user_id, answer)"
                     f" values ('{training.id}', '{member_id('admin')}', 'going')"),
        ("owner", f"insert into training_attendances (training_id, answer) values ('{training.id}', 'going')"),
        ("other", "update trainings set answered_at = now()"),
    ):  # fmt: skip
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            training.act(actor, statement)


def test_a_training_with_answers_is_canceled_not_deleted(make: Callable[[int | None], Training]) -> None:
    training = make(None)
    training.answer("other", "interested")
    assert training.act("owner", "delete from trainings") == 0
    training.leave("other")
    assert training.act("owner", "delete from trainings") == 1


def test_an_admins_deletion_is_told_as_cancellation(make: Callable[[int | None], Training]) -> None:
    training = make(None)
    training.answer("other")
    assert training.act("admin", "delete from trainings") == 1
    assert training.told("other") == ["Canceled: Ladder drill"]


def test_a_block_frees_the_seat(make: Callable[[int | None], Training]) -> None:
    """§13.3: and the next moves up."""
    training = make(1)
    training.answer("other")
    training.answer("asked")
    training.act("owner", "insert into blocks (blocked_id) values (%s)", member_id("other"))
    assert training.counts() == (1, 0, 0)
    assert training.told("asked") == ["You have a seat: Ladder drill"]
    assert training.act("other", "select from trainings") == 0


@pytest.mark.parametrize(
    ("values", "constraint"),
    [
        ("'', 'drill', now(), now() + interval '1 h', 'UTC', 'OH', 'x', null", "title_has_a_length"),
        ("'x', 'party', now(), now() + interval '1 h', 'UTC', 'OH', 'x', null", "kind_is_known"),
        ("'x', 'drill', now(), now(), 'UTC', 'OH', 'x', null", "end_after_they_start"),
        ("'x', 'drill', now(), now() + interval '32 days', 'UTC', 'OH', 'x', null", "end_after_they_start"),
        ("'x', 'drill', now(), now() + interval '1 h', 'Mars/Base', 'OH', 'x', null", "time_zone_is_known"),
        ("'x', 'drill', now(), now() + interval '1 h', 'UTC', 'XX', 'x', null", "state_fkey"),
        ("'x', 'drill', now(), now() + interval '1 h', 'UTC', 'OH', null, null", "are_somewhere"),
        ("'x', 'drill', now(), now() + interval '1 h', 'UTC', 'OH', 'x', 0", "seats_are_a_number"),
    ],
)
def test_a_training_is_complete_or_refused(world: psycopg.Connection, values: str, constraint: str) -> None:
    """§12.1: start, end, time zone, place or online, link, seats."""
    with pytest.raises(psycopg.errors.IntegrityError, match=f"trainings_{constraint}"):
        world.execute(
            "insert into trainings (user_id, title, kind, starts_at, ends_at, time_zone, state, place, seats)"
            f" values (%s, {values})",
            (member_id("owner"),),
        )


def test_announcements_are_limited(make: Callable[[int | None], Training]) -> None:
    training = make(None)
    again = (
        "insert into trainings (title, kind, starts_at, ends_at, time_zone, is_online)"
        " select 'Webinar ' || n, 'class', now() + interval '1 day', now() + interval '25 hours', 'UTC', true"
        " from generate_series(1, %s) as n"
    )
    with pytest.raises(psycopg.Error, match="at most 50") as refused:
        training.act("owner", again, 50)
    assert refused.value.sqlstate == "PT429"
    assert training.act("owner", again, 49) == 49
    with pytest.raises(psycopg.Error, match="in the future"):
        training.act("other", again.replace("now() + interval '1 day'", "now() - interval '1 day'")
                     .replace("now() + interval '25 hours'", "now() - interval '1 hour'"), 1)  # fmt: skip


def test_the_calendars_address_is_ones_own_and_revocable(make: Callable[[int | None], Training]) -> None:
    """§12.3: made by the database, seen by its member alone, another one after it was revoked."""
    training = make(None)
    add = "insert into calendar_addresses default values"
    tokens = []
    for _ in range(2):
        training.act("owner", add)
        assert training.act("other", "select from calendar_addresses") == 0
        assert training.act("other", "delete from calendar_addresses") == 0
        tokens.append(training.connection.execute("select token from calendar_addresses").fetchone())
        assert training.act("owner", "delete from calendar_addresses") == 1
    assert tokens[0] != tokens[1]
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        training.act("owner", "insert into calendar_addresses (token) values ('guess-me')")


def test_a_seat_of_a_blocked_member_is_taken_but_not_counted(make: Callable[[int | None], Training]) -> None:
    """§13.3: the training is full, for it is; nobody is told by whom."""
    training = make(1)
    training.answer("asked")
    training.answer("guarded")
    training.connection.execute(
        "insert into blocks (blocker_id, blocked_id) values (%s, %s), (%s, %s)",
        (member_id("asked"), member_id("other"), member_id("other"), member_id("guarded")),
    )
    query = "select public.going_count(t), public.waiting_count(t), public.is_full(t) from trainings as t where id = %s"
    seen = {}
    for actor in ("other", "stranger"):
        act_as(training.connection, actor)
        seen[actor] = training.connection.execute(query, (training.id,)).fetchone()
        training.connection.execute("reset role")
    assert seen == {"other": (0, 0, True), "stranger": (1, 1, True)}
