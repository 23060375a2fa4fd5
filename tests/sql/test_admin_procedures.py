"""Procedures of the admin area: refused to everyone else, and guarded against mistakes of admins."""

import re

import psycopg
import pytest

from emulator.paths import CHECKOUT
from muster_product.database.policies import act_as
from muster_product.database.policy_world import PARAMETERS

CALLS = [
    "(select count(*) from public.admin_members())",
    "(select count(*) from public.admin_member_stats(%(owner)s))",
    "public.suspend_member(%(owner)s, true)",
    "public.delete_member(%(owner)s)",
    "(select count(*) from public.admin_waitlist())",
    "(select count(*) from public.admin_waitlist_counts())",
    "(select count(*) from public.admin_quiz_stats())",
    "(select count(*) from public.admin_totals())",
    "(select count(*) from public.admin_member_types())",
]


def call(connection: psycopg.Connection, actor: str, expression: str, **arguments: object) -> object:
    """The value of an expression for an actor; its effects stay."""
    with connection.transaction():
        act_as(connection, actor)
        row = connection.execute(f"select {expression}", {**PARAMETERS, **arguments}).fetchone()
        connection.execute("reset role")
    assert row is not None
    return row[0]


def refusal(connection: psycopg.Connection, actor: str, expression: str) -> tuple[str | None, str | None]:
    """SQLSTATE and message of an error."""
    with pytest.raises(psycopg.Error) as refused:
        call(connection, actor, expression)
    return refused.value.sqlstate, refused.value.diag.message_primary


def acts(connection: psycopg.Connection) -> list[tuple[object, ...]]:
    """The entries of the audit log since the world was created, oldest first."""
    return connection.execute(
        "select action, actor_id, actor_email, member_id, member_email from public.admin_audit_log"
        " where actor_id is not null or action <> 'admin_granted' order by created_at, action"
    ).fetchall()


@pytest.mark.parametrize("expression", CALLS)
def test_only_admins_call_them(world: psycopg.Connection, expression: str) -> None:
    """§6.3 §6.6: visitors and members are refused, an admin is not, until the role is revoked."""
    assert refusal(world, "visitor", expression)[0] == "42501"
    for actor in ("stranger", "owner"):
        assert refusal(world, actor, expression) == ("PT403", "Only admins can do this")
    with world.transaction(force_rollback=True):
        call(world, "admin", expression)
    world.execute("delete from private.admins where user_id = %(admin)s", PARAMETERS)
    assert refusal(world, "admin", expression) == ("PT403", "Only admins can do this")


def test_suspending_ends_sessions_and_is_undone(world: psycopg.Connection) -> None:
    """§6.3: a suspended account cannot refresh or sign in; a restored one can; both are logged."""
    world.execute(
        "insert into auth.sessions (id, user_id) values (gen_random_uuid(), %(owner)s), (%(post)s, %(other)s)",
        PARAMETERS,
    )
    world.execute(
        "insert into auth.refresh_tokens (instance_id, token, user_id, revoked, created_at, updated_at)"
        " values ('00000000-0000-0000-0000-000000000000', 'one', %(owner)s::text, false, now(), now()),"
        " ('00000000-0000-0000-0000-000000000000', 'two', %(other)s::text, false, now(), now())",
        PARAMETERS,
    )
    call(world, "admin", "public.suspend_member(%(owner)s, true)")
    banned = "select banned_until > now() + interval '99 years' from auth.users where id = %(owner)s"
    assert world.execute(banned, PARAMETERS).fetchone() == (True,)
    assert world.execute("select token from auth.refresh_tokens").fetchall() == [("two",)]
    assert world.execute("select id from auth.sessions").fetchall() == [(PARAMETERS["post"],)]
    listed = "array(select full_name from public.admin_members(standing => 'suspended'))"
    assert call(world, "admin", listed) == ["Owner"]
    assert refusal(world, "admin", "public.set_admin(%(owner)s, true)") == (
        "PT403", "A suspended member cannot be an admin",
    )  # fmt: skip
    call(world, "admin", "public.suspend_member(%(owner)s, false)")
    assert world.execute(banned, PARAMETERS).fetchone() == (None,)
    assert call(world, "admin", listed) == []
    by = (PARAMETERS["admin"], "admin@members.test", PARAMETERS["owner"], "owner@members.test")
    assert sorted(acts(world)) == [("restored", *by), ("suspended", *by)]


