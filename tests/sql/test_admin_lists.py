"""Member and waitlist search for admins: what is found, in which order, how far it is counted.

And that what is kept beside accounts and quiz answers says what they say.
"""

from typing import Any

import psycopg
import pytest

from muster_product.database.policies import act_as
from muster_product.database.policy_world import PARAMETERS

MOST = 2000  # what a search finds is counted that far


def rows(connection: psycopg.Connection, query: str, **arguments: object) -> list[tuple[Any, ...]]:
    """The rows that an admin gets."""
    with connection.transaction():
        act_as(connection, "admin")
        found = connection.execute(query.encode(), {**PARAMETERS, **arguments}).fetchall()
        connection.execute("reset role")
    return found


def add_members(connection: psycopg.Connection, count: int) -> None:
    """Members called Zed Nobody, one a minute into the past, who signed in one a minute into the past.

    Their profiles are inserted at once: each statement that inserts some takes ten times as long as a profile does. And
    they are not in the directory of members, which takes most of the time to keep, and which no admin searches.
    """
    connection.execute("alter table auth.users disable trigger create_profile")
    connection.execute("alter table profiles disable trigger list_new_member")
    connection.execute(
        "insert into auth.users (id, email, raw_user_meta_data, email_confirmed_at, created_at, last_sign_in_at)"
        " select gen_random_uuid(), 'zed' || n || '@members.test', '{\"full_name\": \"Zed Nobody\"}', now(),"
        "   now(), now() - n * interval '1 minute' from generate_series(1, %s) as s (n)",
        (count,),
    )
    connection.execute(
        "insert into profiles (id, email, full_name, department)"
        " select id, email, 'Zed Nobody', 'Engine ' || substr(email, 4) from auth.users"
        " where email like 'zed%@members.test'"
    )
    # As autovacuum does for rows that are there for a minute; it may just have counted the empty tables.
    connection.execute("analyze auth.users, profiles")


NAMES = [
    pytest.param("o", ["Ann-Marie O'Neil (Young)", "Other", "Owner"], id="one-letter"),
    pytest.param("OW", ["Owner"], id="capitals"),
    pytest.param("ot", ["Other"], id="two-letters"),
    pytest.param(" ot ", ["Other"], id="trimmed"),
    pytest.param("th", [], id="not-inside-a-word"),
    pytest.param("y", ["Ann-Marie O'Neil (Young)"], id="after-a-bracket"),
    pytest.param("ma", ["Ann-Marie O'Neil (Young)"], id="after-a-hyphen"),
    pytest.param("é", ["Étienne"], id="accent"),
    pytest.param("%", [], id="wildcard-is-a-letter"),
    pytest.param("_", [], id="underscore-is-a-letter"),
    pytest.param("\\", [], id="backslash"),
    pytest.param("'", [], id="quote"),
    pytest.param("the", ["Other"], id="three-letters-anywhere"),
    pytest.param("x' or true --", [], id="sql"),
]


@pytest.mark.parametrize(("search", "want"), NAMES)
def test_short_searches_find_beginnings_of_words(world: psycopg.Connection, search: str, want: list[str]) -> None:
    """§2.42: one or two letters match prefixes of words, more match anywhere."""
    for name, said in (("asked", "Ann-Marie O'Neil (Young)"), ("stranger", "Étienne")):
        world.execute("update profiles set full_name = %s where id = %s", (said, PARAMETERS[name]))
    query = "select full_name, total, total_is_more from public.admin_members(%(search)s, sort => 'name',"
    found = rows(world, query + " descending => false)", search=search)
    assert [name for name, *_ in found] == want
    assert {tuple(rest) for _, *rest in found} <= {(len(want), False)}


