"""The only SQL of the functions on trainings and addresses of calendars."""

from uuid import UUID

from psycopg.rows import class_row

from emulator.principal import Principal
from muster_functions.runtime.database import Connection
from muster_functions.trainings.icalendar_text import Training

_COLUMNS = """
  t.id, t.title, t.description, t.starts_at, t.ends_at, t.link, t.is_canceled, t.revision, t.updated_at,
  case when t.is_online then 'Online' else t.place || ', ' || t.state end as place,
  case when t.user_id = m.id then 'organizing' when a.is_waiting then 'waiting' else coalesce(a.answer, '') end
    as answer
"""
# A suspended member's address is as good as none. What somebody who is blocked announced stays out, also if it is over.
_MEMBER = """
select c.user_id from public.calendar_addresses as c
where c.token = %s and private.is_active_member(c.user_id)
"""
_OF_MEMBER = f"""
select {_COLUMNS}
from (select %(member)s::uuid as id) as m
cross join public.trainings as t
left join public.training_attendances as a on a.training_id = t.id and a.user_id = m.id
where t.id in (
    select o.id from public.trainings as o where o.user_id = %(member)s
    union
    select g.training_id from public.training_attendances as g where g.user_id = %(member)s
  )
  and t.ends_at > now() - interval '180 days'
  and not exists (
    select from public.blocks as b
    where (b.blocker_id, b.blocked_id) in ((m.id, t.user_id), (t.user_id, m.id))
  )
order by t.starts_at desc, t.id
limit %(most)s
"""
_ONE = f"""
select {_COLUMNS}
from (select auth.uid() as id) as m
cross join public.trainings as t
left join public.training_attendances as a on a.training_id = t.id and a.user_id = m.id
where t.id = %s
"""


async def member_of(connection: Connection, token: str) -> UUID | None:
    """Whose calendar an address is."""
    row = await (await connection.execute(_MEMBER, (token,))).fetchone()
    return None if row is None else row[0]


async def trainings_of(connection: Connection, member: UUID, most: int) -> list[Training]:
    """What the member answered or organizes, of the last half year and to come; the latest `most`."""
    async with connection.cursor(row_factory=class_row(Training)) as cursor:
        return await (await cursor.execute(_OF_MEMBER, {"member": member, "most": most})).fetchall()


async def training_seen_by(connection: Connection, caller: Principal, id: UUID) -> Training | None:
    """The training, if the caller may see it: PostgreSQL is asked as the caller, in the caller's transaction."""
    await connection.execute("select set_config('request.jwt.claims', %s, true)", (caller.claims_json,))
    await connection.execute("set local role authenticated")
    async with connection.cursor(row_factory=class_row(Training)) as cursor:
        return await (await cursor.execute(_ONE, (id,))).fetchone()
