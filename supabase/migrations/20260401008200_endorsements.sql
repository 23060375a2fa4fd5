-- Endorsements (§16.3): a connection says in one sentence what a member is good at. The member decides whether it is
-- shown. Who wrote it does not learn that: they go on seeing their own sentence. Only a removal after a report is told.

create table public.endorsements (
  id uuid primary key default gen_random_uuid(),
  member_id uuid not null references public.profiles (id) on delete cascade,
  endorser_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  specialty text,
  milestone_id uuid,
  sentence text not null,
  is_shown boolean not null default false,
  created_at timestamptz not null default now(),
  constraint endorsements_milestone_fkey foreign key (milestone_id, member_id)
  references public.career_milestones (id, user_id) on delete cascade,
  constraint endorsements_are_of_others check (member_id <> endorser_id),
  constraint endorsements_are_of_one_thing check (num_nonnulls(specialty, milestone_id) = 1),
  constraint endorsements_specialty_has_a_length check (char_length(specialty) between 1 and 50),
  constraint endorsements_are_a_sentence check (
    char_length(sentence) between 1 and 280 and sentence ~ '\S' and sentence !~ '[\n\r]'
  )
);
comment on table public.endorsements is
'What endorser_id says of a specialty or a milestone of member_id, a connection.';
comment on column public.endorsements.is_shown is
'Chosen by the member, and read by the member only, with my_endorsements.';

create unique index endorsements_one_per_specialty_key
on public.endorsements (member_id, endorser_id, lower(specialty)) where specialty is not null;
create unique index endorsements_one_per_milestone_key
on public.endorsements (milestone_id, member_id, endorser_id) where milestone_id is not null;
create index endorsements_milestone_idx on public.endorsements (milestone_id, member_id);
create index endorsements_member_id_idx on public.endorsements (member_id, created_at desc);
create index endorsements_endorser_id_idx on public.endorsements (endorser_id, created_at desc);

create function private.limit_endorsements()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  daily_limit constant integer := 20;
begin
  -- Serializes concurrent endorsements of one member, so that the count holds.
  perform pg_advisory_xact_lock(hashtextextended('endorsements of ' || new.endorser_id, 0));
  if (
    select count(*) from public.endorsements as e
    where e.endorser_id = new.endorser_id and e.created_at > now() - interval '1 day'
  ) >= daily_limit then
    raise exception 'You can endorse % times a day', daily_limit using errcode = 'PT429';
  end if;
  return new;
end
$$;
comment on function private.limit_endorsements() is 'A member endorses at most 20 times a day.';

create trigger limit_endorsements
before insert on public.endorsements
for each row when (current_user = 'authenticated')
execute function private.limit_endorsements();

create function private.tell_of_growth(
  member uuid, actor uuid, kind text, title text, content text, reference uuid, url text
)
returns void
language sql
security definer
set search_path = ''
as $$
  with told as (
    select p.id, p.notification_settings as settings, a.full_name
    from public.profiles as p
    inner join public.profiles as a on a.id = actor
    where p.id = member and private.is_active_member(p.id)
      and not exists (select from public.mutes as m where m.member_id = p.id and m.muted_id = actor)
      and private.is_switched_on(p.notification_settings, 'growth')
  ),
  named as (
    select t.*, left(coalesce(nullif(btrim(t.full_name), ''), 'A member') || ' ' || tell_of_growth.title, 200) as title
    from told as t
  ),
  notified as (
    insert into public.notifications (user_id, actor_id, type, title, content, reference_id, metadata)
    select
      n.id, actor, tell_of_growth.kind, n.title, left(tell_of_growth.content, 1000), reference,
      jsonb_build_object(
        'user_id', actor, 'name', coalesce(nullif(btrim(n.full_name), ''), 'A member'), 'url', tell_of_growth.url
      )
    from named as n
    where private.shows_in_app(n.settings, 'growth')
  )
  insert into functions.mail_requests (kind, recipient_id, facts)
  select
    tell_of_growth.kind, n.id,
    jsonb_build_object('title', n.title, 'text', tell_of_growth.content, 'path', tell_of_growth.url)
  from named as n
  where private.wants_mail(n.settings, 'growth')
$$;
comment on function private.tell_of_growth(uuid, uuid, text, text, text, uuid, text) is
'Notifies a member of what another did for their growth, and mails it if wanted. The title begins with who did it.';

create function private.tell_of_endorsement()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.tell_of_growth(
    new.member_id, new.endorser_id, 'endorsement',
    'endorsed you: ' || coalesce(
      new.specialty, (select m.title from public.career_milestones as m where m.id = new.milestone_id)
    ),
    new.sentence, new.id, '/profile'
  );
  return null;
end
$$;
comment on function private.tell_of_endorsement() is 'Tells the member, who decides whether it is shown.';

create trigger tell_of_endorsement
after insert on public.endorsements
for each row execute function private.tell_of_endorsement();

create trigger withdraw_notifications
after delete on public.endorsements
for each row execute function private.withdraw_notifications();

create function private.end_endorsements_at_block()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  delete from public.endorsements as e
  where (e.member_id = new.blocker_id and e.endorser_id = new.blocked_id)
    or (e.member_id = new.blocked_id and e.endorser_id = new.blocker_id);
  return null;
end
$$;
comment on function private.end_endorsements_at_block() is 'A block takes back what the two said of each other.';

create trigger end_endorsements
after insert on public.blocks
for each row execute function private.end_endorsements_at_block();

alter table public.endorsements enable row level security;
grant select (id, member_id, endorser_id, specialty, milestone_id, sentence, created_at), delete
on public.endorsements to authenticated;
grant insert (id, member_id, endorser_id, specialty, milestone_id, sentence), update (is_shown)
on public.endorsements to authenticated;
grant all on public.endorsements to service_role;

create policy "Members see endorsements that are shown, of them or by them" on public.endorsements
for select to authenticated
using (
  member_id = (select auth.uid())
  or endorser_id = (select auth.uid())
  or (is_shown and exists (select from public.profiles as p where p.id = member_id))
);

create policy "Members endorse their connections" on public.endorsements
for insert to authenticated
with check (
  endorser_id = (select auth.uid())
  and member_id = any((select private.connected_with_caller())::uuid[])
  and exists (
    select from public.profiles as p where p.id = member_id and (specialty is null or specialty = any(p.specialties))
  )
);

create policy "Members show or hide what is said of them" on public.endorsements
for update to authenticated
using (member_id = (select auth.uid()));

create policy "Members take back what they said" on public.endorsements
for delete to authenticated
using (endorser_id = (select auth.uid()));

-- Of a blocked member the profile hides them.
create policy "What blocked members said is not seen" on public.endorsements
as restrictive for select to authenticated
using ((endorser_id = any((select private.blocked_with_caller())::uuid[])) is not true);

create policy "Suspended members cannot access endorsements" on public.endorsements
as restrictive for all to authenticated using ((select private.caller_is_active()));

create function private.my_endorsements()
returns table (id uuid, is_shown boolean)
language sql
stable
security definer
set search_path = ''
as $$
  select e.id, e.is_shown
  from public.endorsements as e
  where e.member_id = (select auth.uid())
$$;
comment on function private.my_endorsements() is 'Implements public.my_endorsements.';
grant execute on function private.my_endorsements() to authenticated;

create function public.my_endorsements()
returns table (id uuid, is_shown boolean)
language sql
stable
set search_path = ''
as $$
  select * from private.my_endorsements() where (select private.caller_is_active())
$$;
comment on function public.my_endorsements() is 'Which of the endorsements of the caller the caller shows.';
grant execute on function public.my_endorsements() to authenticated;
