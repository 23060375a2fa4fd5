-- The kinds of notifications and mails, one row each. The defaults of a member's settings, the rules of notifications
-- and functions.accept_mail read this table; `muster types` exports it to the web application. A new kind needs a row
-- here, a function that finds its events, its texts in the web application and its mail template.

create table private.notification_kinds (
  kind text primary key,
  place smallint not null,
  preference text,
  admin_preference text,
  sent_by text not null,
  sent_to text not null,
  in_app_within interval,
  mail_template text,
  mail_by_default boolean not null default false,
  mail_only boolean not null default false,
  mail_again_after interval,
  event_source text,
  link text,
  constraint notification_kinds_place_key unique (place),
  constraint notification_kinds_kind_is_a_word check (kind ~ '^[a-z][a-z_]{0,39}$'),
  constraint notification_kinds_sender_is_known check (sent_by in ('member', 'admin', 'anyone', 'job')),
  constraint notification_kinds_audience_is_known
  check (sent_to in ('member', 'admins', 'invited', 'sender', 'account')),
  constraint notification_kinds_to_members_have_a_preference check ((sent_to = 'member') = (preference is not null)),
  constraint notification_kinds_of_members_have_events check (sent_by in ('admin', 'job') or event_source is not null)
);
comment on table private.notification_kinds is
'The kinds of notifications: the setting that governs each, sender and recipients, its events, mail and link.';
comment on column private.notification_kinds.kind is 'notifications.type, and the type of a request to send a mail.';
comment on column private.notification_kinds.place is
'The order of kinds in lists; preferences are ordered by their first kind.';
comment on column private.notification_kinds.preference is
'The entry of notification_settings.preferences that governs it. Null: mail to admins, invitations, security mails.';
comment on column private.notification_kinds.admin_preference is
'The same for a mail of an admin that has no event; null: preference.';
comment on column private.notification_kinds.sent_by is
'member: the one who caused the event; admin: admins and backend services; anyone: also visitors; job: the
database itself, by a job of cron.job or a trigger.';
comment on column private.notification_kinds.sent_to is
'member: the given recipient; admins: all of them; invited: an address of the waitlist; sender: who sent the feedback;
account: whose account it is about, whatever the settings say, at the address that the mail names.';
comment on column private.notification_kinds.in_app_within is
'How long after the event members may insert a notification; for mails it is 15 minutes. Null: never.';
comment on column private.notification_kinds.mail_template is
'The folder of the mail template, and the kind of its receipts. Null: never mailed.';
comment on column private.notification_kinds.mail_by_default is
'Whether members get the mail unless they choose otherwise; the same for all kinds of a preference.';
comment on column private.notification_kinds.mail_only is 'It is never shown in the application.';
comment on column private.notification_kinds.mail_again_after is
'After how long the same mail may be sent again. Null: an event is mailed to a recipient once.';
comment on column private.notification_kinds.event_source is
'The function of private that returns the events, from (actor, recipient, since, event_id). Null: none needed.';
comment on column private.notification_kinds.link is
'The link of the mail, with {actor_id} and {post_id}, unless the event has its own. Null: given by the sender.';

alter table private.notification_kinds enable row level security;

create policy "No client accesses the kinds of notifications" on private.notification_kinds
for all to public using (false);

-- Events between members.
insert into private.notification_kinds (
  place, kind, preference, admin_preference, sent_by, sent_to, in_app_within, mail_template, event_source, link
)
values
(1, 'message', 'messages', null, 'member', 'member', '1 day', 'message', 'message_events', '/messages?with={actor_id}'),
-- As long as the two have a row in connections, in practice.
(2, 'connection', 'connections', null, 'member', 'member', '100 years', 'connection', 'connection_events', '/network'),
(3, 'mention', 'mentions', null, 'member', 'member', '1 day', 'mention', 'mention_events', '/post/{post_id}'),
(4, 'comment', 'mentions', null, 'member', 'member', '1 day', 'others', 'comment_events', '/post/{post_id}'),
(5, 'reaction', 'mentions', null, 'member', 'member', '1 day', 'reaction', 'reaction_events', '/post/{post_id}'),
-- The name of comments in §3.16: both are accepted for mails.
(6, 'others', 'mentions', 'system', 'member', 'member', null, 'others', 'comment_events', '/post/{post_id}');