@pytest.mark.parametrize("sort", ["joined", "name", "email", "department", "last_sign_in"])
@pytest.mark.parametrize("descending", [True, False])
@pytest.mark.parametrize("search", ["zed", "z", "", "nob"])
def test_pages_of_members_follow_each_other(
    world: psycopg.Connection, sort: str, descending: bool, search: str
) -> None:
    """§2.42: in every order, found by a search or not, each member is on one page, in the order of the column."""
    add_members(world, 30)
    pages = [
        rows(
            world,
            "select id, to_jsonb(m) ->> %(column)s, total from public.admin_members("
            "%(search)s, 'all', %(sort)s, %(descending)s, 10, %(place)s) as m",
            column={"joined": "created_at", "name": "full_name", "last_sign_in": "last_sign_in_at"}.get(sort, sort),
            search=search, sort=sort, descending=descending, place=place,
        ) for place in (0, 10, 20, 30)
    ]  # fmt: skip
    found = [row for page in pages for row in page]
    expected = 37 if search == "" else 30
    assert len({member for member, *_ in found}) == len(found) == expected
    assert {total for *_, total in found} == {expected}
    values = [value for _, value, _ in found if value is not None]
    if sort in ("joined", "last_sign_in"):
        assert values == sorted(values, reverse=descending)
    if sort == "last_sign_in" and search == "":
        # Who never signed in did so the longest ago.
        assert (
            [value is None for _, value, _ in found] == [False] * 30 + [True] * 7
            if descending
            else ([True] * 7 + [False] * 30)
        )


def test_what_is_found_is_counted_so_far(world: psycopg.Connection) -> None:
    """§2.42: more than 2,000 are reported as 2,000 and more, in the same order as fewer."""
    add_members(world, MOST)
    searches = ("zed", "z", "engine")
    query = (
        "select email, total, total_is_more"
        " from public.admin_members(%(search)s, sort => 'last_sign_in', page_size => 2)"
    )
    for search in searches:
        assert rows(world, query, search=search) == [(f"zed{n}@members.test", MOST, False) for n in (1, 2)], search
    world.execute("update auth.users set email = 'more@members.test' where id = %(other)s", PARAMETERS)
    world.execute(
        "update profiles set full_name = 'Zed Zedson', department = 'Engine' where id = %(other)s", PARAMETERS
    )
    for search in searches:
        assert rows(world, query, search=search) == [(f"zed{n}@members.test", MOST, True) for n in (1, 2)], search


def add_entries(connection: psycopg.Connection, count: int) -> None:
    """Entries with a quiz response each, one a minute into the past."""
    connection.execute(
        "with answered as (insert into quiz_responses (id, firefighter_type, years_of_service, current_rank)"
        " select md5(n::text)::uuid, case n %% 2 when 0 then 'career' else 'volunteer' end, '1-5', 'Lieutenant ' || n"
        " from generate_series(1, %(n)s) as s (n))"
        " insert into waitlist (email, status, quiz_response_id, created_at)"
        " select 'zed' || n || '@waitlist.test', 'pending', md5(n::text)::uuid, now() - n * interval '1 minute'"
        " from generate_series(1, %(n)s) as s (n)",
        {"n": count},
    )


ENTRIES = [
    pytest.param({"search": "z"}, 40, id="one-letter-of-the-address"),
    pytest.param({"search": "Ze"}, 40, id="two-letters"),
    pytest.param({"search": "ed"}, 0, id="not-inside"),
    pytest.param({"search": "li"}, 0, id="not-the-role"),
    pytest.param({"search": "%"}, 0, id="wildcard-is-a-letter"),
    pytest.param({"search": "_"}, 0, id="underscore-is-a-letter"),
    pytest.param({"search": "lieut"}, 40, id="role"),
    pytest.param({"search": "waitlist.test"}, 42, id="part-of-the-address"),
    pytest.param({"search": "ten"}, 40, id="address-or-role-once"),
    pytest.param({"kind": "career"}, 20, id="type"),
    pytest.param({"kind": "career", "search": "zed", "years": "1-5", "standing": "pending"}, 20, id="all-at-once"),
    pytest.param({"search": "x' or true --"}, 0, id="sql"),
]


