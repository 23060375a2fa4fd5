"""Rules for every table and function, checked in the system catalog."""

import re

import psycopg
import pytest

from emulator.paths import CHECKOUT

# Tables of the application only, not of extensions.
TABLES = "c.relnamespace in ('public'::regnamespace, 'private'::regnamespace) and c.relkind = 'r'"


def names(connection: psycopg.Connection, query: str) -> list[str]:
    """The first column of a query."""
    return [str(row[0]) for row in connection.execute(query).fetchall()]


def test_every_table_has_row_level_security(world: psycopg.Connection) -> None:
    """Every table has row-level security enabled."""
    assert names(world, f"select c.oid::regclass from pg_class as c where {TABLES} and not c.relrowsecurity") == []


def test_every_table_and_function_is_commented(world: psycopg.Connection) -> None:
    """Every table, function and schema has a comment."""
    tables = f"select c.oid::regclass from pg_class as c where {TABLES} and obj_description(c.oid, 'pg_class') is null"
    assert names(world, tables) == []
    functions = (
        "select p.oid::regprocedure from pg_proc as p where p.pronamespace in"
        " ('public'::regnamespace, 'private'::regnamespace) and obj_description(p.oid, 'pg_proc') is null"
    )
    assert names(world, functions) == []


def test_every_function_has_an_empty_search_path(world: psycopg.Connection) -> None:
    """So that no object of another schema can shadow one of ours."""
    query = (
        "select p.oid::regprocedure from pg_proc as p where p.pronamespace in"
        " ('public'::regnamespace, 'private'::regnamespace)"
        " and not coalesce(p.proconfig @> array['search_path=\"\"'], false)"
    )
    assert names(world, query) == []


def test_no_exposed_function_sees_more_than_its_caller(world: psycopg.Connection) -> None:
    """Functions that bypass row-level security are in a schema that is not exposed."""
    query = "select p.oid::regprocedure from pg_proc as p where p.pronamespace = 'public'::regnamespace and p.prosecdef"
    assert names(world, query) == []


def test_every_foreign_key_has_an_index(world: psycopg.Connection) -> None:
    """An index begins with the columns of each foreign key."""
    query = """
    select k.conname
    from pg_constraint as k
    where k.contype = 'f' and k.connamespace in ('public'::regnamespace, 'private'::regnamespace)
      and not exists (
        select from pg_index as i
        where i.indrelid = k.conrelid
          and (i.indkey::smallint[])[0:cardinality(k.conkey) - 1] @> k.conkey
      )
    """
    assert names(world, query) == []


def test_every_policy_names_its_role_and_asks_who_once(world: psycopg.Connection) -> None:
    """`to <role>` always; auth.uid() and our predicates inside a sub-select, so that they run once a statement."""
    for policy, roles, using, check in world.execute(
        "select policyname, roles::text[], qual, with_check from pg_policies where schemaname = 'public'"
    ).fetchall():
        assert set(roles) <= {"anon", "authenticated"}, policy
        for expression in (using or "", check or ""):
            for call in ("auth.uid()", "private.caller_is_admin()", "private.requested_waitlist_email()"):
                bare = expression.count(call) - expression.count(f"SELECT {call}")
                assert bare == 0, f"{policy}: {call} runs for every row"


def test_one_policy_decides_an_action(world: psycopg.Connection) -> None:
    """One policy per table, action and role, and one that restricts it: what a role may do is read in one place."""
    query = """
    select tablename || ' ' || cmd || ' ' || role
    from pg_policies cross join lateral unnest(roles) as r (role)
    where schemaname = 'public'
    group by tablename, cmd, role, permissive having count(*) > 1
    """
    assert names(world, query) == []


@pytest.mark.parametrize("role", ["anon", "authenticated"])
def test_least_grants(world: psycopg.Connection, role: str) -> None:
    """No client role may truncate, create triggers or reference our tables, or use the private schema's."""
    query = f"""
    select c.oid::regclass || ' ' || a.privilege_type
    from pg_class as c cross join lateral aclexplode(c.relacl) as a
    where {TABLES} and a.grantee = '{role}'::regrole
      and (a.privilege_type not in ('SELECT', 'INSERT', 'UPDATE', 'DELETE') or c.relnamespace = 'private'::regnamespace)
    """
    assert names(world, query) == []


def test_visitors_have_only_what_they_need(world: psycopg.Connection) -> None:
    """§6.1: articles, author cards, joining the waitlist, the quiz and feedback; nothing else, column by column."""
    query = """
    select c.relname || ' ' || p.privilege || coalesce(' (' || string_agg(a.attname, ', ' order by a.attnum) || ')', '')
    from pg_class as c
    cross join unnest(array['SELECT', 'INSERT', 'UPDATE']) as p (privilege)
    left join pg_attribute as a
      on a.attrelid = c.oid and a.attnum > 0 and has_column_privilege('anon', c.oid, a.attnum, p.privilege)
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    group by c.relname, p.privilege having count(a.attname) > 0
    order by 1
    """
    got = names(world, query)
    assert [line for line in got if not line.startswith("posts SELECT")] == [
        "feedback INSERT (id, user_id, email, name, category, content)",
        "files SELECT (id, user_id, bucket_id, width, height, preview, alt, address)",
        "profiles SELECT (id, full_name, department, position, avatar_url)",
        "quiz_responses INSERT (id, firefighter_type, firefighter_type_other, current_rank, years_of_service,"
        " linkedin_reason, most_valued, linkedin_satisfaction, linkedin_missing, is_waitlist_quiz)",
        "quiz_responses SELECT (id, created_at)",
        "waitlist INSERT (email, status, quiz_response_id)",
        "waitlist SELECT (id, email, status, quiz_response_id)",
    ]
    deletable = f"select c.relname from pg_class as c where {TABLES} and has_table_privilege('anon', c.oid, 'DELETE')"
    assert names(world, deletable) == []


def test_watched_tables_are_published(world: psycopg.Connection) -> None:
    """§7.50 §7.51 §7.52 §7.53 §4.24: the tables, with the old row where clients filter deletes by a column."""
    query = """
    select c.relname || ' ' || c.relreplident::text
    from pg_publication_tables as t
    inner join pg_class as c on c.oid = format('%I.%I', t.schemaname, t.tablename)::regclass
    where t.pubname = 'supabase_realtime' order by 1
    """
    assert names(world, query) == [
        "connections f",
        "feedback d",
        "growth_plans d",
        "issued_records d",
        "mentions d",
        "mentorings d",
        "mentors d",
        "messages d",
        "notifications f",
        "reports d",
        "trainings d",
        "waitlist d",
    ]
    flags = world.execute(
        "select pubinsert, pubupdate, pubdelete from pg_publication where pubname = 'supabase_realtime'"
    ).fetchone()
    assert flags == (True, True, True)


def test_the_page_about_the_database_is_complete(world: psycopg.Connection) -> None:
    """docs/database.md has every table, every procedure and every error message."""
    page = " ".join((CHECKOUT / "docs" / "database.md").read_text("utf8").split())
    tables = names(world, "select tablename from pg_tables where schemaname = 'public'")
    procedures = names(world, "select proname from pg_proc where pronamespace = 'public'::regnamespace")
    assert [name for name in [*tables, *procedures] if f"`{name}" not in page] == []
    sources = names(world, "select prosrc from pg_proc where pronamespace = 'private'::regnamespace")
    refusals = {said for source in sources for said in re.findall(r"raise exception '([^']+)'", source)}
    assert {said for said in refusals if said not in page} == set()
