"""pg_net's worker: takes requests off the queue, sends up to a batch of them at once, writes what came back.

A request is moved to _muster.net_sending before it is sent, in the transaction that takes it off the queue, and noted
in the journal when its first byte goes out. So it is sent once at most, whenever this process or PostgreSQL dies, and
always gets its row of net._http_response: one whose outcome nobody knows any more gets an error, one that surely was
not sent is queued again.
"""

import asyncio
import contextlib
import logging
import time
from typing import Any

import psycopg
from psycopg.types.json import Jsonb
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from emulator.platform.fetch import Fetcher, FetchError, Request
from emulator.platform.net.journal import Journal
from emulator.platform.net.outcome import Outcome, of_error, of_response
from emulator.platform.tasks import raise_if_canceled

log = logging.getLogger(__name__)

USER_AGENT = "pg_net/0.20.4"
INTERRUPTED = "The worker was stopped while the request was sent; it is not sent again"
UNLIMITED_S = 300.0  # for a time-out of 0, which is none to libcurl
SWEEP_S = 3600.0  # expired responses go with the next request, and at least this often
WRITE_PAUSE_S = 0.005  # responses that come together are written together

_READY = "select pg_catalog.to_regclass('net.http_request_queue') is not null"
_TABLE = """
create table if not exists _muster.net_sending (
  id bigint primary key, method text, url text, headers jsonb, body bytea, timeout_milliseconds integer
)
"""
# Anybody may write anything into such a setting of a database.
_SETTINGS = """
select
  case when batch_size ~ '^[0-9]{1,5}$' then least(batch_size::integer, 32767) else 200 end,
  case when pg_input_is_valid(ttl, 'interval') then ttl else '6 hours' end
from (values (current_setting('pg_net.batch_size', true), current_setting('pg_net.ttl', true))) as s (batch_size, ttl)
"""
# Materialized: a plan may evaluate a subquery once per row, and each time it would skip those it has already taken.
_TAKE = """
with oldest as materialized (
  select id from net.http_request_queue order by id limit %s for update skip locked
), taken as (
  delete from net.http_request_queue where id in (select id from oldest)
  returning id, method, url, headers, body, timeout_milliseconds
), marked as (
  insert into _muster.net_sending (id, method, url, headers, body, timeout_milliseconds)
  select id, method, url, headers, body, timeout_milliseconds from taken
  on conflict do nothing
)
select id, method, url, headers, body, timeout_milliseconds from taken order by id
"""
_WRITE = """
with finished as (
  delete from _muster.net_sending
  where id in (select (row ->> 'id')::bigint from jsonb_array_elements(%(rows)s) as row)
  returning id
)
insert into net._http_response (id, status_code, content_type, headers, content, timed_out, error_msg)
select
  finished.id, (row ->> 'status_code')::integer, row ->> 'content_type', nullif(row -> 'headers', 'null'),
  row ->> 'content', (row ->> 'timed_out')::boolean, row ->> 'error_msg'
from jsonb_array_elements(%(rows)s) as row
join finished on finished.id = (row ->> 'id')::bigint
"""
_REQUEUED = """
with unsent as (
  delete from _muster.net_sending where id <> all (%s) and id <> all (%s)
  returning id, method, url, headers, body, timeout_milliseconds
)
insert into net.http_request_queue (id, method, url, headers, body, timeout_milliseconds) select * from unsent
"""
_INTERRUPTED = """
with lost as (delete from _muster.net_sending where id <> all (%s) returning id)
insert into net._http_response (id, timed_out, error_msg) select id, false, %s from lost
"""
_EXPIRE = """
delete from net._http_response
where ctid in (select ctid from net._http_response where created < now() - %s::interval order by created limit 10000)
"""


