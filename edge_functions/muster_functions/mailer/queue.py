"""The only SQL on functions.mail_queue, which holds a mail from its acceptance until a mail server has accepted it.

The service's half is asynchronous and runs in its transactions; the operators' half (list, requeue, discard) is for
`muster mail` and takes a plain connection as role postgres.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import psycopg
from psycopg.types.json import Jsonb

from emulator.mail.email import Email
from muster_functions import errors

AsyncConnection = psycopg.AsyncConnection[tuple[Any, ...]]
Connection = psycopg.Connection[tuple[Any, ...]]

_INSERT = """
insert into functions.mail_queue (kind, recipient, recipient_name, subject, text_body, html_body, headers)
values (%s, %s, %s, %s, %s, %s, %s)
"""
# Materialized: a plan may evaluate a subquery once per row, and each time it would skip those it has already taken.
_CLAIM = """
with due as materialized (
  select id from functions.mail_queue
  where parked_at is null and next_attempt_at <= now()
  order by next_attempt_at for update skip locked limit 1
)
update functions.mail_queue as q
set attempts = q.attempts + 1, next_attempt_at = now() + make_interval(secs => %(lease_s)s)
from due
where q.id = due.id
returning q.id, q.kind, q.recipient, q.recipient_name, q.subject, q.text_body, q.html_body, q.headers, q.attempts
"""
_NEXT_DUE = """
select extract(epoch from min(next_attempt_at) - now())::float8 from functions.mail_queue where parked_at is null
"""
# Due, or begun; not what was given up and waits for an operator.
UNFINISHED = "select from functions.mail_queue where parked_at is null and (attempts > 0 or next_attempt_at <= now())"
_LIST = """
select id, kind, recipient, subject, accepted_at, attempts, next_attempt_at, last_error, parked_at
from functions.mail_queue
where (parked_at is not null) = %s order by accepted_at, id limit %s
"""
_REQUEUE = """
update functions.mail_queue set parked_at = null, attempts = 0, next_attempt_at = now()
where parked_at is not null and (%(id)s::uuid is null or id = %(id)s)
"""


@dataclass(frozen=True)
class QueuedMail:
    """A mail that a worker has taken from the queue, for the `attempts`-th time (from 1)."""

    id: UUID
    email: Email
    attempts: int


@dataclass(frozen=True)
class WaitingMail:
    """What an operator sees of a mail in the queue. `parked_at` is set once it was given up, for `last_error`."""

    id: UUID
    kind: str
    recipient: str
    subject: str
    accepted_at: datetime
    attempts: int
    next_attempt_at: datetime
    last_error: str | None
    parked_at: datetime | None


async def enqueue(connection: AsyncConnection, emails: list[Email], *, capacity: int) -> None:
    """Keep mails until they are sent. Raises queue_full if more than `capacity` would wait."""
    if await count_waiting(connection) + len(emails) > capacity:
        raise errors.queue_full()
    rows = [(e.kind, e.to, e.to_name, e.subject, e.text, e.html, Jsonb(e.headers)) for e in emails]
    await connection.cursor().executemany(_INSERT, rows)


async def count_waiting(connection: AsyncConnection) -> int:
    """How many mails wait to be sent."""
    cursor = await connection.execute("select count(*) from functions.mail_queue where parked_at is null")
    row = await cursor.fetchone()
    return 0 if row is None else int(row[0])


async def claim(connection: AsyncConnection, *, lease_s: float) -> QueuedMail | None:
    """Take the mail that is due first. A worker that does not settle it within `lease_s` loses it to the next one."""
    cursor = await connection.execute(_CLAIM, {"lease_s": lease_s})
    row = await cursor.fetchone()
    if row is None:
        return None
    id, kind, to, to_name, subject, text, html, headers, attempts = row
    return QueuedMail(id, Email(kind, to, subject, text, html, to_name, headers), attempts)


async def due_in_s(connection: AsyncConnection) -> float | None:
    """Seconds until the next mail is due; None when none waits."""
    row = await (await connection.execute(_NEXT_DUE)).fetchone()
    return None if row is None or row[0] is None else max(0.0, row[0])


async def settle_sent(connection: AsyncConnection, id: UUID) -> None:
    """Delete a mail that the server has accepted."""
    await connection.execute("delete from functions.mail_queue where id = %s", (id,))


async def settle_later(connection: AsyncConnection, id: UUID, reason: str | None, *, delay_s: float) -> None:
    """Schedule the next attempt in `delay_s`."""
    await connection.execute(
        "update functions.mail_queue set last_error = coalesce(%s, last_error), "
        "next_attempt_at = now() + make_interval(secs => %s) where id = %s",
        (reason, delay_s, id),
    )


async def settle_parked(connection: AsyncConnection, id: UUID, reason: str) -> None:
    """Park a mail that can't be sent, with the reason."""
    await connection.execute(
        "update functions.mail_queue set last_error = %s, parked_at = now() where id = %s", (reason, id)
    )


def list_queued(connection: Connection, limit: int = 100) -> list[WaitingMail]:
    """The mails that wait to be sent, oldest first."""
    return [WaitingMail(*row) for row in connection.execute(_LIST, (False, limit))]


def list_parked(connection: Connection, limit: int = 100) -> list[WaitingMail]:
    """The mails that were given up, oldest first, each with its reason."""
    return [WaitingMail(*row) for row in connection.execute(_LIST, (True, limit))]


def requeue(connection: Connection, id: UUID | None = None) -> int:
    """Try a parked mail again (or all of them); returns how many. The service notices within a minute."""
    return connection.execute(_REQUEUE, {"id": id}).rowcount


def discard(connection: Connection, id: UUID) -> bool:
    """Delete a parked mail; False when there is none of that id."""
    done = connection.execute("delete from functions.mail_queue where id = %s and parked_at is not null", (id,))
    return done.rowcount == 1