@pytest.mark.parametrize("act", ["public.suspend_member(%(who)s, true)", "public.delete_member(%(who)s)"])
@pytest.mark.parametrize(
    ("who", "want"),
    [
        ("admin", ("PT403", "You cannot do this to yourself")),
        ("other", ("PT403", "Remove the admin role first")),
        ("post", ("PT404", "There is no such member")),
    ],
)
def test_admins_cannot_lock_themselves_out(
    world: psycopg.Connection, act: str, who: str, want: tuple[str, str]
) -> None:
    """§6.3: neither oneself nor another admin is suspended or deleted."""
    world.execute("insert into private.admins (user_id) values (%(other)s)", PARAMETERS)
    assert refusal(world, "admin", act.replace("who", who)) == want


def test_deleting_takes_the_account_and_is_noted(world: psycopg.Connection) -> None:
    """§6.3: profile and account are deleted; the log says by whom and whose they were."""
    call(world, "admin", "public.delete_member(%(owner)s)")
    assert world.execute("select count(*) from auth.users where id = %(owner)s", PARAMETERS).fetchone() == (0,)
    assert world.execute("select count(*) from public.profiles where id = %(owner)s", PARAMETERS).fetchone() == (0,)
    want = ("deleted", PARAMETERS["admin"], "admin@members.test", PARAMETERS["owner"], "owner@members.test")
    assert acts(world) == [want]


def test_roles_are_noted_and_a_deleted_admin_only_once(world: psycopg.Connection) -> None:
    """§6.3: granting and revoking; deleting the account of an admin is one action, not two."""
    call(world, "admin", "public.set_admin(%(owner)s, true)")
    call(world, "owner", "public.set_admin(%(admin)s, false)")
    world.execute("select set_config('request.jwt.claims', '', true)")
    world.execute("delete from auth.users where id = %(owner)s", PARAMETERS)
    got = [(act, actor, member) for act, actor, _, member, _ in acts(world)]
    assert sorted(got, key=str) == sorted(
        [
            ("admin_granted", PARAMETERS["admin"], PARAMETERS["owner"]),
            ("admin_revoked", PARAMETERS["owner"], PARAMETERS["admin"]),
            ("deleted", None, PARAMETERS["owner"]),
        ],
        key=str,
    )


MEMBERS = [
    pytest.param("", "all", "name", False, ["Admin", "Asked", "Guarded", "Hidden", "Other", "Owner", "Stranger"],
                 id="by-name"),
    pytest.param("", "all", "email", True, ["Stranger", "Owner", "Other", "Hidden", "Guarded", "Asked", "Admin"],
                 id="by-email-down"),
    pytest.param("OTHER@", "all", "joined", True, ["Other"], id="e-mail"),
    pytest.param("%", "all", "joined", True, [], id="wildcard-is-a-letter"),
    pytest.param("hid", "all", "joined", True, ["Hidden"], id="hidden-too"),
    pytest.param("", "admins", "name", False, ["Admin"], id="admins"),
    pytest.param("own", "admins", "name", False, [], id="filter-and-search"),
    pytest.param("", "unconfirmed", "last_sign_in", False, ["Guarded"], id="unconfirmed"),
    pytest.param("", "nonsense", "p.id; drop table x", False, None, id="unknown-words-mean-the-defaults"),
]  # fmt: skip


