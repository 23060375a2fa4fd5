"""Growth plans (§16.1): what meets a requirement, what no longer does, who sees it, and the list that admins keep."""

from collections.abc import Sequence
from typing import Any

import psycopg
import pytest

from muster_product.database.policies import act_as
from muster_product.database.policy_world import GOAL, TRAINING, member_id


class Plan:
    """The plan of `stranger`, and what others see of it."""

    def __init__(self, world: psycopg.Connection[Any]) -> None:
        self.world = world
        self.me = member_id("stranger")

    def act(self, statement: str, *values: object, actor: str = "stranger") -> list[tuple[Any, ...]]:
        """The rows that a statement returns for an actor."""
        with self.world.transaction():
            act_as(self.world, actor)
            cursor = self.world.execute(statement, values)
            rows = cursor.fetchall() if cursor.description else []
            self.world.execute("reset role")
        return rows

    def begin(self, *requirements: tuple[str, str]) -> None:
        """A goal of one's own with requirements: title and what is expected to meet it."""
        self.act("select choose_goal(null, 'rank', 'Engineer')")
        for title, met_by in requirements:
            self.act("insert into plan_requirements (title, met_by) values (%s, %s)", title, met_by)

    def states(self, actor: str = "stranger") -> list[tuple[str, str, str | None]]:
        """Title, state and proof of each requirement, as an actor sees them."""
        rows = self.act("select title, state, proof from requirements_of(%s)", self.me, actor=actor)
        return [(row[0], row[1], row[2]) for row in rows]

    def certify(self, name: str, expires: str | None = None) -> object:
        (row,) = self.act(
            "insert into certifications (name, expires_on) values (%s, current_date + %s::integer) returning id",
            name, expires,
        )  # fmt: skip
        return row[0]


@pytest.fixture
def plan(world: psycopg.Connection[Any]) -> Plan:
    return Plan(world)


def test_a_goal_of_the_list_brings_its_requirements(plan: Plan) -> None:
    """§16.1: certifications of its name meet it at once; another goal replaces the plan, not who sees it."""
    plan.certify("Paramedic (NRP)", "90")
    plan.act("select choose_goal(%s)", GOAL)
    assert plan.states() == [("Paramedic", "met", "Paramedic (NRP)")]
    plan.act("update growth_plans set visibility = 'connections'")
    plan.act("select choose_goal(null, 'specialty', ' Rope rescue ')")
    assert plan.act("select kind, title, visibility, goal_id from growth_plans where user_id = %s", plan.me) == [
        ("specialty", "Rope rescue", "connections", None)
    ]
    assert plan.states() == []


@pytest.mark.parametrize(
    ("name", "is_met"),
    [
        ("Firefighter I", True), ("firefighter i", True), ("Firefighter I, Pro Board", True),
        ("Firefighter II", False), ("Wildland Firefighter I", False), ("Firefighter", False),
    ],
)  # fmt: skip
def test_a_name_is_matched_as_a_whole(plan: Plan, name: str, is_met: bool) -> None:
    """§16.1: Firefighter II does not stand for Firefighter I, nor the other way around."""
    plan.begin(("Firefighter I", "certification"))
    plan.certify(name)
    assert plan.states() == [("Firefighter I", "met" if is_met else "open", name if is_met else None)]


def test_a_certification_that_expires_or_goes_no_longer_meets(plan: Plan) -> None:
    """§16.1: the requirement follows the row and says what met it; renewing, also as another entry, meets it again."""
    plan.begin(("EMT", "certification"))
    id = plan.certify("EMT", "0")
    assert plan.states() == [("EMT", "met", "EMT")]
    plan.act("update certifications set expires_on = current_date - 3, issued_on = null where id = %s", id)
    assert plan.states() == [("EMT", "expired", "EMT")]
    second = plan.certify("EMT", "700")
    assert plan.states() == [("EMT", "met", "EMT")]
    plan.act("delete from certifications where id = %s", second)
    assert plan.states() == [("EMT", "gone", "EMT")]
    plan.act("update certifications set expires_on = null where id = %s", id)
    assert plan.states() == [("EMT", "met", "EMT")]


