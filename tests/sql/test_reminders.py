"""Reminders of certifications that expire (§10.1 to §10.6), with the clock as an argument."""

import threading
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import psycopg
import pytest
from psycopg.types.json import Jsonb

from muster_product.database.policies import act_as
from muster_product.database.policy_world import member_id
from tests.support.postgres import Database

OWNER = member_id("owner")
DENVER = ZoneInfo("America/Denver")
AHEAD = timedelta(days=200)


class Clock:
    """The owner with one certification, and the job run at times of the test's choice."""

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self.connection = connection
        connection.execute("delete from certifications")
        connection.execute("delete from notifications")
        connection.execute("delete from functions.mail_requests")
        connection.execute("update profiles set time_zone = 'America/Denver' where id = %s", (OWNER,))
        self.expires = datetime.now(DENVER).date() + AHEAD
        row = connection.execute(
            "insert into certifications (user_id, name, expires_on) values (%s, 'Paramedic', %s) returning id",
            (OWNER, self.expires),
        ).fetchone()
        assert row is not None
        self.id = row[0]

    def run(self, day: date, at: str = "07:00", zone: ZoneInfo = DENVER) -> int:
        """Run the job at that local time; how many reminders it gave."""
        moment = datetime.combine(day, time.fromisoformat(at), zone).astimezone(UTC)
        row = self.connection.execute("select private.give_certification_reminders(%s)", (moment,)).fetchone()
        assert row is not None
        return int(row[0])

    def before(self, days: int, at: str = "07:00") -> int:
        """Run it so many days before the expiry."""
        return self.run(self.expires - timedelta(days=days), at)

    def titles(self) -> list[str]:
        rows = self.connection.execute("select title from notifications order by created_at").fetchall()
        return [row[0] for row in rows]

    def mails(self) -> list[str]:
        rows = self.connection.execute("select facts ->> 'title' from functions.mail_requests order by requested_at")
        return [row[0] for row in rows]

    def settle(self, **preference: bool) -> None:
        """The owner's settings of the reminders."""
        self.connection.execute(
            "update profiles set notification_settings = %s where id = %s",
            (Jsonb({"preferences": {"certifications": preference}}), OWNER),
        )

    def act(self, statement: str, *values: object) -> Any:
        """What the owner does as a client."""
        with self.connection.transaction():
            act_as(self.connection, "owner")
            cursor = self.connection.execute(statement, values)
            row = cursor.fetchone() if cursor.description else None
            self.connection.execute("reset role")
        return row[0] if row else None


@pytest.fixture
def clock(world: psycopg.Connection) -> Clock:
    return Clock(world)


def test_the_holder_is_reminded_on_four_days(clock: Clock) -> None:
    """§10.1 §10.2: 90, 30 and 7 days before and on the day after; once each, however often the job runs."""
    for days in range(95, -40, -1):
        for at in ("06:59", "07:00", "12:00", "23:59"):
            assert clock.before(days, at) == (days in (90, 30, 7, -1) and at == "07:00"), (days, at)
    assert clock.titles() == clock.mails() == [
        "Paramedic expires in 90 days",
        "Paramedic expires in 30 days",
        "Paramedic expires in 7 days",
        "Paramedic expired yesterday",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("zone", "counted_in"),
    [
        pytest.param("Pacific/Kiritimati", "Pacific/Kiritimati", id="first of all"),
        pytest.param("Pacific/Pago_Pago", "Pacific/Pago_Pago", id="last of all"),
        pytest.param("Asia/Kathmandu", "Asia/Kathmandu", id="a quarter of an hour"),
        pytest.param(None, "America/New_York", id="not known: the departments' country"),
    ],
)
def test_days_are_those_of_the_members_time_zone(clock: Clock, zone: str | None, counted_in: str) -> None:
    """§10.1."""
    clock.connection.execute("update profiles set time_zone = %s where id = %s", (zone, OWNER))
    day = clock.expires - timedelta(days=30)
    assert clock.run(day - timedelta(days=1), "12:00", ZoneInfo(counted_in)) == 1
    assert clock.run(day, "06:59", ZoneInfo(counted_in)) == 0
    assert clock.run(day, "07:00", ZoneInfo(counted_in)) == 1


