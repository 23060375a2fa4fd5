"""Records that members issue (§16.6): what they say, who checks them, what changed since, and turning them off."""

import hashlib
import json
from datetime import date, timedelta
from typing import Any

import psycopg
import pytest

from muster_product.database.policies import act_as
from muster_product.database.policy_world import PARAMETERS

ROWS = """
delete from public.issued_records;
update public.profiles set time_zone = 'UTC', rank = 'Captain' where id = %(owner)s;
insert into public.certifications (id, user_id, name, issuer, credential_id, issued_on, expires_on) values
  ('00000000-0000-4000-8000-000000000001', %(owner)s, 'ACLS', 'AHA', 'A-1', '2024-01-01', %(soon)s),
  ('00000000-0000-4000-8000-000000000002', %(owner)s, 'BLS', 'AHA', null, '2020-01-01', %(past)s);
insert into public.trainings
  (id, user_id, title, kind, starts_at, ends_at, time_zone, state, place, is_canceled)
select ('00000000-0000-4000-8000-00000000001' || n)::uuid, %(other)s, 'Drill ' || n, 'drill',
  now() + '1 day', now() + '1 day 8 hours', 'UTC', 'OH', 'Station 9', false
from generate_series(1, 4) as n;
insert into public.training_attendances (training_id, user_id, answer)
select t.id, %(owner)s, case when t.title = 'Drill 2' then 'interested' else 'going' end
from public.trainings as t
where t.title like 'Drill _';
update public.trainings set starts_at = starts_at - interval '10 days', ends_at = ends_at - interval '10 days'
where title in ('Drill 1', 'Drill 2');
update public.trainings set is_canceled = true where title = 'Drill 3'
"""


@pytest.fixture
def record(world: psycopg.Connection) -> psycopg.Connection:
    """The world, whose owner has three certifications, one of them over, and attended one training of four."""
    dates = {"soon": today(world) + timedelta(days=37), "past": today(world) - timedelta(days=1)}
    for statement in ROWS.split(";\n"):
        world.execute(statement, PARAMETERS | dates)
    return world


def today(world: psycopg.Connection) -> date:
    """The day on which the world's transaction began, in UTC: a run may go on past midnight."""
    row = world.execute("select current_date").fetchone()
    assert row is not None
    day: date = row[0]
    return day


def issue(world: psycopg.Connection, parts: str = "{certifications,career,trainings}") -> dict[str, Any]:
    """As the owner; the row as JSON."""
    act_as(world, "owner")
    row = world.execute("select to_jsonb(r) from public.issue_record(%s) as r", (parts,)).fetchone()
    world.execute("reset role")
    assert row is not None
    issued: dict[str, Any] = row[0]
    return issued


def check(
    world: psycopg.Connection, code: str | None, document: object = None, actor: str = "visitor"
) -> dict[str, Any]:
    """What anybody is told."""
    act_as(world, actor)
    given = None if document is None else json.dumps(document)
    row = world.execute("select public.verify_record(%s, %s)", (code, given)).fetchone()
    world.execute("reset role")
    assert row is not None
    told: dict[str, Any] = row[0]
    return told


