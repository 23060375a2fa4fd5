"""Endorsements (§16.3): who may say what, who decides what is shown, and who is told."""

from typing import Any

import psycopg
import pytest

from muster_product.database.policies import act_as
from muster_product.database.policy_world import member_id

ADD = "insert into endorsements (member_id, specialty, sentence) values (%s, %s, 'Teaches it well.')"
SEEN = "select sentence from endorsements where member_id = %s"


class Said:
    """What `other` says of `owner`, a connection."""

    def __init__(self, world: psycopg.Connection[Any]) -> None:
        self.world = world
        self.owner = member_id("owner")
        for table in ("endorsements", "notifications", "functions.mail_requests", "reports"):
            world.execute(f"delete from {table}")
        world.execute("update profiles set specialties = '{Ropes,Pumps}' where id = %s", (self.owner,))

    def act(self, actor: str, statement: str, *values: object) -> list[tuple[Any, ...]]:
        with self.world.transaction():
            act_as(self.world, actor)
            cursor = self.world.execute(statement, values)
            rows = cursor.fetchall() if cursor.description else []
            self.world.execute("reset role")
        return rows

    def told(self, actor: str) -> list[str]:
        query = "select title from notifications where user_id = %s order by title"
        return [row[0] for row in self.world.execute(query, (member_id(actor),)).fetchall()]


@pytest.fixture
def said(world: psycopg.Connection[Any]) -> Said:
    return Said(world)


def test_the_member_decides_and_hiding_tells_nobody(said: Said) -> None:
    """§16.3: hidden until the member shows it; its writer sees it all the time and nothing else changes for them."""
    said.act("other", ADD, said.owner, "Ropes")
    assert said.told("owner") == ["Other endorsed you: Ropes"]
    mails = said.world.execute("select kind, facts ->> 'text' from functions.mail_requests").fetchall()
    assert mails == [("endorsement", "Teaches it well.")]
    (row,) = said.act("owner", "select id, is_shown from my_endorsements()")
    assert row[1] is False
    views = []
    for shown in (None, True, False):
        if shown is not None:
            said.act("owner", "update endorsements set is_shown = %s where id = %s", shown, row[0])
        assert len(said.act("stranger", SEEN, said.owner)) == (1 if shown else 0)
        views.append(said.act("other", "select id, sentence, created_at from endorsements"))
    assert views[0] == views[1] == views[2]
    assert said.act("other", "select * from my_endorsements()") == []
    assert said.told("other") == []


def test_a_removal_after_a_report_is_told(said: Said) -> None:
    """§16.3 §13.1 §13.2: it is in the queue with its words; removed, its writer is told why, and it is gone."""
    said.act("other", ADD, said.owner, "Pumps")
    (row,) = said.act("owner", "select id from my_endorsements()")
    with pytest.raises(psycopg.Error, match="There is nothing to report here"):
        said.act("stranger", "select report('endorsement', %s, 'harassment')", row[0])
    with pytest.raises(psycopg.Error, match="You cannot report yourself"):
        said.act("other", "select report('endorsement', %s, 'harassment')", row[0])
    said.act("owner", "select report('endorsement', %s, 'harassment')", row[0])
    queue = "select subject_kind, excerpt, still_there, member_id from admin_reports()"
    assert said.act("admin", queue) == [("endorsement", "Teaches it well.", True, member_id("other"))]
    said.act("admin", "select * from decide_reports('endorsement', %s, 'remove', 'It mocks')", row[0])
    assert said.told("other") == ["Your endorsement was removed"]
    assert said.told("owner") == ["Your report was decided"]
    assert said.act("other", SEEN, said.owner) == []
    log = said.act("admin", "select action, area from admin_audit_log where action like 'endorsement%%'")
    assert log == [("endorsement_removed", "content")]


