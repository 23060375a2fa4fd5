"""Trainings for calendar programs (§12.3), which have an address and nothing else, and for members."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

import httpx
import icalendar
import pytest

from tests.contract.functions.conftest import ANON, SERVICE, SITE, People, token

NEW_YORK = ZoneInfo("America/New_York")
# Saturdays before and after the clocks are set back in New York, both at 9 AM there.
SUMMER, WINTER = (datetime(2031, month, day, 9, tzinfo=NEW_YORK) for month, day in ((10, 25), (11, 8)))


def training(people: People, organizer: UUID, start: datetime = SUMMER, **changes: Any) -> UUID:
    values = {
        "title": "Ladders", "kind": "drill", "time_zone": "America/New_York", "state": "OH", "place": "Station 9",
    }  # fmt: skip
    return people.add(
        "trainings", user_id=organizer, starts_at=start, ends_at=start + timedelta(hours=8), **(values | changes)
    )


def answer(people: People, member: UUID, id: UUID, said: str = "going") -> None:
    people.connection.execute(
        "insert into training_attendances (training_id, user_id, answer) values (%s, %s, %s)", (id, member, said)
    )


def address(people: People, member: UUID) -> str:
    row = people.connection.execute(
        "insert into calendar_addresses (user_id) values (%s) returning token", (member,)
    ).fetchone()
    assert row is not None
    return f"calendar?token={row[0]}"


def events(response: httpx.Response) -> dict[str, Any]:
    """The events of an answer by their title, as a calendar program reads them."""
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("text/calendar")
    calendar = icalendar.Calendar.from_ical(response.content)
    return {str(event["summary"]): event for event in calendar.walk("VEVENT")}


async def test_a_calendar_is_followed_by_its_address(serve: Callable[..., Any], people: People) -> None:
    """§12.3: what one answered or organizes, with its state; times are right across the change to daylight saving."""
    ada, ben, cleo = people.member("Ada"), people.member("Ben"), people.member("Cleo")
    before, after = training(people, ada, SUMMER), training(people, ada, WINTER, title="Ropes", seats=1)
    answer(people, ben, before)
    answer(people, cleo, after)
    answer(people, ben, after)
    training(people, ben, title="Own", is_online=True, state=None, place=None)
    training(people, ada, title="Not answered")
    gone = training(people, ada, title="Gone")
    answer(people, ben, gone, "interested")
    people.connection.execute("update trainings set is_canceled = true where id = %s", (gone,))
    client = await serve()
    url = address(people, ben)
    response = await client.get(url)
    got = events(response)
    assert {title: (str(event["status"]), str(event["transp"])) for title, event in got.items()} == {
        "Ladders": ("CONFIRMED", "OPAQUE"), "Ropes": ("TENTATIVE", "TRANSPARENT"),
        "Own": ("CONFIRMED", "OPAQUE"), "Gone": ("CANCELLED", "TRANSPARENT"),
    }  # fmt: skip
    for title, start in (("Ladders", SUMMER), ("Ropes", WINTER)):
        assert got[title].start.astimezone(NEW_YORK) == start
        assert got[title].start.astimezone(NEW_YORK).hour == 9
        assert got[title].end.astimezone(NEW_YORK).hour == 17
    assert str(got["Ladders"]["uid"]) == f"{before}@muster.test"
    assert str(got["Ladders"]["url"]) == f"{SITE}/trainings/{before}"
    assert str(got["Ladders"]["location"]) == "Station 9, OH"
    assert "waiting list" in str(got["Ropes"]["description"])
    assert (int(got["Ladders"]["sequence"]), int(got["Gone"]["sequence"])) == (0, 1)
    assert all(len(line) <= 75 for line in response.content.split(b"\r\n"))
    head = await client.head(url)
    assert (head.status_code, head.content) == (200, b"")


async def test_strangers_learn_nothing(serve: Callable[..., Any], people: People) -> None:
    """§12.3: no address, a wrong, huge, revoked or suspended one are alike; no cache keeps any of it."""
    ben = people.member("Ben")
    training(people, ben)
    client = await serve()
    url = address(people, ben)
    good = await client.get(url)
    assert (good.headers["cache-control"], good.headers["referrer-policy"]) == ("private, no-store", "no-referrer")
    assert good.headers["x-robots-tag"] == "noindex"
    assert "etag" not in good.headers
    people.connection.execute("update auth.users set banned_until = 'infinity' where id = %s", (ben,))
    suspended = await client.get(url)
    people.connection.execute("update auth.users set banned_until = null where id = %s", (ben,))
    assert events(await client.get(url))
    people.connection.execute("delete from calendar_addresses")
    bad = [
        suspended, await client.get(url), await client.get("calendar"), await client.get(f"{url}&token=x"),
        *[
            await client.get("calendar", params={"token": text})
            for text in ("", "x", "0" * 64, "0" * 30_000, "' or true --", "\x00", "é" * 64, "0" * 64 + "\n")
        ],
    ]  # fmt: skip
    assert {(answer.status_code, answer.text, answer.headers["cache-control"]) for answer in bad} == {
        (404, '{"code": "NO_CALENDAR", "message": "There is no calendar at this address"}', "private, no-store")
    }


async def test_a_block_ends_what_is_in_a_calendar(serve: Callable[..., Any], people: People) -> None:
    """§13.3: what is over stays out, too; a new address after a block has nothing of the other."""
    ada, ben = people.member("Ada"), people.member("Ben")
    id = training(people, ada)
    answer(people, ben, id)
    past = "starts_at = now() - interval '2 days', ends_at = now() - interval '1 day'"
    people.connection.execute(f"update trainings set {past} where id = %s", (id,))
    client = await serve()
    url = address(people, ben)
    assert list(events(await client.get(url))) == ["Ladders"]
    people.connection.execute("insert into blocks (blocker_id, blocked_id) values (%s, %s)", (ada, ben))
    assert events(await client.get(url)) == {}


async def test_what_members_write_stays_text(serve: Callable[..., Any], people: People) -> None:
    """§12.3: no line of an event is theirs to add."""
    ben = people.member("Ben")
    hostile = "A\r\nATTACH:https://evil.example\rEND:VEVENT\nX;,:\\ \u2028 ä" + "🚒" * 40
    training(people, ben, title=hostile[:100], description=hostile * 20, place="Room; 1, \\n")
    response = await (await serve()).get(address(people, ben))
    (event,) = events(response).values()
    assert "attach" not in event
    assert str(event["location"]) == "Room; 1, \\n, OH"
    lines = response.content.decode().replace("\r\n ", "").split("\r\n")
    assert [line for line in lines if "\r" in line or line.startswith(("ATTACH", "X;"))] == []
    assert lines.count("END:VEVENT") == 1


async def test_a_calendar_has_a_bound(serve: Callable[..., Any], people: People) -> None:
    """§12.3: 200 trainings, the latest; nothing of more than 180 days ago."""
    ben = people.member("Ben")
    people.connection.execute(
        "insert into trainings (user_id, title, kind, starts_at, ends_at, time_zone, is_online)"
        " select %s, 'Webinar ' || n, 'class', now() + make_interval(days => n - 201),"
        " now() + make_interval(days => n - 201, hours => 2), 'UTC', true from generate_series(1, 420) as n",
        (ben,),
    )
    got = events(await (await serve()).get(address(people, ben)))
    assert len(got) == 200
    assert {"Webinar 420", "Webinar 221"} <= set(got)


async def test_a_member_gets_the_file_of_one_training(serve: Callable[..., Any], people: People) -> None:
    """§12.3: as the member sees it; nobody else gets one."""
    ada, ben, cleo = people.member("Ada"), people.member("Ben"), people.member("Cleo")
    id = training(people, ada)
    people.connection.execute("insert into blocks (blocker_id, blocked_id) values (%s, %s)", (ada, cleo))
    client = await serve()

    async def get(bearer: str | None, path: str = str(id)) -> tuple[int, str]:
        headers = {} if bearer is None else {"authorization": f"Bearer {bearer}"}
        response = await client.get(f"calendar/{path}", headers=headers)
        if response.status_code == 200:
            return 200, next(iter(events(response)))
        return response.status_code, response.json()["code"]

    assert await get(token(sub=ben)) == (200, "Ladders")
    assert await get(token(sub=cleo)) == (404, "NO_TRAINING")
    assert await get(token(sub=ben), str(uuid4())) == (404, "NO_TRAINING")
    assert await get(token(sub=ben), "' or true --") == (404, "NO_TRAINING")
    assert await get(None) == (401, "UNAUTHORIZED_NO_AUTH_HEADER")
    assert await get(ANON) == await get(SERVICE) == (401, "MEMBERS_ONLY")
    people.connection.execute("update auth.users set banned_until = 'infinity' where id = %s", (ben,))
    assert await get(token(sub=ben)) == (404, "NO_TRAINING")


@pytest.mark.parametrize("method", ["POST", "DELETE", "PUT"])
async def test_nothing_is_written(serve: Callable[..., Any], method: str) -> None:
    response = await (await serve()).request(method, "calendar?token=x")
    assert response.status_code == 405


def test_utc_is_the_time_of_an_event() -> None:
    """The two starts of these tests differ in their offset."""
    assert (SUMMER.astimezone(UTC).hour, WINTER.astimezone(UTC).hour) == (13, 14)
