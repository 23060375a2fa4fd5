"""A suspended account with a valid token: every procedure is refused, and allowed again when it is restored.

What it reads and writes of tables is a column of the access matrix (test_policies.py).
"""

from uuid import UUID

import psycopg
import pytest

from muster_product.database.policies import act_as
from muster_product.database.policy_world import PARAMETERS

# What each procedure of the API says to a suspended member who was also an admin.
REFUSED = ("PT403", "Only admins can do this")
CALLS: dict[str, tuple[str, object]] = {
    "is_admin": ("is_admin(%(owner)s)", False),
    "are_users_connected": ("are_users_connected(%(owner)s, %(other)s)", False),
    "reset_daily_message_limits": ("(select count(reset_daily_message_limits()))", 0),
    "search_profiles": ("(select count(*) from search_profiles('other'))", 0),
    "connections_of": ("(select count(*) from connections_of(%(owner)s))", 0),
    "connection_count": ("connection_count(%(owner)s)", None),
    "shared_connections": ("(select count(*) from shared_connections(array[%(other)s]::uuid[]))", 0),
    "people_you_may_know": ("(select count(*) from people_you_may_know())", 0),
    "blocked_members": ("(select count(*) from blocked_members())", 0),
    "muted_members": ("(select count(*) from muted_members())", 0),
    "conversations": ("(select count(*) from conversations())", 0),
    "set_admin": ("set_admin(%(other)s, true)", REFUSED),
    "suspend_member": ("suspend_member(%(other)s, true)", REFUSED),
    "delete_member": ("delete_member(%(other)s)", REFUSED),
    "delete_own_account": ("delete_own_account()", ("PT401", "Only members can do this")),
    "admin_members": ("(select count(*) from admin_members())", REFUSED),
    "admin_member_stats": ("(select count(*) from admin_member_stats(%(owner)s))", REFUSED),
    "admin_waitlist": ("(select count(*) from admin_waitlist())", REFUSED),
    "admin_waitlist_counts": ("(select count(*) from admin_waitlist_counts())", REFUSED),
    "admin_quiz_stats": ("(select count(*) from admin_quiz_stats())", REFUSED),
    "open_scan": ("(select open_scan(%(post)s, 'A reason that is long enough'))", REFUSED),
    "admin_recent_events": ("(select count(*) from admin_recent_events())", REFUSED),
    "admin_stats": ("(select count(*) from admin_stats())", REFUSED),
    "admin_totals": ("(select count(*) from admin_totals())", REFUSED),
    "admin_member_types": ("(select count(*) from admin_member_types())", REFUSED),
    "report": ("report('profile', %(other)s, 'spam')", ("PT404", "There is nothing to report here")),
    "admin_reports": ("(select count(*) from admin_reports())", REFUSED),
    "admin_appeals": ("(select count(*) from admin_appeals())", REFUSED),
    "decide_reports": ("(select count(*) from decide_reports('post', %(post)s, 'dismiss'))", REFUSED),
    "answer_appeal": ("(select count(answer_appeal(%(owner)s, true, 'Yes')))", REFUSED),
    # The token of a security mail's link is what opens it: an account in other hands can be suspended, too.
    "security_event": ("(select count(*) from security_event('none'))", 0),
    "undo_security_event": ("(select count(*) from undo_security_event('none'))", 0),
    # The code of a decision is what opens it: the suspended appeal.
    "decision": ("(select count(*) from decision(%(owner)s))", 0),
    "appeal": (
        "appeal(%(owner)s, 'Why')",
        ("PT404", "There is nothing to appeal here, or you have appealed already"),
    ),
    "comment_count": ("(select count(public.comment_count(p)) from posts as p)", 0),
    "reaction_count": ("(select count(public.reaction_count(p)) from posts as p)", 0),
    "use_count": ("(select count(public.use_count(p)) from posts as p)", 0),
    "going_count": ("(select count(public.going_count(t)) from trainings as t)", 0),
    "waiting_count": ("(select count(public.waiting_count(t)) from trainings as t)", 0),
    "interested_count": ("(select count(public.interested_count(t)) from trainings as t)", 0),
    "is_full": ("(select count(public.is_full(t)) from trainings as t)", 0),
    "search_posts": ("(select count(*) from search_posts('announcement'))", 0),
    "search_counts": ("(select count(*) from search_counts('announcement'))", 0),
    "directory": ("(select count(*) from directory())", 0),
    "directory_counts": ("(select count(*) from directory_counts())", 0),
    "search_trainings": ("(select count(*) from search_trainings('ladders'))", 0),
    "waiting_position": ("waiting_position(%(training)s)", None),
    "first_steps": ("(select count(*) from first_steps())", 0),
    "read_first_lesson": ("(select count(read_first_lesson(%(post)s)))", 0),
    "hide_first_steps": ("(select count(hide_first_steps()))", 0),
    "requirements_of": ("(select count(*) from requirements_of(%(owner)s))", 0),
    "choose_goal": ("choose_goal(null, 'rank', 'Chief')", ("PT401", "Only members can do this")),
    "has_room": ("(select count(public.has_room(m)) from mentors as m)", 0),
    "my_endorsements": ("(select count(*) from my_endorsements())", 0),
    "tags_in_use": ("(select count(*) from tags_in_use())", 0),
    "see_guidance": ("(select count(see_guidance()))", 0),
    "admin_job_runs": ("(select count(*) from admin_job_runs())", REFUSED),
    "remind_me_in_a_week": (f"remind_me_in_a_week('{UUID(int=0)}')", ("PT401", "Only members can do this")),
    "admin_access": ("admin_access()", "none"),
    "make_recovery_codes": ("(select count(*) from make_recovery_codes())", ("PT401", "Only members can do this")),
    "use_recovery_code": (
        "(select count(*) from use_recovery_code('7KQ2-MX4T'))",
        ("PT401", "Only members can do this"),
    ),
    "recovery_codes_left": ("recovery_codes_left()", None),
    "sign_in_state": ("sign_in_state()", "suspended"),
    "my_sessions": ("(select count(*) from my_sessions())", 0),
    "push_devices": ("(select count(*) from push_devices())", 0),
    "end_session": ("end_session(%(owner)s)", ("PT401", "Only members can do this")),
    "confirm_application": ("confirm_application('none')", ("PT401", "Only members can do this")),
    "issue_record": ("(select count(issue_record()))", ("PT401", "Only members can do this")),
    "revoke_record": ("revoke_record(%(record)s)", ("PT401", "Only members can do this")),
    "lesson_use_kinds": ("(select count(*) from lesson_use_kinds(%(post)s))", 0),
    # Open to every visitor: shutting a token out would shut out nobody.
    "search_articles": ("(select count(*) from search_articles('no-such-word'))", 0),
    "article_topics": ("(select count(*) from article_topics() where category = 'none')", 0),
    "related_articles": ("(select count(*) from related_articles(%(post)s))", 0),
    "invitation_status": ("invitation_status('first@waitlist.test')", "invited"),
    "request_invitation": ("request_invitation('first@waitlist.test')", False),
    "verify_record": ("verify_record('0000-0000-0000-0000') ->> 'state'", "unknown"),
}