def test_only_of_what_the_member_has_and_once(said: Said) -> None:
    """§16.3: a specialty of the profile or a milestone of the member, one sentence each, by connections only."""
    said.act("other", ADD, said.owner, "Ropes")
    refused: tuple[tuple[str, str, type[psycopg.Error]], ...] = (
        ("other", "Ropes", psycopg.errors.UniqueViolation),
        ("other", "Cooking", psycopg.errors.InsufficientPrivilege),
        ("stranger", "Ropes", psycopg.errors.InsufficientPrivilege),
        ("asked", "Ropes", psycopg.errors.InsufficientPrivilege),
        ("owner", "Ropes", psycopg.errors.InsufficientPrivilege),
    )
    for actor, specialty, error in refused:
        with pytest.raises(error):
            said.act(actor, ADD, said.owner, specialty)
    milestone = "insert into endorsements (member_id, milestone_id, sentence) values (%s, %s, %s)"
    own = said.world.execute("select id from career_milestones where user_id = %s", (said.owner,)).fetchone()
    other = said.world.execute("select id from career_milestones where user_id <> %s", (said.owner,)).fetchone()
    assert own is not None
    assert other is not None
    with pytest.raises(psycopg.errors.ForeignKeyViolation):
        said.act("other", milestone, said.owner, other[0], "Not theirs.")
    for sentence in ("", "  ", "Two\nlines", "x" * 281):
        with pytest.raises(psycopg.errors.CheckViolation):
            said.act("other", milestone, said.owner, own[0], sentence)
    said.act("other", milestone, said.owner, own[0], "I was there.")
    assert said.told("owner") == ["Other endorsed you: Recruit", "Other endorsed you: Ropes"]
    said.world.execute("delete from career_milestones where id = %s", own)
    assert said.told("owner") == ["Other endorsed you: Ropes"]


@pytest.mark.parametrize(
    "off",
    [
        "update profiles set notification_settings = jsonb_set(notification_settings,"
        " '{preferences,growth,enabled}', 'false') where id = %(owner)s",
        "insert into mutes (member_id, muted_id) values (%(owner)s, %(other)s)",
    ],
    ids=["switched off", "muted"],
)
def test_it_is_told_as_the_settings_say(said: Said, off: str) -> None:
    """§16.3 §13.4: no notification and no mail; the endorsement is there."""
    said.world.execute(off, {"owner": said.owner, "other": member_id("other")})
    said.act("other", ADD, said.owner, "Ropes")
    assert said.told("owner") == []
    assert said.world.execute("select from functions.mail_requests").rowcount == 0
    assert len(said.act("owner", SEEN, said.owner)) == 1


def test_taken_back_it_takes_its_notification_along(said: Said) -> None:
    """§16.3: its writer takes it back; 20 a day at most, also one after the other."""
    said.act("other", ADD, said.owner, "Ropes")
    said.act("owner", "delete from endorsements")
    assert len(said.act("owner", SEEN, said.owner)) == 1  # the member hides it instead
    said.act("other", "delete from endorsements")
    assert said.told("owner") == []
    said.world.execute(
        "insert into endorsements (member_id, endorser_id, specialty, sentence)"
        " select %s, %s, 'Skill ' || n, 'Good.' from generate_series(1, 20) as n",
        (said.owner, member_id("other")),
    )
    with pytest.raises(psycopg.Error, match="You can endorse 20 times a day"):
        said.act("other", ADD, said.owner, "Ropes")


def test_a_block_takes_back_what_the_two_said(said: Said) -> None:
    """§16.3 §13.3: in both directions, with its notifications, whoever blocks."""
    said.act("other", ADD, said.owner, "Ropes")
    said.world.execute("update profiles set specialties = '{Ropes}' where id = %s", (member_id("other"),))
    said.act("owner", ADD, member_id("other"), "Ropes")
    said.act("other", "insert into blocks (blocked_id) values (%s)", said.owner)
    assert said.world.execute("select from endorsements").rowcount == 0
    assert said.told("owner") + said.told("other") == []
