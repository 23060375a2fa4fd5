"""Blocking and muting (§13.3, §13.4): no way is left between two members, and no guard can be loosened unnoticed.

A guard is a place in a policy or a function that asks for blocks. Each is loosened in turn, in a transaction that is
rolled back, and one of the ways of tests/support/blocking.py must then lead to the other member again.
"""

import json
import re
from collections.abc import Iterator

import psycopg
import pytest
from psycopg import sql

from tests.support.blocking import MEMBERS, OTHER, WAYS, Way, make_block_world, parameters_of

BLOCK = "insert into public.blocks (blocker_id, blocked_id) values (%(ada)s, %(ben)s)"


@pytest.fixture(scope="module")
def pair(superuser: psycopg.Connection) -> psycopg.Connection:
    """Ada and ben, without a block, once for the module: every test undoes what it did."""
    make_block_world(superuser)
    return superuser


def be(connection: psycopg.Connection, name: str, role: str = "authenticated") -> None:
    """Act as a member, until the savepoint ends."""
    claims = json.dumps({"role": "authenticated", "sub": str(MEMBERS[name])})
    connection.execute("select set_config('request.jwt.claims', %s, true), set_config('role', %s, true)",
                       (claims, role))  # fmt: skip


def outcome(connection: psycopg.Connection, way: Way, me: str) -> str:
    """What a way gives a member: a number of rows, or an SQLSTATE; rolled back."""
    try:
        with connection.transaction(force_rollback=True):
            if way.before:
                connection.execute(way.before, parameters_of(me))
            be(connection, me, way.role)
            return str(connection.execute(way.statement, parameters_of(me)).rowcount)
    except psycopg.Error as error:
        return error.sqlstate or "?"


def open_ways(connection: psycopg.Connection, near: str) -> Iterator[str]:
    """The ways that are not as a block wants them; first those whose statement has `near`, the likely ones."""
    for way in sorted(WAYS, key=lambda way: near not in way.statement):
        for me in OTHER:
            if outcome(connection, way, me) != way.blocked:
                yield f"{way.name}, as {me}"


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_a_block_closes_the_way_for_both(pair: psycopg.Connection, way: Way) -> None:
    """§13.3: neither sees, finds, messages, mentions, connects with or notifies the other."""
    assert {me: outcome(pair, way, me) for me in OTHER} == dict.fromkeys(OTHER, way.free)
    with pair.transaction(force_rollback=True):
        pair.execute(BLOCK, MEMBERS)
        assert {me: outcome(pair, way, me) for me in OTHER} == dict.fromkeys(OTHER, way.blocked)


# -- guards -----------------------------------------------------------------------------------------------------------

_POLICIES = """
select p.polname, c.relname, pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid),
  p.polpermissive
from pg_policy as p
inner join pg_class as c on c.oid = p.polrelid
where 'authenticated'::regrole = any(p.polroles)
order by c.relname, p.polname
"""
_FUNCTIONS = """
select p.oid::regprocedure::text, pg_get_functiondef(p.oid)
from pg_proc as p
where p.prokind = 'f' and p.prosrc ~ 'blocked_with_caller|silent_to_caller|blocked_between'
  and p.proname not in ('muted_members', 'silent_to_caller')
order by 1
"""
_LIST_IN_POLICY = re.compile(r"\( ?SELECT private\.(?:blocked_with_caller|silent_to_caller)\(\) AS \w+\)")
_ASKED_IN_FUNCTION = re.compile(
    r"private\.(?:blocked_with_caller|silent_to_caller)\(\)|private\.blocked_between\([^()]*\)"
)


def _loosened_policies(connection: psycopg.Connection) -> Iterator[tuple[str, str, sql.Composed | str]]:
    """Each comparison with the list, compared with an empty one; each condition on another table, left out.

    Given as its name, what the statement of a way over it has, and the statement that loosens it.
    """
    for name, table, using, check, is_permissive in connection.execute(_POLICIES).fetchall():
        on = sql.SQL("alter policy {} on public.{} ").format(sql.Identifier(name), sql.Identifier(table))
        for clause, text in (("using", using), ("with check", check)):
            for at, found in enumerate(_LIST_IN_POLICY.finditer(text or "")):
                loose = text[: found.start()] + "(select '{}'::uuid[])" + text[found.end() :]
                yield f"{name}: list {at}", f"public.{table} ", on + sql.SQL(clause + " (" + loose + ")")
            if is_permissive and re.search(r"FROM (?:posts|comments|profiles) ", text or ""):
                yield f"{name}: {clause} (true)", f"public.{table} ", on + sql.SQL(clause + " (true)")


