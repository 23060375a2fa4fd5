-- Reports (§13.1) and what admins decide about them (§13.2): every decision has a reason, is in the audit log, is told
-- to the member with a way to appeal, and to those who reported that it was made.

create table public.reports (
  id uuid primary key default gen_random_uuid(),
  reporter_id uuid references public.profiles (id) on delete set null,
  subject_kind text not null,
  subject_id uuid not null,
  member_id uuid references public.profiles (id) on delete cascade,
  excerpt text not null,
  reason text not null,
  note text not null default '',
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  constraint reports_subject_is_known check (
    subject_kind in ('post', 'comment', 'message', 'profile', 'endorsement')
  ),
  constraint reports_reason_is_known check (
    reason in ('spam', 'harassment', 'private_information', 'unsafe_practice', 'confidentiality', 'other')
  ),
  constraint reports_note_is_short check (char_length(note) <= 1000),
  constraint reports_other_reasons_have_a_note check (reason <> 'other' or note ~ '\S')
);
comment on table public.reports is
'What members reported, written by public.report. Read by admins: a reporter is not named to the reported.';
comment on column public.reports.member_id is 'Who wrote it, or whose profile it is.';
comment on column public.reports.excerpt is 'The words at that time: they may be changed or deleted later.';
comment on column public.reports.decided_at is 'When an admin decided. Null: it waits in the queue.';

create unique index reports_once_while_open_key on public.reports (reporter_id, subject_kind, subject_id)
where decided_at is null;
create index reports_open_idx on public.reports (created_at, id) where decided_at is null;
create index reports_subject_idx on public.reports (subject_id, subject_kind);
create index reports_member_id_idx on public.reports (member_id);
create index reports_reporter_id_idx on public.reports (reporter_id, created_at);

alter table public.reports enable row level security;
grant select on public.reports to authenticated;
grant all on public.reports to service_role;

create policy "Admins read reports" on public.reports
for select to authenticated
using ((select private.caller_is_admin()));

-- The admin area follows new reports.
alter publication supabase_realtime add table public.reports;

create table private.decisions (
  id uuid primary key default gen_random_uuid(),
  code uuid not null default gen_random_uuid(),
  member_id uuid references public.profiles (id) on delete cascade,
  subject_kind text not null,
  excerpt text not null,
  act text not null,
  reason text not null,
  until timestamptz,
  created_at timestamptz not null default now(),
  appeal text,
  appealed_at timestamptz,
  appeal_result text,
  appeal_answer text,
  constraint decisions_code_key unique (code),
  constraint decisions_act_is_known check (act in ('dismiss', 'remove', 'warn', 'suspend')),
  constraint decisions_result_is_known check (appeal_result in ('granted', 'refused'))
);
comment on table private.decisions is 'What admins decided about reports, with the appeal of the member.';
comment on column private.decisions.code is
'Opens the decision and its appeal to whoever has it: also to the suspended.';
comment on column private.decisions.until is 'When a suspension for some days ends.';

create index decisions_member_id_idx on private.decisions (member_id, created_at desc);
create index decisions_appeals_idx on private.decisions (appealed_at)
where appealed_at is not null and appeal_result is null;

create trigger announce_appeal
after update of appealed_at, appeal_result on private.decisions
for each row execute function private.announce_to_admins('appeals');

alter table private.decisions enable row level security;

create policy "No client accesses decisions" on private.decisions
for all to public using (false);

create function private.report(kind text, subject uuid, reason text, note text)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  reporter constant uuid := (select auth.uid());
  author uuid;
  words text;
begin
  case kind
    when 'post' then
      select p.user_id, concat_ws(E'\n\n', p.title, p.content) into author, words
      from public.posts as p where p.id = subject;
    when 'comment' then
      select c.user_id, c.content into author, words from public.comments as c where c.id = subject;
    when 'message' then
      select m.sender_id, m.content into author, words from public.messages as m where m.id = subject;
    when 'endorsement' then
      select e.endorser_id, e.sentence into author, words from public.endorsements as e where e.id = subject;
    else
      select p.id, concat_ws(E'\n\n', p.full_name, p.position, p.bio) into author, words
      from public.profiles as p where p.id = subject;
  end case;
  if author = reporter then
    raise exception 'You cannot report yourself' using errcode = 'PT403';
  end if;
  -- Serializes concurrent reports of one member, so that the count holds.
  perform pg_advisory_xact_lock(hashtextextended('reports of ' || reporter, 0));
  if (
    select count(*) from public.reports as r where r.reporter_id = reporter and r.created_at > now() - interval '1 day'
  ) >= 20 then
    raise exception 'You have reached your daily limit for reports' using errcode = 'PT429';
  end if;
  insert into public.reports as open (reporter_id, subject_kind, subject_id, member_id, excerpt, reason, note)
  values (
    reporter, kind, subject, author, coalesce(nullif(left(words, 2000), ''), '-'), report.reason,
    btrim(coalesce(report.note, ''))
  )
  on conflict (reporter_id, subject_kind, subject_id) where decided_at is null do update
  set reason = excluded.reason, note = excluded.note;
