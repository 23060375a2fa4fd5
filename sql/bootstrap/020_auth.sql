-- Schema auth as the image has it before the service starts: who may use it, and the functions that policies call.
-- The tables come with the service, which migrates its schema itself (supabase/emulator/auth/migrations) and replaces
-- these functions by those that read the token's claims. Run as supabase_admin; may be run again at any time.

grant all on schema auth to supabase_auth_admin, dashboard_user;
grant usage on schema auth to anon, authenticated, service_role, postgres;

do $$
begin
  if to_regprocedure('auth.uid()') is null then
    create function auth.uid() returns uuid language sql stable
    as $f$ select nullif(current_setting('request.jwt.claim.sub', true), '')::uuid $f$;
    alter function auth.uid() owner to supabase_auth_admin;
  end if;
  if to_regprocedure('auth.role()') is null then
    create function auth.role() returns text language sql stable
    as $f$ select nullif(current_setting('request.jwt.claim.role', true), '')::text $f$;
    alter function auth.role() owner to supabase_auth_admin;
  end if;
  if to_regprocedure('auth.email()') is null then
    create function auth.email() returns text language sql stable
    as $f$ select nullif(current_setting('request.jwt.claim.email', true), '')::text $f$;
    alter function auth.email() owner to supabase_auth_admin;
  end if;
end
$$;