def _loosened_functions(connection: psycopg.Connection) -> Iterator[tuple[str, str, sql.Composed | str]]:
    for name, definition in connection.execute(_FUNCTIONS).fetchall():
        for at, found in enumerate(_ASKED_IN_FUNCTION.finditer(definition)):
            nothing = "false" if "between" in found[0] else "'{}'::uuid[]"
            called = name[: name.index("(") + 1]
            yield f"{name}: {at}", called, definition[: found.start()] + nothing + definition[found.end() :]


def test_every_loosened_guard_opens_a_way(pair: psycopg.Connection) -> None:
    """§13.3: for every place that asks for blocks, and every policy that inherits one, some way fails without it."""
    unnoticed = []
    with pair.transaction(force_rollback=True):
        pair.execute(BLOCK, MEMBERS)
        guards = [*_loosened_policies(pair), *_loosened_functions(pair)]
        for name, near, statement in guards:
            with pair.transaction(force_rollback=True):
                pair.execute(statement)
                if next(open_ways(pair, near), None) is None:
                    unnoticed.append(name)
    assert unnoticed == []
    assert len(guards) > 30


def test_every_table_of_members_is_a_way(pair: psycopg.Connection) -> None:
    """§13.3: a table with members in its rows that members read is asked for, or named here with the reason."""
    tables = pair.execute(
        "select distinct c.conrelid::regclass::text from pg_constraint as c"
        " where c.contype = 'f' and c.confrelid in ('auth.users'::regclass, 'public.profiles'::regclass)"
        " and c.connamespace = 'public'::regnamespace"
    ).fetchall()
    asked = " ".join(way.statement for way in WAYS)
    # Read by admins only, or by the one member whose rows they are.
    apart = {"feedback", "feedback_answers", "reports", "blocks", "mutes", "calendar_addresses", "issued_records"}
    assert {name for (name,) in tables if f"public.{name} " not in asked} == apart


# -- what a block does ------------------------------------------------------------------------------------------------


def test_block_ends_the_connection_and_tells_nobody(pair: psycopg.Connection) -> None:
    """§13.3: the existing connection ends, no notification is written, and only the blocker can read the block."""
    with pair.transaction(force_rollback=True):
        connect = "insert into public.connections (user_id, connected_user_id, status) values (%(ben)s, %(ada)s, %(s)s)"
        pair.execute(connect, MEMBERS | {"s": "accepted"})
        told = pair.execute("select count(*) from public.notifications").fetchone()
        be(pair, "ada")
        pair.execute("insert into public.blocks (blocked_id) values (%(ben)s)", MEMBERS)
        assert pair.execute("select full_name from public.blocked_members()").fetchall() == [("Ben Tester",)]
        be(pair, "ben")
        assert pair.execute("select from public.blocks").rowcount == 0
        assert pair.execute("select from public.blocked_members()").rowcount == 0
        pair.execute("reset role")
        between = "select from public.connections where %(ada)s in (user_id, connected_user_id)"
        assert pair.execute(between + " and %(ben)s in (user_id, connected_user_id)", MEMBERS).rowcount == 0
        assert pair.execute("select count(*) from public.notifications").fetchone() == told


def test_the_blocked_gets_the_answers_of_hidden_members(pair: psycopg.Connection) -> None:
    """§13.3: no refusal names a block, also not by the name of a policy."""
    refusals = []
    with pair.transaction(force_rollback=True):
        pair.execute(BLOCK, MEMBERS)
        for way in WAYS:
            if way.blocked != "0" and not way.blocked.isdigit() or way.blocked == "42501":
                with pytest.raises(psycopg.Error) as refused, pair.transaction():
                    if way.before:
                        pair.execute(way.before, parameters_of("ben"))
                    be(pair, "ben", way.role)
                    pair.execute(way.statement, parameters_of("ben"))
                refusals.append(str(refused.value))
    assert len(refusals) >= 8
    assert [told for told in refusals if "block" in told.lower()] == []


def test_lifting_a_block_restores_what_was_hidden(pair: psycopg.Connection) -> None:
    """§13.3: the member lifts the block; messages and comments are there again, the connection is not."""
    with pair.transaction(force_rollback=True):
        be(pair, "ada")
        pair.execute("insert into public.blocks (blocked_id) values (%(ben)s)", MEMBERS)
        be(pair, "ben")
        assert pair.execute("delete from public.blocks").rowcount == 0
        be(pair, "ada")
        assert pair.execute("delete from public.blocks where blocked_id = %(ben)s", MEMBERS).rowcount == 1
        pair.execute("reset role")
        assert [way.name for way in WAYS if outcome(pair, way, "ben") != way.free] == []