@pytest.mark.parametrize("oldest_first", [True, False])
@pytest.mark.parametrize(("arguments", "want"), ENTRIES)
def test_pages_of_the_waitlist_follow_each_other(
    world: psycopg.Connection, arguments: dict[str, str], want: int, oldest_first: bool
) -> None:
    """§2.42 §3.22: each entry that is found is on one page, by date, counted once however it matches."""
    add_entries(world, 40)
    named = "".join(f"{name} => %({name})s, " for name in arguments)
    found = [
        row for place in (0, 20, 40) for row in rows(
            world,
            "select id, created_at, total, total_is_more from public.admin_waitlist("
            f"{named} page_size => 20, page_offset => %(place)s, oldest_first => %(oldest)s)",
            place=place, oldest=oldest_first, **arguments,
        )
    ]  # fmt: skip
    assert len({entry for entry, *_ in found}) == len(found) == want
    assert {tuple(rest) for _, _, *rest in found} <= {(want, False)}
    dates = [row[1] for row in found]
    assert dates == sorted(dates, reverse=not oldest_first)


def test_entries_are_counted_so_far(world: psycopg.Connection) -> None:
    """§2.42: more than 2,000 are reported as 2,000 and more; without a search all are counted."""
    add_entries(world, MOST + 1)
    query = "select email, total, total_is_more from public.admin_waitlist({}, page_size => 2)"
    for arguments in ("search => 'zed'", "search => 'z'", "search => 'lieut'", "years => '1-5'"):
        assert rows(world, query.format(arguments)) == [(f"zed{n}@waitlist.test", MOST, True) for n in (1, 2)], (
            arguments
        )
    assert rows(world, query.format("standing => 'pending'"))[0][1:] == (MOST + 1, False)


ACCOUNT_CHANGES = [
    pytest.param("update auth.users set last_sign_in_at = now()", id="signed-in"),
    pytest.param("update auth.users set banned_until = now() + interval '1 day' where id = %(owner)s", id="suspended"),
    pytest.param("update auth.users set email_confirmed_at = null where id = %(owner)s", id="unconfirmed"),
    pytest.param("delete from auth.users where id = %(owner)s", id="deleted"),
    pytest.param("insert into auth.users (id, email, last_sign_in_at) values (gen_random_uuid(), 'a@b.test', now())",
                 id="new"),
    pytest.param("update auth.users set raw_user_meta_data = '{}'", id="something-else"),
]  # fmt: skip


@pytest.mark.parametrize("change", ACCOUNT_CHANGES)
def test_what_is_kept_of_accounts_is_what_they_say(world: psycopg.Connection, change: str) -> None:
    """§6.3: a change of an account, also by Auth itself, is visible in the admin area at once."""
    world.execute("grant supabase_auth_admin to current_user")
    world.execute("set local role supabase_auth_admin")
    world.execute(change.encode(), PARAMETERS)
    world.execute("reset role")
    both = [
        set(world.execute(query).fetchall()) for query in (
            "select user_id, last_sign_in_at, banned_until, is_confirmed from private.accounts",
            "select id, last_sign_in_at, banned_until, email_confirmed_at is not null from auth.users",
        )
    ]  # fmt: skip
    assert both[0] == both[1]
    world.execute("select private.rebuild_accounts()")
    assert set(world.execute("table private.accounts").fetchall()) == both[0]


ANSWERS = "select question, answer, answers from private.quiz_answers where answers <> 0"
QUIZ_CHANGES = [
    pytest.param("delete from quiz_responses", id="deleted"),
    pytest.param("truncate quiz_responses cascade", id="truncated"),
    pytest.param("update quiz_responses set firefighter_type = 'retired'", id="changed"),
    pytest.param("update quiz_responses set is_waitlist_quiz = false", id="no-longer-of-the-quiz"),
    pytest.param("update quiz_responses set linkedin_missing = null", id="nothing-said"),
    pytest.param("update quiz_responses set linkedin_missing = '[1, {}]'", id="another-shape"),
    pytest.param("update quiz_responses set linkedin_missing = '{\"connection_platforms\": {\"a\": 1}}'", id="no-list"),
    pytest.param("insert into quiz_responses (linkedin_missing)"
                 " select '{\"connection_platforms\": [\"x\", \"y\", \"x\"]}' from generate_series(1, 3)", id="more"),
]  # fmt: skip