-- Mails from admins and to admins.
insert into private.notification_kinds (
  place, kind, preference, sent_by, sent_to, mail_template, mail_by_default, mail_again_after, event_source, link
)
values
(7, 'system', 'system', 'admin', 'member', 'system', true, null, null, null),
(8, 'admin_waitlist', null, 'anyone', 'admins', 'admin_waitlist', true, null, 'waitlist_events', '/admin/waitlist'),
(9, 'admin_feedback', null, 'anyone', 'admins', 'admin_feedback', true, null, 'feedback_events', '/admin/feedback'),
(10, 'invitation', null, 'admin', 'invited', 'invitation', true, interval '10 minutes', null, null),
(13, 'feedback_answer', null, 'admin', 'sender', 'feedback_answer', true, null, 'feedback_answer_events', '/feedback');

-- From the database: the reminders of §10.1, the digest of §10.7, and what happens to a training (§12.2, §12.4).
insert into private.notification_kinds (
  place, kind, preference, sent_by, sent_to, mail_template, mail_by_default, mail_only
)
values
(11, 'certification', 'certifications', 'job', 'member', 'certification', true, false),
(12, 'digest', 'digest', 'job', 'member', 'digest', false, true),
(14, 'training', 'trainings', 'job', 'member', 'training', true, false),
-- What a connection did for the member's growth (§16.2, §16.3).
(20, 'endorsement', 'growth', 'job', 'member', 'growth', true, false),
(21, 'mentoring', 'growth', 'job', 'member', 'mentoring', true, false);

create type private.notification_events as (
  id uuid,
  happened_at timestamptz,
  content text,
  variant text,
  post_id uuid,
  link text,
  facts jsonb
);
comment on type private.notification_events is
'An event for a notification: its row and time, content, variant of the kind (null: not mailed), post, a link other than
the kind''s, and the facts that a mail to admins lists.';

create function private.wants_mail(settings jsonb, preference text)
returns boolean
language sql
stable
set search_path = ''
as $$
  -- Settings (§3.11) that are missing or of a wrong type have their defaults (§3.13).
  select settings -> 'globalMute' is distinct from 'true'
    and settings -> 'emailGlobalMute' is distinct from 'true'
    and chosen.switches -> 'enabled' is distinct from 'false'
    and chosen.switches -> 'muted' is distinct from 'true'
    and case chosen.switches -> 'email_enabled'
      when 'true' then true
      when 'false' then false
      else coalesce(
        (
          select bool_or(k.mail_by_default) from private.notification_kinds as k
          where k.preference = wants_mail.preference
        ),
        false
      )
    end
  from (select settings -> 'preferences' -> preference) as chosen (switches)
$$;
comment on function private.wants_mail(jsonb, text) is
'Do these notification_settings allow mails that this preference governs?';

create function private.is_switched_on(settings jsonb, preference text)
returns boolean
language sql
immutable
set search_path = ''
as $$
  select settings #> array['preferences', preference, 'enabled'] is distinct from 'false'
$$;
comment on function private.is_switched_on(jsonb, text) is
'Do these notification_settings allow any notification that this preference governs? On unless switched off (§3.13).';

create function private.shows_in_app(settings jsonb, preference text)
returns boolean
language sql
immutable
set search_path = ''
as $$
  -- Muted notifications are listed, too; they only raise no alert.
  select private.is_switched_on(settings, preference)
    and settings #> array['preferences', preference, 'displayInApp'] is distinct from 'false'
$$;
comment on function private.shows_in_app(jsonb, text) is
'Do these notification_settings list what this preference governs in the application?';
