-- An invitation's mail proves that its address is the reader's: its link has a token, which confirms the account that
-- is registered with it. The quiz answers of that address become the first facts of the profile.

create table private.invitation_tokens (
  waitlist_id uuid primary key references public.waitlist (id) on delete cascade,
  token uuid not null default gen_random_uuid(),
  constraint invitation_tokens_token_key unique (token)
);
comment on table private.invitation_tokens is
'What only the mail of an invitation names; a new one with each invitation.';

alter table private.invitation_tokens enable row level security;

create policy "No client accesses the tokens of invitations" on private.invitation_tokens
for all to public using (false);

create function private.renew_invitation_token()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into private.invitation_tokens (waitlist_id) values (new.id)
  on conflict (waitlist_id) do update set token = default;
  return null;
end
$$;
comment on function private.renew_invitation_token() is
'A token for each invitation; the one of the last does not work again.';

create trigger renew_invitation_token
after insert or update of status on public.waitlist
for each row when (new.status = 'invited')
execute function private.renew_invitation_token();

-- Entries that were invited before this migration.
insert into private.invitation_tokens (waitlist_id)
select w.id from public.waitlist as w where w.status = 'invited';

create function private.confirm_invited_account(token uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- The account must have been registered with the token, too: one that somebody else registered with this address
  -- before, and a password of their own, stays unconfirmed.
  update auth.users as u
  set
    email_confirmed_at = now(),
    raw_user_meta_data = u.raw_user_meta_data - 'invitation_token' || '{"email_verified": true}'
  from public.waitlist as w
  inner join private.invitation_tokens as t on t.waitlist_id = w.id
  where t.token = confirm_invited_account.token
    and w.status = 'invited'
    and not private.invitation_expired(w.status, w.invited_at)
    and lower(u.email) = w.email
    and u.email_confirmed_at is null
    and u.raw_user_meta_data ->> 'invitation_token' = confirm_invited_account.token::text;
  return found;
end
$$;
comment on function private.confirm_invited_account(uuid) is 'Implements public.confirm_invited_account.';
grant execute on function private.confirm_invited_account(uuid) to anon, authenticated, service_role;

create function public.confirm_invited_account(token uuid)
returns boolean
language sql
set search_path = ''
as $$
  select private.confirm_invited_account(token)
$$;
comment on function public.confirm_invited_account(uuid) is
'Confirms the address of the account that was registered with the token of its invitation; false when there is none.';
grant execute on function public.confirm_invited_account(uuid) to anon, authenticated, service_role;

create function private.fill_profile_from_quiz()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- What the member already said stays. Years are ranges in the quiz, a number in the profile.
  update public.profiles as p
  set
    rank = coalesce(p.rank, nullif(btrim(left(q.current_rank, 80)), '')),
    firefighter_type = coalesce(
      p.firefighter_type,
      case
        when q.firefighter_type in ('career', 'volunteer', 'wildland', 'industrial', 'military', 'retired')
          then initcap(q.firefighter_type)
        when lower(btrim(q.firefighter_type_other)) = 'combination' then 'Combination'
      end
    )
  from public.waitlist as w
  inner join public.quiz_responses as q on q.id = w.quiz_response_id
  where p.id = new.id and w.email = lower(new.email);
  return null;
end
$$;
comment on function private.fill_profile_from_quiz() is
'Carries rank and kind of firefighter from the quiz into the profile, once the address is confirmed.';

-- Named to run after create_profile: triggers of the same event run in the order of their names.
create trigger fill_profile_from_quiz_of_new_account
after insert on auth.users
for each row when (new.email_confirmed_at is not null)
execute function private.fill_profile_from_quiz();

create trigger fill_profile_from_quiz_of_confirmed_account
after update of email_confirmed_at on auth.users
for each row when (old.email_confirmed_at is null and new.email_confirmed_at is not null)
execute function private.fill_profile_from_quiz();
