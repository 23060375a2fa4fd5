"""The access matrix: its types, its check against a database, and its layout as a table.

The data is in policy_cases.py. `expected()` is what `muster policies` prints; `probe()` runs the same
statements in a migrated, empty database with the roles and claims of each actor, and rolls back.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

import psycopg

from muster_product.database.policy_cases import ACTORS, MATRIX
from muster_product.database.policy_world import ACCOUNTS, BLOCKED, MEMBERS, PARAMETERS, ROWS, SUSPEND

SQLSTATE_LENGTH = 5
_ROLES = {"visitor": "anon", "service": "service_role"}


@dataclass(frozen=True)
class Case:
    """One statement on one table, and its outcome for each actor (see policy_cases.py)."""

    table: str
    title: str
    statement: str
    outcomes: Mapping[str, str]
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def action(self) -> str:
        """select, insert, update or delete."""
        return self.statement.split(maxsplit=1)[0]


@dataclass(frozen=True)
class Difference:
    """An actor for whom the database differs from the matrix."""

    case: Case
    actor: str
    want: str
    got: str

    def __str__(self) -> str:
        return f"{self.case.table}: {self.case.title}, as {self.actor}: want {self.want}, got {self.got}"


def expected(tables: Iterable[str] = MATRIX) -> list[Case]:
    """The cases of the matrix, for all tables or some."""
    cases = []
    for table in tables:
        for title, statement, outcomes, *headers in MATRIX[table]:
            words = outcomes.split()
            if len(words) != len(ACTORS):
                raise ValueError(f"{table}: {title}: {len(words)} outcomes for {len(ACTORS)} actors")
            asked = dict(zip(ACTORS, words, strict=True))
            cases.append(Case(table, title, statement, asked, headers[0] if headers else {}))
    return cases


def rows_for_people(tables: Iterable[str] = MATRIX) -> Iterator[tuple[str, ...]]:
    """The matrix as lines of a table: table, action, what, then a word per actor; the first line is the heading."""
    yield ("table", "action", "what", *ACTORS)
    for case in expected(tables):
        yield (case.table, case.action, case.title, *(_said(case.outcomes[actor]) for actor in ACTORS))


def _said(outcome: str) -> str:
    if outcome == "no":
        return "refused"
    if outcome.isdigit() and len(outcome) < SQLSTATE_LENGTH:
        return {"0": "nothing", "1": "1 row"}.get(outcome, f"{outcome} rows")
    return f"refused ({outcome})"


def make_world(connection: psycopg.Connection) -> None:
    """Insert the rows of policy_world.py, as superuser, in the caller's transaction."""
    _insert(connection, MEMBERS, ROWS)


def add_block(connection: psycopg.Connection) -> None:
    """Insert into the world the member whom the owner blocks, as superuser: the matrix is about that world."""
    _insert(connection, ["blocked"], BLOCKED)


def _insert(connection: psycopg.Connection, members: Sequence[str], rows: str) -> None:
    connection.execute(ACCOUNTS, {"ids": [PARAMETERS[name] for name in members], "names": list(members)})
    for statement in rows.split(";\n"):
        if statement.strip():
            connection.execute(statement, PARAMETERS)
    # What is deferred is checked now: a table with rows to be checked can't be altered.
    connection.execute("set constraints all immediate")
    connection.execute("set constraints all deferred")


def act_as(connection: psycopg.Connection, actor: str, headers: Mapping[str, str] | None = None) -> UUID | None:
    """Set role and claims of an actor or member of the world until the transaction or savepoint ends."""
    role = _ROLES.get(actor, "authenticated")
    if actor == "suspended":
        connection.execute(SUSPEND, PARAMETERS)
    me = PARAMETERS.get("owner" if actor == "suspended" else actor)
    claims = {"role": role} | ({"sub": str(me)} if me else {})
    connection.execute(
        "select set_config('role', %s, true), set_config('request.jwt.claims', %s, true),"
        " set_config('request.headers', %s, true)",
        (role, json.dumps(claims), json.dumps({name.lower(): text for name, text in (headers or {}).items()})),
    )
    return me


def outcome(connection: psycopg.Connection, case: Case, actor: str) -> str:
    """The outcome of a case for an actor, as the matrix writes it; rolled back."""
    got = ""
    try:
        with connection.transaction(force_rollback=True):
            me = act_as(connection, actor, case.headers)
            got = str(connection.execute(case.statement, {**PARAMETERS, "me": me}).rowcount)
    except psycopg.errors.InsufficientPrivilege:
        got = "no"
    except psycopg.Error as error:
        got = error.sqlstate or "?"
    return got


def probe(connection: psycopg.Connection, cases: Iterable[Case]) -> Iterator[Difference]:
    """Where the database differs from the cases. `connection` is a superuser's, inside a transaction with the world."""
    for case in cases:
        for actor in ACTORS:
            got = outcome(connection, case, actor)
            if got != case.outcomes[actor]:
                yield Difference(case, actor, case.outcomes[actor], got)
