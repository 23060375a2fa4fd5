"""The mails that scheduled jobs ask for: rows of functions.mail_requests, taken in the caller's transaction.

Whoever takes them queues what is returned in the same transaction, so each is mailed once, whatever dies meanwhile.
"""

import asyncio
import logging
from datetime import UTC, datetime

from psycopg.rows import class_row

from emulator.mail.email import Email
from muster_functions.notifications.models import JobMail
from muster_functions.runtime.database import Connection

log = logging.getLogger(__name__)

# The settings may have changed since the job ran. A member without an address gets no mail. What is about an account
# names its address: after a change of address it is the earlier one.
# Materialized: a plan may evaluate a subquery once per row, and each time it would skip those it has already taken.
_TAKE = """
with oldest as materialized (
  select id from functions.mail_requests order by requested_at, id for update skip locked limit %s
), taken as (
  delete from functions.mail_requests where id in (select id from oldest) returning *
)
select
  k.mail_template as template, k.preference, t.facts, p.id as recipient_id, p.full_name as name,
  case k.sent_to when 'account' then t.facts ->> 'to' else p.email end as email,
  k.sent_to = 'account' or private.wants_mail(p.notification_settings, k.preference) and p.email <> '' as is_wanted
from taken as t
inner join private.notification_kinds as k on k.kind = t.kind
inner join public.profiles as p on p.id = t.recipient_id
order by t.requested_at, t.id
"""


async def take_mails(connection: Connection, most: int, *, site_url: str, secret: str) -> list[Email]:
    """Take up to `most` requests; the mails to those who still want them."""
    async with connection.cursor(row_factory=class_row(JobMail)) as cursor:
        requests = await (await cursor.execute(_TAKE, (most,))).fetchall()
    wanted = [request for request in requests if request.is_wanted]
    if not wanted:
        return []
    from muster_functions.emails import render  # with the template engine, of which an idle process has no need
    from muster_functions.notifications.job_content import write_job_mail

    await asyncio.to_thread(render.load)  # compiles the templates, the first time
    year = datetime.now(UTC).year
    emails = []
    for request in wanted:
        try:
            emails.append(render.render(write_job_mail(request), site_url=site_url, year=year, secret=secret))
        except (KeyError, TypeError, ValueError):
            log.exception("a mail that the database asked for (%s) can't be written", request.template)
    return emails