@pytest.mark.parametrize("change", QUIZ_CHANGES)
def test_answers_are_counted_as_they_are_given(world: psycopg.Connection, change: str) -> None:
    """§2.41 §3.23: after every change the counts match the responses."""
    world.execute('insert into quiz_responses (linkedin_missing) values (\'{"connection_platforms": ["reddit"]}\')')
    world.execute(change.encode())
    kept = set(world.execute(ANSWERS).fetchall())
    world.execute("select private.rebuild_quiz_answers()")
    assert set(world.execute(ANSWERS).fetchall()) == kept
    (total,) = rows(world, "select answers from public.admin_quiz_stats() where question = 'total'")
    assert total == world.execute("select count(*) from quiz_responses where is_waitlist_quiz").fetchone()


def test_a_hostile_answer_counts_little(world: psycopg.Connection) -> None:
    """§3.23: at most thirty platforms of a response are counted, each truncated to 40 characters."""
    world.execute(
        "insert into quiz_responses (linkedin_missing) select jsonb_build_object('connection_platforms',"
        " jsonb_agg(repeat('x', 60) || n)) from generate_series(1, 200) as s (n)"
    )
    got = rows(world, "select answer, answers from public.admin_quiz_stats() where question = 'platform'")
    assert got == [("x" * 40, 30)]


def test_changes_of_the_lists_are_announced(world: psycopg.Connection) -> None:
    """§2.42: admins alone may join the topic; it names the list, nothing of what is in it, and no sign-in."""
    member = PARAMETERS["owner"]
    world.execute(
        "insert into private.decisions (member_id, act, subject_kind, excerpt, reason)"
        " values (%s, 'remove', 'post', 'Words', 'A reason')", (member,)
    )  # fmt: skip
    for statement, want in (
        ("insert into auth.users (id, email) values (gen_random_uuid(), 'new@members.test')", {"members"}),
        ("update auth.users set last_sign_in_at = now()", set()),
        ("update auth.users set banned_until = now() + interval '1 day' where id = %(member)s", {"members", "audit"}),
        ("update public.profiles set rank = 'Engineer' where id = %(member)s", {"members"}),
        ("update public.profiles set bio = 'Nothing the list shows' where id = %(member)s", set()),
        ("insert into private.admins (user_id) values (%(member)s) on conflict do nothing", {"members", "audit"}),
        ("insert into public.admin_audit_log (action, member_id) values ('restored', %(member)s)", {"audit"}),
        ("update private.decisions set appealed_at = now(), appeal = 'It was a drill'", {"appeals"}),
        ("delete from auth.users where id = %(member)s", {"members", "audit"}),
    ):
        world.execute("delete from realtime.messages")
        world.execute(statement.encode(), {"member": member})
        sent = world.execute("select event, payload - 'id', private from realtime.messages where topic = 'admin'")
        assert set(map(str, sent.fetchall())) == {str((event, {}, True)) for event in want}, statement


@pytest.mark.parametrize(
    ("actor", "topic", "want"), [("admin", "admin", 1), ("admin", "admins", 0), ("owner", "admin", 0)]
)
def test_the_topic_is_for_admins(world: psycopg.Connection, actor: str, topic: str, want: int) -> None:
    """§2.42: the policy on realtime.messages, asked as Realtime asks when a channel is joined."""
    world.execute("delete from realtime.messages")
    world.execute("insert into realtime.messages (topic, extension, private) values (%s, 'broadcast', true)", (topic,))
    world.execute("select set_config('realtime.topic', %s, true)", (topic,))
    act_as(world, actor)
    assert world.execute("select from realtime.messages").rowcount == want
