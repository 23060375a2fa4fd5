-- Everyone who signs up has a profile at once, and its e-mail follows the account's.

create function private.create_profile()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
declare
  said jsonb := coalesce(new.raw_user_meta_data, '{}');
begin
  -- What someone typed at sign-up is cut to what fits: a long name must not prevent an account.
  insert into public.profiles (id, email, full_name, department, position, rank, firefighter_type)
  values (
    new.id,
    new.email,
    nullif(btrim(left(coalesce(said ->> 'full_name', said ->> 'name'), 120)), ''),
    nullif(btrim(left(said ->> 'department', 160)), ''),
    nullif(btrim(left(said ->> 'position', 120)), ''),
    nullif(btrim(left(said ->> 'rank', 80)), ''),
    said ->> 'firefighter_type'
  )
  on conflict (id) do nothing;
  return null;
end
$$;
comment on function private.create_profile() is 'Gives a new auth user a profile, with what they said of themselves.';

create trigger create_profile
after insert on auth.users
for each row execute function private.create_profile();

create function private.follow_account_email()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.profiles set email = new.email where id = new.id;
  return null;
end
$$;
comment on function private.follow_account_email() is 'Keeps profiles.email equal to the account''s.';

create trigger follow_account_email
after update of email on auth.users
for each row when (old.email is distinct from new.email)
execute function private.follow_account_email();

-- Accounts that were there before this migration.
insert into public.profiles (id, email, full_name)
select
  u.id,
  u.email,
  nullif(btrim(left(coalesce(u.raw_user_meta_data ->> 'full_name', u.raw_user_meta_data ->> 'name'), 120)), '')
from auth.users as u
on conflict (id) do nothing;
