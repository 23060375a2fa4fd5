"""Reports and what admins decide about them (§13.1, §13.2)."""

from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.rows import dict_row

from muster_product.database.policies import act_as
from muster_product.database.policy_world import COMMENT, DRAFT, POST, member_id

DECIDE = "select * from public.decide_reports(%s, %s, %s, %s, %s)"


def report(
    world: psycopg.Connection, actor: str, kind: str, subject: UUID, reason: str = "spam", note: str = ""
) -> None:
    """Report as a member; the role is the superuser's again afterwards."""
    act_as(world, actor)
    world.execute("select public.report(%s, %s, %s, %s)", (kind, subject, reason, note))
    world.execute("reset role")


def rows(world: psycopg.Connection, query: str, *arguments: object) -> list[dict[str, Any]]:
    with world.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(query, arguments).fetchall()


def decide(
    world: psycopg.Connection, kind: str, subject: UUID, act: str, why: str = "", days: int | None = None
) -> Any:
    act_as(world, "admin")
    (row,) = rows(world, DECIDE, kind, subject, act, why, days)
    world.execute("reset role")
    return row


def told(world: psycopg.Connection, name: str) -> list[str]:
    """The titles of what the system told a member, and each text."""
    found = rows(
        world,
        "select title, content from public.notifications where user_id = %s and actor_id is null order by title",
        member_id(name),
    )
    return [line for row in found for line in (row["title"], row["content"])]


def a_message(world: psycopg.Connection) -> UUID:
    query = "select id from public.messages where sender_id = %s and recipient_id = %s"
    row = world.execute(query, (member_id("other"), member_id("owner"))).fetchone()
    assert row is not None
    found = row[0]
    assert isinstance(found, UUID)
    return found


@pytest.mark.parametrize("kind", ["post", "comment", "message", "profile"])
def test_everything_members_write_can_be_reported(world: psycopg.Connection, kind: str) -> None:
    """§13.1: posts, comments, messages and profiles, with a reason and a note; the words are kept."""
    actor = "owner" if kind in ("comment", "message") else "stranger"
    subject = {"post": POST, "comment": COMMENT, "profile": member_id("owner")}.get(kind) or a_message(world)
    report(world, actor, kind, subject, "other", " Look at this ")
    (row,) = rows(world, "select * from public.reports")
    assert (row["reporter_id"], row["reason"], row["note"]) == (member_id(actor), "other", "Look at this")
    assert row["member_id"] == member_id("other" if actor == "owner" else "owner")
    assert (
        row["excerpt"] == {"post": "A lesson", "comment": "A comment", "message": "An answer", "profile": "Owner"}[kind]
    )


REFUSED = [
    pytest.param("stranger", "post", POST, "boring", "23514", id="unknown-reason"),
    pytest.param("stranger", "post", POST, "other", "23514", id="other-without-a-note"),
    pytest.param("stranger", "post", DRAFT, "spam", "PT404", id="unreadable"),
    pytest.param("stranger", "profile", member_id("hidden"), "spam", "PT404", id="hidden-profile"),
    pytest.param("stranger", "table", POST, "spam", "PT404", id="unknown-kind"),
    pytest.param("owner", "post", POST, "spam", "PT403", id="oneself"),
    pytest.param("visitor", "post", POST, "spam", "42501", id="visitor"),
]


@pytest.mark.parametrize(("actor", "kind", "subject", "reason", "want"), REFUSED)
def test_reports_that_are_refused(
    world: psycopg.Connection, actor: str, kind: str, subject: UUID, reason: str, want: str
) -> None:
    """§13.1: only what one can read, with a known reason, and never oneself."""
    with pytest.raises(psycopg.Error) as refused:
        report(world, actor, kind, subject, reason)
    assert refused.value.sqlstate == want


def test_a_message_is_reported_by_its_recipient_only(world: psycopg.Connection) -> None:
    """§13.1: the sender cannot, nor can others."""
    for actor in ("other", "stranger"):
        with pytest.raises(psycopg.Error, match="nothing to report"), world.transaction():
            report(world, actor, "message", a_message(world))


def test_a_second_report_changes_the_first(world: psycopg.Connection) -> None:
    """§13.1: one open report a member and thing."""
    report(world, "stranger", "post", POST)
    report(world, "stranger", "post", POST, "harassment")
    assert [row["reason"] for row in rows(world, "select reason from public.reports")] == ["harassment"]


def test_reports_are_limited(world: psycopg.Connection) -> None:
    """§13.1: twenty a day."""
    world.execute(
        "insert into public.reports (reporter_id, subject_kind, subject_id, excerpt, reason)"
        " select %s, 'post', gen_random_uuid(), 'x', 'spam' from generate_series(1, 20)",
        (member_id("stranger"),),
    )
    with pytest.raises(psycopg.Error, match="daily limit for reports"):
        report(world, "stranger", "post", POST)


