"""The remote procedures (§7.38): what they answer to whom."""

import psycopg
import pytest

from muster_product.database.policies import act_as
from muster_product.database.policy_world import PARAMETERS, member_id

ACTORS = ("stranger", "asked", "other", "owner", "admin", "service")


def call(connection: psycopg.Connection, actor: str, expression: str, **arguments: object) -> object:
    """The value of an expression for an actor; undone afterwards."""
    with connection.transaction(force_rollback=True):
        act_as(connection, actor)
        row = connection.execute(f"select {expression}", {**PARAMETERS, **arguments}).fetchone()
    assert row is not None
    return row[0]


def test_is_admin_tells_members_of_themselves_only(world: psycopg.Connection) -> None:
    """§6.4 §7.39 §6.7: admins and the service may ask about everyone, members about themselves only."""
    got = {actor: call(world, actor, "public.is_admin(%(admin)s)") for actor in ACTORS}
    assert got == {actor: actor in ("admin", "service") for actor in ACTORS}
    world.execute("insert into private.admins (user_id) values (%(other)s)", PARAMETERS)
    assert call(world, "other", "public.is_admin(%(other)s)") is True
    assert call(world, "owner", "public.is_admin(%(other)s)") is False
    assert call(world, "admin", "public.is_admin(%(owner)s)") is False
    assert call(world, "owner", "public.is_admin(null)") is False


@pytest.mark.parametrize(
    "expression",
    [
        "public.is_admin(%(admin)s)",
        "public.are_users_connected(%(owner)s, %(other)s)",
        "public.reset_daily_message_limits()",
        "public.search_profiles('owner')",
        "public.connections_of(%(owner)s)",
        "public.connection_count(%(owner)s)",
        "public.people_you_may_know()",
        "public.shared_connections(array[%(owner)s]::uuid[])",
        "public.set_admin(%(owner)s, true)",
        "public.admin_stats()",
    ],
)
def test_visitors_call_nothing(world: psycopg.Connection, expression: str) -> None:
    """§6.1: visitors may call no procedure."""
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        call(world, "visitor", expression)


CONNECTED = [
    # (of whom, what each actor is told)
    ("owner", "other", {"owner": True, "other": True, "stranger": False, "asked": False, "admin": False}),
    ("other", "owner", {"owner": True, "other": True, "stranger": False, "asked": False, "admin": False}),
    ("owner", "asked", {"owner": False, "asked": False, "stranger": False}),
    ("owner", "owner", {"owner": False}),
]


@pytest.mark.parametrize(("one", "two", "want"), CONNECTED, ids=lambda value: value if isinstance(value, str) else "")
def test_are_users_connected(world: psycopg.Connection, one: str, two: str, want: dict[str, bool]) -> None:
    """§7.40: true for either member, in either order; for others the answer is false."""
    got = {
        actor: call(
            world, actor, "public.are_users_connected(%(one)s, %(two)s)", one=member_id(one), two=member_id(two)
        )
        for actor in want
    }
    assert got == want


def test_service_may_ask_of_any_two(world: psycopg.Connection) -> None:
    """§7.40: the function service sees all connections."""
    assert call(world, "service", "public.are_users_connected(%(owner)s, %(other)s)") is True


def names(connection: psycopg.Connection, actor: str, term: str) -> list[str]:
    """The members that an actor finds, in order."""
    found = call(connection, actor, "array(select full_name from public.search_profiles(%(term)s))", term=term)
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize(
    ("term", "want"),
    [
        pytest.param("ASK", ["Asked"], id="partial-any-case"),
        pytest.param("  sked ", ["Asked"], id="trimmed"),
        pytest.param("other@members", ["Other"], id="e-mail"),
        pytest.param("zz stranger", ["Stranger"], id="any-word"),
        pytest.param("as st", ["Asked", "Stranger"], id="two-words"),
        pytest.param("a", [], id="too-short"),
        pytest.param(" a ", [], id="too-short-trimmed"),
        pytest.param("owner", [], id="never-oneself"),
        pytest.param("hidden", [], id="hidden"),
        pytest.param("guarded", ["Guarded"], id="guarded-connection"),
        pytest.param("%%", [], id="wildcards-are-letters"),
        pytest.param("__", [], id="underscores-are-letters"),
        pytest.param("\\", [], id="backslash"),
        pytest.param("o' or '1'='1", [], id="quotes"),
    ],
)
def test_people_search(world: psycopg.Connection, term: str, want: list[str]) -> None:
    """§5.14 §5.16 §5.17 §7.10: by part of name or e-mail or any word, by name, without oneself."""
    assert names(world, "owner", term) == want


