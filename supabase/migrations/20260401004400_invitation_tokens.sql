-- An invitation's mail proves that its address is the reader's: its link has a token, and an account that is registered
-- with it needs no second mail. The quiz answers of that address become the first facts of the profile.

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

create function private.confirm_invited_account()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- Before the row is there, so that the auth service finds the address confirmed and mails nothing. Only the account
  -- that is made with the token: one that somebody else registered with this address before stays unconfirmed.
  if tg_op = 'INSERT' and exists (
    select from public.waitlist as w
    inner join private.invitation_tokens as t on t.waitlist_id = w.id
    where w.email = lower(new.email)
      and w.status = 'invited'
      and not private.invitation_expired(w.status, w.invited_at)
      and t.token::text = new.raw_user_meta_data ->> 'invitation_token'
  ) then
    new.email_confirmed_at := coalesce(new.email_confirmed_at, now());
  end if;
  -- The service writes the metadata of the sign-up once more, after the row. A token is nobody's fact.
  new.raw_user_meta_data := new.raw_user_meta_data - 'invitation_token';
  if new.email_confirmed_at is not null then
    new.raw_user_meta_data := new.raw_user_meta_data || '{"email_verified": true}';
  end if;
  return new;
end
$$;
comment on function private.confirm_invited_account() is
'Confirms the address of an account that is registered with the token of its invitation.';

create trigger confirm_invited_account
before insert or update of raw_user_meta_data on auth.users
for each row when (new.raw_user_meta_data ? 'invitation_token')
execute function private.confirm_invited_account();

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
