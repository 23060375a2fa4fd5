-- Mails that the functions service has accepted: kept here until they are sent, so that no crash loses one. Beside
-- them, for a while, what has been mailed to whom: each event once, and so many an hour.

create schema functions;
comment on schema functions is
'The memory of the functions service, which connects as postgres. Not exposed by the API.';

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
'A mail accepted and not yet sent; the row goes when the mail server has it.';
comment on column functions.mail_queue.next_attempt_at is
'When it is tried next. Moved ahead while a worker has it: if that worker dies, another one takes it then.';
comment on column functions.mail_queue.parked_at is 'Given up, last_error says why; an operator may put it back.';

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
'That somebody was mailed about something: never twice. Forgotten after a week.';
comment on column functions.mail_receipts.subject_id is
'The row the mail is about: a message, mention, waitlist entry, ...';
comment on column functions.mail_receipts.caller is
'member:<id>, address:<ip> or service: whose limits it counts for.';

create index mail_receipts_caller_idx on functions.mail_receipts (caller, accepted_at desc);
create index mail_receipts_recipient_idx on functions.mail_receipts (recipient, accepted_at desc);
create index mail_receipts_accepted_at_idx on functions.mail_receipts (accepted_at);

alter table functions.mail_queue enable row level security;
alter table functions.mail_receipts enable row level security;

create policy "No client reaches waiting mails" on functions.mail_queue
for all to public using (false);

create policy "No client reaches the receipts of mails" on functions.mail_receipts
for all to public using (false);
