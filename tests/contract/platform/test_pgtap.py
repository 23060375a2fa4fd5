"""pgTAP: what assertions print, in which families, and what finish() says.

Source: https://pgtap.org/documentation.html.
"""

from collections.abc import Iterator

import psycopg
import pytest

from tests.contract.platform.conftest import Connect, Connection

SCHEMA = """
create schema app;
create type app.mood as enum ('good', 'bad');
create domain app.email as varchar(80);
create table app.users (
  id integer primary key, name text not null default 'x', age integer default 5, at timestamptz default now()
);
create table app.posts (id integer primary key, user_id integer unique references app.users (id), check (id > 0));
create index posts_user on app.posts (user_id, id);
create view app.seen as select id from app.posts;
alter table app.posts enable row level security;
create policy readers on app.posts for select to anon using (true);
create function app.found(wanted integer) returns setof text language sql stable security definer as 'select ''1''';
create function app.touch() returns trigger language plpgsql as 'begin return new; end';
create trigger touched before update on app.posts for each row execute function app.touch();
grant select, insert on app.posts to anon;
-- The default of a project; the migrations of the tests' template revoke it.
grant execute on function app.found to anon;
grant execute on all functions in schema extensions to authenticated;
"""
HOLD = (
    "ok(true, 'x')", "is(1, 1, 'x')", "is(null::text, null, 'x')", "isnt(1, 2, 'x')", "matches('abc'::text, '^a')",
    "doesnt_match('abc'::text, '^b')", "imatches('ABC'::text, '^a')", "alike('abc'::text, 'a%')",
    "unalike('abc'::text, 'b%')", "cmp_ok(1, '<', 2)", "isa_ok(1, 'integer', 'one')", "pass('x')",
    "throws_ok('select 1/0')", "throws_ok('select 1/0', '22012')", "throws_ok('select 1/0', 22012)",
    "throws_ok('select 1/0', 'division by zero')", "throws_ok('select 1/0', '22012', 'division by zero', 'x')",
    "throws_like('select 1/0', '%zero')", "throws_matching('select 1/0', 'ze.o')", "lives_ok('select 1', 'x')",
    "performs_ok('select 1', 10000)", "results_eq('select 1 union select 2 order by 1', array[1, 2])",
    "results_eq('select 1, 2', 'values (1, 2)', 'x')", "results_ne('select 1', 'select 2')",
    "set_eq('select 1 union all select 1', array[1])", "set_ne('select 1', array[2])", "set_has('select 1', array[1])",
    "set_hasnt('select 1', array[2])", "bag_eq('select 1 union all select 1', array[1, 1])",
    "bag_ne('select 1 union all select 1', array[1])", "bag_has('select 1', 'select 1')",
    "is_empty('select 1 where false', 'x')", "isnt_empty('select 1', 'x')", "row_eq('select 1, 2', row(1, 2), 'x')",
    "has_schema('app')", "hasnt_schema('nope')", "has_table('app', 'users', 'x')", "hasnt_table('nope')",
    "has_view('app', 'seen', 'x')", "has_enum('app', 'mood', 'x')", "has_domain('app', 'email', 'x')",
    "has_type('app', 'mood', 'x')", "has_role('anon')", "hasnt_role('nope')", "has_extension('pgtap')",
    "has_language('plpgsql')", "has_column('app', 'users', 'name', 'x')", "hasnt_column('app', 'users', 'nope', 'x')",
    "col_not_null('app', 'users', 'name', 'x')", "col_is_null('app', 'users', 'age', 'x')",
    "col_has_default('app', 'users', 'age', 'x')", "col_hasnt_default('app', 'users', 'id', 'x')",
    "col_type_is('app', 'users', 'at', 'timestamptz', 'x')", "col_type_is('app', 'users', 'name', 'text', 'x')",
    "col_default_is('app', 'users', 'age', 5, 'x')", "col_default_is('app', 'users', 'name', 'x'::text, 'x')",
    "col_default_is('app', 'users', 'at', 'now()'::text, 'x')", "has_pk('app', 'users', 'x')",
    "hasnt_fk('app', 'users', 'x')", "has_check('app', 'posts', 'x')", "has_unique('app', 'posts', 'x')",
    "col_is_pk('app', 'users', 'id', 'x')", "col_isnt_pk('app', 'users', 'name', 'x')",
    "col_is_fk('app', 'posts', 'user_id', 'x')", "col_is_unique('app', 'posts', array['user_id'], 'x')",
    "fk_ok('app', 'posts', 'user_id', 'app', 'users', 'id')", "has_index('app', 'posts', 'posts_user', 'x')",
    "has_index('app', 'posts', 'posts_user', array['user_id', 'id'], 'x')", "hasnt_index('app', 'posts', 'nope', 'x')",
    "is_indexed('app', 'posts', array['user_id', 'id'])", "index_is_unique('app', 'users', 'users_pkey')",
    "index_is_primary('app', 'users', 'users_pkey')", "index_is_type('app', 'users', 'users_pkey', 'btree')",
    "has_trigger('app', 'posts', 'touched', 'x')", "trigger_is('app', 'posts', 'touched', 'app', 'touch')",
    "has_function('app', 'found', array['int'])", "hasnt_function('app', 'found', array['text'])",
    "function_returns('app', 'found', array['integer'], 'setof text')", "is_definer('app', 'found', array['integer'])",
    "isnt_strict('app', 'found', array['integer'])", "volatility_is('app', 'found', array['integer'], 'stable')",
    "function_lang_is('app', 'found', array['integer'], 'sql')", "can('app', array['found'])",
    "tables_are('app', array['users', 'posts'])", "views_are('app', array['seen'])", "enums_are('app', array['mood'])",
    "functions_are('app', array['found', 'touch'])", "columns_are('app', 'users', array['id', 'name', 'age', 'at'])",
    "triggers_are('app', 'posts', array['touched'])", "policies_are('app', 'posts', array['readers'])",
    "policy_roles_are('app', 'posts', 'readers', array['anon'])",
    "policy_cmd_is('app', 'posts', 'readers'::name, 'select')",
    "enum_has_labels('app', 'mood', array['good', 'bad'])", "domain_type_is('app', 'email', 'varchar(80)', 'x')",
    "table_privs_are('app', 'posts', 'anon', array['SELECT', 'insert'])",
    "schema_privs_are('app', 'anon', array[]::text[])", "table_owner_is('app', 'posts', 'postgres', 'x')",
    "function_privs_are('app', 'found', array['integer'], 'anon', array['EXECUTE'])",
    "is_member_of('anon', array['postgres'])", "isnt_superuser('postgres')",
)  # fmt: skip
FAIL = {
    "is('a'::text, 'b', 'texts')": 'Failed test 1: "texts"\n#         have: a\n#         want: b',
    "ok(null, 'null')": 'Failed test 1: "null"\n#     (test result was NULL)',
    "throws_ok('select 1')": "caught: no exception\n#       wanted: an exception",
    "throws_ok('select 1/0', '42P01')": "caught: 22012: division by zero\n#       wanted: 42P01",
    "lives_ok('select 1/0', 'x')": "died: 22012: division by zero",
    "results_eq('select 1', 'select 2', 'x')": "Results differ beginning at row 1:\n#         have: (1)",
    "set_eq('select 1', array[2], 'x')": "Extra records:\n#         (1)\n#     Missing records:\n#         (2)",
    "is_empty('select 1', 'x')": "Unexpected records:\n#         (1)",
    "has_table('app', 'nope', 'x')": 'Failed test 1: "x"',
    "col_type_is('app', 'users', 'name', 'integer', 'x')": "have: text\n#         want: integer",
    "tables_are('app', array['users', 'nope'])": "posts\n#     Missing tables:\n#         nope",
    "policies_are('app', 'posts', array['nope'], 'x')": "Extra policies:\n#         readers",
    "fail('x')": 'Failed test 1: "x"',
}  # fmt: skip