_PROCEDURES = """
select distinct p.proname from pg_proc as p
where p.pronamespace = 'public'::regnamespace and p.prorettype <> 'trigger'::regtype
  and has_function_privilege('authenticated', p.oid, 'execute')
  and not exists (select from pg_depend as d where d.objid = p.oid and d.deptype = 'e')
"""


def asked(connection: psycopg.Connection, actor: str, expression: str) -> object:
    """The value of an expression for an actor, or SQLSTATE and message of its error; rolled back."""
    try:
        with connection.transaction(force_rollback=True):
            act_as(connection, actor)
            connection.execute("set local search_path = public")
            row = connection.execute(f"select {expression}", PARAMETERS).fetchone()
    except psycopg.Error as error:
        return error.sqlstate, error.diag.message_primary
    assert row is not None
    return row[0]


@pytest.mark.parametrize("name", CALLS)
def test_every_procedure_is_closed_to_the_suspended(world: psycopg.Connection, name: str) -> None:
    """§6.2 §6.3: no rows, no effect; the same call by an admin succeeds."""
    expression, want = CALLS[name]
    assert asked(world, "suspended", expression) == want
    if want == REFUSED and name not in ("decide_reports", "answer_appeal", "open_scan"):  # there is none
        assert not isinstance(asked(world, "admin", expression), tuple)


def test_every_procedure_is_asked(world: psycopg.Connection) -> None:
    """Every procedure of the API is tested here."""
    assert {name for (name,) in world.execute(_PROCEDURES).fetchall()} == set(CALLS)


STANDINGS = [
    pytest.param("banned_until = now() + interval '1 hour'", 0, id="suspended"),
    pytest.param("banned_until = now() - interval '1 second'", 3, id="over"),
    pytest.param("banned_until = null", 3, id="restored"),
    pytest.param("deleted_at = now()", 0, id="softly-deleted"),
]


@pytest.mark.parametrize(("change", "want"), STANDINGS)
def test_who_counts_as_active(world: psycopg.Connection, change: str, want: int) -> None:
    """§6.2: the current state of the account decides, not the token."""
    world.execute(f"update auth.users set {change} where id = %(owner)s", PARAMETERS)
    assert asked(world, "owner", "(select count(*) from connections)") == want


def test_a_deleted_account_reaches_nothing(world: psycopg.Connection) -> None:
    """§6.2: not even what every member may read."""
    world.execute("delete from auth.users where id = %(owner)s", PARAMETERS)
    assert asked(world, "owner", "(select count(*) from posts) + (select count(*) from profiles)") == 0
    assert asked(world, "owner", "(select count(*) from search_profiles('other'))") == 0


def test_services_have_no_account(world: psycopg.Connection) -> None:
    """The service_role key has no account and stays allowed."""
    assert asked(world, "service", "is_admin(%(admin)s)") is True
    world.execute('update profiles set privacy_settings = privacy_settings || \'{"connection_visibility": "public"}\'')
    assert asked(world, "service", "(select count(*) from connections_of(%(other)s))") == 1
