create function public.add_organizations(event jsonb) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_set(
    event, '{claims,organizations}',
    coalesce(
      (
        select jsonb_object_agg(organization_id, role) from public.memberships
        where user_id = (event ->> 'user_id')::uuid
      ),
      '{}'
    )
  )
$$;
create function public.refuse_disposable_addresses(event jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select case
    when event -> 'user' ->> 'email' like '%@disposable.test' then
      '{"error": {"http_code": 403, "message": "Disposable addresses are refused"}}'::jsonb
    else '{}'::jsonb
  end
$$;
grant usage on schema public to supabase_auth_admin;
grant execute on function public.add_organizations, public.refuse_disposable_addresses to supabase_auth_admin;
revoke execute on function public.add_organizations, public.refuse_disposable_addresses
from authenticated, anon, public;

create policy "Members read the files of their organization" on storage.objects
for select to authenticated using (
  bucket_id = 'documents' and public.claimed_role(((storage.foldername(name))[1])::uuid) is not null
);
