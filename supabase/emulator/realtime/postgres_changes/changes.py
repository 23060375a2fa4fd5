"""Row changes: one stream, one judge; every committed change to those who may see it, in commit order. I/O.

Pieces of the stream are handled one after another and a batch of them is judged in one round trip. A lost connection
is opened again. The slot is durable where PostgreSQL bounds what it may hold back (max_slot_wal_keep_size): then a
restart of either side loses nothing. Otherwise, or when the bound was passed, what may have been missed is said by
phx_error, after which clients join again.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import psycopg

from emulator.realtime.database.messages import holds_messages, stored_broadcast
from emulator.realtime.database.pool import Database, DatabaseAway
from emulator.realtime.postgres_changes.matching.match import Delivery, Matched, deliveries
from emulator.realtime.postgres_changes.registry import Indexes, Watchers, Wish
from emulator.realtime.postgres_changes.stream import Piece, Stream, StreamEnded
from emulator.realtime.postgres_changes.visibility import Judge, Verdict
from emulator.realtime.postgres_changes.wal.backlog import WINDOW_S, Backlog
from emulator.realtime.postgres_changes.wal.decoder import Relation, RowChange
from emulator.realtime.postgres_changes.wal.progress import Committed, Position, Progress
from emulator.realtime.subscriber import Seat
from emulator.realtime.wire import payloads
from emulator.realtime.wire.broadcasts import Broadcast
from emulator.realtime.wire.frames import encode
from emulator.realtime.wire.tokens import Member

log = logging.getLogger(__name__)
RETRY_S = (0.1, 0.25, 0.5, 1.0, 2.0)
MAX_CASES = 64  # changes judged in one round trip
MAX_IN_USE = 5  # attempts at a slot that somebody else holds
Found = Matched | Broadcast | None


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the log with what it came to; or, without a commit, how far the log was read."""

    position: Position
    found: Found = None
    change: RowChange | None = None
    commit: Committed | None = None


