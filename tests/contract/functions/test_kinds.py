"""What the service knows of the kinds of notifications: the table, the templates and the documents agree."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import jinja2
import psycopg
import pytest

from emulator.paths import CHECKOUT
from muster_functions.emails import render
from muster_functions.emails.unsubscribe_links import PREFERENCES
from muster_functions.functions.unsubscribe import DESCRIPTIONS
from tests.contract.functions.conftest import ALL_ON, SERVICE, People, token, until
from tests.support.mail_server import MailServer

DOCUMENT = (CHECKOUT / "docs" / "functions.md").read_text("utf-8")
# A kind unknown to the service, with events in a table of its own.
A_KIND = """
create table public.drills (
  id uuid primary key default gen_random_uuid(), by uuid, to_whom uuid, at timestamptz default now(), what text
);
create function private.drill_events(actor uuid, recipient uuid, since timestamptz, event_id uuid)
returns setof private.notification_events language sql stable as $$
  select d.id, d.at, d.what, '', null::uuid, null, null::jsonb from public.drills as d
  where d.by = actor and d.to_whom = recipient and d.at > since and (event_id is null or d.id = event_id)
$$;
insert into private.notification_kinds
  (place, kind, preference, sent_by, sent_to, mail_template, event_source, link)
values (99, 'drill', 'messages', 'member', 'member', 'drill', 'drill_events', '/drills?by={actor_id}');
"""
GONE = """
delete from private.notification_kinds where kind = 'drill';
drop function private.drill_events;
drop table public.drills;
"""
TEMPLATES = {
    "notifications/drill/subject.txt": "{{ actor }} calls you to a drill",
    "notifications/drill/body.txt": '{% extends "layout.txt" %}',
    "notifications/drill/body.html": '{% extends "layout.html" %}',
}


def kinds(people: People, column: str) -> list[Any]:
    query = psycopg.sql.SQL("select distinct {} from private.notification_kinds where mail_template is not null")
    rows = people.connection.execute(query.format(psycopg.sql.Identifier(column))).fetchall()
    return [row[0] for row in rows if row[0] is not None]


def test_every_kind_is_documented(people: People) -> None:
    rows = "".join(re.findall(r"^\| (.*?) \|", DOCUMENT, re.MULTILINE))
    assert [kind for kind in kinds(people, "kind") if f"`{kind}`" not in rows] == []


def test_every_kind_has_its_template(people: People) -> None:
    known = set(render.load().list_templates())
    wanted = {
        f"notifications/{template}/{part}" for template in kinds(people, "mail_template") for part in render.PARTS
    }
    assert wanted <= known


def test_every_preference_can_be_switched_off_by_link(people: People) -> None:
    found = set(kinds(people, "preference") + kinds(people, "admin_preference"))
    assert found == set(PREFERENCES) == set(DESCRIPTIONS)


def test_display_in_the_app_and_other_kinds_do_not_matter(people: People) -> None:
    """§3.12."""
    given = {"preferences": {"messages": {"email_enabled": True, "displayInApp": False}, "mentions": {"muted": True}}}
    row = people.connection.execute(
        "select private.wants_mail(s, 'messages'), private.wants_mail(s, 'connections') from (values (%s)) as t (s)",
        (psycopg.types.json.Jsonb(given),),
    ).fetchone()
    assert row == (True, False)


@contextmanager
def template_files(files: dict[str, str]) -> Iterator[None]:
    """As if the folder of templates had these, too."""
    environment = render.load()
    loader = environment.loader
    assert loader is not None
    environment.loader = jinja2.ChoiceLoader([jinja2.DictLoader(files), loader])
    try:
        yield
    finally:
        environment.loader = loader


@pytest.fixture
def drills(people: People) -> Iterator[People]:
    people.connection.execute(A_KIND)
    yield people
    people.connection.execute(GONE)


async def test_a_new_kind_is_a_row_its_events_and_its_template(
    drills: People, serve: Callable[..., Any], smtp: MailServer
) -> None:
    """Nothing of the service changes: the mail goes out once, to who wants it, in the words of the event."""
    ada, ben = drills.member("Ada Stone"), drills.member("Ben", preferences=ALL_ON)
    drills.member("Cleo")
    client: httpx.AsyncClient = await serve(smtp.port)

    async def notify(bearer: str, to: str) -> httpx.Response:
        body = {"notification": {"type": "drill"}, "recipient": {"email": to}}
        return await client.post("send-notification-email", headers={"authorization": f"Bearer {bearer}"}, json=body)

    refused = await notify(token(sub=ada), "ben@muster.test")
    assert (refused.status_code, refused.json()["code"]) == (403, "NOTHING_TO_NOTIFY")
    drills.add("drills", by=ada, to_whom=ben, what="Hose lines at 7")
    with template_files(TEMPLATES):
        for _ in range(2):
            assert (await notify(token(sub=ada), "ben@muster.test")).json() == {"success": True, "error": None}
    await until(lambda: smtp.taken and drills.count("functions.mail_queue") == 0)
    assert smtp.recipients == ["ben@muster.test"]
    content = smtp.taken[0].content
    assert b"Subject: Ada Stone calls you to a drill" in content
    assert b"> Hose lines at 7" in content
    assert f"https://muster.test/drills?by=3D{ada}".encode() in content.replace(b"=\r\n", b"")
    assert (await notify(token(sub=ada), "cleo@muster.test")).status_code == 403
    assert (await notify(SERVICE, "nobody@muster.test")).status_code == 403
