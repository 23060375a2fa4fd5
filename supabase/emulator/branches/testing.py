"""What a test asks of one branch beside its making: wait until it is settled, find a mail, turn its clock, add faults.

POST   /branches/<name>/settle   {"timeout_s": 10}
GET    /branches/<name>/mails?to=...&query=...&timeout_s=...   waits for a mail
POST   /branches/<name>/clock    {"set": "2030-01-01T00:00:00Z"} | {"advance_s": 3600} | {"stop": true} | {"go": true}
DELETE /branches/<name>/clock
POST   /branches/<name>/faults   {"path": "/rest/v1/*", "nth": 2, "status": 503}
DELETE /branches/<name>/faults
"""

import asyncio
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from psycopg.errors import InvalidSchemaName, UndefinedTable

from emulator.branches import errors
from emulator.branches.branch import Branch, Stack
from emulator.branches.databases import Connection, Databases
from emulator.branches.faults import Fault
from emulator.mailbox.message import message_payload
from emulator.mailbox.store import MailStore

Document = Mapping[str, Any]
LONGEST_S, SETTLE_S = 60.0, 10.0
PAUSE_S = 0.02
# What is counted of a queue, where its extension is there.
_LSN = "select pg_current_wal_lsn() - '0/0'::pg_lsn"
_COUNTED = {
    "pg_net": {"net.http_request_queue": "", "_muster.net_sending": ""},
    "cron": {"cron.job_run_details": "where status in ('starting', 'running')"},
}


async def settle(branch: Branch, databases: Databases, timeout_s: float) -> list[str]:
    """Wait until nothing is under way in a branch; what still is when the time is over."""
    deadline = time.monotonic() + timeout_s
    async with branch.request() as stack:
        while True:
            pending = await _pending(branch, databases, stack)
            if not pending or time.monotonic() > deadline:
                return pending
            await asyncio.sleep(PAUSE_S)


async def _pending(branch: Branch, databases: Databases, stack: Stack) -> list[str]:
    pending = ["requests"] if branch.requests > 1 else []
    if await stack.is_working():
        pending.append("functions")
    await stack.sent_mails()
    lsn, queues = await asyncio.to_thread(_ask, branch, databases, stack.queues)
    pending += queues
    if not pending and not await stack.delivered(lsn):
        pending.append("realtime")
    return pending


def _ask(branch: Branch, databases: Databases, queues: Mapping[str, str]) -> tuple[int, list[str]]:
    """Where the log ends, and which queues are not empty: those of extensions of PostgreSQL, and of the project's."""
    with databases.session(branch.database) as connection:
        row = connection.execute(_LSN).fetchone()
        found = [what for what, tables in _COUNTED.items() if any(_counts(connection, tables))]
        found += unfinished(connection, queues)
    return int(row[0]) if row else 0, found


def unfinished(connection: Connection, queues: Mapping[str, str]) -> list[str]:
    """Which queues of an extension are not empty; one whose tables are not there is."""
    found = []
    for name, statement in queues.items():
        with suppress(UndefinedTable, InvalidSchemaName):
            if connection.execute(f"select exists ({statement})".encode()).fetchone() == (True,):
                found.append(name)
    return found


def _counts(connection: Connection, tables: Mapping[str, str]) -> Iterator[int]:
    for table, condition in tables.items():
        if connection.execute("select to_regclass(%s) is not null", (table,)).fetchone() == (True,):
            counted = connection.execute(f"select count(*) from {table} {condition}".encode()).fetchone()
            yield counted[0] if counted else 0


async def find_mails(branch: Branch, to: str, query: str, timeout_s: float) -> Document:
    """The mails of a branch that are to an address and have all words, newest first; waits until there is one."""
    store = MailStore(branch.folder / "mail")
    deadline = time.monotonic() + timeout_s
    while True:
        found = await asyncio.to_thread(lambda: [message_payload(each) for each in store.search(query, to)])
        if found or time.monotonic() >= deadline:
            return {"total": len(found), "messages": found}
        await asyncio.sleep(PAUSE_S)


def turn_clock(branch: Branch, body: Document) -> Document:
    """Turn the clock of a branch; where it stands. Raises ApiError."""
    clock = branch.clock
    for name, value in body.items():
        if name == "set" and isinstance(value, str):
            try:
                clock.set(datetime.fromisoformat(value).timestamp())
            except (ValueError, OverflowError, OSError) as error:
                raise errors.bad_request("set is a time such as 2030-01-01T00:00:00Z") from error
        elif name == "advance_s" and isinstance(value, int | float) and abs(value) < 1e10:
            clock.set(clock.time() + value)
        elif name in ("stop", "go") and value is True:
            clock.stop() if name == "stop" else clock.go()
        else:
            raise errors.bad_request("a clock takes set, advance_s, stop or go")
    return shown_clock(branch)


def shown_clock(branch: Branch) -> Document:
    """Where the clock of a branch stands."""
    now = datetime.fromtimestamp(branch.clock.time(), UTC)
    return {"now": now.isoformat(timespec="milliseconds"), "is_stopped": branch.clock.stopped_at is not None}


def add_fault(branch: Branch, body: Document) -> None:
    """Ask for a fault. Raises ApiError."""
    branch.add_fault(Fault.read(body))


def seconds(value: object, default: float) -> float:
    """A time to wait. Raises ApiError."""
    try:
        wanted = default if value is None else float(str(value))
    except ValueError as error:
        raise errors.bad_request("timeout_s is a number") from error
    if not 0 <= wanted <= LONGEST_S:
        raise errors.bad_request(f"timeout_s is at most {LONGEST_S:.0f}")
    return wanted