@pytest.mark.parametrize(("search", "standing", "sort", "descending", "want"), MEMBERS)
def test_members_are_found_sorted_and_filtered(
    world: psycopg.Connection, search: str, standing: str, sort: str, descending: bool, want: list[str] | None
) -> None:
    """§2.42: on the server, with everyone in it."""
    world.execute("update auth.users set email_confirmed_at = null where id = %(guarded)s", PARAMETERS)
    got = call(
        world, "admin",
        "array(select full_name from public.admin_members(%(search)s, %(standing)s, %(sort)s, %(descending)s))",
        search=search, standing=standing, sort=sort, descending=descending,
    )  # fmt: skip
    assert isinstance(got, list)
    assert len(got) == 7 if want is None else got == want


def test_members_are_filtered_by_type(world: psycopg.Connection) -> None:
    """§2.42 §3.2: alone, and together with a search."""
    world.execute("update public.profiles set firefighter_type = 'Wildland' where id = %(other)s", PARAMETERS)
    found = "array(select full_name from public.admin_members(%(search)s, kind => %(kind)s) order by 1)"
    assert call(world, "admin", found, search="", kind="Wildland") == ["Other"]
    assert call(world, "admin", found, search="own", kind="Wildland") == []
    assert call(world, "admin", found, search="", kind="Career'; drop table x") == []


def test_what_happened_last_comes_newest_first(world: psycopg.Connection) -> None:
    """§2.41: one list of new waitlist entries, members, reports, feedback and articles; each with what admins need."""
    world.execute(
        "update public.posts set published_at = now() + interval '2 min' where id = %(published)s", PARAMETERS
    )
    world.execute("update public.waitlist set created_at = now() + interval '1 min' where email like 'second%'")
    world.execute(
        "update public.waitlist set email = (select email from public.profiles where id = %(other)s),"
        " invited_at = now() where email like 'first%%'",
        PARAMETERS,
    )
    events = "array(select concat_ws(' ', kind, name, subject, detail) from public.admin_recent_events({}))"
    newest = call(world, "admin", events.format(2))
    assert isinstance(newest, list)
    assert [event.split()[0] for event in newest] == ["article", "waitlist"]
    everything = call(world, "admin", events.format(50))
    assert isinstance(everything, list)
    assert {"member Other other@members.test invited", "feedback Good"} <= set(everything)
    assert call(world, "admin", "(select count(*) from public.admin_recent_events(-1))") == 1
    assert (
        refusal(world, "owner", "(select count(*) from public.admin_recent_events(8))")[1] == "Only admins can do this"
    )


def test_members_come_in_pages_with_their_total(world: psycopg.Connection) -> None:
    """§2.42: page size and offset are bounded; the total is of all pages."""
    pages = "array(select full_name || total from public.admin_members('', 'all', 'name', false, %(size)s, %(at)s))"
    assert call(world, "admin", pages, size=2, at=2) == ["Guarded7", "Hidden7"]
    assert call(world, "admin", pages, size=0, at=-5) == ["Admin7"]


WAITLIST = [
    pytest.param({}, ["first", "second"], id="all"),
    pytest.param({"search": "SECOND"}, ["second"], id="e-mail"),
    pytest.param({"search": "engineer"}, ["first"], id="role"),
    pytest.param({"standing": "waitlist"}, ["second"], id="status"),
    pytest.param({"kind": "career"}, ["first"], id="type"),
    pytest.param({"kind": "volunteer"}, [], id="other-type"),
    pytest.param({"years": "6-10", "standing": "invited", "search": "first"}, ["first"], id="all-at-once"),
    pytest.param({"years": "6-10", "standing": "waitlist"}, [], id="both-must-hold"),
]


@pytest.mark.parametrize(("arguments", "want"), WAITLIST)
def test_waitlist_is_filtered(world: psycopg.Connection, arguments: dict[str, str], want: list[str]) -> None:
    """§2.42 §3.22 §3.23: by status, e-mail or role, type and years, with the quiz answers."""
    world.execute(
        "update public.quiz_responses set firefighter_type = 'career', years_of_service = '6-10',"
        " current_rank = 'Engineer' where id = %(quiz)s",
        PARAMETERS,
    )
    named = ", ".join(f"{name} => %({name})s" for name in arguments)
    got = call(
        world, "admin", f"array(select split_part(email, '@', 1) from public.admin_waitlist({named}) order by email)",
        **arguments,
    )  # fmt: skip
    assert got == want


