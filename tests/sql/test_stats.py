"""Statistics by week: sums of days, each past day counted once, today counted by every call."""

import threading
from datetime import UTC, date, datetime, timedelta
from typing import Any

import psycopg
import pytest

from muster_product.database.policies import act_as, make_world
from muster_product.database.policy_world import PARAMETERS
from tests.support.postgres import Database

KINDS = "members, waitlist, posts, messages, connections"


def stats(connection: psycopg.Connection, actor: str, weeks: object = 12) -> list[tuple[Any, ...]]:
    """The weeks that an actor gets; what was counted stays."""
    with connection.transaction():
        act_as(connection, actor)
        rows = connection.execute("select * from public.admin_stats(%s)", (weeks,)).fetchall()
        connection.execute("reset role")
    return rows


def move(connection: psycopg.Connection, name: str, days: int) -> None:
    """Move a member's sign-up some days into the past."""
    connection.execute(
        "update profiles set created_at = now() - make_interval(days => %s) where id = %s", (days, PARAMETERS[name])
    )


def members(rows: list[tuple[Any, ...]]) -> int:
    """How many joined in all the weeks."""
    return sum(row[1] for row in rows)


def test_stats_are_for_admins(world: psycopg.Connection) -> None:
    """§2.42: the dashboard's weeks, oldest first, the last one this week's; three years at most."""
    with pytest.raises(psycopg.Error, match="Only admins can do this"):
        stats(world, "owner")
    today = datetime.now(UTC).date()
    monday = today - timedelta(days=today.weekday())
    assert [week for week, *_ in stats(world, "admin", 4)] == [monday - timedelta(days=7 * n) for n in (3, 2, 1, 0)]
    assert stats(world, "admin", 1) == [(monday, 7, 2, 2, 2, 2)]
    assert stats(world, "admin", -3) == [(monday, 7, 2, 2, 2, 2)]
    assert len(stats(world, "admin", None)) == 12
    assert len(stats(world, "admin", 100_000)) == 157


def test_a_day_that_is_over_is_counted_once(world: psycopg.Connection) -> None:
    """§2.42: past days keep their counts when rows are deleted; today is counted again."""
    for name, days in (("other", 9), ("asked", 9), ("stranger", 30)):
        move(world, name, days)
    before = stats(world, "admin")
    assert members(before) == 7
    world.execute("delete from auth.users where id in (%(asked)s, %(stranger)s, %(hidden)s)", PARAMETERS)
    after = stats(world, "admin")
    assert members(after) == 6  # the one of today is gone
    assert after[:-1] == before[:-1]


def test_a_day_is_kept_no_sooner_than_an_hour_after_it(world: psycopg.Connection) -> None:
    """§2.42: transactions begun before midnight may commit after it; until then each call counts the day."""
    stats(world, "admin", 2)
    row = world.execute(
        "select max(day), ((now() - interval '1 hour') at time zone 'utc')::date from private.daily_stats"
    )
    assert row.fetchone() == (_open_day() - timedelta(days=1), _open_day())


def _open_day() -> date:
    return (datetime.now(UTC) - timedelta(hours=1)).date()


def test_days_that_are_missing_are_counted_and_the_others_left(world: psycopg.Connection) -> None:
    """§2.42: only missing days are counted, wherever they are."""
    for name, days in (("other", 9), ("asked", 20), ("stranger", 30)):
        move(world, name, days)
    before = stats(world, "admin")
    for name in ("other", "asked", "stranger"):
        move(world, name, 40)
    world.execute("delete from private.daily_stats where day between current_date - 25 and current_date - 15")
    after = stats(world, "admin")
    assert members(before) == 7
    assert members(after) == 6
    assert [week[1] for week in after].count(1) == [week[1] for week in before].count(1) - 1


