"""What a member really did to another one just now, asked of the database: the cause that a mail needs.

One statement per type. An unknown address, a stranger's, a deed that never was or is long past: all are no row.
"""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import psycopg

Connection = psycopg.AsyncConnection[tuple[Any, ...]]

JUST_NOW = "15 minutes"

# Each: who did it is %(actor)s, to whom is `recipient`; id, at, text, variant, post (or null), author of the post.
_DEEDS = {
    "message": """
select m.id, m.created_at as at, m.content as text, '' as variant, null::uuid as post_id
from public.messages as m
where m.sender_id = %(actor)s and m.recipient_id = recipient.id and m.created_at > now() - %(just_now)s::interval
""",
    "mention": """
select n.id, n.created_at as at, c.content as text, '' as variant, c.post_id
from public.mentions as n inner join public.comments as c on c.id = n.comment_id
where n.mentioned_by_id = %(actor)s and n.mentioned_user_id = recipient.id
  and n.created_at > now() - %(just_now)s::interval
""",
    "reaction": """
select r.id, r.created_at as at, coalesce(c.content, o.content) as text,
  case when r.comment_id is null then 'post' else 'comment' end || ':' || r.type as variant,
  coalesce(r.post_id, c.post_id) as post_id
from public.reactions as r
left join public.posts as o on o.id = r.post_id
left join public.comments as c on c.id = r.comment_id
where r.user_id = %(actor)s and coalesce(c.user_id, o.user_id) = recipient.id
  and r.created_at > now() - %(just_now)s::interval
""",
    "connection": """
select k.id, k.updated_at as at, '' as text,
  case when k.status = 'accepted' then 'accepted' else 'request' end as variant, null::uuid as post_id
from public.connections as k
where k.updated_at > now() - %(just_now)s::interval
  and (
    (k.user_id = %(actor)s and k.connected_user_id = recipient.id and k.status = 'pending')
    or (k.user_id = recipient.id and k.connected_user_id = %(actor)s and k.status = 'accepted')
  )
""",
    "others": """
select c.id, c.created_at as at, c.content as text,
  case when a.user_id = recipient.id then 'answer' else 'comment' end as variant, c.post_id
from public.comments as c
inner join public.posts as o on o.id = c.post_id
left join public.comments as a on a.id = c.parent_id
where c.user_id = %(actor)s and recipient.id in (o.user_id, a.user_id)
  and c.created_at > now() - %(just_now)s::interval
""",
}

_FRAME = """
with recipient as (
  select p.id, p.email, p.full_name, p.notification_settings
  from public.profiles as p
  where p.email = lower(%(email)s) and p.id <> %(actor)s
)
select
  deed.id, deed.text, deed.variant, deed.post_id, post.title, author.full_name,
  coalesce(post.user_id = recipient.id, false),
  actor.full_name, actor.id, recipient.id, recipient.email, recipient.full_name, recipient.notification_settings,
  receipt.subject_id is not null as mailed
from recipient
inner join public.profiles as actor on actor.id = %(actor)s
cross join lateral ({deed}) as deed
left join public.posts as post on post.id = deed.post_id
left join public.profiles as author on author.id = post.user_id
left join functions.mail_receipts as receipt
  on receipt.kind = %(kind)s and receipt.subject_id = deed.id and receipt.recipient = recipient.email
where %(id)s::uuid is null or deed.id = %(id)s
order by mailed, deed.at desc limit 1
"""


@dataclass(frozen=True)
class Deed:
    """Something `actor` did that `recipient` may be told of. `mailed`: they have been, by mail."""

    id: UUID
    text: str
    variant: str
    post_id: UUID | None
    post_title: str | None
    post_author: str | None
    is_own_post: bool
    actor_name: str | None
    actor_id: UUID
    recipient_id: UUID
    recipient_email: str
    recipient_name: str | None
    recipient_settings: object
    mailed: bool


async def find_deed(connection: Connection, kind: str, actor: UUID, email: str, id: UUID | None) -> Deed | None:
    """The newest deed of that kind not mailed yet (else the newest at all), or the one called `id`."""
    statement = _FRAME.format(deed=_DEEDS[kind])
    values = {"kind": kind, "actor": actor, "email": email, "id": id, "just_now": JUST_NOW}
    row = await (await connection.execute(statement, values)).fetchone()
    return None if row is None else Deed(*row)
