"""Members delete their accounts: only after a recent sign-in, never the last admin; and what happens to the data."""

import json
import time
from collections.abc import Mapping

import psycopg
import pytest

from muster_product.database.policy_world import PARAMETERS

# Times of a proof are seconds from the moment when it is given: tests may run long after they were collected.
NOW = 0
FRESH = [{"method": "password", "timestamp": NOW}]


def given_now(amr: object) -> object:
    """The proof as a token has it, with times since 1970."""
    if isinstance(amr, list):
        return [given_now(entry) for entry in amr]
    if isinstance(amr, dict) and isinstance(amr.get("timestamp"), int):
        return {**amr, "timestamp": int(time.time()) + amr["timestamp"]}
    return amr


def delete_as(connection: psycopg.Connection, actor: str, amr: object = FRESH) -> None:
    """What the procedure does when this member calls it with this proof in the token."""
    claims: Mapping[str, object] = {"role": "authenticated", "sub": str(PARAMETERS[actor])}
    with connection.transaction():
        connection.execute(
            "select set_config('role', 'authenticated', true), set_config('request.jwt.claims', %s, true)",
            (json.dumps({**claims, **({} if amr is None else {"amr": given_now(amr)})}),),
        )
        connection.execute("select public.delete_own_account()")
        connection.execute("reset role")


def refusal(connection: psycopg.Connection, actor: str, amr: object = FRESH) -> tuple[str | None, str | None]:
    """SQLSTATE and message of an error."""
    with pytest.raises(psycopg.Error) as refused:
        delete_as(connection, actor, amr)
    return refused.value.sqlstate, refused.value.diag.message_primary


def count(connection: psycopg.Connection, query: str) -> int:
    """The one number that a query returns."""
    row = connection.execute(f"select count(*) from {query}", PARAMETERS).fetchone()
    assert row is not None
    return int(row[0])


STALE = [
    pytest.param(None, id="no-proof"),
    pytest.param([], id="empty"),
    pytest.param([{"method": "password", "timestamp": NOW - 700}], id="ten-minutes-ago"),
    pytest.param([{"method": "password", "timestamp": NOW + 3600}], id="from-the-future"),
    pytest.param([{"method": "anonymous", "timestamp": NOW}], id="anonymous"),
    pytest.param([{"method": "token_refresh", "timestamp": NOW}], id="renewed-is-not-proved"),
    pytest.param([{"method": "password", "timestamp": "now"}], id="text"),
    pytest.param([{"method": "password"}], id="no-time"),
    pytest.param(["password"], id="old-shape"),
    pytest.param({"method": "password", "timestamp": NOW}, id="no-list"),
    pytest.param("password", id="word"),
]


@pytest.mark.parametrize("amr", STALE)
def test_an_old_or_strange_proof_is_refused(world: psycopg.Connection, amr: object) -> None:
    """Without a sign-in in the last ten minutes it is refused, and the account stays."""
    assert refusal(world, "owner", amr) == ("PT403", "Sign in again to delete your account")
    assert count(world, "auth.users where id = %(owner)s") == 1


def test_the_newest_proof_counts(world: psycopg.Connection) -> None:
    """An old sign-in with a recent second factor is accepted."""
    delete_as(world, "owner", [{"method": "password", "timestamp": NOW - 9_000}, {"method": "totp", "timestamp": NOW}])
    assert count(world, "auth.users where id = %(owner)s") == 0


def test_visitors_and_services_have_no_account_to_delete(world: psycopg.Connection) -> None:
    """Only members may call it; a token without a subject belongs to none."""
    for role in ("anon", "service_role"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege), world.transaction():
            world.execute("select set_config('role', %s, true)", (role,))
            world.execute("select public.delete_own_account()")
    with pytest.raises(psycopg.Error, match="Only members can do this"), world.transaction():
        world.execute(
            "select set_config('role', 'authenticated', true),"
            " set_config('request.jwt.claims', '{\"role\": \"authenticated\"}', true)"
        )
        world.execute("select public.delete_own_account()")


def test_what_is_the_members_goes_and_what_others_answered_stays(world: psycopg.Connection) -> None:
    """§1.4: profile, connections and messages are deleted; the post stays without a name; others lose nothing."""
    world.execute(
        "update public.waitlist set email = 'owner@members.test' where quiz_response_id = %(quiz)s",
        PARAMETERS,
    )
    world.execute(
        "insert into functions.mail_queue (kind, recipient, subject, text_body, html_body)"
        " values ('message', 'Owner@members.test', 's', 't', 'h'), ('message', 'other@members.test', 's', 't', 'h')"
    )
    others_before = count(world, "public.profiles where id <> %(owner)s")
    posts_before = count(world, "public.posts")
    comments_before = count(world, "public.comments")
    waiting_before = count(world, "public.waitlist where email <> 'owner@members.test'")
    delete_as(world, "owner")
    for gone in (
        "auth.users where id = %(owner)s",
        "public.profiles where id = %(owner)s",
        "public.connections where %(owner)s in (user_id, connected_user_id)",
        "public.messages where %(owner)s in (sender_id, recipient_id)",
        "public.notifications where %(owner)s in (user_id, actor_id)",
        "public.mentions where %(owner)s in (mentioned_user_id, mentioned_by_id)",
        "public.reactions where user_id = %(owner)s",
        "public.posts where user_id = %(owner)s",
        "public.comments where user_id = %(owner)s",
        "public.waitlist where email = 'owner@members.test'",
        "public.quiz_responses where id = %(quiz)s",
        "functions.mail_queue where recipient = 'Owner@members.test'",
    ):
        assert count(world, gone) == 0, gone
    assert count(world, "public.posts where id = %(post)s and user_id is null") == 1
    assert count(world, "public.posts") == posts_before
    assert count(world, "public.comments") == comments_before
    assert count(world, "public.profiles") == others_before
    assert count(world, "public.waitlist") == waiting_before
    assert count(world, "functions.mail_queue where recipient = 'other@members.test'") == 1
    row = world.execute(
        "select action, actor_id, member_id, member_email from public.admin_audit_log where action = 'deleted'"
    )
    assert row.fetchall() == [("deleted", PARAMETERS["owner"], PARAMETERS["owner"], "owner@members.test")]


LAST = "You are the last admin. Make someone else an admin first."


def test_the_last_admin_stays(world: psycopg.Connection) -> None:
    """§6.3: there is always an admin who can sign in; with another one, the first may leave."""
    assert refusal(world, "admin") == ("PT403", LAST)
    world.execute("insert into private.admins (user_id) values (%(other)s)", PARAMETERS)
    world.execute("update auth.users set banned_until = now() + interval '1 year' where id = %(other)s", PARAMETERS)
    assert refusal(world, "admin") == ("PT403", LAST)
    world.execute("update auth.users set banned_until = null where id = %(other)s", PARAMETERS)
    delete_as(world, "admin")
    assert count(world, "private.admins") == 1
