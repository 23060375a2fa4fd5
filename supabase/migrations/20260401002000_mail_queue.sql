-- The outgoing mail of the functions service: accept_mail decides whether a mail may be sent, mail_receipts keeps each
-- event from being mailed twice and limits mails per hour, and mail_queue holds mails until they are sent, so that a
-- crash loses none.

create schema functions;
comment on schema functions is
'State of the functions service, which connects as postgres. Not exposed by the API.';

create table functions.mail_queue (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  recipient text not null,
  recipient_name text not null default '',
  subject text not null,
  text_body text not null,
  html_body text not null,
  headers jsonb not null default '{}',
  accepted_at timestamptz not null default now(),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  last_error text,
  parked_at timestamptz,
  constraint mail_queue_attempts_are_counted check (attempts >= 0),
  constraint mail_queue_headers_are_an_object check (jsonb_typeof(headers) = 'object'),
  constraint mail_queue_parked_mails_have_a_reason check (parked_at is null or last_error is not null)
);
comment on table functions.mail_queue is
'A mail to be sent; the row is deleted when the mail server has accepted it.';
comment on column functions.mail_queue.next_attempt_at is
'The time of the next attempt. A worker that takes the mail moves it ahead: if it dies, another one retries then.';
comment on column functions.mail_queue.parked_at is
'When it was given up; last_error says why. An operator can requeue it.';

create index mail_queue_due_idx on functions.mail_queue (next_attempt_at) where parked_at is null;
create index mail_queue_parked_idx on functions.mail_queue (parked_at) where parked_at is not null;

create table functions.mail_receipts (
  kind text not null,
  subject_id uuid not null,
  recipient text not null,
  caller text not null,
  accepted_at timestamptz not null default now(),
  constraint mail_receipts_pkey primary key (kind, subject_id, recipient)
);
comment on table functions.mail_receipts is
'Which recipient was mailed about which event, so that it happens once. Deleted after a week.';
comment on column functions.mail_receipts.subject_id is
'The row of the event: a message, a mention, a waitlist entry ...';
comment on column functions.mail_receipts.caller is
'Whose limit it counts for: member:<id>, address:<ip> or service.';

create index mail_receipts_caller_idx on functions.mail_receipts (caller, accepted_at desc);
create index mail_receipts_recipient_idx on functions.mail_receipts (recipient, accepted_at desc);
create index mail_receipts_accepted_at_idx on functions.mail_receipts (accepted_at);

create table functions.mail_requests (
  id uuid primary key default gen_random_uuid(),
  kind text not null references private.notification_kinds (kind),
  recipient_id uuid not null references public.profiles (id) on delete cascade,
  facts jsonb not null,
  requested_at timestamptz not null default now(),
  constraint mail_requests_facts_are_an_object check (jsonb_typeof(facts) = 'object')
);
comment on table functions.mail_requests is
'A mail that a job of the database asks for. The service writes it, queues it and deletes the row in one transaction.';
comment on column functions.mail_requests.facts is 'What it has to say, as its template needs it.';

create index mail_requests_requested_at_idx on functions.mail_requests (requested_at);
create index mail_requests_recipient_id_idx on functions.mail_requests (recipient_id);
create index mail_requests_kind_idx on functions.mail_requests (kind);

alter table functions.mail_queue enable row level security;
alter table functions.mail_requests enable row level security;
alter table functions.mail_receipts enable row level security;

create policy "No client accesses queued mails" on functions.mail_queue
for all to public using (false);

create policy "No client accesses requested mails" on functions.mail_requests
for all to public using (false);

create policy "No client accesses mail receipts" on functions.mail_receipts
for all to public using (false);

create function private.waitlist_events(actor uuid, recipient uuid, since timestamptz, event_id uuid)
returns setof private.notification_events
language sql
stable
security definer
set search_path = ''
as $$
  -- Entries have no account, and all admins receive the mail: actor and recipient are not used.
  select
    w.id, w.created_at, '', '', null::uuid, '/admin/waitlist?entry=' || w.id,
    jsonb_build_object(
      'email', w.email,
      'status', w.status,
      'current_rank', coalesce(q.current_rank, ''),
      'years_of_service', q.years_of_service,
      'firefighter_type',
      case q.firefighter_type
        when 'other' then coalesce(q.firefighter_type_other, 'other') else q.firefighter_type
      end
    )
  from public.waitlist as w
  left join public.quiz_responses as q on w.quiz_response_id = q.id
  where w.id = event_id and w.created_at > since
$$;
comment on function private.waitlist_events(uuid, uuid, timestamptz, uuid) is
'A new entry of the waitlist, with quiz answers.';

create function private.feedback_events(actor uuid, recipient uuid, since timestamptz, event_id uuid)
returns setof private.notification_events
language sql
stable
security definer
set search_path = ''
as $$
  select
    f.id, f.created_at, f.content, '', null::uuid, '/admin/feedback?entry=' || f.id,
    jsonb_build_object('category', f.category, 'name', coalesce(f.name, p.full_name), 'email', f.email)
  from public.feedback as f
  left join public.profiles as p on f.user_id = p.id
  where f.id = event_id and f.created_at > since
$$;
comment on function private.feedback_events(uuid, uuid, timestamptz, uuid) is 'New feedback.';

create function private.feedback_answer_events(actor uuid, recipient uuid, since timestamptz, event_id uuid)
returns setof private.notification_events
language sql
stable
security definer
set search_path = ''
as $$
  -- The sender need not have an account: accept_mail compares the address.
  select
    a.id, a.created_at, a.content, 'answer', null::uuid, null,
    jsonb_build_object('question', f.content, 'email', lower(f.email), 'name', f.name)
  from public.feedback_answers as a
  inner join public.feedback as f on a.feedback_id = f.id
  where a.id = event_id and a.created_at > since and f.email is not null
