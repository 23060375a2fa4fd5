"""Who may do what (§6.1, §6.2, §6.3): the access matrix holds, and no policy can be dropped or widened unnoticed."""

from collections.abc import Iterator

import psycopg
import pytest
from psycopg import sql

from emulator.db.migrations import list_migrations
from muster_product.database.policies import Case, add_block, expected, make_world, outcome, probe, rows_for_people
from muster_product.database.policy_cases import ACTORS, MATRIX


@pytest.fixture(scope="module")
def shared_world(superuser: psycopg.Connection) -> psycopg.Connection:
    """The world with a block, once for the module: every case undoes what it did."""
    make_world(superuser)
    add_block(superuser)
    return superuser


@pytest.mark.parametrize("case", expected(), ids=lambda case: f"{case.table}: {case.title}")
def test_matrix_holds(shared_world: psycopg.Connection, case: Case) -> None:
    """§6.1 §6.2 §6.3: every actor gets exactly the rows, or the refusal, that the matrix says."""
    assert {actor: outcome(shared_world, case, actor) for actor in ACTORS} == case.outcomes


def test_matrix_speaks_of_every_table(shared_world: psycopg.Connection) -> None:
    """Every table of public is in the matrix."""
    tables = shared_world.execute("select tablename from pg_tables where schemaname = 'public'").fetchall()
    assert {name for (name,) in tables} == set(MATRIX)


def test_matrix_has_every_action_of_every_table() -> None:
    """The matrix has select, insert, update and delete for each table."""
    asked = {(case.table, case.action) for case in expected()}
    assert asked == {(table, action) for table in MATRIX for action in ("select", "insert", "update", "delete")}


def test_matrix_is_laid_out_for_people() -> None:
    """`muster policies` prints the same matrix, in words."""
    heading, *lines = rows_for_people()
    assert heading == ("table", "action", "what", *ACTORS)
    assert len(lines) == len(expected())
    assert ("waitlist", "select", "list", *["nothing"] * 5, "2 rows", "nothing", "2 rows") in lines
    assert ("messages", "delete", "delete", *["refused"] * 7, "3 rows") in lines


# -- every policy is needed as it is ----------------------------------------------------------------------------------

_POLICIES = """
select p.polname, c.relname, p.polcmd::text, p.polqual is not null, p.polwithcheck is not null
from pg_policy as p
inner join pg_class as c on c.oid = p.polrelid
where c.relnamespace = 'public'::regnamespace
order by c.relname, p.polname
"""
_ACTIONS = {"r": "select", "a": "insert", "w": "update", "d": "delete"}


def _policy_names() -> list[str]:
    """The policies on tables of public, as the migrations write them (collected before there is a database)."""
    names = []
    for migration in list_migrations():
        for line in migration.path.read_text("utf8").splitlines():
            if line.startswith('create policy "') and " on public." in line:
                names.append(line.split('"')[1])
    return names


def _mutants(connection: psycopg.Connection, name: str) -> Iterator[tuple[str, sql.Composed, list[Case]]]:
    """Each change of a policy, and the cases that may notice it: first those of what the policy is for."""
    found = [row for row in connection.execute(_POLICIES).fetchall() if row[0] == name]
    assert found, f"no policy named {name}"
    for _, table, command, has_using, has_check in found:
        cases = sorted(expected([table]), key=lambda case: case.action != _ACTIONS.get(command))
        on = sql.SQL("policy {} on public.{}").format(sql.Identifier(name), sql.Identifier(table))
        yield "dropped", sql.SQL("drop {}").format(on), cases
        if has_using:
            yield "using (true)", sql.SQL("alter {} using (true)").format(on), cases
        if has_check:
            yield "with check (true)", sql.SQL("alter {} with check (true)").format(on), cases


@pytest.mark.parametrize("name", _policy_names())
def test_matrix_notices_a_changed_policy(shared_world: psycopg.Connection, name: str) -> None:
    """Dropping a policy, or setting its using or its check to true, makes the matrix fail."""
    unnoticed = []
    for change, statement, cases in _mutants(shared_world, name):
        with shared_world.transaction(force_rollback=True):
            shared_world.execute(statement)
            if next(probe(shared_world, cases), None) is None:
                unnoticed.append(change)
    assert not unnoticed


def test_every_policy_is_mutated(shared_world: psycopg.Connection) -> None:
    """The mutation test covers every policy of the database."""
    assert sorted(_policy_names()) == sorted(row[0] for row in shared_world.execute(_POLICIES).fetchall())


def test_matrix_notices_a_lost_grant(shared_world: psycopg.Connection) -> None:
    """The matrix sees privileges as well: without select on messages nobody reads theirs."""
    with shared_world.transaction(force_rollback=True):
        shared_world.execute("revoke select on public.messages from authenticated")
        assert next(probe(shared_world, expected(["messages"])), None) is not None


@pytest.mark.parametrize("table", MATRIX)
def test_matrix_notices_security_switched_off(shared_world: psycopg.Connection, table: str) -> None:
    """Without row-level security the matrix fails for every table."""
    with shared_world.transaction(force_rollback=True):
        shared_world.execute(sql.SQL("alter table public.{} disable row level security").format(sql.Identifier(table)))
        assert next(probe(shared_world, expected([table])), None) is not None
