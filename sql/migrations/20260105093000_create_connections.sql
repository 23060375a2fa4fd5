-- Who is tied to whom: one row per pair, asked by user_id, answered by connected_user_id (§3.20, §4.16).

create table public.connections (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  connected_user_id uuid not null references public.profiles (id) on delete cascade,
  status text not null default 'pending',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint connections_status_is_known check (status in ('pending', 'accepted', 'declined')),
  constraint connections_join_two_members check (user_id <> connected_user_id)
);
comment on table public.connections is 'A tie between two members; pending until connected_user_id answers.';
comment on column public.connections.user_id is 'Who asked.';
comment on column public.connections.connected_user_id is 'Who was asked, and alone may accept or decline.';
comment on column public.connections.updated_at is 'When it was answered; set by the database.';

create unique index connections_one_per_pair_key
on public.connections (least(user_id, connected_user_id), greatest(user_id, connected_user_id));
create index connections_user_id_idx on public.connections (user_id, status);
create index connections_connected_user_id_idx on public.connections (connected_user_id, status);

create function private.stamp_update()
returns trigger
language plpgsql
set search_path = ''
as $$
begin
  new.updated_at := now();
  return new;
end
$$;
comment on function private.stamp_update() is 'Sets updated_at to the server''s clock, whatever the client sends.';

create trigger stamp_update
before update on public.connections
for each row execute function private.stamp_update();

alter table public.connections enable row level security;
grant select, delete on public.connections to authenticated;
grant insert (id, user_id, connected_user_id, status) on public.connections to authenticated;
grant update (status, updated_at) on public.connections to authenticated;
grant all on public.connections to service_role;

create policy "Members see the connections where they are either side" on public.connections
for select to authenticated
using (user_id = (select auth.uid()) or connected_user_id = (select auth.uid()));

create policy "Members ask members they can see to connect" on public.connections
for insert to authenticated
with check (
  user_id = (select auth.uid())
  and status = 'pending'
  and exists (select from public.profiles as p where p.id = connected_user_id)
);

create policy "Only the recipient answers a pending connection" on public.connections
for update to authenticated
using (connected_user_id = (select auth.uid()) and status = 'pending')
with check (status in ('accepted', 'declined'));

create policy "Either side ends a connection" on public.connections
for delete to authenticated
using (user_id = (select auth.uid()) or connected_user_id = (select auth.uid()));

-- Deletes are followed live by either side (§7.53): the old row must carry both ids.
alter table public.connections replica identity full;
alter publication supabase_realtime add table public.connections;

create function public.are_users_connected(user_id_1 uuid, user_id_2 uuid)
returns boolean
language sql
stable
set search_path = ''
as $$
  -- As the caller: row-level security lets each see the connections where they are either side.
  select exists (
    select from public.connections as c
    where c.status = 'accepted'
      and (
        (c.user_id = user_id_1 and c.connected_user_id = user_id_2)
        or (c.user_id = user_id_2 and c.connected_user_id = user_id_1)
      )
  )
$$;
comment on function public.are_users_connected(uuid, uuid) is
'Have these two accepted each other? Asked by anyone but one of them, the answer is false.';
grant execute on function public.are_users_connected(uuid, uuid) to authenticated, service_role;
