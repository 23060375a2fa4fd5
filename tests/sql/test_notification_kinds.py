"""private.notification_kinds, the one definition of what members are notified of (§3.11 to §3.13, §3.16)."""

import json
from itertools import product
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from muster_product.database.policies import act_as
from muster_product.database.policy_world import PARAMETERS, member_id
from muster_product.database.types import render_notification_kinds

FLAGS = (True, False, None, "yes")  # None: left out; "yes": of a wrong type, which counts as left out


def kinds(connection: psycopg.Connection) -> list[dict[str, Any]]:
    """Every kind, in order."""
    with connection.cursor(row_factory=dict_row) as cursor:
        return cursor.execute("select * from private.notification_kinds order by place").fetchall()


def become(connection: psycopg.Connection, actor: str | None) -> None:
    """Set the claims that the functions service sets; None is the service_role key."""
    claims = {"role": "service_role"} if actor is None else {"role": "authenticated", "sub": str(member_id(actor))}
    connection.execute("select set_config('request.jwt.claims', %s, true)", (json.dumps(claims),))


def accept(
    connection: psycopg.Connection, actor: str | None, kind: str, recipient: str | None, event: UUID | None = None
) -> list[dict[str, Any]]:
    """The rows of functions.accept_mail for `actor`; `recipient` is a member of the world or an address."""
    become(connection, actor)
    to = recipient
    if recipient is not None and "@" not in recipient:
        row = connection.execute("select email from profiles where id = %s", (PARAMETERS[recipient],)).fetchone()
        assert row is not None
        to = row[0]
    with connection.cursor(row_factory=dict_row) as cursor:
        return cursor.execute("select * from functions.accept_mail(%s, %s, %s)", (kind, to, event)).fetchall()


@pytest.fixture
def quiet(world: psycopg.Connection) -> psycopg.Connection:
    """The world with all its events moved an hour into the past."""
    world.execute("set local session_replication_role = replica")
    for table in ("messages", "mentions", "comments", "reactions"):
        world.execute(f"update {table} set created_at = now() - interval '1 hour'")
    world.execute("update connections set updated_at = now() - interval '1 hour'")
    world.execute("set local session_replication_role = origin")
    return world


def test_every_source_of_events_is_there(world: psycopg.Connection) -> None:
    """event_source names a function of private that takes actor, recipient, since and event_id."""
    for kind in kinds(world):
        if kind["event_source"]:
            found = world.execute(
                "select to_regprocedure(format('private.%%I(uuid, uuid, timestamptz, uuid)', %s::text))",
                (kind["event_source"],),
            ).fetchone()
            assert found is not None
            assert found[0] is not None, kind["kind"]


def test_kinds_of_one_preference_agree_on_the_default(world: psycopg.Connection) -> None:
    """A member's settings have one switch per preference, so there is one default."""
    agreed: dict[str, bool] = {}
    for kind in kinds(world):
        if kind["preference"]:
            assert agreed.setdefault(kind["preference"], kind["mail_by_default"]) is kind["mail_by_default"]
    assert agreed == {
        "messages": False, "connections": False, "mentions": False, "system": True, "certifications": True,
        "digest": False, "trainings": True, "growth": True,
    }  # fmt: skip


@pytest.mark.parametrize(
    "preference", ["messages", "connections", "mentions", "system", "certifications", "digest", "trainings", "growth"]
)
def test_every_combination_of_settings(world: psycopg.Connection, preference: str) -> None:
    """§3.11 §3.12 §3.13: a mail goes out when nothing mutes it, the kind is enabled, and e-mail is on for it."""
    cases = []
    for mute, email_mute, enabled, muted, email in product(FLAGS, repeat=5):
        chosen = {"enabled": enabled, "muted": muted, "email_enabled": email}
        settings = {"globalMute": mute, "emailGlobalMute": email_mute, "preferences": {preference: present(chosen)}}
        is_on = email is True or (
            email is not False and preference in ("system", "certifications", "trainings", "growth")
        )
        want = is_on and mute is not True and email_mute is not True and enabled is not False and muted is not True
        cases.append((present(settings), want))
    got = world.execute(
        "select private.wants_mail(s.settings, %s) from jsonb_array_elements(%s) with ordinality as s (settings, place)"
        " order by s.place",
        (preference, Jsonb([settings for settings, _ in cases])),
    ).fetchall()
    assert [row[0] for row in got] == [want for _, want in cases]