def test_a_reporter_is_not_named_to_the_reported(world: psycopg.Connection) -> None:
    """§13.1: the reported member reads neither reports nor the reporter's name in what they are told."""
    report(world, "stranger", "post", POST)
    decide(world, "post", POST, "warn", "Not like this")
    act_as(world, "owner")
    assert rows(world, "select * from public.reports") == []
    assert "tranger" not in repr(rows(world, "select * from public.notifications"))
    with pytest.raises(psycopg.Error, match="Only admins"):
        rows(world, "select * from public.admin_reports()")


def waiting(world: psycopg.Connection) -> int:
    """What the admin area counts as waiting for a decision or an answer; the session is an admin's."""
    (totals,) = rows(world, "select open_reports, oldest_report from public.admin_totals()")
    assert (totals["oldest_report"] is None) == (totals["open_reports"] == 0)
    count: int = totals["open_reports"]
    return count


def test_the_queue_says_what_why_how_often_and_who(world: psycopg.Connection) -> None:
    """§13.2: one entry for each thing, oldest first, with reasons, words and the member's history."""
    report(world, "stranger", "comment", COMMENT)
    decide(world, "comment", COMMENT, "warn", "Mind the tone")
    report(world, "stranger", "comment", COMMENT, "harassment", "Again")
    report(world, "asked", "comment", COMMENT, "harassment")
    report(world, "guarded", "comment", COMMENT, "spam")
    world.execute("update public.reports set created_at = created_at - interval '1 hour'")
    report(world, "stranger", "post", POST)
    act_as(world, "admin")
    first, second = rows(world, "select * from public.admin_reports()")
    assert (first["subject_kind"], first["excerpt"], first["reports"]) == ("comment", "A comment", 3)
    assert first["reasons"] == {"harassment": 2, "spam": 1}
    assert {(one["reporter"], one["note"]) for one in first["words"]} == {
        ("Stranger", "Again"), ("Asked", ""), ("Guarded", ""),
    }  # fmt: skip
    assert [(one["act"], one["reason"]) for one in first["history"]] == [("warn", "Mind the tone")]
    assert (first["member_name"], first["post_id"], first["still_there"]) == ("Other", POST, True)
    assert (second["subject_kind"], second["history"], second["total"]) == ("post", [], 2)
    assert waiting(world) == 2  # things, however often each was reported


def test_dismissing_tells_the_reporter_only(world: psycopg.Connection) -> None:
    """§13.2: the post stays, its author hears nothing, the reporter that it was decided."""
    report(world, "stranger", "post", POST)
    row = decide(world, "post", POST, "dismiss")
    assert (row["member_email"], row["reporter_emails"]) == (None, ["stranger@members.test"])
    assert told(world, "owner") == []
    assert told(world, "stranger") == ["Your report was decided", "We looked at the post that you reported. It stays."]
    assert rows(world, "select from public.posts where id = %s", POST) == [{}]
    assert rows(world, "select action, detail from public.admin_audit_log where actor_id = %s", member_id("admin")) == [
        {"action": "report_dismissed", "detail": ""}
    ]


REMOVED = [
    ("post", "post_deleted", "Your post was removed"),
    ("comment", "comment_deleted", "Your comment was removed"),
    ("message", "message_removed", "Your message was removed"),
    ("profile", "profile_removed", "Your profile was removed"),
]


@pytest.mark.parametrize(("kind", "action", "title"), REMOVED, ids=[line[0] for line in REMOVED])
def test_removing_has_a_reason(world: psycopg.Connection, kind: str, action: str, title: str) -> None:
    """§13.2: it is gone, the audit log has the reason, the member is told it with a way to appeal."""
    actor, author = ("owner", "other") if kind in ("comment", "message") else ("stranger", "owner")
    subject = {"post": POST, "comment": COMMENT, "profile": member_id("owner")}.get(kind) or a_message(world)
    world.execute("update public.profiles set bio = 'Rude' where id = %s", (member_id("owner"),))
    report(world, actor, kind, subject)
    with pytest.raises(psycopg.Error, match="Give a reason"), world.transaction():
        decide(world, kind, subject, "remove", "  ")
    row = decide(world, kind, subject, "remove", "Names a patient")
    assert row["title"] == title
    assert told(world, author) == [title, "Reason: Names a patient. You can appeal."]
    table = {"profile": "profiles where bio is not null and"}.get(kind, f"{kind}s where")
    assert rows(world, f"select from public.{table} id = %s", subject) == []
    assert rows(world, "select action, detail from public.admin_audit_log where actor_id = %s", member_id("admin")) == [
        {"action": action, "detail": "Names a patient"}
    ]