class Sender:
    """One process's sender. `run` is started whenever the session with the database begins, and canceled when it ends.

    What was sent before goes on meanwhile, and its responses are written by the next run.
    """

    def __init__(self, pool: "AsyncConnectionPool[Any]", fetcher: Fetcher, journal: Journal) -> None:
        self._pool = pool
        self._fetcher = fetcher
        self._journal = journal
        self._woken = asyncio.Event()
        self._sending: dict[int, asyncio.Task[None]] = {}
        self._finished: dict[int, Outcome] = {}

    def wake(self) -> None:
        """There may be requests."""
        self._woken.set()

    async def run(self) -> None:
        """Send until canceled. Raises psycopg.Error when the database is gone."""
        self._woken.set()
        is_recovered = False
        while True:
            raise_if_canceled()
            try:
                async with asyncio.timeout(SWEEP_S):
                    await self._woken.wait()
            except TimeoutError:
                pass
            self._woken.clear()
            if not await self._is_installed():
                continue
            if not is_recovered:
                await self._recover()
                is_recovered = True
            await self._round()

    async def close(self) -> None:
        """End what is being sent, and write what has come back."""
        sending = list(self._sending.values())
        for task in sending:
            task.cancel()
        await asyncio.gather(*sending, return_exceptions=True)
        with contextlib.suppress(psycopg.Error, PoolTimeout):  # then the next start writes errors for them
            if self._finished:
                async with self._pool.connection(timeout=1) as connection:
                    await self._write(connection)
        self._journal.close()

    async def _is_installed(self) -> bool:
        async with self._pool.connection() as connection:
            row = await (await connection.execute(_READY)).fetchone()
        return row is not None and bool(row[0])

    async def _recover(self) -> None:
        async with self._pool.connection() as connection:
            await connection.execute(_TABLE)
            mine = [*self._sending, *self._finished]
            sent = None if mine else self._journal.read()
            if sent is not None:
                await connection.execute(_REQUEUED, (mine, list(sent)))
            await connection.execute(_INTERRUPTED, (mine, INTERRUPTED))

    async def _round(self) -> None:
        """Write what came back, take as many requests as there is room for, and start sending them."""
        await asyncio.sleep(WRITE_PAUSE_S)
        async with self._pool.connection() as connection:
            try:
                await self._write(connection)
                settings = await (await connection.execute(_SETTINGS)).fetchone()
                batch_size, ttl = settings or (200, "6 hours")
                await connection.execute(_EXPIRE, (ttl,))
                room = max(0, batch_size - len(self._sending))
                rows = await (await connection.execute(_TAKE, (room,))).fetchall() if room else []
            except (psycopg.errors.UndefinedTable, psycopg.errors.InvalidSchemaName):
                return  # the extension was dropped
        if not self._sending and not self._finished:
            self._journal.reset()  # what is in it is settled
        for row in rows:
            self._sending[row[0]] = asyncio.create_task(self._send(*row))
        if rows and room == len(rows):
            return  # the next response makes room, and wakes
        if rows:
            self._woken.set()

    async def _write(self, connection: psycopg.AsyncConnection[Any]) -> None:
        written = dict(self._finished)
        if written:
            rows = [{"id": number, **outcome.as_row()} for number, outcome in written.items()]
            await connection.execute(_WRITE, {"rows": Jsonb(rows)})
            await connection.commit()
        for number in written:
            del self._finished[number]

    async def _send(
        self, number: int, method: str, url: str, headers: dict[str, Any] | None, body: bytes | None, timeout_ms: int
    ) -> None:
        began = time.monotonic()
        try:
            sent = [(name, "" if value is None else str(value)) for name, value in (headers or {}).items()]
            if headers is not None and "user-agent" not in {name.lower() for name, _ in sent}:
                sent.append(("User-Agent", USER_AGENT))
            timeout_s = timeout_ms / 1000 if timeout_ms > 0 else UNLIMITED_S
            request = Request(method.upper(), url, sent, body, timeout_s)
            outcome = of_response(await self._fetcher.fetch(request, lambda: self._journal.note(number)))
        except FetchError as error:
            outcome = of_error(error.reason, timeout_ms, (time.monotonic() - began) * 1000)
        except Exception:  # a fault of ours must not leave the request without a response
            log.exception("request %d of net.http_request_queue failed", number)
            outcome = of_error("receive", timeout_ms, 0)
        self._finished[number] = outcome
        del self._sending[number]
        self._woken.set()
