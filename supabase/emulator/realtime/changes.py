"""Row changes: subscriptions in memory, one stream, one judge; every committed change to those who may see it. I/O.

Order: pieces of the stream are handled one after another, a batch of them is judged in one round trip, and messages go
out in commit order. A lost connection is opened again. The slot is durable where PostgreSQL bounds what it may hold
back (max_slot_wal_keep_size): then a restart of either side loses nothing. Otherwise, or when the bound was passed,
what may have been missed is said by phx_error, after which clients join again.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import psycopg

from emulator.realtime import catalogue, errors, filters, payloads
from emulator.realtime.backlog import WINDOW_S, Backlog
from emulator.realtime.database import Connection, Database, DatabaseAway
from emulator.realtime.filters import Binding
from emulator.realtime.frames import encode
from emulator.realtime.hub import Broadcast
from emulator.realtime.judge import Case, Judge, Verdict
from emulator.realtime.matching import Delivery, Matched, deliveries, match
from emulator.realtime.pgoutput import Relation, RowChange
from emulator.realtime.seats import Seat
from emulator.realtime.stream import Piece, Stream, StreamEnded
from emulator.realtime.subscriptions import Subscription, TableIndex
from emulator.realtime.tables import Table
from emulator.realtime.tokens import Member

log = logging.getLogger(__name__)
RETRY_S = (0.1, 0.25, 0.5, 1.0, 2.0)
MAX_CASES = 64  # changes judged in one round trip
MAX_IN_USE = 5  # attempts at a slot that somebody else holds
Position = tuple[int, int]  # commit LSN and row number; or where a commit ended, and 0
Waiting = tuple[Position, Matched | Broadcast | None]


@dataclass(slots=True)
class Wish:
    """What a channel subscribed to: its bindings by number, and from which commit on."""

    bindings: list[tuple[int, Binding]]
    since_lsn: int
    live: list[Subscription] = field(default_factory=list)


class Changes:
    """The subscriptions of this process and the task that serves them."""

    def __init__(self, database: Database, conninfo: str, slot: str, on_message: Callable[[Broadcast], None]) -> None:
        self._database = database
        self._conninfo = conninfo
        self._slot = slot
        self._on_message = on_message
        self._tables: dict[int, Table] = {}
        self._indexes: dict[int, TableIndex] = {}
        self._named: dict[int, bool] = {}  # tables without subscriptions: may a wildcard name them?
        self._wishes: dict[Seat, Wish] = {}
        self._delivered: Position = (0, 0)
        self._ended_lsn = 0
        self._is_first = True
        self._in_use = 0
        self._backlog: Backlog | None = None
        self._judge: Judge | None = None
        self._knowledge = catalogue.Knowledge()
        self.is_streaming = asyncio.Event()

    # Subscribing

    async def prepare(self, raw: Sequence[Mapping[str, Any]], member: Member) -> Wish:
        """Check what a join asks for; raises SubscriptionRefused, DatabaseAway or psycopg.Error."""
        bindings = [filters.parse_binding(one) for one in raw]
        numbered: list[tuple[int, Binding]] = list(enumerate(bindings, 1))
        if not self.is_streaming.is_set():
            raise DatabaseAway("the stream of changes is not open")
        async with self._database.connection() as connection:
            cursor = await connection.execute("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn")
            row = await cursor.fetchone()
            wish = Wish(numbered, int(row[0]) if row is not None else 0)
            known = self._knowledge
            known.refresh(time.monotonic())
            is_fresh = known.is_empty
            try:
                wish.live = await self._check(connection, wish, member.role)
            except errors.SubscriptionRefused:
                if is_fresh:
                    raise
                known.forget()
                wish.live = await self._check(connection, wish, member.role)
        return wish

    async def _check(self, connection: Connection, wish: Wish, role: str) -> list[Subscription]:
        found = []
        for number, binding in wish.bindings:
            for table in await catalogue.find_tables(connection, self._knowledge, binding):
                conditions = await catalogue.check_binding(connection, self._knowledge, binding, table, role)
                await self._know(connection, table)
                found.append(Subscription(_NOBODY, number, binding, conditions, wish.since_lsn, table.oid))
        return found

    def activate(self, seat: Seat, wish: Wish) -> None:
        """From now on changes flow to the seat."""
        self._wishes[seat] = wish
        self._named.clear()
        for one in wish.live:
            one.seat = seat
            self._indexes.setdefault(one.oid, TableIndex()).add(one)

    def has_backlog(self) -> bool:
        """Whether a client that comes back may have missed changes that are still here."""
        return self._backlog is not None and self._backlog.is_open(time.monotonic())

    async def catch_up(self, seat: Seat, wish: Wish) -> None:
        """Send a returning client what it missed, then let changes flow."""
        backlog, done = self._backlog, 0
        index: dict[int, TableIndex] = {}
        for one in wish.live:
            one.seat, one.since_lsn = seat, 0
            index.setdefault(one.oid, TableIndex()).add(one)
        wish.since_lsn = 0
        self._wishes[seat] = wish
        while backlog is not None and done < len(backlog.kept) and seat in self._wishes:
            part = backlog.kept[done : done + MAX_CASES]
            done += len(part)
            found = [self._match_in(index, kept.change, kept.committed_us, kept.commit_lsn) for kept in part]
            if self._judge is None:
                raise DatabaseAway("the stream of changes is not open")
            await self._flush([((0, 0), one) for one in found if one is not None], self._judge)
        # Nothing may come between the last look at the backlog and this.
        if seat in self._wishes:
            self.activate(seat, wish)

    def remove(self, seat: Seat) -> None:
        """No more changes for a seat."""
        wish = self._wishes.pop(seat, None)
        for one in wish.live if wish is not None else ():
            index = self._indexes.get(one.oid)
            if index is not None:
                index.remove(one)
                if not index.all:
                    del self._indexes[one.oid]

    # Serving

    async def run(self) -> None:
        """Stream and deliver until cancelled, whatever happens to PostgreSQL."""
        failures = 0
        while True:
            try:
                await self._serve()
            except (psycopg.Error, StreamEnded, DatabaseAway) as error:
                if self.is_streaming.is_set():
                    failures = 0
                    log.warning("the stream of changes broke: %s", str(error).strip())
                else:
                    level = logging.WARNING if failures == 0 else logging.DEBUG
                    log.log(level, "the stream of changes can't be opened: %s", str(error).strip())
            except Exception:
                log.exception("the stream of changes stumbled")  # and is opened again: it must never just stop
            finally:
                self.is_streaming.clear()
            await asyncio.sleep(RETRY_S[min(failures, len(RETRY_S) - 1)])
            failures += 1

    async def _serve(self) -> None:
        judge = await Judge.connect(self._conninfo)
        try:
            stream = await self._open_stream(judge)
        except BaseException:
            await judge.close()
            raise
        self._judge = judge
        try:
            if self._is_first and stream.resumed:
                self._backlog = Backlog(time.monotonic() + WINDOW_S)
            if not self._is_first and not stream.resumed:
                self._fail_subscribers()
            self._is_first = False
            self.is_streaming.set()
            self._in_use = 0
            while True:
                await self._handle(await stream.pieces(), judge)
                stream.confirm(self._ended_lsn)
        finally:
            self._judge = None
            await stream.close()
            await judge.close()

    async def _open_stream(self, judge: Judge) -> Stream:
        durable = judge.bounds_slots and self._in_use < MAX_IN_USE
        name = f"{self._slot}_{judge.database_oid}" if durable else f"{self._slot}_{secrets.token_hex(6)}"
        try:
            stream = await Stream.open(self._conninfo, name, self._is_wanted, durable=durable)
        except psycopg.errors.ObjectInUse:
            self._in_use += 1  # a predecessor that is not quite gone, or a second service: then a slot of our own
            raise
        if not durable:
            log.warning("the slot is temporary: changes during a restart will be missed, and clients told so")
        return stream

    def _is_wanted(self, relation: Relation) -> bool:
        """Whether anybody may want the table's changes; asked of every change, so remembered."""
        oid = relation.oid
        if oid in self._indexes or self.has_backlog():
            return True
        if oid not in self._named:
            self._named[oid] = _holds_messages(relation) or any(
                _names(binding, relation.schema, relation.table)
                for wish in self._wishes.values()
                for _, binding in wish.bindings
            )
        return self._named[oid]

    def _fail_subscribers(self) -> None:
        """Changes may have been missed: say so, clients join again."""
        for seat in tuple(self._wishes):
            seat.wire.fail_channel(seat.topic)

    async def _handle(self, pieces: Sequence[Piece], judge: Judge) -> None:
        waiting: list[Waiting] = []
        xids = {piece.xid: None for piece in pieces if piece.changes}
        for piece in pieces:
            for relation in piece.relations:
                await self._flush(waiting, judge, xids)
                await self._meet(relation)
            for change in piece.changes:
                position = (piece.commit_lsn, change.number)
                if position <= self._delivered:
                    continue  # a resumed slot repeats what it did not hear confirmed
                found = self._take(change, piece)
                if found is not None:
                    waiting.append((position, found))
                    if len(waiting) >= MAX_CASES:
                        await self._flush(waiting, judge, xids)
            if piece.end_lsn is not None:
                waiting.append(((piece.end_lsn, 0), None))
        await self._flush(waiting, judge, xids)

    def _take(self, change: RowChange, piece: Piece) -> Matched | Broadcast | None:
        if _holds_messages(change.relation):
            return _stored_broadcast(change)
        if self._backlog is not None:
            if self.has_backlog():
                self._backlog.add(change, piece.committed_us, piece.commit_lsn)
            else:
                self._backlog = None
                self._named.clear()
        return self._match_in(self._indexes, change, piece.committed_us, piece.commit_lsn)

    def _match_in(
        self, indexes: Mapping[int, TableIndex], change: RowChange, committed_us: int, commit_lsn: int
    ) -> Matched | None:
        oid = change.relation.oid
        index, table = indexes.get(oid), self._tables.get(oid)
        if index is None or table is None:
            return None
        candidates = list(index.candidates(change, table))
        return match(change, table, committed_us, commit_lsn, candidates) if candidates else None

    async def _flush(self, waiting: list[Waiting], judge: Judge, xids: Iterable[int] = ()) -> None:
        """Judge what has gathered and deliver it in order, noting how far that brought us."""
        cases = [one.case for _, one in waiting if isinstance(one, Matched)]
        is_needed = any(one is not None for _, one in waiting)
        verdicts = iter(await self._verdicts(cases, judge, tuple(xids)) if is_needed else ())
        for position, one in waiting:
            if isinstance(one, Matched):
                self._deliver_judged(one, next(verdicts))
            elif isinstance(one, Broadcast):
                self._on_message(one)
            else:
                self._ended_lsn = max(self._ended_lsn, position[0])
            self._delivered = max(self._delivered, position)
        waiting.clear()

    async def _verdicts(self, cases: Sequence[Case], judge: Judge, xids: Sequence[int]) -> list[Verdict | None]:
        """The verdicts; None where PostgreSQL could not judge, so that one change never blocks the others."""
        try:
            return list(await judge.ask(cases, xids))
        except psycopg.Error as error:
            _raise_if_connection(error)
        verdicts: list[Verdict | None] = []
        for case in cases:
            try:
                verdicts += await judge.ask([case])
            except psycopg.Error as error:
                _raise_if_connection(error)
                log.warning("a change of %s.%s can't be judged: %s", case.table.schema, case.table.name, error)
                verdicts.append(None)
        return verdicts

    def _deliver_judged(self, matched: Matched, verdict: Verdict | None) -> None:
        if verdict is not None:
            try:
                self._deliver(deliveries(matched, verdict))
                return
            except Exception:
                log.exception("a change of %s.%s can't be told", matched.table.schema, matched.table.name)
        # A policy or a filter that takes too long, or a table that is gone: those who asked must know of the gap.
        for seat in {one.seat: None for one in matched.subscriptions}:
            seat.wire.fail_channel(seat.topic)

    def _deliver(self, found: Sequence[Delivery]) -> None:
        frames: dict[tuple[int, str, tuple[int, ...], str], bytes] = {}
        for one in found:
            if one.seat not in self._wishes:
                continue
            wire, topic = one.seat.wire, one.seat.topic
            key = (wire.version, topic, one.ids, one.data)
            frame = frames.get(key)
            if frame is None:
                body = payloads.postgres_changes(one.ids, one.data)
                frame = frames[key] = encode(wire.version, None, None, topic, "postgres_changes", body)
            wire.write(frame)

    # Tables

    async def _know(self, connection: Connection, table: Table) -> None:
        """Take over a table as it is now; subscriptions to it are checked anew when it changed."""
        before = self._tables.get(table.oid)
        if before == table:
            return
        self._tables[table.oid] = table
        if before is not None or table.oid not in self._indexes:
            await self._attach(connection, table)

    async def _meet(self, relation: Relation) -> None:
        """The stream names a table: new to it, or altered."""
        self._named.pop(relation.oid, None)
        self._knowledge.forget()
        if _holds_messages(relation) or not (relation.oid in self._tables or self._is_wanted(relation)):
            return
        async with self._database.connection() as connection:
            table = await catalogue.read_table(connection, relation.oid)
            if table is None:
                self._tables.pop(relation.oid, None)
            else:
                await self._know(connection, table)

    async def _attach(self, connection: Connection, table: Table) -> None:
        """Every wish that names the table gets its subscriptions to it, by the table's present columns."""
        ready: dict[tuple[Binding, str], tuple[Any, ...] | None] = {}
        for seat, wish in tuple(self._wishes.items()):
            for one in [one for one in wish.live if one.oid == table.oid]:
                wish.live.remove(one)
                self._indexes.setdefault(table.oid, TableIndex()).remove(one)
            for number, binding in wish.bindings:
                if not _names(binding, table.schema, table.name):
                    continue
                role = seat.member.role
                if (binding, role) not in ready:
                    try:
                        known = catalogue.Knowledge()
                        ready[binding, role] = await catalogue.check_binding(connection, known, binding, table, role)
                    except errors.SubscriptionRefused as error:
                        log.info("a subscription does not fit %s.%s: %s", table.schema, table.name, error.text)
                        ready[binding, role] = None
                conditions = ready[binding, role]
                if conditions is not None and seat in self._wishes:
                    one = Subscription(seat, number, binding, conditions, wish.since_lsn, table.oid)
                    wish.live.append(one)
                    self._indexes.setdefault(table.oid, TableIndex()).add(one)


