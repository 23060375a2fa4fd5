"""The only SQL on functions.push_queue and on the subscriptions that it is for (supabase/migrations/*_push.sql)."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from muster_functions.push.message import News
from muster_functions.push.sender import Device
from muster_functions.runtime.database import Connection

_CLAIM = """
select subscription_id, user_id, endpoint, p256dh, auth, server_key, hides_content, attempts, notifications
from functions.claim_pushes(%s, %s)
"""
# Due, or begun; not what waits for the end of quiet hours.
UNFINISHED = "select from functions.push_queue where attempts > 0 or next_attempt_at <= now()"
_OUTLOOK = """
select
  exists (select from public.push_subscriptions),
  (
    select extract(epoch from min(next_attempt_at) - now())::float8
    from functions.push_queue where next_attempt_at > now()
  )
"""
# Not what was queued again meanwhile: its attempts are 0.
_OWN = "subscription_id = %(id)s and notification_id = any(%(news)s) and attempts > 0"
_OF_CALLER = """
select s.endpoint, s.p256dh, s.auth, s.server_key, s.device
from public.push_subscriptions as s
where s.id = %s and s.user_id = %s and private.is_active_member(s.user_id)
"""


@dataclass(frozen=True)
class Batch:
    """What is due for one device, claimed for the `attempts`-th time (from 1)."""

    subscription_id: UUID
    user_id: UUID
    device: Device
    hides_content: bool
    attempts: int
    news: list[News]

    @property
    def news_ids(self) -> list[UUID]:
        """The notifications that it is about."""
        return [one.id for one in self.news]


@dataclass(frozen=True)
class Outlook:
    """Whether any device is told at all, and in how many seconds the next push is due."""

    has_devices: bool
    due_in_s: float | None


async def claim(connection: Connection, *, lease_s: float, busy: list[UUID]) -> Batch | None:
    """What is due for the next device; members of `busy` are passed over."""
    row = await (await connection.execute(_CLAIM, (timedelta(seconds=lease_s), busy))).fetchone()
    if row is None:
        return None
    id, user_id, endpoint, p256dh, auth, server_key, hides_content, attempts, news = row
    device = Device(endpoint, p256dh, auth, server_key)
    return Batch(id, user_id, device, hides_content, attempts, [_news(one) for one in news])


async def look_ahead(connection: Connection) -> Outlook:
    """In the transaction of a claim that found nothing, so that nothing becomes due in between."""
    row = await (await connection.execute(_OUTLOOK)).fetchone()
    assert row is not None
    return Outlook(*row)


async def settle_sent(connection: Connection, batch: Batch) -> None:
    """The push service has accepted it."""
    values = {"id": batch.subscription_id, "news": batch.news_ids}
    await connection.execute(f"delete from functions.push_queue where {_OWN}", values)
    await connection.execute("update public.push_subscriptions set last_sent_at = now() where id = %(id)s", values)


async def settle_given_up(connection: Connection, batch: Batch) -> None:
    """It is not sent; the device stays."""
    values = {"id": batch.subscription_id, "news": batch.news_ids}
    await connection.execute(f"delete from functions.push_queue where {_OWN}", values)


async def settle_later(connection: Connection, batch: Batch, *, delay_s: float) -> None:
    """Schedule the next attempt in `delay_s`."""
    await connection.execute(
        f"update functions.push_queue set next_attempt_at = now() + make_interval(secs => %(delay_s)s) where {_OWN}",
        {"id": batch.subscription_id, "news": batch.news_ids, "delay_s": delay_s},
    )


async def drop_device(connection: Connection, id: UUID) -> None:
    """A dead subscription, with all that waits for it."""
    await connection.execute("delete from public.push_subscriptions where id = %s", (id,))


async def device_of(connection: Connection, id: UUID, member_id: UUID) -> tuple[Device, str] | None:
    """A device of a member who is not suspended, and its name."""
    row = await (await connection.execute(_OF_CALLER, (id, member_id))).fetchone()
    return None if row is None else (Device(*row[:4]), row[4])


def _news(row: dict[str, Any]) -> News:
    return News(UUID(row["id"]), row["preference"], row["title"], row["content"], row["url"])
