create table public.profiles (
  id uuid primary key references auth.users on delete cascade,
  handle extensions.citext not null unique,
  token uuid not null default uuid_generate_v4(),
  search text generated always as (lower(handle::text)) stored,
  updated_at timestamptz
);
alter table public.profiles enable row level security;
create policy "Profiles are public" on public.profiles for select using (true);
create policy "People change their own" on public.profiles for update using (auth.uid() = id);
create trigger profiles_moddatetime before update on public.profiles
for each row execute procedure moddatetime (updated_at);

create function public.handle_new_user() returns trigger
language plpgsql security definer set search_path = public, extensions as $$
begin
  insert into public.profiles (id, handle) values (new.id, split_part(new.email, '@', 1));
  return new;
end
$$;
create trigger on_auth_user_created after insert on auth.users
for each row execute function public.handle_new_user();

alter publication supabase_realtime add table public.profiles;
grant select on public.profiles to reporting;
