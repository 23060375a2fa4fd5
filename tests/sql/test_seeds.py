"""The demo community loads repeatedly and is plausible; the scale seed is deterministic and consistent."""

import re
from collections.abc import Callable
from dataclasses import replace

import psycopg
import pytest

from muster_product.database.scale import Scale, seed_scale
from muster_product.database.seed import SEEDS, load_seed
from tests.support.postgres import Database

TABLES = (
    "profiles", "connections", "messages", "notifications", "mentions", "posts", "comments", "reactions", "feedback",
    "waitlist", "quiz_responses", "certifications", "awards", "career_milestones", "projects",
)  # fmt: skip


def counts(connection: psycopg.Connection) -> dict[str, int]:
    """How many rows each table has."""
    found = {}
    for table in TABLES:
        row = connection.execute(f"select count(*) from {table}").fetchone()
        assert row is not None
        found[table] = row[0]
    return found


def values(connection: psycopg.Connection, query: str) -> set[object]:
    """The distinct first column of a query."""
    return {row[0] for row in connection.execute(query).fetchall()}


@pytest.fixture(scope="module")
def demo(module_database: Database) -> Database:
    """A database with the demo community, loaded twice."""
    with psycopg.connect(module_database.dsn("supabase_admin"), autocommit=True) as connection:
        load_seed(connection, "dev", "first password")
        once = counts(connection)
        load_seed(connection, "dev", "second password")
        assert counts(connection) == once
    return module_database


def test_everyone_can_sign_in_with_the_last_password(demo: Database) -> None:
    """Accounts are as Auth writes them, with the password of the last load."""
    with psycopg.connect(demo.dsn("supabase_admin")) as connection:
        odd = connection.execute(
            # Most accounts have the same hash, which takes 60 ms to check.
            "with hashed as materialized (select h.stored, extensions.crypt('second password', h.stored) as made"
            "   from (select distinct encrypted_password as stored from auth.users) as h)"
            " select u.email from auth.users as u left join auth.identities as i on i.user_id = u.id"
            " left join hashed as h on h.stored = u.encrypted_password"
            " where h.made is distinct from u.encrypted_password"
            " or u.email_confirmed_at is null or u.aud <> 'authenticated' or u.role <> 'authenticated'"
            " or u.instance_id <> '00000000-0000-0000-0000-000000000000' or u.confirmation_token <> ''"
            " or u.recovery_token <> '' or u.email_change <> '' or u.email_change_token_new <> ''"
            " or i.provider <> 'email' or i.provider_id <> u.id::text"
        ).fetchall()
        assert odd == []
        accounts = values(connection, "select email from auth.users")
    assert {"chief@muster.test", "dana@muster.test"} <= accounts
    assert len(accounts) >= 40


def test_demo_password_must_be_given(database: Database) -> None:
    """There is no default password: without one the seed fails and writes nothing."""
    with psycopg.connect(database.dsn("supabase_admin"), autocommit=True) as connection:
        with pytest.raises(psycopg.Error, match="muster.demo_password"), connection.transaction():
            connection.execute((SEEDS / "dev" / "010_members.sql").read_bytes())
        assert counts(connection)["profiles"] == 0


def test_demo_has_everything_in_every_state(demo: Database) -> None:
    """§3.20 §3.22 §3.38 §3.39 §3.2: each state and kind occurs."""
    with psycopg.connect(demo.dsn("supabase_admin")) as connection:
        assert values(connection, "select status from connections") == {"pending", "accepted", "declined"}
        assert values(connection, "select kind from posts") == {"lesson", "training", "project", "question", "general"}
        assert values(connection, "select status from waitlist") == {"waitlist", "pending", "invited", "active"}
        assert values(connection, "select status from feedback") == {"pending", "reviewed", "resolved", "dismissed"}
        assert values(connection, "select firefighter_type from profiles") == {
            "Career", "Volunteer", "Combination", "Wildland", "Industrial", "Military", "Retired",
        }  # fmt: skip
        assert {"mention", "reaction", "connection", "message", "comment", "system"} <= values(
            connection, "select type from notifications"
        )
        assert values(connection, "select seen from notifications") == {True, False}
        assert values(connection, "select read from messages") == {True, False}
        for table in TABLES:
            assert counts(connection)[table] > 0, table
        articles = connection.execute(
            "select count(*), min(length(content)) from posts where is_blog_post and is_public_blog"
        ).fetchone()
        assert articles is not None
        assert (articles[0], articles[1] > 1000) == (8, True)