$$;
comment on function private.feedback_answer_events(uuid, uuid, timestamptz, uuid) is
'A new answer to feedback whose sender left an address.';

create function functions.accept_mail(kind text, recipient text, event_id uuid default null)
returns table (
  is_wanted boolean,
  template text,
  subject_id uuid,
  again_after interval,
  preference text,
  recipient_id uuid,
  recipient_email text,
  recipient_name text,
  actor_id uuid,
  actor_name text,
  content text,
  variant text,
  post_title text,
  post_author text,
  is_own_post boolean,
  link text,
  facts jsonb
)
language plpgsql
stable
set search_path = ''
as $$
#variable_conflict use_column
declare
  just_now constant timestamptz := now() - interval '15 minutes';
  caller constant uuid := (select auth.uid());
  is_operator constant boolean
  := private.caller_is_admin() or coalesce((select auth.role()) = 'service_role', false);
  address constant text := lower(btrim(accept_mail.recipient));
  rule private.notification_kinds;
  member public.profiles;
  event private.notification_events;
begin
  select k.* into rule from private.notification_kinds as k
  where k.kind = accept_mail.kind and k.mail_template is not null and k.sent_by <> 'job';
  if not found or (rule.sent_by = 'admin' and not is_operator) then
    return;
  end if;

  if rule.sent_to = 'admins' then
    execute format('select e.* from private.%I(null, null, $1, $2) as e', rule.event_source)
    into event using just_now, event_id;
    if event.id is null then
      return;
    end if;
    -- Without any admin there is one row without a recipient: the event did happen.
    return query
    select
      true, rule.mail_template, event.id, rule.mail_again_after, null, p.id, p.email, p.full_name, caller, null,
      event.content, event.variant, null, null, false, coalesce(event.link, rule.link), event.facts
    from (values (true)) as event_is_true (is_true)
    left join (private.admins as a inner join public.profiles as p on a.user_id = p.id)
      on p.email <> '' and (address is null or p.email = address)
    where address is null or p.id is not null
    order by p.id;
    return;
  end if;

  if rule.sent_to = 'invited' then
    return query
    select
      true, rule.mail_template, w.id, rule.mail_again_after, null, null::uuid, w.email, null, caller, null,
      '', '', null, null, false, rule.link,
      jsonb_build_object('token', t.token, 'last_day', (w.invited_at + interval '14 days')::date)
    from public.waitlist as w
    left join private.invitation_tokens as t on t.waitlist_id = w.id
    where w.email = address and w.status = 'invited';
    return;
  end if;

  if rule.sent_to = 'sender' then
    execute format('select e.* from private.%I(null, null, $1, $2) as e', rule.event_source)
    into event using just_now, event_id;
    if event.facts ->> 'email' = address then
      return query
      select
        true, rule.mail_template, event.id, rule.mail_again_after, null, null::uuid, address, event.facts ->> 'name',
        caller, null, event.content, event.variant, null, null, false, rule.link, event.facts;
    end if;
    return;
  end if;

  select p.* into member from public.profiles as p where p.email = address;
  if member.id is null then
    return;
  end if;
  -- As if there were no such address. A message of the system is the house's, whoever sends it.
  if rule.sent_by = 'member' and private.blocked_between(caller, member.id) then
    return;
  end if;
  if rule.sent_by = 'member' and member.id <> caller then
    -- The given event, else the newest that was not mailed yet, else the newest.
    execute format(
      'select e.* from private.%I($1, $2, $3, $6) as e'
      ' left join functions.mail_receipts as r on r.kind = $4 and r.subject_id = e.id and r.recipient = $5'
      ' where e.variant is not null'
      ' order by r.subject_id is not null, e.happened_at desc limit 1',
      rule.event_source
    )
    into event using caller, member.id, just_now, rule.mail_template, member.email, event_id;
  end if;
  if event.id is not null then
    return query
    select
      private.wants_mail(member.notification_settings, rule.preference)
        and not exists (
          select from public.mutes as muted where muted.member_id = member.id and muted.muted_id = caller
        ),
      rule.mail_template, event.id, rule.mail_again_after, rule.preference, member.id, member.email, member.full_name,
      actor.id, actor.full_name, event.content, event.variant, post.title, author.full_name,
      coalesce(post.user_id = member.id, false),
      replace(
        replace(coalesce(event.link, rule.link), '{actor_id}', actor.id::text),
        '{post_id}', coalesce(event.post_id::text, '')
      ),
      event.facts
    from public.profiles as actor
    left join public.posts as post on post.id = event.post_id
    left join public.profiles as author on post.user_id = author.id
    where actor.id = caller;
  elsif is_operator then
    -- A mail in an admin's own words has no event; its template is `others` unless the kind never has events.
    return query
    select
      private.wants_mail(member.notification_settings, coalesce(rule.admin_preference, rule.preference)),
      case when rule.event_source is null then rule.mail_template else 'others' end,
      null::uuid, rule.mail_again_after, coalesce(rule.admin_preference, rule.preference), member.id, member.email,
      member.full_name, caller, null, '', '', null, null, false, null, null::jsonb;
  end if;
end
$$;
comment on function functions.accept_mail(text, text, uuid) is
'May this mail be sent, to whom, and with what content? The caller is the one of request.jwt.claims.
No row: no such event in the last 15 minutes, an unknown address, or a kind the caller may not send; the caller cannot
tell which. is_wanted: false where the recipient''s settings refuse it. subject_id: the event, for the receipt; null for
an admin''s own words. event_id: without it the member''s newest event that was not mailed yet. Kinds sent to admins
need it and return a row per admin, or for the given recipient; one row without recipient_id if there is no admin.
It writes nothing: limits and receipts are up to the service.';
