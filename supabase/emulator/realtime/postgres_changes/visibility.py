"""Asks PostgreSQL about row changes: who may see a row, which columns, and values only it can compare or print. I/O.

One statement per change and role answers for all distinct claims of that role; the statements of several changes
travel in one pipeline. Policies are asked in their present state, about the row as it is now, as the role with its
claims.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from psycopg import pq
from psycopg.conninfo import make_conninfo

from emulator.db.pipeline import PipelineConnection
from emulator.db.statement import ConnectionFailed, ConnectionLost, Row, Statement, StatementError
from emulator.realtime.database.pool import DatabaseUnavailable
from emulator.realtime.database.session import SESSION_OPTIONS
from emulator.realtime.postgres_changes import visibility_queries as queries
from emulator.realtime.postgres_changes.array_literals import quote_array, split_array
from emulator.realtime.postgres_changes.matching.checks import TypedText, VisibilityCheck, VisibilityResult
from emulator.realtime.postgres_changes.subscriptions.conditions import Comparison
from emulator.realtime.postgres_changes.subscriptions.tables import RoleView, Table
from emulator.realtime.postgres_changes.wal.decoder import Row as LoggedRow
from emulator.realtime.postgres_changes.wal.decoder import Unchanged

log = logging.getLogger(__name__)
STATEMENT_TIMEOUT_MS = 3_000
MAX_IDLE_S = 15.0
# Connection failure, insufficient resources, operator intervention, system error: not about one change.
UNAVAILABLE_CLASSES = ("08", "53", "57", "58")
QUERY_CANCELED = "57014"

Reader = Callable[[Row | None], None]  # takes the first row of a statement


@dataclass(slots=True)
class _Batch:
    """Statements, and what reads the answer of each."""

    statements: list[Statement] = field(default_factory=list)
    readers: list[Reader] = field(default_factory=list)

    def add(self, statement: Statement, reader: Reader) -> None:
        self.statements.append(statement)
        self.readers.append(reader)


class RlsEvaluator:
    """One connection that answers visibility checks; it is there only while somebody asks, or `is_needed` says so."""

    def __init__(self, conninfo: str, is_needed: Callable[[], bool]) -> None:
        # Plans must not depend on one user's claims, and preparing a custom one each time would cost more.
        options = (
            f"{SESSION_OPTIONS} -c plan_cache_mode=force_generic_plan -c statement_timeout={STATEMENT_TIMEOUT_MS}"
            " -c synchronous_commit=off"  # all it ever commits are its own functions
        )
        self._conninfo = make_conninfo(conninfo, options=options, application_name="realtime_rls")
        self._is_needed = is_needed
        self._connection: PipelineConnection | None = None
        self._is_closed = False
        self._used_at = 0.0
        self._closing: asyncio.Task[None] | None = None
        self._opening: asyncio.Task[None] | None = None
        self._key_lookups: dict[tuple[Table, str], str] = {}
        self._count = 0
        self._unjudged: set[tuple[int, str]] = set()
        self._lock = asyncio.Lock()

    def open_soon(self) -> None:
        """Connect in the background: the first change should not wait for it."""
        if self._connection is None and self._opening is None:
            self._opening = asyncio.create_task(self._open_early())

    async def close(self) -> None:
        """End the connection, if there is one."""
        self._is_closed = True
        for task in (self._opening, self._closing):
            if task is not None:
                task.cancel()
        await self._disconnect()  # without the lock: who holds it may be waiting for PostgreSQL

    async def _open_early(self) -> None:
        try:
            async with self._lock:
                await self._opened()
        except DatabaseUnavailable as error:
            log.debug("the connection for visibility checks can't be opened yet: %s", error)
        finally:
            self._opening = None

    async def _opened(self) -> PipelineConnection:
        """The connection, with the functions; the lock must be held. Raises DatabaseUnavailable."""
        self._used_at = time.monotonic()
        if self._connection is None:
            self._connection = await self._connect()
            self._closing = asyncio.create_task(self._close_when_idle())
        return self._connection

    async def _connect(self) -> PipelineConnection:
        connection = None
        try:
            self._refuse_when_closed()
            connection = await PipelineConnection.connect(self._conninfo, result_format=pq.Format.TEXT)
            await connection.execute([Statement(text, is_prepared=False) for text in queries.CREATE_FUNCTIONS])
            self._refuse_when_closed()  # meanwhile
        except BaseException as error:
            if connection is not None:
                await connection.close()
            if isinstance(error, (ConnectionFailed, StatementError, ConnectionLost)):
                raise DatabaseUnavailable(str(error)) from error
            raise
        return connection

    def _refuse_when_closed(self) -> None:
        if self._is_closed:
            raise DatabaseUnavailable("the stream of changes is not open")

    async def _close_when_idle(self) -> None:
        """End the connection, 3 MiB of PostgreSQL's, when nobody subscribes and nothing was asked for a while."""
        while self._connection is not None:
            await asyncio.sleep(MAX_IDLE_S)
            async with self._lock:
                if not self._is_needed() and time.monotonic() - self._used_at >= MAX_IDLE_S:
                    await self._disconnect()

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        self._key_lookups.clear()
        if connection is not None:
            await connection.close()

    async def evaluate(self, checks: Sequence[VisibilityCheck], xids: Sequence[int] = ()) -> list[VisibilityResult]:
        """Wait until the commits can be seen, then answer the checks in their order.

        Raises StatementError for the first that failed, and DatabaseUnavailable.
        """
        async with self._lock:
            try:
                results = await self._evaluate(checks, xids)
                if results is None:
                    log.warning("a commit is in the log but not visible yet: changes are held back until it is")
                while results is None:
                    results = await self._evaluate(checks, xids)
                return results
            except StatementError as error:
                self._key_lookups.clear()  # those of the failed batch may not have been prepared
                if error.sqlstate[:2] in UNAVAILABLE_CLASSES and error.sqlstate != QUERY_CANCELED:
                    raise DatabaseUnavailable(str(error)) from error
                raise
            except ConnectionLost as error:
                raise DatabaseUnavailable(str(error)) from error

    async def evaluate_each(
        self, checks: Sequence[VisibilityCheck], xids: Sequence[int]
    ) -> list[VisibilityResult | None]:
        """As `evaluate`; where a batch fails each check is asked alone, and None stands for those that fail."""
        try:
            return list(await self.evaluate(checks, xids))
        except StatementError:
            pass
        results: list[VisibilityResult | None] = []
        for check in checks:
            try:
                results += await self.evaluate([check], xids)
            except StatementError as error:
                log.warning("a change of %s.%s can't be evaluated: %s", check.table.schema, check.table.name, error)
                results.append(None)
        return results

    async def compute_generated(self, rows: Sequence[tuple[Table, LoggedRow]]) -> list[LoggedRow]:
        """Rows with their stored generated columns, which the log leaves out. Raises DatabaseUnavailable.

        A row whose expressions fail stays as it is.
        """
        statements = [_generated_statement(table, row) for table, row in rows]
        try:
            answers = await self._execute([one for one in statements if one is not None])
        except StatementError:
            answers = [await self._execute_alone(one) for one in statements if one is not None]
        found = iter(answers)
        completed = []
        for (table, row), statement in zip(rows, statements, strict=True):
            answer = next(found) if statement is not None else []
            values = answer[0] if answer else ()
            names = [column.name for column in table.generated]
            texts = [None if value is None else value.decode() for value in values]
            completed.append({**row, **dict(zip(names, texts, strict=False))})
        return completed

    async def _execute_alone(self, statement: Statement) -> list[Row]:
        try:
            return (await self._execute([statement]))[0]
        except StatementError as error:
            log.warning("a generated column can't be computed: %s", error)
            return []

    async def _execute(self, statements: Sequence[Statement]) -> list[list[Row]]:
        async with self._lock:
            try:
                return await (await self._opened()).execute(statements) if statements else []
            except StatementError as error:
                if error.sqlstate[:2] in UNAVAILABLE_CLASSES and error.sqlstate != QUERY_CANCELED:
                    raise DatabaseUnavailable(str(error)) from error
                raise
            except ConnectionLost as error:
                raise DatabaseUnavailable(str(error)) from error

    async def _evaluate(self, checks: Sequence[VisibilityCheck], xids: Sequence[int]) -> list[VisibilityResult] | None:
        """None when the commits can't be seen yet."""
        if not checks and not xids:
            return []
        connection = await self._opened()  # first: on a new one nothing is prepared
        batch = _Batch()
        visibility: list[bool] = []
        if xids:
            numbers = ",".join(map(str, xids))
            statement = Statement(queries.WAIT_UNTIL_VISIBLE, [f"{{{numbers}}}".encode()])
            batch.add(statement, lambda row: visibility.append(row is not None and row[0] == b"t"))
        results = [VisibilityResult() for _ in checks]
        for check, result in zip(checks, results, strict=True):
            self._add_check(batch, check, result)
        if batch.statements:
            answers = await connection.execute(batch.statements)
            for reader, rows in zip(batch.readers, answers, strict=True):
                reader(rows[0] if rows else None)
        return results if all(visibility) else None

    def _add_check(self, batch: _Batch, check: VisibilityCheck, result: VisibilityResult) -> None:
        for role, principals in check.principals.items():
            query = self._add_key_lookup(batch, check, role)
            deleted = None if check.deleted is None else queries.deleted_row(check.table, check.deleted).encode()
            is_judged = query is not None or deleted is not None
            claims = quote_array([principal.claims_json for principal in principals] if is_judged else ())
            name = self._next_name("deletion").encode()
            parameters = [str(check.table.oid).encode(), role.encode(), query, deleted, name, claims]
            batch.add(Statement(queries.EVALUATE, parameters), self._view_reader(check, role, result))
        for one in check.comparisons:
            statement = Statement(queries.compare(one), [one.left.encode(), one.right.encode()])
            batch.add(statement, _comparison_reader(one, result))
        for value in check.values:
            batch.add(Statement(queries.print_json(value[0]), [value[1].encode()]), _value_reader(value, result))

    def _next_name(self, prefix: str) -> str:
        """A name for a prepared statement that no other had: one may be left behind where a batch fails."""
        self._count += 1
        return f"{prefix}_{self._count}"

    def _add_key_lookup(self, batch: _Batch, check: VisibilityCheck, role: str) -> bytes | None:
        """The query that finds the row by its key, as `execute` of a statement prepared for the table and the role.

        Plans depend on both; `prepare` in SQL lets the function execute it without parsing the query again.
        """
        if check.key is None:
            return None
        name = self._key_lookups.get((check.table, role))
        if name is None:
            name = self._key_lookups[check.table, role] = self._next_name("key_lookup")
            batch.add(Statement(queries.prepare_key_lookup(name, check.table), is_prepared=False), _ignore)
        return queries.execute_key_lookup(name, check.key).encode()

    def _view_reader(self, check: VisibilityCheck, role: str, result: VisibilityResult) -> Reader:
        def read(row: Row | None) -> None:
            if row is None:
                return  # the role does not exist, or is a superuser: it sees nothing
            bypasses = row[0] == b"t"
            numbers = {int(number) for number in split_array(row[1])}
            names = frozenset(column.name for column in check.table.columns.values() if column.number in numbers)
            result.views[role] = RoleView(names)
            principals = check.principals[role]
            if bypasses or (check.key is None and check.deleted is None):
                result.visible_to.update(principals)
                return
            visible = split_array(row[2])
            pairs = zip(principals, visible, strict=True)
            result.visible_to.update(principal for principal, is_visible in pairs if is_visible == "t")
            if row[3] is not None:
                self._report_unjudged(check.table, role, row[3].decode())

        return read

    def _report_unjudged(self, table: Table, role: str, problem: str) -> None:
        """Say once per table and role why its deletions are told to nobody."""
        if (table.oid, role) in self._unjudged:
            return
        self._unjudged.add((table.oid, role))
        log.warning(
            "deletions in %s.%s are not told to %s: its policies can't be asked about what the log has of the row (%s);"
            " `alter table ... replica identity full` puts all of it there",
            table.schema, table.name, role, problem,
        )  # fmt: skip


def _ignore(_row: Row | None) -> None:
    pass


def _comparison_reader(comparison: Comparison, result: VisibilityResult) -> Reader:
    def read(row: Row | None) -> None:
        result.comparisons[comparison] = None if row is None or row[0] is None else row[0] == b"t"

    return read


def _value_reader(value: TypedText, result: VisibilityResult) -> Reader:
    def read(row: Row | None) -> None:
        result.values[value] = "null" if row is None or row[0] is None else row[0].decode()

    return read


def _generated_statement(table: Table, row: LoggedRow) -> Statement | None:
    """The statement for one row; None where it can't be asked for."""
    present = [(column, row[column.name]) for column in table.columns.values() if column.name in row]
    known = [(column, text) for column, text in present if not isinstance(text, Unchanged)]
    unchanged = [column for column, text in present if isinstance(text, Unchanged)]
    key = [row.get(name) for name in table.key] if unchanged else []
    if unchanged and (not key or not all(isinstance(text, str) for text in key)):
        return None
    texts = [*(text for _, text in known), *key]
    parameters = [text.encode() if isinstance(text, str) else None for text in texts]
    return Statement(queries.compute_generated(table, [column for column, _ in known], unchanged), parameters)