def test_demo_is_nobody_real_and_no_filler() -> None:
    """Addresses are of reserved names; no text is lorem ipsum; no password or hash is in the files."""
    for path in sorted((SEEDS / "dev").glob("*.sql")):
        text = path.read_text("utf8")
        for address in re.findall(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", text):
            assert address.endswith((".test", ".example")), f"{path.name}: {address}"
        for host in re.findall(r"https?://([\w.-]+)", text):
            assert host.endswith(("example.org", ".example", ".test")), f"{path.name}: {host}"
        assert "lorem" not in text.lower()
        assert not re.search(r"\$2[aby]\$", text)


def test_demo_admin_is_an_admin_and_dana_is_not(demo: Database) -> None:
    """§6.3 §6.4: chief@ is an admin, dana@ is a member."""
    with psycopg.connect(demo.dsn("supabase_admin")) as connection:
        admins = values(connection, "select u.email from private.admins join auth.users as u on u.id = user_id")
    assert admins == {"chief@muster.test"}


def test_demo_counters_are_right(demo: Database) -> None:
    """The counters of posts agree with what they count."""
    with psycopg.connect(demo.dsn("supabase_admin")) as connection:
        assert wrong_counters(connection) == 0


def wrong_counters(connection: psycopg.Connection) -> int:
    """How many posts have a counter that does not agree with their comments or reactions."""
    row = connection.execute(
        "select count(*) from posts as p"
        " where public.comment_count(p) <> (select count(*) from comments where post_id = p.id)"
        " or public.reaction_count(p) <> (select count(*) from reactions where post_id = p.id)"
    ).fetchone()
    assert row is not None
    return int(row[0])


# -- the scale seed ---------------------------------------------------------------------------------------------------

SMALL = Scale(members=150, posts=1000, messages=3000, seed=7)
_CHECKSUM = """
select md5(string_agg(m.id::text || m.sender_id || m.recipient_id || m.content, ',' order by m.id)) from messages as m
union all select md5(string_agg(p.id::text || p.user_id || p.kind || p.content, ',' order by p.id)) from posts as p
union all select md5(string_agg(p.id::text || p.full_name || p.department, ',' order by p.id)) from profiles as p
union all select md5(string_agg(c.id::text || c.status, ',' order by c.id)) from connections as c
"""


def checksums(database: Database) -> list[str]:
    """A checksum that the same seed must reproduce."""
    with psycopg.connect(database.dsn("supabase_admin")) as connection:
        return [row[0] for row in connection.execute(_CHECKSUM).fetchall()]


@pytest.mark.slow
def test_scale_seed_is_deterministic(new_database: Callable[[], Database]) -> None:
    """The same arguments give the same community and add nothing a second time; another seed differs."""
    scale = Scale(members=60, posts=200, messages=600, seed=7)
    one, two, other = new_database(), new_database(), new_database()
    steps: list[tuple[str, int, int]] = []
    written = seed_scale(one.dsn("supabase_admin"), scale, lambda *step: steps.append(step))
    seed_scale(two.dsn("supabase_admin"), scale, lambda *_: None)
    assert checksums(one) == checksums(two)
    again = seed_scale(one.dsn("supabase_admin"), scale, lambda *_: None)
    assert set(again.values()) == {0}
    seed_scale(other.dsn("supabase_admin"), replace(scale, seed=8), lambda *_: None)
    assert not set(checksums(one)) & set(checksums(other))

    assert written["members"] == 60
    assert written["posts"] == 200
    assert 500 < written["messages"] <= 600
    for what, total in scale.rows().items():
        if total:
            assert (what, total, total) in steps
    assert steps[-1] == ("statistics", 1, 1)


@pytest.mark.slow
def test_scale_seed_leaves_data_right(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """It runs without triggers and foreign keys: every reference, counter and index is right afterwards."""
    with psycopg.connect(database.dsn("supabase_admin"), autocommit=True) as connection:
        indexes = values(connection, "select indexdef from pg_indexes where schemaname = 'public'")
        monkeypatch.setattr("muster_product.database.scale.WORTH_LEAVING_OUT", 1)
        connection.execute("insert into private.daily_stats values ('2026-01-05', 1, 1, 1, 1, 1)")
        steps: list[str] = []
        seed_scale(database.dsn("supabase_admin"), SMALL, lambda what, *_: steps.append(what))
        assert steps.count("indexes") > 10
        assert values(connection, "select indexdef from pg_indexes where schemaname = 'public'") == indexes
        for (check,) in connection.execute(
            "select format('select count(*) from %s as t where %s is not null and not exists (select from %s as r"
            " where r.%I = t.%I)', k.conrelid::regclass, quote_ident(a.attname), k.confrelid::regclass, b.attname,"
            " a.attname) from pg_constraint as k"
            " inner join pg_attribute as a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]"
            " inner join pg_attribute as b on b.attrelid = k.confrelid and b.attnum = k.confkey[1]"
            " where k.contype = 'f' and k.connamespace = 'public'::regnamespace and cardinality(k.conkey) = 1"
        ).fetchall():
            assert connection.execute(check).fetchone() == (0,), check
        assert wrong_counters(connection) == 0
        # Days that were counted before have to be counted again; conversations know every message.
        assert values(connection, "select day from private.daily_stats") == set()
        kept = "select (member_id, partner_id, last_message_id)::text from private.conversations"
        found = values(connection, kept)
        connection.execute("select private.rebuild_conversations()")
        assert len(found) > 100
        assert values(connection, kept) == found


@pytest.mark.parametrize("wrong", [(9, 1, 1), (100, -1, 1), (100, 1, -1)])
def test_scale_refuses_nonsense(wrong: tuple[int, int, int]) -> None:
    """Too few members to write to each other, or negative numbers."""
    with pytest.raises(ValueError, match="at least 10 members"):
        Scale(*wrong)