class Changes:
    """The stream of this process and the task that serves those who watch."""

    def __init__(self, database: Database, conninfo: str, slot: str, on_message: Callable[[Broadcast], None]) -> None:
        self.watchers = Watchers(database)
        self.progress = Progress()
        self.is_streaming = asyncio.Event()
        self._conninfo = conninfo
        self._slot = slot
        self._on_message = on_message
        self._is_first = True
        self._in_use = 0
        self._backlog: Backlog | None = None
        self._catching_up = 0
        self._judge: Judge | None = None

    # Subscribing

    async def prepare(self, raw: Sequence[Mapping[str, Any]], member: Member) -> Wish:
        """Check what a join asks for; raises SubscriptionRefused, DatabaseAway or psycopg.Error."""
        if not self.is_streaming.is_set():
            raise DatabaseAway("the stream of changes is not open")
        return await self.watchers.prepare(raw, member)

    def activate(self, seat: Seat, wish: Wish) -> None:
        """From now on changes flow to the seat."""
        self.watchers.add(seat, wish)

    def remove(self, seat: Seat) -> None:
        """No more changes for a seat."""
        self.watchers.remove(seat)

    def has_backlog(self) -> bool:
        """Whether a client that comes back may have missed changes that are still here."""
        return self._backlog is not None and (self._backlog.is_open(time.monotonic()) or self._catching_up > 0)

    async def catch_up(self, seat: Seat, wish: Wish) -> None:
        """Send a returning client what it missed, then let changes flow; raises DatabaseAway when it can't be told."""
        backlog, done = self._backlog, 0
        index = self.watchers.add_returning(seat, wish)
        self._catching_up += 1  # the backlog goes on until we are through
        try:
            while backlog is not None and done < len(backlog.kept) and seat in self.watchers:
                part = backlog.kept[done : done + MAX_CASES]
                done += len(part)
                found = [self.watchers.match(change, commit, index) for change, commit in part]
                if self._judge is None:
                    raise DatabaseAway("the stream of changes is not open")
                verdicts = await _verdicts(found, self._judge, ())
                for one, verdict in zip(filter(None, found), verdicts, strict=True):
                    self._deliver_judged(one, verdict)
            if backlog is not None and backlog.was_dropped:
                raise DatabaseAway("too much was changed to be told again")
            # Nothing may come between the last look at the backlog and this.
            if seat in self.watchers:
                self.watchers.add(seat, wish, is_recent=False)
        finally:
            self._catching_up -= 1

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
            if not self.progress.begin(stream.system, resumed=stream.resumed):
                self._fail_watchers()
            self._is_first = False
            self.is_streaming.set()
            self._in_use = 0
            while True:
                await self._handle(await stream.pieces(), judge)
                stream.confirm(self.progress.ended_lsn)
        finally:
            self._judge = None
            await stream.close()
            await judge.close()

    async def _open_stream(self, judge: Judge) -> Stream:
        durable = judge.bounds_slots and self._in_use < MAX_IN_USE
        name = f"{self._slot}_{judge.database_oid}" if durable else f"{self._slot}_{secrets.token_hex(6)}"
        try:
            stream = await Stream.open(self._conninfo, name, self._is_wanted, self.progress.has_told, durable=durable)
        except psycopg.errors.ObjectInUse:
            self._in_use += 1  # a predecessor that is not quite gone, or a second service: then a slot of our own
            raise
        if not durable:
            log.warning("the slot is temporary: changes during a restart will be missed, and clients told so")
        return stream

    def _is_wanted(self, relation: Relation) -> bool:
        return self.has_backlog() or self.watchers.is_watched(relation) or holds_messages(relation)

    def _fail_watchers(self) -> None:
        """Changes may have been missed: say so, clients join again."""
        for seat in self.watchers.seats():
            seat.wire.fail_channel(seat.topic)

    async def _handle(self, pieces: Sequence[Piece], judge: Judge) -> None:
        batch: list[Entry] = []
        matched = 0
        xids = {piece.commit.xid: None for piece in pieces if piece.changes}
        self.watchers.take_recent()
        for piece in pieces:
            for relation in piece.relations:
                await self._flush(batch, judge, xids)
                if not holds_messages(relation):
                    await self.watchers.meet(relation, is_wanted=self._is_wanted(relation))
            for change in piece.changes:
                position = (piece.commit.lsn, change.number)
                if not self.progress.is_new(position):
                    continue
                found = self._take(change, piece.commit)
                batch.append(Entry(position, found, change, piece.commit))
                matched += found is not None
                if matched >= MAX_CASES:
                    await self._flush(batch, judge, xids)
                    matched = 0
            if piece.end_lsn is not None:
                batch.append(Entry((piece.end_lsn, 0)))
        await self._flush(batch, judge, xids)

    def _take(self, change: RowChange, commit: Committed) -> Matched | Broadcast | None:
        if holds_messages(change.relation):
            return stored_broadcast(change)
        if self._backlog is not None:
            if self.has_backlog():
                self._backlog.add(change, commit)
            else:
                self._backlog = None
                self.watchers.forget_names()
        return self.watchers.match(change, commit)

    async def _flush(self, batch: list[Entry], judge: Judge, xids: Iterable[int]) -> None:
        """Judge what has gathered and deliver it in order, noting how far that brought us.

        Whoever subscribed meanwhile, and could not see a commit yet when it did, is told of it, too. From the first
        delivery to the last nothing is awaited: a loss comes before all of them or after.
        """
        numbers, found = tuple(xids), [entry.found for entry in batch]
        rounds = [found]
        verdicts = await _verdicts(found, judge, numbers) if any(found) else []
        while (late := self.watchers.take_recent()) and any(entry.commit for entry in batch):
            found = [self._match_late(entry, late) for entry in batch]
            verdicts += await _verdicts(found, judge, numbers) if any(found) else []
            rounds.append(found)
        answers = iter(verdicts)
        judged = [[(one, next(answers)) for one in found if isinstance(one, Matched)] for found in rounds]
        by_change = {id(matched): verdict for round_ in judged for matched, verdict in round_}
        for number, entry in enumerate(batch):
            for found in rounds:
                one = found[number]
                if isinstance(one, Matched):
                    self._deliver_judged(one, by_change[id(one)])
                elif isinstance(one, Broadcast):
                    self._on_message(one)
            self.progress.passed(entry.position, ends=entry.commit is None)
        batch.clear()

    def _match_late(self, entry: Entry, late: Indexes) -> Matched | None:
        if entry.change is None or entry.commit is None or holds_messages(entry.change.relation):
            return None
        return self.watchers.match(entry.change, entry.commit, late)

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
            if one.seat not in self.watchers:
                continue
            wire, topic = one.seat.wire, one.seat.topic
            key = (wire.version, topic, one.ids, one.data)
            frame = frames.get(key)
            if frame is None:
                body = payloads.postgres_changes(one.ids, one.data)
                frame = frames[key] = encode(wire.version, None, None, topic, "postgres_changes", body)
            wire.write(frame)


async def _verdicts(found: Iterable[Found], judge: Judge, xids: Sequence[int]) -> list[Verdict | None]:
    """One for each that is matched; None where PostgreSQL could not judge, so that no change blocks the others."""
    cases = [one.case for one in found if isinstance(one, Matched)]
    try:
        return list(await judge.ask(cases, xids))
    except psycopg.Error as error:
        _raise_if_connection(error)
    verdicts: list[Verdict | None] = []
    for case in cases:
        try:
            verdicts += await judge.ask([case], xids)
        except psycopg.Error as error:
            _raise_if_connection(error)
            log.warning("a change of %s.%s can't be judged: %s", case.table.schema, case.table.name, error)
            verdicts.append(None)
    return verdicts


def _raise_if_connection(error: psycopg.Error) -> None:
    """Let through only what the connection survived."""
    if isinstance(error, psycopg.OperationalError) and not isinstance(error, psycopg.errors.QueryCanceled):
        raise error
