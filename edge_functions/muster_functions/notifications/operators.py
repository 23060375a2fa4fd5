"""What operators are told or tell, asked of the database: new waitlist entries and feedback, admins, invitations."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import psycopg

from muster_functions.notifications.events import JUST_NOW

Connection = psycopg.AsyncConnection[tuple[Any, ...]]

ADMIN_BATCH = 5  # §9.14

_AS_SERVICE = """select set_config('request.jwt.claims', '{"role": "service_role"}', true)"""
_AS_MEMBER = """
select set_config('request.jwt.claims', jsonb_build_object('role', 'authenticated', 'sub', %s::text)::text, true)
"""
# is_admin decides, as for every client; only members that an operator listed can be admins, so only they are asked.
_ADMINS = """
select p.id, p.email, p.full_name from public.profiles as p
where p.id in (select a.user_id from private.admins as a)
  and public.is_admin(p.id) and coalesce(p.email, '') <> ''
  and (%(after)s::uuid is null or p.id > %(after)s)
order by p.id limit %(batch)s
"""
_WAITLIST_ENTRY = """
select w.id, w.email, w.status, coalesce(q.current_rank, ''), q.years_of_service,
  case when q.firefighter_type = 'other' then coalesce(q.firefighter_type_other, 'other') else q.firefighter_type end
from public.waitlist as w left join public.quiz_responses as q on q.id = w.quiz_response_id
where w.id = %s and w.created_at > now() - %s::interval
"""
_FEEDBACK = """
select f.id, f.category, f.content, f.name, f.email from public.feedback as f
where f.id = %s and f.created_at > now() - %s::interval
"""

_MEMBER = "select id, email, full_name, notification_settings from public.profiles where email = lower(%s) limit 1"
_INVITED = "select id, email, null from public.waitlist where email = lower(%s) and status = 'invited'"


@dataclass(frozen=True)
class Person:
    """Somebody with an address."""

    id: UUID
    email: str
    full_name: str | None


@dataclass(frozen=True)
class WaitlistEntry:
    """Somebody who just joined the waitlist (§3.22); department is the quiz's rank or role (§3.33)."""

    id: UUID
    email: str
    status: str
    department: str
    years_of_service: str | None
    firefighter_type: str | None


@dataclass(frozen=True)
class Feedback:
    """What somebody just said about the product (§3.38)."""

    id: UUID
    category: str
    content: str
    name: str | None
    email: str | None


async def is_active(connection: Connection, user_id: UUID) -> bool:
    """Whether an account may act at all: it is there and not suspended, whatever its token says."""
    await connection.execute(_AS_MEMBER, (str(user_id),))
    row = await (await connection.execute("select private.caller_is_active()")).fetchone()
    return row is not None and row[0] is True


async def is_admin(connection: Connection, user_id: UUID) -> bool:
    """Whether a member is an admin (§7.39)."""
    await connection.execute(_AS_SERVICE)
    row = await (await connection.execute("select public.is_admin(%s)", (user_id,))).fetchone()
    return row is not None and row[0] is True


async def find_admins(connection: Connection) -> list[Person]:
    """Every admin with an address, looked up in batches of five (§6.7, §9.14)."""
    await connection.execute(_AS_SERVICE)
    found: list[Person] = []
    while True:
        after = found[-1].id if found else None
        cursor = await connection.execute(_ADMINS, {"after": after, "batch": ADMIN_BATCH})
        batch = [Person(*row) for row in await cursor.fetchall()]
        found += batch
        if len(batch) < ADMIN_BATCH:
            return found


async def find_member(connection: Connection, email: str) -> tuple[Person, object] | None:
    """The member of that address, and their notification_settings."""
    row = await (await connection.execute(_MEMBER, (email,))).fetchone()
    return None if row is None else (Person(*row[:3]), row[3])


async def find_waitlist_entry(connection: Connection, id: UUID) -> WaitlistEntry | None:
    """The entry of that id, if it was made just now."""
    row = await (await connection.execute(_WAITLIST_ENTRY, (id, JUST_NOW))).fetchone()
    return None if row is None else WaitlistEntry(*row)


async def find_feedback(connection: Connection, id: UUID) -> Feedback | None:
    """The feedback of that id, if it was given just now."""
    row = await (await connection.execute(_FEEDBACK, (id, JUST_NOW))).fetchone()
    return None if row is None else Feedback(*row)


async def find_invited(connection: Connection, email: str) -> Person | None:
    """The waitlist entry of that address, if it is invited."""
    row = await (await connection.execute(_INVITED, (email,))).fetchone()
    return None if row is None else Person(*row)
