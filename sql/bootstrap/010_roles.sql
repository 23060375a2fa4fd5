-- The roles of the supabase/postgres image: attributes, memberships, settings. Role postgres is no superuser; what it
-- may do beside owning the database is in 040_platform_privileges.sql.
-- Run as the superuser supabase_admin in database postgres; may be run again at any time.
-- Login passwords are set by the caller (emulator/db/bootstrap.py), never here.

do $$
declare
  wanted record;
begin
  -- Every attribute that matters is named: a service that started first may have made the role without any right.
  for wanted in
    select role_name, attributes
    from (
      values
        ('postgres', 'login inherit createdb createrole replication bypassrls'),
        ('anon', 'nologin inherit'),
        ('authenticated', 'nologin inherit'),
        ('service_role', 'nologin inherit bypassrls'),
        ('authenticator', 'login noinherit'),
        ('supabase_auth_admin', 'login noinherit createrole'),
        ('supabase_storage_admin', 'login noinherit createrole'),
        ('supabase_functions_admin', 'login noinherit createrole'),
        ('supabase_replication_admin', 'login inherit replication'),
        ('supabase_read_only_user', 'login inherit bypassrls'),
        ('supabase_realtime_admin', 'nologin noinherit'),
        ('supabase_etl_admin', 'nologin inherit replication'),
        ('supabase_privileged_role', 'nologin inherit'),
        ('dashboard_user', 'nologin inherit createdb createrole replication'),
        ('pgbouncer', 'login inherit'),
        ('pgtle_admin', 'nologin inherit')
    ) as roles (role_name, attributes)
  loop
    if not exists (select from pg_catalog.pg_roles where rolname = wanted.role_name) then
      execute format('create role %I', wanted.role_name);
    end if;
    execute format('alter role %I %s', wanted.role_name, wanted.attributes);
  end loop;
end
$$;

grant anon to authenticator, postgres, supabase_realtime_admin, supabase_storage_admin;
grant authenticated to authenticator, postgres, supabase_realtime_admin, supabase_storage_admin;
grant service_role to authenticator, postgres, supabase_realtime_admin, supabase_storage_admin;
grant authenticator to supabase_storage_admin;
grant pg_monitor to postgres;
grant pg_read_all_data to postgres;
grant pg_signal_backend to postgres;
grant pgtle_admin to postgres;
grant supabase_privileged_role to postgres;
grant pg_read_all_data to supabase_read_only_user;
alter role supabase_read_only_user set default_transaction_read_only = on;

do $$
begin
  -- Before 16 any role with createrole may alter and grant those that are no superusers.
  if current_setting('server_version_num')::integer >= 160000 then
    execute 'grant anon, authenticated, service_role, authenticator to postgres with admin option';
    execute 'grant pg_create_subscription to postgres';
  else
    execute 'grant authenticator to postgres with admin option';
  end if;
end
$$;

-- A request never runs longer than this; the REST service applies the settings of the role it switches to.
alter role anon set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';
alter role authenticator set statement_timeout = '8s';
alter role authenticator set lock_timeout = '8s';
-- Its statements are made of what clients send: a refused one is logged without its text, which may be long.
alter role authenticator set log_min_error_statement = 'fatal';
alter role supabase_auth_admin set search_path = 'auth';
alter role supabase_auth_admin set idle_in_transaction_session_timeout = '60s';
alter role supabase_storage_admin set search_path = 'storage';
alter role supabase_functions_admin set search_path = 'supabase_functions';
alter role supabase_realtime_admin set search_path = public, extensions, realtime;
alter role postgres set search_path = "$user", public, extensions;
alter role supabase_admin set search_path = "$user", public, auth, extensions;
