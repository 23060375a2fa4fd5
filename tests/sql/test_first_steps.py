"""The first steps (§16.5): each is done by what the member really did, put away at any time, never again when done."""

import psycopg
from psycopg.rows import dict_row

from muster_product.database.policies import act_as
from muster_product.database.policy_world import COMMAND, POST, member_id


class Steps:
    """The list of `stranger`, who has done nothing."""

    def __init__(self, world: psycopg.Connection) -> None:
        self.world = world
        self.me = member_id("stranger")
        world.execute("update posts set kind = 'lesson' where id = %s", (POST,))

    def do(self, statement: str, *values: object) -> int:
        act_as(self.world, "stranger")
        count = self.world.execute(statement, values).rowcount
        self.world.execute("reset role")
        return count

    def now(self) -> dict[str, object]:
        """The flags that are set, and the counts."""
        act_as(self.world, "stranger")
        with self.world.cursor(row_factory=dict_row) as cursor:
            row = cursor.execute("select * from first_steps()").fetchone()
        self.world.execute("reset role")
        assert row is not None
        return {name: value for name, value in row.items() if value}

    def connect(self, *names: str) -> None:
        self.world.execute("delete from connections where user_id = %s", (self.me,))
        for name in names:
            self.world.execute(
                "insert into connections (user_id, connected_user_id, status) values (%s, %s, 'accepted')",
                (self.me, member_id(name)),
            )


def test_each_step_is_done_by_doing_it(world: psycopg.Connection) -> None:
    """§16.5: a half is not done: a rank without a department, a certification without a date, an unanswered request."""
    steps = Steps(world)
    world.execute("delete from connections where %s in (user_id, connected_user_id)", (steps.me,))
    assert steps.now() == {}
    steps.do("update profiles set rank = 'Captain', department = ' ' where id = %s", steps.me)
    steps.do("insert into certifications (name) values ('EMT')")
    steps.do("insert into connections (user_id, connected_user_id) values (%s, %s)", steps.me, member_id("owner"))
    assert steps.now() == {"asked": 1}
    steps.do("update profiles set department = 'Station 9' where id = %s", steps.me)
    steps.do("update certifications set issued_on = '2020-01-01'")
    steps.connect("owner", "other")
    assert steps.now() == {"has_rank": True, "has_certification": True, "people": 2}


def test_a_lesson_is_somebody_elses_and_can_be_read(world: psycopg.Connection) -> None:
    """§16.5: no other kind of post counts, nor one's own lesson, nor one that is not there; a former member's does."""
    steps = Steps(world)
    own = world.execute(
        "insert into posts (user_id, content, kind) values (%s, 'Mine', 'lesson') returning id", (steps.me,)
    ).fetchone()
    assert own is not None
    for post in (COMMAND, own[0], steps.me):
        steps.do("select read_first_lesson(%s)", post)
    assert steps.now() == {}
    world.execute("update posts set user_id = null where id = %s", (POST,))
    steps.do("select read_first_lesson(%s)", POST)
    steps.do("select read_first_lesson(%s)", POST)
    assert steps.now() == {"has_read": True}


def test_when_all_are_done_they_stay_done(world: psycopg.Connection) -> None:
    """§16.5: never again when done, also when one is undone later."""
    steps = Steps(world)
    world.execute(
        "with photo as (insert into files (user_id, bucket_id, mime_type, bytes, width, height, preview) values"
        " (%s, 'profile-photos', 'image/jpeg', 1, 1, 1, 'data:image/webp;base64,AAAA') returning user_id, address)"
        " update profiles as p set avatar_url = photo.address, rank = 'Captain', department = 'Station 9' from photo"
        " where p.id = photo.user_id",
        (steps.me,),
    )
    steps.do("insert into certifications (name, expires_on) values ('EMT', '2031-01-01')")
    steps.do("select read_first_lesson(%s)", POST)
    steps.connect("owner", "other")
    assert "is_finished" not in steps.now()
    steps.connect("owner", "other", "asked")
    assert steps.now()["is_finished"]
    world.execute("update profiles set avatar_url = null where id = %s", (steps.me,))
    again = steps.now()
    assert again["is_finished"]
    assert "has_photo" not in again


def test_the_list_is_put_away_and_brought_back(world: psycopg.Connection) -> None:
    """§16.5: put away at any time, for this member only, and nothing that was done is lost."""
    steps = Steps(world)
    steps.do("select hide_first_steps()")
    assert steps.now() == {"is_hidden": True}
    steps.do("select read_first_lesson(%s)", POST)
    assert steps.now() == {"is_hidden": True, "has_read": True}
    steps.do("select hide_first_steps(false)")
    assert steps.now() == {"has_read": True}
    act_as(world, "other")
    assert world.execute("select is_hidden, has_read from first_steps()").fetchone() == (False, False)