def standings(told: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """By certification: its standing today, and whether it changed."""
    return {one["name"]: (one["standing"], one["since"]) for one in told["certifications"]}


def test_a_record_says_what_the_member_chose(record: psycopg.Connection) -> None:
    """§16.6: certifications, awards, milestones and attended trainings; numbers only when they are asked for."""
    document = issue(record)["document"]
    assert document["member"]["name"] == "Owner"
    assert document["member"]["rank"] == "Captain"
    assert [one["name"] for one in document["certifications"]] == ["BLS", "ACLS", "Paramedic"]
    assert {one["number"] for one in document["certifications"]} == {None}
    assert [one["title"] for one in document["milestones"] + document["awards"]] == ["Recruit", "Medal"]
    started = str(today(record) - timedelta(days=9))
    assert [(one["title"], one["place"], one["minutes"]) for one in document["trainings"]] == [
        ("Drill 1", "Station 9, OH", 480)
    ]
    assert document["trainings"][0]["started_on"] == started
    with_numbers = issue(record, "{certifications,numbers}")["document"]
    assert [one["number"] for one in with_numbers["certifications"]] == [None, "A-1", None]
    assert with_numbers["milestones"] + with_numbers["awards"] + with_numbers["trainings"] == []


def test_the_digest_is_of_the_canonical_json(record: psycopg.Connection) -> None:
    """§16.6: anybody can compute it: RFC 8785, SHA-256."""
    record.execute(
        "update public.profiles set full_name = %s where id = %s",
        ('Žoë "Q" \\ \t李\u2028', PARAMETERS["owner"]),
    )
    issued = issue(record)
    canonical = json.dumps(issued["document"], ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    assert issued["digest"] == hashlib.sha256(canonical.encode()).hexdigest()


def test_anybody_checks_a_record_by_its_code(record: psycopg.Connection) -> None:
    """§16.6: unchanged, and which certifications are current, however the code is typed; checks are counted."""
    issued = issue(record)
    code = issued["code"]
    assert len(code.replace("-", "")) == 16
    told = check(record, f"  {code.lower().replace('-', ' ').replace('0', 'o').replace('1', 'l')} ")
    assert (told["state"], told["is_intact"], told["is_same"], told["code"]) == ("issued", True, None, code)
    assert told["member"]["name"] == "Owner"
    assert standings(told) == {
        "ACLS": ("current", "same"), "BLS": ("expired", "same"), "Paramedic": ("no_expiration", "same")
    }  # fmt: skip
    assert [one["days_left"] for one in told["certifications"]] == [-1, 37, None]
    assert check(record, code, issued["document"])["is_same"] is True
    changed = issued["document"] | {"member": issued["document"]["member"] | {"name": "Chief Owner"}}
    assert check(record, code, changed)["is_same"] is False
    check(record, code, actor="owner")
    count = record.execute("select check_count from public.issued_records").fetchone()
    assert count == (3,)  # the owner's own does not count


def test_a_certification_that_changed_says_so_and_not_to_what(record: psycopg.Connection) -> None:
    """§16.6: which are current today; what the member changed or removed since is marked, its new value is not told."""
    code = issue(record, "{certifications,numbers}")["code"]
    record.execute("update public.certifications set expires_on = '2099-09-09' where name = 'ACLS'")
    record.execute("delete from public.certifications where name = 'BLS'")
    told = check(record, code)
    assert standings(told) == {
        "ACLS": ("current", "changed"), "BLS": ("expired", "removed"), "Paramedic": ("no_expiration", "same")
    }  # fmt: skip
    assert "2099" not in json.dumps(told)
    expires_on = today(record) + timedelta(days=37)
    record.execute("update public.certifications set expires_on = %s where name = 'ACLS'", (expires_on,))
    assert standings(check(record, code))["ACLS"] == ("current", "same")
    record.execute("update public.certifications set credential_id = 'A-2' where name = 'ACLS'")
    assert standings(check(record, code))["ACLS"] == ("current", "changed")


def test_days_end_where_the_member_is(record: psycopg.Connection) -> None:
    """§16.6: a certification is current through its last day, in the member's time zone."""
    code = issue(record)["code"]
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):  # UTC+14, UTC-11: different days at any time
        record.execute("update public.profiles set time_zone = %s where id = %s", (zone, PARAMETERS["owner"]))
        record.execute(
            "update public.issued_records set document = jsonb_set(document, '{certifications,0,expires_on}',"
            " to_jsonb((now() at time zone %s)::date))", (zone,),
        )  # fmt: skip
        told = check(record, code)["certifications"][0]
        assert (told["standing"], told["days_left"]) == ("current", 0)


def test_a_record_that_was_tampered_with_is_not_intact(record: psycopg.Connection) -> None:
    """§16.6: also when it was changed in the database."""
    code = issue(record)["code"]
    record.execute("update public.issued_records set document = jsonb_set(document, '{member,name}', '\"Chief\"')")
    assert check(record, code)["is_intact"] is False


def test_a_revoked_record_says_that_alone(record: psycopg.Connection) -> None:
    """§16.6: revocable by its member only, at once and for good; what it said is forgotten, also in the table."""
    issued = issue(record)
    for actor, want in (("other", False), ("owner", True), ("owner", False)):
        act_as(record, actor)
        assert record.execute("select public.revoke_record(%s)", (issued["id"],)).fetchone() == (want,)
    told = check(record, issued["code"], issued["document"])
    said = {key for key, value in told.items() if value is not None}
    assert said == {"state", "checked_at", "code", "issued_at", "revoked_at"}
    assert told["state"] == "revoked"
    assert record.execute("select from public.issued_records where document::text like '%%Owner%%'").rowcount == 0


HOSTILE = ["", "x", "0" * 5000, "' or true --", "%", "____-____-____-____", "7K2Q-XT94-DFM0-A8C", "\u202e7K2Q", None]


@pytest.mark.parametrize("code", HOSTILE, ids=lambda code: ascii(code)[:20])
def test_an_unknown_code_is_answered_in_the_same_shape(record: psycopg.Connection, code: str | None) -> None:
    """§16.6: unknown, mistyped and hostile codes, and those of suspended members."""
    issued = issue(record)
    shape = set(check(record, issued["code"]))
    told = check(record, code, {"a": [[[]]]})
    assert {key for key, value in told.items() if value is not None} == {"state", "checked_at"}
    assert (told["state"], set(told)) == ("unknown", shape)
    record.execute(
        "update auth.users set banned_until = now() + interval '1 hour' where id = %s", (PARAMETERS["owner"],)
    )
    assert check(record, issued["code"])["state"] == "unknown"


@pytest.mark.parametrize("parts", ["{}", "{numbers}", "{certifications,scans}", "{null}", None])
def test_a_record_of_nothing_is_refused(record: psycopg.Connection, parts: str | None) -> None:
    """§16.6: nothing, unknown parts, or numbers alone."""
    act_as(record, "owner")
    with pytest.raises(psycopg.Error, match="Choose what goes in") as refused:
        record.execute("select public.issue_record(%s)", (parts,))
    assert refused.value.sqlstate == "PT400"


def test_records_have_bounds(record: psycopg.Connection) -> None:
    """§16.6: twenty at a time, fifty a day, none without a name."""
    made = (
        "insert into public.issued_records (user_id, document, digest) select %s, '{}', '' from generate_series(1, %s)"
    )
    for has, change, said, state in (
        (20, "", "20 records at a time", "PT409"),
        (50, "update public.issued_records set document = null, revoked_at = now()", "Too many records", "PT429"),
        (0, "update public.profiles set full_name = ' '", "Add your name", "PT409"),
    ):
        with record.transaction(force_rollback=True):
            record.execute(made, (PARAMETERS["owner"], has))
            if change:
                record.execute(change)
            with pytest.raises(psycopg.Error, match=said) as refused:
                issue(record)
            assert refused.value.sqlstate == state


def test_checks_are_limited_by_address(record: psycopg.Connection) -> None:
    """§16.6: thirty a minute from one address; another address checks on."""

    def ask(address: str, times: int) -> None:
        act_as(record, "visitor", {"x-forwarded-for": f"{address}, 10.0.0.1"})
        record.execute("select public.verify_record('x') from generate_series(1, %s)", (times,))

    ask("192.0.2.1", 30)
    with pytest.raises(psycopg.Error, match="Too many checks") as refused, record.transaction():
        ask("192.0.2.1", 1)
    assert refused.value.sqlstate == "PT429"
    ask("192.0.2.2", 1)
    record.execute("reset role")
    record.execute("update private.record_checks set minute = minute - interval '2 hours'")
    ask("192.0.2.1", 30)
    record.execute("reset role")
    assert record.execute("select from private.record_checks where minute < now() - interval '1 hour'").rowcount == 0
    record.execute("update private.record_checks set checks = 3000 where asker = 0")
    with pytest.raises(psycopg.Error, match="Too many checks"), record.transaction():
        ask("192.0.2.3", 1)