def test_connections_count_when_they_are_accepted(world: psycopg.Connection) -> None:
    """§2.42: by acceptance, not by the day of the request, which may be long past."""
    world.execute("update connections set created_at = now() - interval '30 days'")
    assert stats(world, "admin", 8)[-1][5] == 2
    act_as(world, "asked")
    world.execute("update public.connections set status = 'accepted' where status = 'pending'")
    world.execute("reset role")
    assert [week[5] for week in stats(world, "admin", 8)] == [0, 0, 0, 0, 0, 0, 0, 3]


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago", "America/New_York"])
def test_days_are_of_universal_time(world: psycopg.Connection, zone: str) -> None:
    """§2.42: days begin at midnight UTC, whatever the session's time zone."""
    world.execute("set local timezone = 'UTC'")
    world.execute(f"set local timezone = '{zone}'".encode())
    for name, moment in (("other", "2026-03-08 23:59:59.999999+00"), ("asked", "2026-03-09 00:00:00+00")):
        world.execute("update profiles set created_at = %s where id = %s", (moment, PARAMETERS[name]))
    rows = world.execute("select day, members from private.count_daily_stats('2026-03-08', '2026-03-09')").fetchall()
    assert sorted(rows) == [(date(2026, 3, 8), 1), (date(2026, 3, 9), 1)]
    by_week = {week: count for week, count, *_ in stats(world, "admin", 157)}
    assert (by_week[date(2026, 3, 2)], by_week[date(2026, 3, 9)]) == (1, 1)


def test_a_transaction_that_cannot_write_is_answered_too(database: Database) -> None:
    """§2.42: on a standby or in a GET of REST days are counted for that call and not stored."""
    with psycopg.connect(database.dsn("supabase_admin")) as connection:
        make_world(connection)
        move(connection, "other", 9)
        connection.commit()
        connection.read_only = True
        reading = stats(connection, "admin")
        assert members(reading) == 7
        connection.rollback()
        connection.read_only = False
        assert connection.execute("select count(*) from private.daily_stats").fetchone() == (0,)
        assert stats(connection, "admin") == reading
        kept = connection.execute("select count(*) from private.daily_stats").fetchone()
        connection.rollback()
        assert connection.execute("select count(*) from private.daily_stats").fetchone() == (0,)
        assert stats(connection, "admin") == reading
        assert connection.execute("select count(*) from private.daily_stats").fetchone() == kept != (0,)


def test_several_ask_at_once(database: Database) -> None:
    """§2.42: concurrent first calls of a day agree, and none fails."""
    with psycopg.connect(database.dsn("supabase_admin")) as connection:
        make_world(connection)
        for name, days in (("other", 9), ("asked", 20), ("stranger", 300)):
            move(connection, name, days)
    gate = threading.Barrier(8)
    got: list[object] = []

    def one(weeks: int) -> None:
        with psycopg.connect(database.dsn("supabase_admin")) as connection:
            gate.wait(timeout=30)
            try:
                got.append(members(stats(connection, "admin", weeks)))
            except psycopg.Error as error:
                got.append(str(error))

    threads = [threading.Thread(target=one, args=(weeks,)) for weeks in (52, 53, 54, 55, 100, 120, 140, 157)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert got == [7] * 8


def test_days_agree_with_the_tables(world: psycopg.Connection) -> None:
    """§2.42: every kind by its own date, articles and unanswered requests left out."""
    world.execute(
        "insert into messages (sender_id, recipient_id, content, created_at)"
        " select %(owner)s, %(other)s, 'Hi', now() - n * interval '7 hours' from generate_series(1, 200) as s (n)",
        PARAMETERS,
    )
    world.execute(
        "insert into posts (user_id, content, title, slug, is_blog_post, created_at)"
        " select %(owner)s, 'Hi', 'A', case when n %% 2 = 0 then 'a' || n end, n %% 2 = 0, now() - n * interval '1 day'"
        " from generate_series(1, 20) as s (n)",
        PARAMETERS,
    )
    world.execute("update waitlist set created_at = now() - interval '3 days' where email like 'first%'")
    world.execute(f"select {KINDS} from private.daily_stats_between(current_date - 70, current_date)".encode())
    wrong = world.execute(
        """
        select d.day from private.daily_stats_between(current_date - 70, current_date) as d
        where row(d.members, d.waitlist, d.posts, d.messages, d.connections) is distinct from row(
          (select count(*) from profiles where (created_at at time zone 'utc')::date = d.day),
          (select count(*) from waitlist where (created_at at time zone 'utc')::date = d.day),
          (select count(*) from posts where not is_blog_post and (created_at at time zone 'utc')::date = d.day),
          (select count(*) from messages where (created_at at time zone 'utc')::date = d.day),
          (select count(*) from connections
            where status = 'accepted' and (updated_at at time zone 'utc')::date = d.day)
        )
        """
    ).fetchall()
    assert wrong == []
    totals = world.execute(
        "select sum(messages), sum(posts) from private.daily_stats_between(current_date - 70, current_date)"
    ).fetchone()
    assert totals == (202, 12)