def test_stats_count_existing_rows(world: psycopg.Connection) -> None:
    """§2.41: totals, statistics, types and quiz answers."""
    world.execute(
        'update public.quiz_responses set linkedin_missing = \'{"connection_platforms": ["reddit", "facebook"]}\''
    )
    totals = (
        "(select array[members, waitlist, waiting, invited, invited_long_ago, open_feedback, feedback_today,"
        " open_reports]"
    )
    assert call(world, "admin", f"{totals} from public.admin_totals())") == [7, 2, 1, 1, 0, 2, 2, 0]
    assert call(world, "admin", "(select array[members] from public.admin_member_types())") == [7]
    answers = "array(select question || ':' || answer || ':' || answers from public.admin_quiz_stats() order by 1)"
    want = ["platform:facebook:1", "platform:reddit:1", "total::1", "type:waitlist_quiz:1", "years:unknown:1"]
    assert call(world, "admin", answers) == want
    counts = "array(select status || entries from public.admin_waitlist_counts() order by status)"
    assert call(world, "admin", counts) == ["invited1", "waitlist1"]


def test_an_article_is_dated_by_its_first_publication(world: psycopg.Connection) -> None:
    """§2.1: an old draft appears among the newest articles; taken back and published again it keeps its place."""
    world.execute("update posts set created_at = '2020-01-05' where id = %(draft)s", PARAMETERS)
    dates = "select created_at = now(), published_at = now() from posts where id = %(draft)s"
    world.execute("update posts set title = 'Still a draft' where id = %(draft)s", PARAMETERS)
    assert world.execute(dates, PARAMETERS).fetchone() == (False, None)
    world.execute("update posts set is_public_blog = true where id = %(draft)s", PARAMETERS)
    assert world.execute(dates, PARAMETERS).fetchone() == (True, True)
    earlier = "update posts set created_at = '2021-01-05', published_at = '2021-01-05' where id = %(draft)s"
    world.execute(earlier, PARAMETERS)
    world.execute("update posts set is_public_blog = false where id = %(draft)s", PARAMETERS)
    world.execute("update posts set is_public_blog = true where id = %(draft)s", PARAMETERS)
    assert world.execute(dates, PARAMETERS).fetchone() == (False, False)


def test_the_end_of_an_account_edits_no_post(world: psycopg.Connection) -> None:
    """§1.1: posts and comments stay without their author, and as old as they were."""
    old = "update {} set updated_at = '2020-01-05' where user_id = %(owner)s"
    for table in ("posts", "comments"):
        world.execute(f"alter table {table} disable trigger set_updated_at_on_edit")
        world.execute(old.format(table), PARAMETERS)
        world.execute(f"alter table {table} enable trigger set_updated_at_on_edit")
    written = "select user_id, updated_at from posts union all select user_id, updated_at from comments"
    aged = f"select count(*) from ({written}) as written where updated_at = '2020-01-05' and user_id is "
    before = world.execute(aged + "not null").fetchone()
    world.execute("delete from auth.users where id = %(owner)s", PARAMETERS)
    assert world.execute(aged + "null").fetchone() == before
    assert before is not None
    assert before[0] > 0


def test_the_page_of_the_audit_log_has_words_for_every_action(world: psycopg.Connection) -> None:
    """§2.42: no line shows an action's name as the table has it."""
    row = world.execute(
        "select pg_get_constraintdef(oid) from pg_constraint where conname = 'admin_audit_log_action_is_known'"
    ).fetchone()
    assert row is not None
    actions = set(re.findall(r"'(\w+)'", row[0]))
    copy = (CHECKOUT / "web" / "src" / "features" / "admin-members" / "copy.ts").read_text("utf-8")
    (words,) = re.findall(r"auditActions: \{(.*?)\}", copy, re.DOTALL)
    assert set(re.findall(r"^ +(\w+): '", words, re.MULTILINE)) == actions
    assert "suspended" in actions