def present(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields that are not None."""
    return {name: value for name, value in fields.items() if value is not None}


@pytest.mark.parametrize("settings", [None, [], "x", 7, {}, {"preferences": None}, {"preferences": {"system": []}}])
def test_settings_of_a_wrong_shape_are_the_defaults(world: psycopg.Connection, settings: object) -> None:
    """§3.13: e-mail is off but for what the system has to say."""
    for preference in ("messages", "connections", "mentions", "system", "digest"):
        got = world.execute("select private.wants_mail(%s, %s)", (Jsonb(settings), preference)).fetchone()
        assert got == (preference == "system",)


def test_a_members_event_is_accepted_in_the_databases_words(quiet: psycopg.Connection) -> None:
    """§7.43: actor, recipient, content and link come from the event; the settings decide whether it is wanted."""
    quiet.execute(
        "insert into messages (sender_id, recipient_id, content) values (%s, %s, 'Water on!')",
        (member_id("other"), member_id("owner")),
    )
    [mail] = accept(quiet, "other", "message", "owner")
    assert (mail["template"], mail["preference"], mail["content"]) == ("message", "messages", "Water on!")
    assert (mail["actor_id"], mail["recipient_id"]) == (member_id("other"), member_id("owner"))
    assert mail["link"] == f"/messages?with={member_id('other')}"
    assert mail["is_wanted"] is False
    chosen = Jsonb({"preferences": {"messages": {"email_enabled": True, "enabled": True, "muted": False}}})
    quiet.execute("set local session_replication_role = replica")
    quiet.execute("update profiles set notification_settings = %s where id = %s", (chosen, member_id("owner")))
    assert accept(quiet, "other", "message", "owner")[0]["is_wanted"] is True


@pytest.mark.parametrize("kind", ["certification", "digest"])
@pytest.mark.parametrize("actor", ["other", "owner", "admin", None])
def test_nobody_asks_for_what_jobs_send(quiet: psycopg.Connection, kind: str, actor: str | None) -> None:
    """§10.1 §10.7: not even in an admin's own words."""
    assert accept(quiet, actor, kind, "owner") == []


@pytest.mark.parametrize("kind", ["message", "mention", "comment", "others", "reaction", "connection", "nonsense"])
def test_nothing_just_done_is_no_mail(quiet: psycopg.Connection, kind: str) -> None:
    """Old events, missing events, unknown addresses and oneself: no row."""
    assert accept(quiet, "other", kind, "owner") == []
    assert accept(quiet, "other", kind, "nobody@muster.test") == []
    assert accept(quiet, "other", kind, "other") == []
    assert accept(quiet, "other", kind, "owner", uuid4()) == []


def test_events_not_mailed_yet_come_first(quiet: psycopg.Connection) -> None:
    """First the newer message, then the other one; a given one in any case."""
    ids = []
    for minutes in (2, 1):
        row = quiet.execute(
            "insert into messages (sender_id, recipient_id, content, created_at)"
            " values (%s, %s, 'x', now() - make_interval(mins => %s)) returning id, (select email from profiles"
            " where id = %s)",
            (member_id("other"), member_id("owner"), minutes, member_id("owner")),
        ).fetchone()
        assert row is not None
        ids.append(row[0])
        address = row[1]
    assert accept(quiet, "other", "message", "owner")[0]["subject_id"] == ids[1]
    quiet.execute("insert into functions.mail_receipts values ('message', %s, %s, 'x')", (ids[1], address))
    assert accept(quiet, "other", "message", "owner")[0]["subject_id"] == ids[0]
    assert accept(quiet, "other", "message", "owner", ids[1])[0]["subject_id"] == ids[1]


@pytest.mark.parametrize(
    ("kind", "mail", "preference"),
    [
        ("system", "system", "system"), ("others", "others", "system"), ("message", "others", "messages"),
        ("comment", "others", "mentions"),
    ],
)  # fmt: skip
def test_admins_write_their_own_words(quiet: psycopg.Connection, kind: str, mail: str, preference: str) -> None:
    """§2.42: under any kind, without an event; members do not."""
    for actor in ("admin", None):
        [got] = accept(quiet, actor, kind, "owner")
        assert (got["template"], got["preference"], got["subject_id"]) == (mail, preference, None)
    assert accept(quiet, "other", kind, "owner") == []


def test_admins_are_told_of_new_rows(quiet: psycopg.Connection) -> None:
    """§3.41 §7.45: the row must be new; a row per admin, or the one named, or one without anybody."""
    row = quiet.execute("insert into feedback (content, category) values ('Loud', 'bug') returning id").fetchone()
    assert row is not None
    admins = accept(quiet, "other", "admin_feedback", None, row[0])
    assert [(mail["template"], mail["content"], mail["facts"]["category"]) for mail in admins] == [
        ("admin_feedback", "Loud", "bug")
    ] * len(admins)
    assert member_id("admin") in [mail["recipient_id"] for mail in admins]
    [one] = accept(quiet, "other", "admin_feedback", "admin", row[0])
    assert one["recipient_id"] == member_id("admin")
    assert accept(quiet, "other", "admin_feedback", "owner", row[0]) == []
    assert accept(quiet, "other", "admin_feedback", None, uuid4()) == []
    assert accept(quiet, "other", "admin_feedback", None) == []
    quiet.execute("delete from private.admins")
    [nobody] = accept(quiet, "other", "admin_feedback", None, row[0])
    assert nobody["recipient_id"] is None
    assert nobody["subject_id"] == row[0]


def test_invitations_go_to_invited_addresses_and_are_sent_by_admins(quiet: psycopg.Connection) -> None:
    """§1.9."""
    quiet.execute("insert into waitlist (email, status) values ('in@x.test', 'invited'), ('out@x.test', 'waitlist')")
    [mail] = accept(quiet, "admin", "invitation", "IN@x.test ")
    assert (mail["recipient_email"], mail["again_after"].total_seconds()) == ("in@x.test", 600)
    assert accept(quiet, "admin", "invitation", "out@x.test") == []
    assert accept(quiet, "other", "invitation", "in@x.test") == []


ENDORSEMENT = """
create function private.praise_events(actor uuid, recipient uuid, since timestamptz, event_id uuid)
returns setof private.notification_events language sql stable security definer set search_path = ''
as $$
  select c.id, c.updated_at, 'Steady under pressure', '', null::uuid, null, null::jsonb
  from public.certifications as c where c.user_id = recipient and c.name = 'Endorsed by ' || actor
$$;
insert into private.notification_kinds
  (place, kind, preference, sent_by, sent_to, in_app_within, mail_template, mail_by_default, event_source, link)
values (99, 'praise', 'praises', 'member', 'member', '1 day', 'praise', true, 'praise_events',
  '/profile/{actor_id}');
"""


def test_a_new_kind_is_a_row_of_the_table(quiet: psycopg.Connection) -> None:
    """With its event function. Settings, rules, mails and the export include the kind; nothing else changes."""
    quiet.execute(ENDORSEMENT)
    quiet.execute("set constraints all immediate")
    row = quiet.execute("select private.default_notification_settings() -> 'preferences' -> 'praises'").fetchone()
    assert row == ({"type": "praises", "enabled": True, "muted": False, "displayInApp": True, "email_enabled": True},)
    assert accept(quiet, "other", "praise", "owner") == []
    with pytest.raises(psycopg.Error, match="You can only notify a member of something you did"):
        notify(quiet, "other", "owner", "praise")
    quiet.execute(
        "insert into certifications (user_id, name) values (%s, %s)",
        (member_id("owner"), f"Endorsed by {member_id('other')}"),
    )
    [mail] = accept(quiet, "other", "praise", "owner")
    assert (mail["template"], mail["preference"], mail["is_wanted"]) == ("praise", "praises", True)
    assert (mail["content"], mail["link"]) == ("Steady under pressure", f"/profile/{member_id('other')}")
    notify(quiet, "other", "owner", "praise")
    assert "    kind: 'praise',\n    preference: 'praises',\n" in render_notification_kinds(quiet)


def notify(connection: psycopg.Connection, actor: str, recipient: str, kind: str) -> None:
    """Insert a notification as a client would."""
    with connection.transaction():
        act_as(connection, actor)
        connection.execute(
            "insert into notifications (user_id, type, title) values (%s, %s, 'Hi')", (PARAMETERS[recipient], kind)
        )
    connection.execute("set local role none")
