"""PostgreSQL's answer to "may this mail be sent, to whom, about what": the only SQL on the kinds of notifications.

The rules are functions.accept_mail and the table private.notification_kinds.
"""

import json
from typing import Any
from uuid import UUID

from psycopg.rows import class_row

from emulator.principal import Principal
from muster_functions.notifications.models import Event, Kind
from muster_functions.runtime.database import Connection

_ACT_AS = "select set_config('request.jwt.claims', %s, true)"
_KIND = """
select k.sent_by, k.sent_to, private.caller_is_active(), private.caller_is_admin()
from private.notification_kinds as k
where k.kind = %s and k.mail_template is not null and k.sent_by <> 'job'
"""
_EVENTS = "select * from functions.accept_mail(%s, %s, %s)"


async def find_kind(connection: Connection, caller: Principal, name: str) -> Kind | None:
    """The kind of that name, as `caller` may use it; None when nothing of that name is mailed.

    From here on the transaction acts as `caller`.
    """
    await connection.execute(_ACT_AS, (json.dumps(_claims(caller)),))
    async with connection.cursor(row_factory=class_row(Kind)) as cursor:
        return await (await cursor.execute(_KIND, (name,))).fetchone()


async def find_events(connection: Connection, kind: str, recipient: str | None, event_id: UUID | None) -> list[Event]:
    """What may be mailed under that kind, a row per recipient; asked as the caller given to `find_kind`."""
    async with connection.cursor(row_factory=class_row(Event)) as cursor:
        return await (await cursor.execute(_EVENTS, (kind, recipient, event_id))).fetchall()


def _claims(caller: Principal) -> dict[str, Any]:
    """The claims as auth.uid() can read them: only a member's token has a subject, and that is a UUID."""
    claims = {name: value for name, value in caller.claims.items() if name != "sub"} | {"role": caller.role}
    return claims | {"sub": str(caller.user_id)} if caller.user_id is not None else claims