ADMIN_ACTS = [
    pytest.param("update waitlist set status = 'pending' where email like 'second%%'",
                 [("waitlist_status", "second@waitlist.test", "pending", "waitlist")], id="status"),
    pytest.param("delete from waitlist where email like 'second%%'",
                 [("waitlist_removed", "second@waitlist.test", None, "waitlist")], id="off-the-waitlist"),
    pytest.param("update feedback set status = 'resolved' where content = 'Good'",
                 [("feedback_status", "Good", "resolved", "feedback")], id="feedback"),
    pytest.param("delete from feedback where content = 'Bad'",
                 [("feedback_removed", "Bad", None, "feedback")], id="feedback-deleted"),
    pytest.param("insert into posts (user_id, content, title, slug, is_blog_post, is_public_blog)"
                 " values (%(admin)s, 'x', 'New', 'new', true, true)",
                 [("article_created", "New", None, "blog"), ("article_published", "New", None, "blog")], id="written"),
    pytest.param("update posts set is_public_blog = true where id = %(draft)s",
                 [("article_published", "Draft", None, "blog")], id="published"),
    pytest.param("update posts set is_public_blog = false where id = %(published)s",
                 [("article_unpublished", "Article", None, "blog")], id="unpublished"),
    pytest.param("update posts set is_featured = true where id = %(published)s",
                 [("article_featured", "Article", None, "blog")], id="featured"),
    pytest.param("update posts set title = 'Other', content = 'New words' where id = %(published)s",
                 [("article_edited", "Other", None, "blog")], id="edited"),
    pytest.param("delete from posts where id = %(draft)s", [("article_deleted", "Draft", None, "blog")], id="deleted"),
    pytest.param("delete from posts where id = %(post)s", [("post_deleted", "A lesson", None, "content")],
                 id="somebodys-post"),
    pytest.param("delete from comments where id = %(answer)s", [("comment_deleted", "Its answer", None, "content")],
                 id="somebodys-comment"),
    pytest.param("delete from posts where id = %(command)s", [], id="ones-own-post"),
    pytest.param("insert into reactions (user_id, post_id) values (%(other)s, %(published)s)", None,
                 id="a-count-is-no-act"),
]  # fmt: skip


@pytest.mark.parametrize(("statement", "want"), ADMIN_ACTS)
def test_acts_on_content_are_noted(
    world: psycopg.Connection, statement: str, want: list[tuple[str, str, str | None, str]] | None
) -> None:
    """§6.3: actions on the waitlist, feedback, articles and members' content, once each, in the admin's name."""
    act_as(world, "admin" if want is not None else "service")
    world.execute("set local search_path = public")
    world.execute(statement, PARAMETERS)
    world.execute("reset role")
    noted = world.execute(
        "select action, subject, detail, area from admin_audit_log where member_id is null and actor_id = %(admin)s"
        " and actor_email = 'admin@members.test' order by action", PARAMETERS,
    ).fetchall()  # fmt: skip
    assert noted == (want or [])


def test_what_members_and_services_do_is_no_act(world: psycopg.Connection) -> None:
    """§6.3: a member's own edits and activations of entries are not logged; invitations by the command line are."""
    act_as(world, "owner")
    world.execute("delete from public.comments where id = %(answer)s", PARAMETERS)
    world.execute("delete from public.posts where id = %(post)s", PARAMETERS)
    world.execute("reset role; select set_config('request.jwt.claims', '', true)")
    world.execute("update public.waitlist set status = 'active' where email like 'first%'")
    noted = "select action, detail, actor_id from public.admin_audit_log where member_id is null"
    assert world.execute(noted).fetchall() == []
    world.execute("update public.waitlist set status = 'invited' where email like 'second%'")
    assert world.execute(noted).fetchall() == [("waitlist_status", "invited", None)]
