-- What a member can be notified of, and by mail: one row per kind. Whatever must know the kinds reads them here: the
-- defaults of a member's settings, the rules of notifications, functions.accept_mail; `muster types` exports them to
-- the web application. A new kind is a row here, a function that finds its events, its words and its mail template.

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
  mail_again_after interval,
  event_source text,
  link text,
  constraint notification_kinds_place_key unique (place),
  constraint notification_kinds_kind_is_a_word check (kind ~ '^[a-z][a-z_]{0,39}$'),
  constraint notification_kinds_sender_is_known check (sent_by in ('member', 'admin', 'anyone')),
  constraint notification_kinds_audience_is_known check (sent_to in ('member', 'admins', 'invited')),
  constraint notification_kinds_to_members_have_a_preference check ((sent_to = 'member') = (preference is not null)),
  constraint notification_kinds_of_members_have_events check (sent_by = 'admin' or event_source is not null)
);
comment on table private.notification_kinds is
'What can be notified of: which setting governs it, who sends it to whom, what must have happened, its mail and link.';
comment on column private.notification_kinds.kind is 'notifications.type, and the type of a mail that is asked for.';
comment on column private.notification_kinds.place is 'The order of kinds in lists, and of preferences by their first.';
comment on column private.notification_kinds.preference is
'The entry of notification_settings.preferences that governs it. Null: none does; it goes to admins, or invites.';
comment on column private.notification_kinds.admin_preference is
'The same when an admin writes under this kind without an event; null: preference.';
comment on column private.notification_kinds.sent_by is
'member: who caused the event; admin: admins and services; anyone: also visitors.';
comment on column private.notification_kinds.sent_to is
'member: the one named; admins: all of them; invited: an address of the waitlist.';
comment on column private.notification_kinds.in_app_within is
'How long after the event its member may write it to notifications; mails have 15 minutes. Null: not at all.';
comment on column private.notification_kinds.mail_template is
'The folder of the mail''s template, and the kind of its receipt. Null: never mailed.';
comment on column private.notification_kinds.mail_by_default is
'Does a member who never chose get the mail? Kinds of one preference agree.';
comment on column private.notification_kinds.mail_again_after is
'When the same mail may be sent again. Null: each event is mailed to each recipient once.';
comment on column private.notification_kinds.event_source is
'The function of private that finds the events: (actor, recipient, since) to notification_events. Null: there is no
event to check.';
comment on column private.notification_kinds.link is
'Where the mail''s button leads, with {actor_id} and {post_id}, unless the event has its own. Null: the sender says.';

alter table private.notification_kinds enable row level security;

create policy "No client accesses the kinds of notifications" on private.notification_kinds
for all to public using (false);

-- Of what members do to each other.
insert into private.notification_kinds (
  place, kind, preference, admin_preference, sent_by, sent_to, in_app_within, mail_template, event_source, link
)
values
(1, 'message', 'messages', null, 'member', 'member', '1 day', 'message', 'message_events', '/messages?with={actor_id}'),
-- As long as the two have a row in connections.
(2, 'connection', 'connections', null, 'member', 'member', '100 years', 'connection', 'connection_events', '/network'),
(3, 'mention', 'mentions', null, 'member', 'member', '1 day', 'mention', 'mention_events', '/post/{post_id}'),
(4, 'comment', 'mentions', null, 'member', 'member', '1 day', 'others', 'comment_events', '/post/{post_id}'),
(5, 'reaction', 'mentions', null, 'member', 'member', '1 day', 'reaction', 'reaction_events', '/post/{post_id}'),
-- The name that §3.16 has for comments: mail is asked for under either.
(6, 'others', 'mentions', 'system', 'member', 'member', null, 'others', 'comment_events', '/post/{post_id}');

-- Of what admins say, and of what they are told.
insert into private.notification_kinds (
  place, kind, preference, sent_by, sent_to, mail_template, mail_by_default, mail_again_after, event_source, link
)
values
(7, 'system', 'system', 'admin', 'member', 'system', true, null, null, null),
(8, 'admin_waitlist', null, 'anyone', 'admins', 'admin_waitlist', true, null, 'waitlist_events', '/admin/waitlist'),
(9, 'admin_feedback', null, 'anyone', 'admins', 'admin_feedback', true, null, 'feedback_events', '/admin/feedback'),
(10, 'invitation', null, 'admin', 'invited', 'invitation', true, interval '10 minutes', null, null);

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
'Something that a notification tells of: the row and when, what was written, which variant of the kind (null: none that
is mailed), the post it is about, a link other than the kind''s, and what a mail to admins lists.';

create function private.wants_mail(settings jsonb, preference text)
returns boolean
language sql
stable
set search_path = ''
as $$
  -- What is missing from the settings (§3.11), or of a wrong type, has its default (§3.13).
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
'Do these notification_settings let a mail out that this preference governs?';