end
$$;
comment on function private.report(text, uuid, text, text) is
'Implements public.report, which checks what can be read.';
grant execute on function private.report(text, uuid, text, text) to authenticated;

create function public.report(kind text, subject uuid, reason text, note text default '')
returns void
language plpgsql
set search_path = ''
as $$
declare
  is_there boolean;
begin
  -- As the caller: what one cannot read, one cannot report.
  case kind
    when 'post' then select exists (select from public.posts as p where p.id = subject) into is_there;
    when 'comment' then select exists (select from public.comments as c where c.id = subject) into is_there;
    when 'message' then
      select exists (
        select from public.messages as m where m.id = subject and m.recipient_id = (select auth.uid())
      ) into is_there;
    when 'profile' then select exists (select from public.profiles as p where p.id = subject) into is_there;
    when 'endorsement' then
      select exists (select from public.endorsements as e where e.id = subject) into is_there;
    else is_there := false;
  end case;
  if not is_there or (select auth.uid()) is null then
    raise exception 'There is nothing to report here' using errcode = 'PT404';
  end if;
  perform private.report(kind, subject, reason, note);
end
$$;
comment on function public.report(text, uuid, text, text) is
'Reports a post, comment, received message, profile or endorsement (kind) that the caller can read. reason: spam,
harassment, private_information, unsafe_practice, confidentiality, or other with a note. Again while it waits: changes
the report.';
grant execute on function public.report(text, uuid, text, text) to authenticated;

create function private.admin_reports(page_size integer)
returns table (
  subject_kind text, subject_id uuid, member_id uuid, member_name text, member_suspended boolean, excerpt text,
  still_there boolean, post_id uuid, reports bigint, first_at timestamptz, reasons jsonb, words jsonb, history jsonb,
  total bigint
)
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
  with queue as (
    select r.subject_kind as kind, r.subject_id as subject, count(*) as times, min(r.created_at) as since,
      count(*) over () as all_subjects
    from public.reports as r
    where r.decided_at is null
    group by r.subject_kind, r.subject_id
    order by min(r.created_at), r.subject_id
    limit least(greatest(coalesce(page_size, 25), 1), 100)
  )
  select
    q.kind, q.subject, newest.member_id, p.full_name, coalesce(a.banned_until > now(), false), newest.excerpt,
    case q.kind
      when 'post' then exists (select from public.posts as s where s.id = q.subject)
      when 'comment' then exists (select from public.comments as s where s.id = q.subject)
      when 'message' then exists (select from public.messages as s where s.id = q.subject)
      when 'endorsement' then exists (select from public.endorsements as s where s.id = q.subject)
      else p.id is not null
    end,
    case q.kind
      when 'post' then q.subject when 'comment' then (select c.post_id from public.comments as c where c.id = q.subject)
    end,
    q.times, q.since,
    (
      select jsonb_object_agg(counted.reason, counted.times)
      from (
        select r.reason, count(*) as times from public.reports as r
        where r.subject_id = q.subject and r.subject_kind = q.kind and r.decided_at is null
        group by r.reason
      ) as counted
    ),
    (
      select jsonb_agg(said.entry order by said.created_at)
      from (
        select
          r.created_at,
          jsonb_build_object(
            'reporter_id', r.reporter_id, 'reporter', reporter.full_name, 'reason', r.reason, 'note', r.note,
            'at', r.created_at
          ) as entry
        from public.reports as r
        left join public.profiles as reporter on r.reporter_id = reporter.id
        where r.subject_id = q.subject and r.subject_kind = q.kind and r.decided_at is null
        order by r.created_at
        limit 50
      ) as said
    ),
    (
      select coalesce(jsonb_agg(earlier.entry order by earlier.created_at desc), '[]')
      from (
        select d.created_at, jsonb_build_object('act', d.act, 'reason', d.reason, 'until', d.until, 'at', d.created_at)
          as entry
        from private.decisions as d
        where d.member_id = newest.member_id
        order by d.created_at desc
        limit 20
      ) as earlier
    ),
    q.all_subjects
  from queue as q
  cross join lateral (
    select r.member_id, r.excerpt from public.reports as r
    where r.subject_id = q.subject and r.subject_kind = q.kind and r.decided_at is null
    order by r.created_at desc limit 1
  ) as newest
  left join public.profiles as p on newest.member_id = p.id
  left join private.accounts as a on newest.member_id = a.user_id
  order by q.since, q.subject;
