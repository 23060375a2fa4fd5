"""Questions to PostgreSQL about row changes: who may see a row, which columns, and values only it can compare or print.

One statement per change and role answers for all distinct claims of that role; statements of a batch of changes travel
in one pipeline. Policies are asked in their present state, about the row as it is now, as the role with its claims.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import psycopg
from psycopg import sql

from emulator.realtime.postgres_changes.catalog import raw
from emulator.realtime.postgres_changes.line import Call, Line, Row, array, elements
from emulator.realtime.postgres_changes.stream import SESSION
from emulator.realtime.postgres_changes.subscriptions.conditions import Question
from emulator.realtime.postgres_changes.subscriptions.tables import RoleView, Table
from emulator.realtime.wire.tokens import Member

log = logging.getLogger(__name__)
STATEMENT_TIMEOUT_MS = 3_000
# The log tells of a commit a moment before other sessions can see it. Until then a policy would find no row, and a
# client that reads again on a change would find nothing new: so wait, a second at a time, for as long as it takes
# (a commit may hang for long where it waits for a standby).
_SETTLE = """
create or replace function pg_temp.muster_settle(xids bigint[]) returns boolean language plpgsql as $$
declare
  newest bigint := pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())::text::bigint;
  until timestamptz := pg_catalog.clock_timestamp() + interval '1 second';
  one bigint;
begin
  foreach one in array xids loop
    -- The log has 32 bits of it: the nearest number with those is meant, which may be newer than any that ended.
    one := newest - ((newest - one + 2147483648) & 4294967295) + 2147483648;
    while pg_catalog.pg_xact_status(one::text::xid8) = 'in progress' loop
      if pg_catalog.clock_timestamp() > until then
        return false;
      end if;
      perform pg_catalog.pg_sleep(0.0002);
    end loop;
  end loop;
  return true;
end $$
"""
_JUDGE = """
create or replace function pg_temp.muster_judge(entity oid, role_name text, question text, claims text[])
returns table (bypasses boolean, readable smallint[], visible boolean[])
language plpgsql as $$
declare
  one text;
  seen boolean;
begin
  select r.rolsuper or r.rolbypassrls,
    array(
      select a.attnum from pg_catalog.pg_attribute a
      where a.attrelid = entity and a.attnum > 0 and not a.attisdropped
        and pg_catalog.has_column_privilege(r.oid, entity, a.attnum, 'select')
        and pg_catalog.has_schema_privilege(r.oid, c.relnamespace, 'usage')
    )
  into bypasses, readable
  from pg_catalog.pg_roles r, pg_catalog.pg_class c
  where r.rolname = role_name and c.oid = entity;
  if not found then
    return;
  end if;
  visible := array[]::boolean[];
  if question is not null and not bypasses then
    perform set_config('role', role_name, true);
    foreach one in array claims loop
      begin
        perform set_config('request.jwt.claims', one, true);
        execute question into seen;
      exception
        when others then
          seen := false;
      end;
      visible := visible || coalesce(seen, false);
    end loop;
    perform set_config('role', 'none', true);
  end if;
  return next;
end $$
"""
_ASK = "select * from pg_temp.muster_judge($1, $2, $3, $4)"
_WAIT = "select pg_temp.muster_settle($1)"


@dataclass(slots=True)
class Case:
    """What is asked about one change. `key` is the key's texts when policies decide, else None."""

    table: Table
    key: tuple[str, ...] | None
    members: dict[str, list[Member]] = field(default_factory=dict)  # by role
    questions: set[Question] = field(default_factory=set)
    values: set[tuple[str, str]] = field(default_factory=set)  # type, text


@dataclass(slots=True)
class Verdict:
    """The answers to a case."""

    views: dict[str, RoleView] = field(default_factory=dict)
    visible: set[Member] = field(default_factory=set)
    answers: dict[Question, bool | None] = field(default_factory=dict)
    values: dict[tuple[str, str], str] = field(default_factory=dict)


