"""Concurrent actions of two admins, on two connections: the second waits for the first."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import psycopg
import pytest

from muster_product.database.policies import act_as, make_world
from muster_product.database.policy_world import PARAMETERS
from tests.support.postgres import Database
from tests.support.stack import wait_until

NEW = (
    "insert into public.posts (content, title, slug, kind, is_blog_post)"
    " values ('Words', 'Twice', 'twice', 'lesson', true) returning slug"
)
INVITE = (
    "update public.waitlist set status = 'invited'"
    " where email = 'ann@waits.test' and status in ('waitlist', 'pending') returning email"
)
EDIT = "update public.posts set content = %(words)s where id = %(draft)s and updated_at = %(seen)s returning content"


@dataclass(frozen=True)
class Act:
    """A statement, and the member of the world who makes it."""

    actor: str
    statement: str
    words: str = ""


def revoke(actor: str, whom: str) -> Act:
    """Take the admin role."""
    return Act(actor, f"select public.set_admin(%({whom})s, false)")


@pytest.fixture
def admins(database: Database) -> Iterator[psycopg.Connection]:
    """A superuser's connection to a committed world with two admins: `admin` and `other`."""
    with psycopg.connect(database.dsn("supabase_admin"), autocommit=True) as connection:
        with connection.transaction():
            make_world(connection)
            connection.execute("reset role")
            connection.execute("insert into private.admins (user_id) values (%(other)s)", PARAMETERS)
            connection.execute("insert into public.waitlist (email) values ('ann@waits.test')")
        yield connection


def run(connection: psycopg.Connection, act: Act, seen: object) -> list[tuple[object, ...]] | tuple[str | None, str]:
    """The rows that an action returns, or SQLSTATE and message of its error."""
    try:
        act_as(connection, act.actor)
        return connection.execute(act.statement, {**PARAMETERS, "words": act.words, "seen": seen}).fetchall()
    except psycopg.Error as refusal:
        return refusal.sqlstate, str(refusal.diag.message_primary)


def at_once(
    database: Database, admins: psycopg.Connection, first: Act, second: Act
) -> list[tuple[object, ...]] | tuple[str | None, str]:
    """The result of the second action when it begins before the first one commits."""
    row = admins.execute("select updated_at from public.posts where id = %(draft)s", PARAMETERS).fetchone()
    assert row is not None
    with (
        psycopg.connect(database.dsn("supabase_admin")) as one,
        psycopg.connect(database.dsn("supabase_admin")) as two,
        ThreadPoolExecutor(1) as pool,
    ):
        done = run(one, first, row[0])
        assert isinstance(done, list), done
        later = pool.submit(run, two, second, row[0])
        waits = "select wait_event_type = 'Lock' from pg_stat_activity where pid = %s"
        wait_until(lambda: later.done() or admins.execute(waits, (two.info.backend_pid,)).fetchone() == (True,))
        one.commit()
        outcome = later.result(timeout=20)
        two.commit() if isinstance(outcome, list) else two.rollback()
    return outcome


ACTS = [
    pytest.param(
        revoke("admin", "other"), revoke("other", "admin"), ("PT403", "Only admins can do this"), id="revoke-each-other"
    ),
    pytest.param(
        Act("admin", "select public.set_admin(%(owner)s, true)"),
        Act("other", "select public.suspend_member(%(owner)s, true)"),
        ("PT403", "Remove the admin role first"),
        id="grant-then-suspend",
    ),
    pytest.param(
        Act("admin", "select public.suspend_member(%(owner)s, true)"),
        Act("other", "select public.set_admin(%(owner)s, true)"),
        ("PT403", "A suspended member cannot be an admin"),
        id="suspend-then-grant",
    ),
    pytest.param(
        Act("admin", "select public.set_admin(%(owner)s, true)"),
        Act("other", "select public.delete_member(%(owner)s)"),
        ("PT403", "Remove the admin role first"),
        id="grant-then-delete",
    ),
    pytest.param(
        Act("admin", "select public.delete_member(%(owner)s)"),
        Act("other", "select public.set_admin(%(owner)s, true)"),
        ("PT404", "There is no such member"),
        id="delete-then-grant",
    ),
    pytest.param(
        revoke("admin", "other"),
        Act("other", "select public.suspend_member(%(owner)s, true)"),
        None,
        id="act-while-being-revoked",
    ),
    pytest.param(Act("admin", INVITE), Act("other", INVITE), [], id="invite-the-same-entry"),
    pytest.param(
        Act("admin", NEW),
        Act("other", NEW),
        ("23505", 'duplicate key value violates unique constraint "posts_slug_key"'),
        id="write-to-the-same-address",
    ),
    pytest.param(Act("admin", EDIT, "Mine"), Act("other", EDIT, "Mine as well"), [], id="edit-the-same-version"),
]


@pytest.mark.parametrize(("first", "second", "want"), ACTS)
def test_the_second_of_two_admins_finds_what_the_first_did(
    database: Database, admins: psycopg.Connection, first: Act, second: Act, want: object
) -> None:
    """§6.3 §4.28: never the last admin, never a suspended one; one invitation, one address, one version."""
    outcome = at_once(database, admins, first, second)
    if want is None:  # whichever came first, it is as if one had come after the other
        want = ("PT403", "Only admins can do this")
    assert outcome == want
    left = admins.execute(
        "select count(*) from private.admins as a join auth.users as u on u.id = a.user_id"
        " where u.banned_until is null or u.banned_until < now()"
    ).fetchone()
    assert left is not None
    assert left[0] >= 1
    assert admins.execute(
        "select count(*) from private.admins as a join auth.users as u on u.id = a.user_id where u.banned_until > now()"
    ).fetchone() == (0,)


def test_admins_who_revoke_each_other_again_and_again_leave_one(database: Database, admins: psycopg.Connection) -> None:
    """§6.3: of two admins who revoke each other at the same time one stays an admin."""
    for _ in range(20):
        admins.execute(
            "insert into private.admins (user_id) values (%(admin)s), (%(other)s) on conflict do nothing", PARAMETERS
        )

        def take(act: Act) -> None:
            with psycopg.connect(database.dsn("supabase_admin")) as own:
                if isinstance(run(own, act, None), list):
                    own.commit()

        with ThreadPoolExecutor(2) as pool:
            list(pool.map(take, (revoke("admin", "other"), revoke("other", "admin"))))
        assert admins.execute("select count(*) from private.admins").fetchone() == (1,)