end
$$;
comment on function private.admin_reports(integer) is 'Implements public.admin_reports.';
grant execute on function private.admin_reports(integer) to authenticated, service_role;

create function public.admin_reports(page_size integer default 25)
returns table (
  subject_kind text, subject_id uuid, member_id uuid, member_name text, member_suspended boolean, excerpt text,
  still_there boolean, post_id uuid, reports bigint, first_at timestamptz, reasons jsonb, words jsonb, history jsonb,
  total bigint
)
language sql
rows 25
set search_path = ''
as $$
  select * from private.admin_reports(page_size)
$$;
comment on function public.admin_reports(integer) is
'What waits for a decision, oldest first, once for each thing that was reported: reasons with their counts, the
reporters'' words, earlier decisions about the member. For admins.';
grant execute on function public.admin_reports(integer) to authenticated, service_role;

create function private.tell(member uuid, title text, content text, url text)
returns void
language sql
security definer
set search_path = ''
as $$
  insert into public.notifications (user_id, actor_id, type, title, content, metadata)
  select p.id, null, 'system', left(title, 200), left(content, 1000), jsonb_build_object('url', url)
  from public.profiles as p
  where p.id = member
$$;
comment on function private.tell(uuid, text, text, text) is
'A notification of the system to a member, if there is one.';

create function private.decide_reports(kind text, subject uuid, act text, reason text, days integer)
returns table (member_email text, title text, content text, url text, reporter_emails text[])
language plpgsql
security definer
set search_path = ''
as $$
#variable_conflict use_variable
declare
  why constant text := btrim(coalesce(reason, ''));
  thing constant text := case kind when 'profile' then 'profile' else kind end;
  found_report public.reports;
  decision private.decisions;
  address text;
  heading text;
  told text;
  reporter uuid;
  reporters uuid[];