@pytest.fixture(scope="module")
def prepared(postgres: Connection) -> Connection:
    postgres.execute("create extension pgtap with schema extensions")
    postgres.execute(SCHEMA)
    return postgres


@pytest.fixture
def tap(prepared: Connection) -> Iterator[Connection]:
    """In the middle of a test file, which rolls back in the end."""
    with prepared.transaction(force_rollback=True):
        prepared.execute("select no_plan()")
        yield prepared


def said(connection: Connection, call: str) -> str:
    return "\n".join(str(row[0]) for row in connection.execute(f"select * from {call}").fetchall())


def test_what_holds_is_ok(tap: Connection) -> None:
    got = {call: said(tap, call).split(" ")[0] for call in HOLD}
    assert {call: answer for call, answer in got.items() if answer != "ok"} == {}


@pytest.mark.parametrize("call", FAIL, ids=[call.split("(")[0] for call in FAIL])
def test_what_does_not_hold_says_why(tap: Connection, call: str) -> None:
    got = said(tap, call)
    assert got.startswith("not ok 1 - ")
    assert FAIL[call] in got


def test_a_plan_is_counted(prepared: Connection) -> None:
    with prepared.transaction(force_rollback=True):
        assert said(prepared, "plan(3)") == "1..3"
        assert said(prepared, "ok(true, 'a # b')") == "ok 1 - a \\# b"
        said(prepared, "ok(false)")
        assert said(prepared, "finish()") == "# Looks like you planned 3 tests but ran 2"
    with prepared.transaction(force_rollback=True):
        said(prepared, "plan(1)")
        said(prepared, "ok(false)")
        assert said(prepared, "finish()") == "# Looks like you failed 1 test of 1"


def test_tests_are_skipped_and_expected_to_fail(tap: Connection) -> None:
    assert said(tap, "skip('later', 2)") == "ok 1 # SKIP later\nok 2 # SKIP later"
    said(tap, "todo('not yet', 1)")
    assert said(tap, "ok(false, 'x')").startswith("not ok 3 - x # TODO not yet\n# Failed (TODO) test 3")
    assert said(tap, "finish()") == "1..3"


def test_other_roles_run_tests(tap: Connection) -> None:
    tap.execute("set local role authenticated")
    assert said(tap, "throws_ok('select * from app.posts', '42501')").startswith("ok 1")
    tap.execute("reset role")
    assert said(tap, "is(current_user::text, 'postgres')").startswith("ok 2")


def test_functions_are_run_as_tests(tap: Connection) -> None:
    tap.execute(
        "create function app.test_one() returns setof text language plpgsql as"
        " $$ begin insert into app.users (id) values (1); return next extensions.pass('one'); end $$;"
        "create function app.test_two() returns setof text language sql as"
        " $$ select extensions.is_empty('select * from app.users', 'undone') $$"
    )
    tap.execute("delete from pg_temp.__tcache__")
    got = said(tap, "runtests('app'::name)").splitlines()
    assert [line for line in got if line.startswith("ok")] == ["ok 1 - one", "ok 2 - undone"]


def test_a_test_without_a_plan_is_refused(connect: Connect, prepared: Connection) -> None:
    assert prepared is not None
    with pytest.raises(psycopg.errors.RaiseException, match="Gotta have a plan"):
        connect("postgres").execute("select ok(true)")