def test_a_milestone_and_a_tick_meet_and_are_taken_back(plan: Plan) -> None:
    """§16.1: any of the four ways meets any requirement, one at a time; taken back by the member, nothing is said."""
    plan.begin(("Acting officer", "milestone"), ("Hours", "tick"))
    (milestone,) = plan.act(
        "insert into career_milestones (title, started_on) values ('Acting lieutenant', '2020-01-01') returning id"
    )
    plan.act("update plan_requirements set milestone_id = %s", milestone[0])
    assert [state for _, state, _ in plan.states()] == ["met", "met"]
    with pytest.raises(psycopg.errors.CheckViolation):
        plan.act("update plan_requirements set is_ticked = true where title = 'Hours'")
    plan.act("update plan_requirements set milestone_id = null, is_ticked = true where title = 'Hours'")
    plan.act("update career_milestones set started_on = current_date + 30")
    assert plan.states() == [("Acting officer", "planned", "Acting lieutenant"), ("Hours", "met", None)]
    plan.act("delete from career_milestones")
    plan.act("update plan_requirements set is_ticked = false where title = 'Hours'")
    assert plan.states() == [("Acting officer", "gone", "Acting lieutenant"), ("Hours", "open", None)]
    plan.act("update plan_requirements set milestone_id = null where title = 'Acting officer'")
    assert plan.states()[0] == ("Acting officer", "open", None)


def test_a_training_meets_once_it_was_attended(plan: Plan) -> None:
    """§16.1: going is planned, having been there is met; canceled, given up and waited for are not."""
    plan.begin(("Ladders", "training"))
    plan.act("insert into training_attendances (training_id, answer) values (%s, 'going')", TRAINING)
    plan.act("update plan_requirements set training_id = %s", TRAINING)
    assert plan.states() == [("Ladders", "planned", "Ladders")]
    past = "set starts_at = now() - interval '2 days', ends_at = now() - interval '1 day'"
    for change, want in (
        (past, "met"), ("set is_canceled = true", "canceled"), (f"{past}, is_canceled = false", "met"),
    ):  # fmt: skip
        plan.world.execute("set local session_replication_role = replica")
        plan.world.execute(f"update trainings {change} where id = %s", (TRAINING,))
        plan.world.execute("set local session_replication_role = origin")
        assert plan.states()[0][1] == want
    plan.world.execute("set local session_replication_role = replica")
    plan.world.execute("update training_attendances set is_waiting = true where user_id = %s", (plan.me,))
    plan.world.execute("set local session_replication_role = origin")
    assert plan.states()[0][1] == "gone"
    plan.act("delete from training_attendances where user_id = %s", plan.me)
    assert plan.states() == [("Ladders", "gone", "Ladders")]


def test_nothing_of_others_meets_a_requirement(plan: Plan) -> None:
    """§16.1: the keys name the member: nobody's certification, milestone or attendance stands for another's."""
    plan.begin(("Paramedic", "certification"))
    owners: Sequence[tuple[str, str]] = (
        ("certification_id", "select id from certifications where user_id = %s"),
        ("milestone_id", "select id from career_milestones where user_id = %s"),
    )
    for column, query in owners:
        row = plan.world.execute(query, (member_id("owner"),)).fetchone()
        assert row is not None
        with pytest.raises(psycopg.errors.ForeignKeyViolation):
            plan.act(f"update plan_requirements set {column} = %s", row[0])
    with pytest.raises(psycopg.errors.ForeignKeyViolation):
        plan.act("update plan_requirements set training_id = %s", TRAINING)  # other goes, the member does not
    assert plan.states() == [("Paramedic", "open", None)]