begin
  perform private.require_admin();
  if act not in ('dismiss', 'remove', 'warn', 'suspend') then
    raise exception 'There is no such act' using errcode = 'PT400';
  end if;
  if act <> 'dismiss' and char_length(why) not between 1 and 800 then
    raise exception 'Give a reason of up to 800 characters' using errcode = 'PT400';
  end if;
  if days is not null and (act <> 'suspend' or days not between 1 and 365) then
    raise exception 'A suspension lasts 1 to 365 days, or has no end' using errcode = 'PT400';
  end if;
  -- Two admins decide at the same time: the second finds nothing open.
  perform pg_advisory_xact_lock(hashtextextended('reports about ' || subject, 0));
  select r.* into found_report
  from public.reports as r
  where r.subject_kind = kind and r.subject_id = subject and r.decided_at is null
  order by r.created_at desc limit 1;
  if not found then
    raise exception 'There is no open report about this' using errcode = 'PT404';
  end if;
  if act <> 'dismiss' then
    if found_report.member_id is null then
      raise exception 'There is no such member' using errcode = 'PT404';
    end if;
    perform private.require_manageable_member(found_report.member_id);
  end if;

  -- Read by the triggers of the audit log.
  perform set_config('muster.reason', why, true);
  insert into private.decisions (member_id, subject_kind, excerpt, act, reason, until)
  values (
    found_report.member_id, kind, found_report.excerpt, act, why,
    case when act = 'suspend' then now() + make_interval(days => days) end
  )
  returning * into decision;

  if act = 'remove' then
    case kind
      when 'post' then delete from public.posts as p where p.id = subject;
      when 'comment' then delete from public.comments as c where c.id = subject;
      when 'message' then
        delete from public.messages as m where m.id = subject;
        perform private.log_content_action('message_removed', subject, left(found_report.excerpt, 100), why);
      when 'endorsement' then
        delete from public.endorsements as e where e.id = subject;
        perform private.log_content_action('endorsement_removed', subject, left(found_report.excerpt, 100), why);
      else
        update public.profiles as p set bio = null, avatar_url = null, position = null where p.id = subject;
        perform private.log_content_action('profile_removed', subject, left(found_report.excerpt, 100), why);
    end case;
  elsif act = 'suspend' then
    update auth.users as u set banned_until = coalesce(decision.until, now() + interval '100 years')
    where u.id = found_report.member_id;
    delete from auth.sessions as s where s.user_id = found_report.member_id;
    delete from auth.refresh_tokens as t where t.user_id = found_report.member_id::text;
  else
    perform private.log_content_action(
      case act when 'warn' then 'report_warned' else 'report_dismissed' end, subject, left(found_report.excerpt, 100), why
    );
  end if;
  perform set_config('muster.reason', '', true);

  if act <> 'dismiss' then
    heading := case act
      when 'remove' then format('Your %s was removed', thing)
      when 'warn' then format('A warning about your %s', thing)
      else 'Your account is suspended'
        || coalesce(' until ' || to_char(decision.until at time zone 'utc', 'FMMonth FMDD, YYYY'), '')
    end;
    told := format('Reason: %s You can appeal.', case when why ~ '[.!?]$' then why else why || '.' end);
    perform private.tell(found_report.member_id, heading, told, '/appeal/' || decision.code);
    select u.email into address from auth.users as u where u.id = found_report.member_id;
  end if;

  with decided as (
    update public.reports as r set decided_at = now()
    where r.subject_kind = kind and r.subject_id = subject and r.decided_at is null
    returning r.reporter_id
  )
  select array_agg(distinct d.reporter_id) into reporters from decided as d where d.reporter_id is not null;
  foreach reporter in array coalesce(reporters, '{}') loop
    perform private.tell(
      reporter, 'Your report was decided',
      case act
        when 'dismiss' then format('We looked at the %s that you reported. It stays.', thing)
        else format('We looked at the %s that you reported, and acted. Thank you.', thing)
      end,
      '/guidelines'
    );
  end loop;
  return query
  select
    address, heading, told, '/appeal/' || decision.code,
    array(select u.email::text from auth.users as u where u.id = any(reporters) order by u.email);
end
$$;
comment on function private.decide_reports(text, uuid, text, text, integer) is 'Implements public.decide_reports.';
grant execute on function private.decide_reports(text, uuid, text, text, integer) to authenticated, service_role;

create function public.decide_reports(
  kind text, subject uuid, act text, reason text default '', days integer default null
)
returns table (member_email text, title text, content text, url text, reporter_emails text[])
language sql
rows 1
set search_path = ''
as $$
  select * from private.decide_reports(kind, subject, act, reason, days)
$$;
comment on function public.decide_reports(text, uuid, text, text, integer) is
'Decides all open reports about one thing. act: dismiss, remove, warn, suspend (for days, or without an end). The member
and the reporters are notified; the row has what the same mails say. For admins.';
grant execute on function public.decide_reports(text, uuid, text, text, integer) to authenticated, service_role;

create function private.decision(appeal_code uuid)
returns table (
  act text, subject_kind text, reason text, excerpt text, until timestamptz, decided_at timestamptz, appeal text,
  appeal_result text, appeal_answer text
)
language sql
stable
rows 1
security definer
set search_path = ''
as $$
  select d.act, d.subject_kind, d.reason, d.excerpt, d.until, d.created_at, d.appeal, d.appeal_result, d.appeal_answer
  from private.decisions as d
  where d.code = appeal_code and d.act <> 'dismiss'
$$;
comment on function private.decision(uuid) is 'Implements public.decision.';
grant execute on function private.decision(uuid) to anon, authenticated, service_role;

create function public.decision(appeal_code uuid)
returns table (
  act text, subject_kind text, reason text, excerpt text, until timestamptz, decided_at timestamptz, appeal text,
  appeal_result text, appeal_answer text
)
language sql
stable
rows 1
set search_path = ''
as $$
  select * from private.decision(appeal_code)
