-- Who is mentioned with @ in a comment (§3.17); the mentioned member subscribes to it (§7.51).

create table public.mentions (
  id uuid primary key default gen_random_uuid(),
  mentioned_user_id uuid not null references public.profiles (id) on delete cascade,
  mentioned_by_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  comment_id uuid not null references public.comments (id) on delete cascade,
  created_at timestamptz not null default now(),
  constraint mentions_once_per_comment_key unique (comment_id, mentioned_user_id),
  constraint mentions_are_of_another_member check (mentioned_user_id <> mentioned_by_id)
);
comment on table public.mentions is 'A member mentioned in a comment; at most 10 per comment.';

create index mentions_mentioned_user_id_idx on public.mentions (mentioned_user_id, created_at desc);
create index mentions_mentioned_by_id_idx on public.mentions (mentioned_by_id);

create function private.limit_mentions()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- The lock serializes concurrent mentions in one comment.
  perform from public.comments as c where c.id = new.comment_id for no key update;
  if (select count(*) from public.mentions as m where m.comment_id = new.comment_id) >= 10 then
    raise exception 'A comment can mention at most 10 members' using errcode = 'PT429';
  end if;
  return new;
end
$$;
comment on function private.limit_mentions() is 'Refuses more than 10 mentions per comment.';

create trigger limit_mentions
before insert on public.mentions
for each row when (current_user = 'authenticated')
execute function private.limit_mentions();

alter table public.mentions enable row level security;
grant select, delete on public.mentions to authenticated;
grant insert (id, mentioned_user_id, mentioned_by_id, comment_id) on public.mentions to authenticated;
grant all on public.mentions to service_role;

create policy "Members see the mentions in comments they can read" on public.mentions
for select to authenticated
using (exists (select from public.comments as c where c.id = comment_id));

create policy "Members mention members they can see in their own comments" on public.mentions
for insert to authenticated
with check (
  mentioned_by_id = (select auth.uid())
  and exists (select from public.comments as c where c.id = comment_id and c.user_id = (select auth.uid()))
  and exists (select from public.profiles as p where p.id = mentioned_user_id)
);

create policy "Members remove the mentions they made" on public.mentions
for delete to authenticated
using (mentioned_by_id = (select auth.uid()));

-- Mentions by a blocked member are hidden with their comments.
create policy "Blocked members do not see mentions of each other" on public.mentions
as restrictive for select to authenticated
using ((mentioned_user_id = any((select private.blocked_with_caller())::uuid[])) is not true);

create policy "Suspended members cannot access mentions" on public.mentions
as restrictive for all to authenticated using ((select private.caller_is_active()));

alter publication supabase_realtime add table public.mentions;