@pytest.mark.parametrize(
    ("visibility", "seen_by"),
    [("me", set()), ("connections", {"asked"}), ("members", {"asked", "other", "admin"})],
)
def test_who_sees_the_plan(plan: Plan, visibility: str, seen_by: set[str]) -> None:
    """§16.1: nobody, connections or members, and members only as far as the profile goes; never a training's name."""
    plan.begin(("Ladders", "training"))
    plan.act("insert into training_attendances (training_id, answer) values (%s, 'going')", TRAINING)
    plan.act("update plan_requirements set training_id = %s", TRAINING)
    plan.act("update growth_plans set visibility = %s", visibility)
    plan.world.execute(
        "insert into connections (user_id, connected_user_id, status) values (%s, %s, 'accepted')",
        (plan.me, member_id("asked")),
    )
    for actor in ("asked", "other", "admin"):
        want = [("Ladders", "planned", None)] if actor in seen_by else []
        assert plan.states(actor) == want
        assert plan.act("select title from growth_plans where user_id = %s", plan.me, actor=actor) == (
            [("Engineer",)] if want else []
        )
    plan.world.execute(
        'update profiles set privacy_settings = privacy_settings || \'{"profile_visibility": "private"}\''
        " where id = %s",
        (plan.me,),
    )
    assert plan.states("other") == []
    assert len(plan.states()) == 1


def test_every_change_is_told_to_who_looks(plan: Plan) -> None:
    """§16.1: changed_at moves with a requirement and with a certification: Realtime sends the plan's row."""
    plan.begin(("EMT", "certification"))

    def changed() -> object:
        return plan.act("select changed_at from growth_plans where user_id = %s", plan.me)[0][0]

    before = changed()
    plan.act("update plan_requirements set title = 'EMT '")
    then = changed()
    assert then != before
    plan.certify("EMT")
    assert changed() != then
    assert plan.world.execute(
        "select from pg_publication_tables where pubname = 'supabase_realtime' and tablename = 'growth_plans'"
    ).rowcount == 1  # fmt: skip


def test_a_plan_is_bounded_and_goes_with_its_member(plan: Plan) -> None:
    """§16.1: 40 requirements; only a goal that is offered can be chosen; deleting the account leaves nothing."""
    plan.begin(*[(f"Step {at}", "tick") for at in range(40)])
    with pytest.raises(psycopg.Error, match="A plan has at most 40 requirements"):
        plan.act("insert into plan_requirements (title, met_by) values ('Step 41', 'tick')")
    plan.world.execute("update growth_goals set is_open = false")
    with pytest.raises(psycopg.Error, match="There is no such goal"):
        plan.act("select choose_goal(%s)", GOAL)
    with pytest.raises(psycopg.errors.CheckViolation):
        plan.act("select choose_goal(null, 'rank', '  ')")
    plan.certify("Step 1")
    plan.world.execute("delete from auth.users where id = %s", (plan.me,))
    assert plan.world.execute("select from plan_requirements where user_id = %s", (plan.me,)).rowcount == 0


def test_the_list_of_goals_is_the_admins(plan: Plan) -> None:
    """§16.1: changes are in the audit log, and do not reach plans that members have; nor does a deletion."""
    plan.act("select choose_goal(%s)", GOAL)
    plan.act("update growth_goals set name = 'Captain II' where id = %s", GOAL, actor="admin")
    plan.act("delete from growth_goals where id = %s", GOAL, actor="admin")
    assert plan.states() == [("Paramedic", "open", None)]
    log = "select action, subject from admin_audit_log where area = 'content' order by action desc"
    assert plan.act(log, actor="admin") == [("goal_saved", "Captain II"), ("goal_removed", "Captain II")]


def test_the_first_list_is_complete(module_database: Any) -> None:
    """§16.1: ten goals of the three kinds, each with requirements, the company officer's with Fire Officer I."""
    with psycopg.connect(module_database.dsn("supabase_admin")) as connection:
        rows = connection.execute(
            "select g.name, g.kind, count(r.id), bool_or(r.title = 'Fire Officer I') from growth_goals as g"
            " left join goal_requirements as r on r.goal_id = g.id group by g.id order by g.place"
        ).fetchall()
    assert {kind for _, kind, _, _ in rows} == {"rank", "certification", "specialty"}
    assert all(count >= 4 for _, _, count, _ in rows)
    assert [name for name, _, _, has in rows if has] == ["Company Officer"]
    assert len(rows) == 10