$$;
comment on function public.decision(uuid) is
'The decision that a code opens, for the member whom it was told: a suspended member cannot sign in.';
grant execute on function public.decision(uuid) to anon, authenticated, service_role;

create function private.appeal(appeal_code uuid, words text)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  if coalesce(char_length(btrim(words)), 0) not between 1 and 2000 then
    raise exception 'An appeal can have up to 2,000 characters' using errcode = 'PT400';
  end if;
  update private.decisions as d
  set appeal = btrim(words), appealed_at = now()
  where d.code = appeal_code and d.act <> 'dismiss' and d.appealed_at is null
    and d.created_at > now() - interval '180 days';
  if not found then
    raise exception 'There is nothing to appeal here, or you have appealed already' using errcode = 'PT404';
  end if;
end
$$;
comment on function private.appeal(uuid, text) is 'Implements public.appeal.';
grant execute on function private.appeal(uuid, text) to anon, authenticated, service_role;

create function public.appeal(appeal_code uuid, words text)
returns void
language sql
set search_path = ''
as $$
  select private.appeal(appeal_code, words)
$$;
comment on function public.appeal(uuid, text) is 'Appeals a decision, once, within 180 days.';
grant execute on function public.appeal(uuid, text) to anon, authenticated, service_role;

create function private.admin_appeals()
returns table (
  id uuid, member_id uuid, member_name text, act text, subject_kind text, reason text, excerpt text,
  decided_at timestamptz, appeal text, appealed_at timestamptz
)
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  return query
  select d.id, d.member_id, p.full_name, d.act, d.subject_kind, d.reason, d.excerpt, d.created_at, d.appeal, d.appealed_at
  from private.decisions as d
  left join public.profiles as p on d.member_id = p.id
  where d.appealed_at is not null and d.appeal_result is null
  order by d.appealed_at
  limit 100;
end
$$;
comment on function private.admin_appeals() is 'Implements public.admin_appeals.';
grant execute on function private.admin_appeals() to authenticated, service_role;

create function public.admin_appeals()
returns table (
  id uuid, member_id uuid, member_name text, act text, subject_kind text, reason text, excerpt text,
  decided_at timestamptz, appeal text, appealed_at timestamptz
)
language sql
set search_path = ''
as $$
  select * from private.admin_appeals()
$$;
comment on function public.admin_appeals() is 'The appeals that wait for an answer, oldest first. For admins.';
grant execute on function public.admin_appeals() to authenticated, service_role;

create function private.answer_appeal(decision_id uuid, granted boolean, answer text)
returns void
language plpgsql
security definer
set search_path = ''
as $$
declare
  why constant text := btrim(coalesce(answer, ''));
  decision private.decisions;
begin
  perform private.require_admin();
  if char_length(why) not between 1 and 800 then
    raise exception 'Give a reason of up to 800 characters' using errcode = 'PT400';
  end if;
  update private.decisions as d
  set appeal_result = case when granted then 'granted' else 'refused' end, appeal_answer = why
  where d.id = decision_id and d.appealed_at is not null and d.appeal_result is null
  returning d.* into decision;
  if not found then
    raise exception 'There is no such appeal' using errcode = 'PT404';
  end if;
  perform private.log_content_action(
    case when granted then 'appeal_granted' else 'appeal_refused' end, decision.id, left(decision.excerpt, 100), why
  );
  if granted and decision.act = 'suspend' then
    perform set_config('muster.reason', why, true);
    update auth.users as u set banned_until = null where u.id = decision.member_id and u.banned_until is not null;
    perform set_config('muster.reason', '', true);
  end if;
  perform private.tell(
    decision.member_id, case when granted then 'Your appeal was granted' else 'Your appeal was refused' end, why,
    '/appeal/' || decision.code
  );
end
$$;
comment on function private.answer_appeal(uuid, boolean, text) is 'Implements public.answer_appeal.';
grant execute on function private.answer_appeal(uuid, boolean, text) to authenticated, service_role;

create function public.answer_appeal(decision_id uuid, granted boolean, answer text)
returns void
language sql
set search_path = ''
as $$
  select private.answer_appeal(decision_id, granted, answer)
$$;
comment on function public.answer_appeal(uuid, boolean, text) is
'Grants or refuses an appeal; granted, a suspension ends. What was removed stays removed. For admins.';
grant execute on function public.answer_appeal(uuid, boolean, text) to authenticated, service_role;