@pytest.mark.parametrize("zone", ["America/Denver", "UTC", "America/Argentina/Ushuaia", "Etc/GMT+3", None])
def test_a_member_sets_their_time_zone(clock: Clock, zone: str | None) -> None:
    """§10.1: in the profile."""
    clock.act("update profiles set time_zone = %s", zone)
    row = clock.connection.execute("select time_zone from profiles where id = %s", (OWNER,)).fetchone()
    assert row == (zone,)


@pytest.mark.parametrize("zone", ["", "X3", "Mars/Olympus", "america/x'; --", "../etc/passwd", "A" * 100, "<+03>-3"])
def test_what_is_no_time_zone_is_refused(clock: Clock, zone: str) -> None:
    with pytest.raises(psycopg.errors.CheckViolation):
        clock.act("update profiles set time_zone = %s", zone)


def test_a_missed_run_gives_the_newest_and_skips_the_older(clock: Clock) -> None:
    """§10.2."""
    assert clock.before(5) == 1
    assert clock.titles() == ["Paramedic expires in 5 days"]
    assert clock.before(5) == clock.before(4) == clock.before(0) == 0
    done = clock.connection.execute(
        "select days_before, given_at is not null from private.certification_reminders order by days_before"
    ).fetchall()
    assert done == [(7, True), (30, False), (90, False)]
    assert clock.before(-3) == 1
    assert clock.titles()[-1] == "Paramedic expired 3 days ago"


def test_nobody_is_reminded_long_after(clock: Clock) -> None:
    """§10.2: the stack was off for half a year."""
    assert clock.before(-31) == 0


def test_what_was_due_before_the_date_was_entered_is_no_news(clock: Clock) -> None:
    """§10.3: of a date three weeks ahead the first reminder is the one a week before."""
    today = datetime.now(DENVER).date()
    clock.expires = today + timedelta(days=20)
    clock.act("update certifications set expires_on = %s", clock.expires)
    assert clock.run(today) == clock.before(8) == 0
    assert clock.before(7) == 1


def test_changing_the_date_restarts_the_count(clock: Clock) -> None:
    """§10.3; back to the old date, nothing is given a second time."""
    assert clock.before(30) == 1
    first, second = clock.expires, clock.expires + timedelta(days=365)
    clock.act("update certifications set expires_on = %s", second)
    assert clock.before(7) == 0
    clock.expires = second
    assert clock.before(90) == clock.before(30) == 1
    clock.act("update certifications set expires_on = %s", first)
    clock.expires = first
    assert clock.before(30) == 0
    assert clock.before(7) == 1


@pytest.mark.parametrize(
    "end",
    [
        pytest.param("delete from certifications", id="deleted"),
        pytest.param("update certifications set expires_on = null", id="no date"),
        pytest.param("update certifications set expires_on = expires_on + 700", id="renewed"),
        pytest.param(
            "insert into certifications (name, expires_on) select ' paramedic', expires_on + 700 from certifications",
            id="renewed as another entry",
        ),
        pytest.param("insert into certifications (name) values ('PARAMEDIC ')", id="another entry that never expires"),
    ],
)
def test_deleting_or_renewing_it_ends_it(clock: Clock, end: str) -> None:
    """§10.3: a snooze, too."""
    assert clock.before(90) == 1
    clock.act("select public.remind_me_in_a_week(%s)", clock.id)
    clock.act(end)
    assert clock.before(30) == clock.before(7) == clock.before(-1) == 0


def test_an_older_entry_of_the_same_name_ends_nothing(clock: Clock) -> None:
    """§10.3."""
    clock.act("insert into certifications (name, expires_on) select name, expires_on - 100 from certifications")
    clock.connection.execute("update private.certification_reminders set given_at = now()")
    assert clock.before(30) == 1
    assert clock.titles() == ["Paramedic expires in 30 days"]


@pytest.mark.parametrize(
    ("preference", "listed", "mailed"),
    [
        pytest.param({}, 1, 1, id="by default"),
        pytest.param({"enabled": False}, 0, 0, id="off"),
        pytest.param({"enabled": False, "email_enabled": True}, 0, 0, id="off, whatever else is on"),
        pytest.param({"email_enabled": False}, 1, 0, id="no e-mail"),
        pytest.param({"muted": True}, 1, 0, id="silent"),
        pytest.param({"displayInApp": False}, 0, 1, id="by e-mail only"),
    ],
)
def test_the_settings_decide(clock: Clock, preference: dict[str, bool], listed: int, mailed: int) -> None:
    """§10.1 §10.5: on by default; off means none."""
    clock.settle(**preference)
    clock.before(30)
    assert (len(clock.titles()), len(clock.mails())) == (listed, mailed)