class Judge:
    """One connection that only asks."""

    def __init__(self, line: Line, database_oid: int, *, bounds_slots: bool) -> None:
        self._line = line
        self._prepared: dict[tuple[Table, str], str] = {}
        self._count = 0
        self._lock = asyncio.Lock()
        self.database_oid = database_oid
        # Whether PostgreSQL bounds what a slot may hold back, so that a dead reader can't fill the disk.
        self.bounds_slots = bounds_slots

    @classmethod
    async def connect(cls, conninfo: str) -> "Judge":
        """Connect as the service's own user and bring the questions along."""
        options = f"{SESSION} -c plan_cache_mode=force_generic_plan -c statement_timeout={STATEMENT_TIMEOUT_MS}"
        connection = await psycopg.AsyncConnection.connect(
            conninfo, autocommit=True, options=options, application_name="realtime_rls"
        )
        await connection.execute(_SETTLE)
        await connection.execute(_JUDGE)
        cursor = await connection.execute(
            "select current_setting('max_slot_wal_keep_size') <> '-1', oid::bigint from pg_catalog.pg_database"
            " where datname = current_database()"
        )
        row = await cursor.fetchone()
        assert row is not None
        assert isinstance(row[1], int)
        return cls(Line(connection), row[1], bounds_slots=bool(row[0]))

    async def close(self) -> None:
        await self._line.close()

    async def ask(self, cases: Sequence[Case], xids: Sequence[int] = ()) -> list[Verdict]:
        """Wait until the commits can be seen, then answer the cases in their order; raises psycopg.Error."""
        async with self._lock:
            try:
                verdicts = await self._ask(cases, xids)
                if verdicts is None:
                    log.warning("a commit is in the log, but can't be seen yet: changes have to wait for it")
                while verdicts is None:
                    verdicts = await self._ask(cases, xids)
                return verdicts
            except psycopg.Error:
                self._prepared.clear()
                raise

    async def _ask(self, cases: Sequence[Case], xids: Sequence[int]) -> list[Verdict] | None:
        """None when the commits can't be seen yet."""
        calls: list[Call] = []
        readers: list[Callable[[Row | None], None]] = []
        unsettled: list[Row | None] = []

        def add(text: str, parameters: Sequence[bytes | None], reader: Callable[[Row | None], None]) -> None:
            calls.append((self._line.statement(text), parameters))
            readers.append(reader)

        if xids:
            numbers = ",".join(map(str, xids))
            add(_WAIT, [f"{{{numbers}}}".encode()], lambda row: _note_unsettled(row, unsettled))
        verdicts = [Verdict() for _ in cases]
        for case, verdict in zip(cases, verdicts, strict=True):
            for role, members in case.members.items():
                question = self._question(case, role)
                parameters = [str(case.table.oid).encode(), role.encode(), question, array([m.claims for m in members])]
                add(_ASK, parameters, _view_reader(case, role, verdict))
            for one in case.questions:
                text = f"select ($1::text::{one.sql_type}) {one.operator} ($2::text::{one.sql_type})"
                add(text, [one.left.encode(), one.right.encode()], _answer_reader(one, verdict))
            for value in case.values:
                text = f"select to_jsonb($1::text::{value[0]})::text"
                add(text, [value[1].encode()], _value_reader(value, verdict))
        if calls:
            for reader, rows in zip(readers, await self._line.call(calls), strict=True):
                reader(rows[0] if rows else None)
        return None if unsettled else verdicts

    def _question(self, case: Case, role: str) -> bytes | None:
        """What finds a row by its key, as a statement that was prepared for the table as it is and the role.

        Plans depend on both; `prepare` in SQL lets the function execute it without parsing the query again.
        """
        if case.key is None:
            return None
        name = self._prepared.get((case.table, role))
        if name is None:
            self._count += 1
            name = self._prepared[case.table, role] = f"visible_{self._count}"
            self._line.command(self._preparation(name, case.table))
        arguments = ", ".join(sql.Literal(text).as_string() for text in case.key)
        return f"execute {name}({arguments})".encode()

    def _preparation(self, name: str, table: Table) -> str:
        tests = sql.SQL(" and ").join(
            sql.SQL("{} = {}::{}").format(
                sql.Identifier(column), raw(f"${number}"), raw(table.columns[column].sql_type)
            )
            for number, column in enumerate(table.key, 1)
        )
        types = raw(", ".join("text" for _ in table.key))
        text = sql.SQL("prepare {} ({}) as select exists (select from {} where {})")
        return text.format(sql.Identifier(name), types, sql.Identifier(table.schema, table.name), tests).as_string()


def _note_unsettled(row: Row | None, unsettled: list[Row | None]) -> None:
    if row is None or row[0] != b"t":
        unsettled.append(row)


def _view_reader(case: Case, role: str, verdict: Verdict) -> Callable[[Row | None], None]:
    def read(row: Row | None) -> None:
        if row is None:
            return  # the role does not exist: it sees nothing
        bypasses = row[0] == b"t"
        numbers = {int(number) for number in elements(row[1])}
        names = frozenset(column.name for column in case.table.columns.values() if column.number in numbers)
        verdict.views[role] = RoleView(bypasses, names)
        members = case.members[role]
        if bypasses or case.key is None:
            verdict.visible.update(members)
        else:
            seen = elements(row[2])
            verdict.visible.update(member for member, one in zip(members, seen, strict=True) if one == "t")

    return read


def _answer_reader(question: Question, verdict: Verdict) -> Callable[[Row | None], None]:
    def read(row: Row | None) -> None:
        verdict.answers[question] = None if row is None or row[0] is None else row[0] == b"t"

    return read


def _value_reader(value: tuple[str, str], verdict: Verdict) -> Callable[[Row | None], None]:
    def read(row: Row | None) -> None:
        verdict.values[value] = "null" if row is None or row[0] is None else row[0].decode()

    return read