def test_announcements_and_articles_are_the_houses_words(pair: psycopg.Connection) -> None:
    """§13.3: an admin whom a member blocks still announces; the admin's profile is hidden."""
    with pair.transaction(force_rollback=True):
        pair.execute("update public.posts set is_command_post = true where user_id = %(ben)s", MEMBERS)
        pair.execute(BLOCK, MEMBERS)
        be(pair, "ada")
        assert pair.execute("select from public.posts where user_id = %(ben)s", MEMBERS).rowcount == 1
        assert pair.execute("select from public.profiles where id = %(ben)s", MEMBERS).rowcount == 0


def test_blocks_and_mutes_are_bounded(pair: psycopg.Connection) -> None:
    """§13.3 §13.4: at most 1000 of each; nobody blocks or mutes themselves."""
    for table, owner, other in (("blocks", "blocker_id", "blocked_id"), ("mutes", "member_id", "muted_id")):
        with pair.transaction(force_rollback=True):
            pair.execute("set local session_replication_role = replica")
            many = "insert into public.{} ({}, {}) select %(ada)s, gen_random_uuid() from generate_series(1, 1000)"
            pair.execute(sql.SQL(many).format(*map(sql.Identifier, (table, owner, other))), MEMBERS)
            pair.execute("set local session_replication_role = origin")
            be(pair, "ada")
            into = sql.SQL("insert into public.{} ({}) values (%s)").format(*map(sql.Identifier, (table, other)))
            with pytest.raises(psycopg.Error, match="at most 1,000 members"), pair.transaction():
                pair.execute(into, (MEMBERS["ben"],))
            with pytest.raises(psycopg.errors.CheckViolation), pair.transaction():
                pair.execute(into, (MEMBERS["ada"],))


# -- muting -----------------------------------------------------------------------------------------------------------

MUTE = "insert into public.mutes (member_id, muted_id) values (%(ada)s, %(ben)s)"


def test_muted_member_does_not_notice(pair: psycopg.Connection) -> None:
    """§13.4: their posts and notifications do not reach me; nothing is different for them."""
    with pair.transaction(force_rollback=True):
        pair.execute(MUTE, MEMBERS)
        assert {way.name for way in WAYS if outcome(pair, way, "ada") == way.blocked} == {
            "posts", "notifications", "comments of others on their post", "reactions of others to their post",
            "mentions on their post", "comments", "reacts to a post", "search of posts",
            "search of posts, newest first", "page of found posts", "page of found posts, newest first",
            "number of found posts", "tags of their posts", "pictures of their post",
            "a saved post of theirs", "saves their post", "use of their lesson", "a push of their notification",
        }  # fmt: skip
        assert [way.name for way in WAYS if outcome(pair, way, "ben") != way.free] == []
        be(pair, "ben")
        assert pair.execute("select from public.mutes").rowcount == 0


def test_muted_member_sends_no_mail(pair: psycopg.Connection) -> None:
    """§13.4: a mail of the muted member is not wanted; the other direction is untouched."""
    wanted = "select is_wanted from functions.accept_mail('message', %s)"
    with pair.transaction(force_rollback=True):
        pair.execute(
            "update public.profiles set notification_settings ="
            " jsonb_set(notification_settings, '{preferences,messages,email_enabled}', 'true')"
        )
        be(pair, "ben", "postgres")
        assert pair.execute(wanted, ("ada@block.test",)).fetchone() == (True,)
        pair.execute("reset role")
        pair.execute(MUTE, MEMBERS)
        be(pair, "ben", "postgres")
        assert pair.execute(wanted, ("ada@block.test",)).fetchone() == (False,)
        be(pair, "ada", "postgres")
        assert pair.execute(wanted, ("ben@block.test",)).fetchone() == (True,)


def test_list_of_mutes_is_the_members_own(pair: psycopg.Connection) -> None:
    """§13.4: settings list the muted members; a block hides them there, as it says more."""
    with pair.transaction(force_rollback=True):
        be(pair, "ada")
        pair.execute("insert into public.mutes (muted_id) values (%(ben)s)", MEMBERS)
        assert pair.execute("select full_name from public.muted_members()").fetchall() == [("Ben Tester",)]
        pair.execute("insert into public.blocks (blocked_id) values (%(ben)s)", MEMBERS)
        assert pair.execute("select from public.muted_members()").rowcount == 0