def test_switching_it_on_gives_nothing_of_before(clock: Clock) -> None:
    """§10.5: off means none, also later."""
    clock.settle(enabled=False)
    assert clock.before(30) == 0
    clock.settle(enabled=True)
    assert clock.before(29) == 0
    assert clock.before(7) == 1


@pytest.mark.parametrize("state", ["banned_until = now() + interval '1 day'", "deleted_at = now()"])
def test_who_is_suspended_or_gone_is_not_reminded(clock: Clock, state: str) -> None:
    clock.connection.execute(f"update auth.users set {state} where id = %s", (OWNER,))
    assert clock.before(30) == 0


def test_the_notification_opens_the_certification(clock: Clock) -> None:
    """§10.6: its link, and nobody who caused it."""
    clock.before(7)
    row = clock.connection.execute(
        "select user_id, actor_id, type, content, reference_id, metadata, seen from notifications"
    ).fetchone()
    day = clock.expires.strftime("%B %-d, %Y")
    assert row == (
        OWNER, None, "certification", f"Valid until {day}. Once it is renewed, enter the new date.", clock.id,
        {"url": f"/profile?certification={clock.id}", "certification_id": str(clock.id)}, False,
    )  # fmt: skip


def test_in_a_week_there_is_one_more(clock: Clock) -> None:
    """§10.6: "Remind me in a week", counted from today; asked twice it is one."""
    today = datetime.now(DENVER).date()
    for _ in range(2):
        assert clock.act("select public.remind_me_in_a_week(%s)", clock.id) == today + timedelta(days=7)
    assert clock.run(today + timedelta(days=7), "06:00") == clock.run(today + timedelta(days=6)) == 0
    assert clock.run(today + timedelta(days=7)) == 1
    assert clock.run(today + timedelta(days=8)) == 0
    assert clock.titles() == ["Paramedic expires in 193 days"]


def test_a_snooze_that_ends_with_a_reminder_is_one(clock: Clock) -> None:
    """§10.6."""
    clock.act("select public.remind_me_in_a_week(%s)", clock.id)
    assert clock.before(30) == 1
    assert len(clock.titles()) == 1


@pytest.mark.parametrize("actor", ["stranger", "admin", "suspended", "visitor"])
def test_nobody_else_puts_it_off(clock: Clock, actor: str) -> None:
    """§10.6: it is not even told whether it exists."""
    with pytest.raises(psycopg.Error) as caught, clock.connection.transaction():
        act_as(clock.connection, actor)
        clock.connection.execute("select public.remind_me_in_a_week(%s)", (clock.id,))
    want = {"visitor": "42501", "suspended": "PT401"}
    assert caught.value.sqlstate == want.get(actor, "PT404")


@pytest.fixture
def crowd(database: Database) -> Database:
    """Forty certifications, committed, each a day from its reminder."""
    with psycopg.connect(database.dsn("supabase_admin"), autocommit=True) as connection:
        connection.execute(
            "insert into auth.users (id, email)"
            " select gen_random_uuid(), 'm' || n || '@x.test' from generate_series(1, 40) as n"
        )
        connection.execute(
            "insert into certifications (user_id, name, expires_on)"
            " select id, 'EMT', (now() at time zone 'America/New_York')::date + 31 from profiles"
        )
    return database


def test_several_workers_give_each_once(crowd: Database) -> None:
    """§10.2: four at the same moment, three times."""
    # Noon of members without a time zone: reminders are given in the morning.
    new_york = ZoneInfo("America/New_York")
    moment = datetime.combine(datetime.now(new_york).date() + timedelta(days=2), time(12), new_york)
    given: list[int] = []

    def work() -> None:
        with psycopg.connect(crowd.dsn(), autocommit=True) as connection:
            for _ in range(3):
                row = connection.execute("select private.give_certification_reminders(%s)", (moment,)).fetchone()
                assert row is not None
                given.append(row[0])

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sum(given) == 40
    with psycopg.connect(crowd.dsn(), autocommit=True) as connection:
        counts = connection.execute(
            "select (select count(*) from notifications), (select count(*) from functions.mail_requests)"
        ).fetchone()
    assert counts == (40, 40)
