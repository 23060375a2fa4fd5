"""The only SQL on functions.mail_receipts: each event once per recipient, and so many mails an hour."""

from datetime import timedelta
from uuid import UUID

from muster_functions import errors
from muster_functions.runtime.database import Connection

WINDOW_S = 3600

# A mail to several admins counts once for the caller.
_BY_CALLER = """
select count(distinct (kind, subject_id)), extract(epoch from now() - min(accepted_at))::float8
from functions.mail_receipts where caller = %s and accepted_at > now() - make_interval(secs => %s)
"""
_BY_RECIPIENT = """
select recipient, count(*), extract(epoch from now() - min(accepted_at))::float8
from functions.mail_receipts where recipient = any(%s) and accepted_at > now() - make_interval(secs => %s)
group by recipient
"""
_WRITE = """
insert into functions.mail_receipts (kind, subject_id, recipient, caller) values (%(kind)s, %(id)s, %(to)s, %(caller)s)
on conflict (kind, subject_id, recipient) do update set accepted_at = now(), caller = excluded.caller
where mail_receipts.accepted_at < now() - %(again_after)s::interval
returning true
"""


async def check_caller(connection: Connection, caller: str, limit: int) -> None:
    """Raises too_many_mails. Until the transaction ends, others of the same caller wait, so that the count holds."""
    await connection.execute("select pg_advisory_xact_lock(hashtextextended('mails of ' || %s, 0))", (caller,))
    row = await (await connection.execute(_BY_CALLER, (caller, WINDOW_S))).fetchone()
    if row is not None and row[0] >= limit:
        raise errors.too_many_mails(max(1, WINDOW_S - int(row[1])))


async def exhausted_recipients(connection: Connection, recipients: list[str], limit: int) -> dict[str, int]:
    """Those who got `limit` mails in the last hour, each with the seconds until they may get another one."""
    rows = await (await connection.execute(_BY_RECIPIENT, (recipients, WINDOW_S))).fetchall()
    return {to: max(1, WINDOW_S - int(oldest_s)) for to, count, oldest_s in rows if count >= limit}


async def write_receipt(
    connection: Connection, kind: str, id: UUID, to: str, caller: str, *, again_after: timedelta | None = None
) -> bool:
    """Record that `to` is mailed about `id`; False if they were before (less than `again_after` ago)."""
    values = {"kind": kind, "id": id, "to": to, "caller": caller, "again_after": again_after}
    return await (await connection.execute(_WRITE, values)).fetchone() is not None