@pytest.mark.parametrize("days", [3, None])
def test_suspending_from_the_queue(world: psycopg.Connection, days: int | None) -> None:
    """§13.2: for n days or without an end; sign-in is blocked and ends by itself; the log has the reason."""
    report(world, "stranger", "post", POST)
    row = decide(world, "post", POST, "suspend", "Third time", days)
    until = world.execute("select banned_until - now() from auth.users where id = %s", (member_id("owner"),)).fetchone()
    assert until is not None
    assert (until[0].days == 3) if days else (until[0].days > 36000)
    assert ("until" in row["title"]) == bool(days)
    log = rows(world, "select action, detail, member_id from public.admin_audit_log where action = 'suspended'")
    assert [(one["detail"], one["member_id"]) for one in log] == [("Third time", member_id("owner"))]


def test_appeal_of_a_suspended_member(world: psycopg.Connection) -> None:
    """§13.2: the code works without signing in, once; granted, the suspension ends and the member is told."""
    report(world, "stranger", "post", POST)
    code = decide(world, "post", POST, "suspend", "Third time")["url"].removeprefix("/appeal/")
    act_as(world, "visitor")
    (decision,) = rows(world, "select * from public.decision(%s)", code)
    assert (decision["act"], decision["reason"], decision["appeal"]) == ("suspend", "Third time", None)
    for words in ("", "x" * 2001):
        with pytest.raises(psycopg.Error, match="up to 2,000 characters"), world.transaction():
            world.execute("select public.appeal(%s, %s)", (code, words))
    world.execute("select public.appeal(%s, 'It was not me')", (code,))
    with pytest.raises(psycopg.Error, match="appealed already"), world.transaction():
        world.execute("select public.appeal(%s, 'Again')", (code,))
    with pytest.raises(psycopg.Error), world.transaction():
        world.execute("select public.admin_appeals()")
    act_as(world, "admin")
    (appeal,) = rows(world, "select * from public.admin_appeals()")
    assert (appeal["member_name"], appeal["appeal"]) == ("Owner", "It was not me")
    assert waiting(world) == 1
    world.execute("select public.answer_appeal(%s, true, 'You were right')", (appeal["id"],))
    with pytest.raises(psycopg.Error, match="no such appeal"), world.transaction():
        world.execute("select public.answer_appeal(%s, false, 'Twice')", (appeal["id"],))
    world.execute("reset role")
    assert rows(world, "select banned_until from auth.users where id = %s", member_id("owner")) == [
        {"banned_until": None}
    ]
    assert "Your appeal was granted" in told(world, "owner")
    actions = rows(world, "select action from public.admin_audit_log where actor_id = %s", member_id("admin"))
    assert {row["action"] for row in actions} == {"suspended", "appeal_granted", "restored"}


WRONG = [
    pytest.param("burn", "Why", None, "no such act", id="act"),
    pytest.param("warn", "", None, "Give a reason", id="no-reason"),
    pytest.param("warn", "Why", 3, "1 to 365 days", id="days-of-a-warning"),
    pytest.param("suspend", "Why", 0, "1 to 365 days", id="no-days"),
    pytest.param("suspend", "Why", 400, "1 to 365 days", id="many-days"),
]


@pytest.mark.parametrize(("act", "why", "days", "want"), WRONG)
def test_decisions_that_are_refused(world: psycopg.Connection, act: str, why: str, days: int | None, want: str) -> None:
    """§13.2: unknown acts, missing reasons and impossible spans change nothing."""
    report(world, "stranger", "post", POST)
    with pytest.raises(psycopg.Error, match=want), world.transaction():
        decide(world, "post", POST, act, why, days)
    assert rows(world, "select from public.reports where decided_at is null") == [{}]


def test_a_thing_is_decided_once_and_not_about_admins(world: psycopg.Connection) -> None:
    """§13.2: the second admin finds nothing open; admins are not suspended from the queue; members decide nothing."""
    report(world, "stranger", "post", POST)
    act_as(world, "owner")
    with pytest.raises(psycopg.Error, match="Only admins"), world.transaction():
        world.execute(DECIDE, ("post", POST, "dismiss", "", None))
    decide(world, "post", POST, "dismiss")
    with pytest.raises(psycopg.Error, match="no open report"), world.transaction():
        decide(world, "post", POST, "dismiss")
    report(world, "stranger", "profile", member_id("admin"))
    with pytest.raises(psycopg.Error), world.transaction():
        decide(world, "profile", member_id("admin"), "suspend", "Why")