def _raise_if_connection(error: psycopg.Error) -> None:
    """Let through only what the connection survived."""
    if isinstance(error, psycopg.OperationalError) and not isinstance(error, psycopg.errors.QueryCanceled):
        raise error


def _names(binding: Binding, schema: str, table: str) -> bool:
    return filters.like_matches(binding.schema, schema) and filters.like_matches(binding.table, table)


def _holds_messages(relation: Relation) -> bool:
    return relation.schema == "realtime" and relation.table.startswith("messages")


def _stored_broadcast(change: RowChange) -> Broadcast | None:
    """A row of realtime.messages as the broadcast it stands for."""
    row = change.new or {}
    if change.kind != "INSERT" or row.get("extension") != "broadcast":
        return None
    payload, binary, event = row.get("payload"), row.get("binary_payload"), row.get("event")
    identity = str(row.get("id"))
    is_json = not isinstance(binary, str)
    body = (payload if isinstance(payload, str) else "{}").encode()
    if isinstance(binary, str):
        body = bytes.fromhex(binary.removeprefix("\\x"))
    return Broadcast(
        str(row.get("topic")),
        row.get("private") == "t",
        event if isinstance(event, str) else "",
        body,
        is_json,
        f'{{"id":"{identity}"}}',
        id=identity,
    )


class _Nobody:
    """The wire of a seat that nobody has taken yet."""

    version: Any = 2

    def write(self, frame: bytes) -> None:
        raise AssertionError(f"{len(frame)} bytes for nobody")

    def fail_channel(self, topic: str) -> None:
        raise AssertionError(topic)


_NOBODY = Seat(_Nobody(), "", "", "", False, Member("", "", "", 0))
