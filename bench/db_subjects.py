"""Who asks in the database benchmark: a median member, the busiest one, an admin, a visitor; and what they have."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import psycopg


@dataclass(frozen=True)
class Subject:
    """Somebody who asks: how they are called, their claims, and what fills the places of a request."""

    name: str
    actor: str
    claims: Mapping[str, str]
    places: Mapping[str, str]

    def fill(self, text: str) -> str:
        """Put what this subject has into the places of a request."""
        for place, value in self.places.items():
            text = text.replace("{" + place + "}", value)
        return text


_BY_MESSAGES = """
select member, count(*) as many
from (select sender_id as member from messages union all select recipient_id from messages) as both_sides
group by member order by many, member
"""
_SHARED = """
select
  (select string_agg(id::text, ',') from (select id from profiles order by id limit 20) as m) as members,
  (select string_agg(id::text, ',') from (
    select id from posts where not is_blog_post order by created_at desc limit 20) as p) as posts,
  (select id::text from posts order by public.comment_count(posts) desc, id limit 1) as post,
  (select slug from posts where is_public_blog order by slug limit 1) as slug,
  (select email from waitlist order by email limit 1) as waiting,
  to_char(now() - interval '300 days', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as long_ago,
  to_char(now(), 'YYYY-MM-DD') as today
"""
_OWN = """
select
  (select case when m.sender_id = %(me)s then m.recipient_id else m.sender_id end::text
    from messages as m
    where (m.sender_id = %(me)s or m.recipient_id = %(me)s) and exists (
      select from connections as c where c.status = 'accepted'
        and %(me)s in (c.user_id, c.connected_user_id) and c.user_id <> c.connected_user_id)
    order by (m.sender_id = %(me)s and m.created_at > now() - interval '1 day') desc, m.created_at desc limit 1)
    as partner,
  (select p.id::text from profiles as p
    where p.id <> %(me)s and p.privacy_settings ->> 'profile_visibility' = 'public' and not exists (
      select from connections as c where %(me)s in (c.user_id, c.connected_user_id)
        and p.id in (c.user_id, c.connected_user_id))
    order by p.id limit 1) as unconnected,
  c.last_message_id::text as message, to_char(c.last_message_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
    as message_at,
  (select p.id::text from posts as p
    where not p.is_blog_post and not exists (
      select from reactions as r where r.user_id = %(me)s and r.post_id = p.id)
    order by p.created_at desc limit 1) as unreacted
from (
  select k.last_message_id, k.last_message_at, row_number() over (order by k.last_message_at) as place,
    count(*) over () as many
  from private.conversations as k where k.member_id = %(me)s
) as c
where c.place = (c.many + 1) / 2
"""
# What a page must stay quick for: 20,000 messages with 3,000 partners.
_WIDEN = """
insert into messages (sender_id, recipient_id, content, read, created_at)
select
  case when s.n %% 2 = 0 then %(me)s else p.id end, case when s.n %% 2 = 0 then p.id else %(me)s end,
  'Message ' || s.n, s.n > 500, now() - make_interval(mins => 10 * s.n)
from generate_series(1, %(missing)s::integer) as s (n)
inner join (
  select m.id, row_number() over (order by m.id) - 1 as place
  from (select id from profiles where id <> %(me)s order by id limit 3000) as m
) as p on p.place = (s.n * 7919::bigint) %% 3000
"""
# The scale seed ends yesterday; today is counted live by the dashboard.
_TODAY = """
insert into messages (sender_id, recipient_id, content, created_at)
select m.sender_id, m.recipient_id, 'Today', now() - random() * (now() - date_trunc('day', now()))
from (select sender_id, recipient_id from messages order by created_at desc limit 20000) as m
where (select count(*) from messages where created_at >= date_trunc('day', now())) < 20000
"""
BUSIEST_MESSAGES = 20_000


def find_subjects(connection: psycopg.Connection) -> list[Subject]:
    """Choose them by the messages they have. Makes the two members' partners answerable and one member an admin.

    What is changed for that is a fresh message to the partner (a cause to notify of), a connection with them (so that a
    message is not counted), and the list of admins: this is a database for measuring.
    """
    shared = _row(connection, _SHARED, {})
    members = [row[0] for row in connection.execute(_BY_MESSAGES).fetchall()]
    if len(members) > 3_000:
        _widen(connection, members[-1])
    subjects = []
    for name, member in (("median", members[len(members) // 2]), ("busiest", members[-1])):
        own = _row(connection, _OWN, {"me": member})
        parties = {"me": member, "partner": own["partner"]}
        connection.execute(
            "insert into connections (user_id, connected_user_id, status) values (%(me)s, %(partner)s, 'accepted')"
            " on conflict (least(user_id, connected_user_id), greatest(user_id, connected_user_id))"
            " do update set status = 'accepted'", parties)  # fmt: skip
        connection.execute(
            "insert into messages (sender_id, recipient_id, content) values (%(me)s, %(partner)s, 'Hi')",
            parties)  # fmt: skip
        claims = {"sub": str(member), "role": "authenticated"}
        subjects.append(Subject(name, "member", claims, {**shared, **own, "me": str(member)}))
    admin = members[len(members) // 3]
    connection.execute("insert into private.admins (user_id) values (%s) on conflict do nothing", (admin,))
    subjects.append(
        Subject("admin", "admin", {"sub": str(admin), "role": "authenticated"}, {**shared, "me": str(admin)})
    )
    subjects.append(Subject("visitor", "visitor", {}, shared))
    with connection.transaction():
        # Days that are over are counted once and kept; what is measured is every call but the day's first.
        connection.execute("select set_config('request.jwt.claims', %s, true)", ('{"role": "service_role"}',))
        connection.execute("select from public.admin_stats(157)")
    connection.execute("analyze connections, messages")
    return subjects


def _widen(connection: psycopg.Connection, member: object) -> None:
    """Bring a member to BUSIEST_MESSAGES, over 3,000 partners, and write today's messages. Needs more members."""
    with connection.transaction():
        found = connection.execute(
            "select count(*) from messages where sender_id = %(me)s or recipient_id = %(me)s", {"me": member}
        ).fetchone()
        assert found is not None
        connection.execute(_WIDEN, {"me": member, "missing": max(0, BUSIEST_MESSAGES - found[0])})
        connection.execute(_TODAY)


def _row(connection: psycopg.Connection, query: str, values: Mapping[str, Any]) -> dict[str, str]:
    with connection.cursor(row_factory=psycopg.rows.dict_row) as cursor:
        found = cursor.execute(query, values).fetchone()
    assert found is not None
    return {name: str(value) for name, value in found.items()}