def test_people_search_puts_the_best_match_first(world: psycopg.Connection) -> None:
    """§7.10: a full name finds its bearer among any number of members of the same first name."""
    world.execute(
        "insert into auth.users (id, email, raw_user_meta_data)"
        " select gen_random_uuid(), 'finn' || n || '@members.test', jsonb_build_object('full_name', name)"
        " from (select n, 'Finn A' || n from generate_series(1, 30) as s (n)"
        "   union all values (31, 'Finn Zimmer-Oda'), (32, 'Oda Finn Zimmer'), (33, 'Finn Zimmer')) as m (n, name)"
    )
    assert names(world, "owner", "finn zimmer")[:4] == ["Finn Zimmer", "Finn Zimmer-Oda", "Oda Finn Zimmer", "Finn A1"]
    assert names(world, "owner", "zimmer finn")[:3] == ["Finn Zimmer", "Finn Zimmer-Oda", "Oda Finn Zimmer"]
    assert names(world, "owner", "fi zimmer finn")[0] == "Finn Zimmer"


def test_people_search_is_bounded(world: psycopg.Connection) -> None:
    """§9.5 §7.10: twenty at most, fifty if asked."""
    world.execute(
        "insert into auth.users (id, email, raw_user_meta_data)"
        " select gen_random_uuid(), 'many' || n || '@members.test', jsonb_build_object('full_name', 'Many ' || n)"
        " from generate_series(1, 60) as s (n)"
    )
    assert call(world, "owner", "(select count(*) from public.search_profiles('many'))") == 20
    assert call(world, "owner", "(select count(*) from public.search_profiles('many', 1000))") == 50


def test_only_admins_name_admins(world: psycopg.Connection) -> None:
    """§6.3: members cannot become admins; an admin grants the role to others and cannot give up their own."""
    for actor in ("stranger", "owner"):
        with pytest.raises(psycopg.Error, match="Only admins can do this") as refused:
            call(world, actor, "public.set_admin(%(owner)s, true)")
        assert refused.value.sqlstate == "PT403"
    with pytest.raises(psycopg.Error, match="You cannot remove your own admin role"):
        call(world, "admin", "public.set_admin(%(admin)s, false)")
    with world.transaction():
        act_as(world, "admin")
        world.execute("select public.set_admin(%(owner)s, true)", PARAMETERS)
    assert call(world, "owner", "public.is_admin(%(owner)s)") is True
    with world.transaction():
        act_as(world, "admin")
        world.execute("select public.set_admin(%(owner)s, false)", PARAMETERS)
    assert call(world, "owner", "public.is_admin(%(owner)s)") is False


def test_no_helper_is_called_by_a_visitor_or_everyone(world: psycopg.Connection) -> None:
    """No function in public or private is executable by PostgreSQL's default."""
    open_to_all = world.execute(
        "select p.oid::regprocedure::text from pg_proc as p"
        " where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)"
        " and exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) as a where a.grantee = 0)"
    ).fetchall()
    assert open_to_all == []
    visitors = world.execute(
        "select p.oid::regprocedure::text from pg_proc as p"
        " where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)"
        " and has_function_privilege('anon', p.oid, 'execute') order by 1"
    ).fetchall()
    assert [name for (name,) in visitors] == [
        "appeal(uuid,text)",
        "article_topics()",
        "decision(uuid)",
        "invitation_status(text)",
        "private.appeal(uuid,text)",
        "private.caller_is_admin()",
        "private.decision(uuid)",
        "private.invitation_status(text)",
        "private.is_json(text)",
        "private.request_invitation(text)",
        "private.requested_waitlist_email()",
        "private.search_posts(text,text,boolean,real,timestamp with time zone,uuid,integer)",
        "private.security_event(text)",
        "private.undo_security_event(text)",
        "private.verify_record(text,jsonb)",
        "related_articles(uuid)",
        "request_invitation(text)",
        "search_articles(text)",
        "security_event(text)",
        "undo_security_event(text)",
        "verify_record(text,jsonb)",
    ]
