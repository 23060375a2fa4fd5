-- What the supabase/postgres image brings and a plain PostgreSQL lacks: its roles, schemas, extensions,
-- the publication of watched tables and the event triggers that tell the REST service of new tables.
-- Run as the superuser supabase_admin in database postgres; may be run again at any time.
-- Login passwords are set by the caller (emulator/db/bootstrap.py), never here.

do $$
declare
  wanted record;
begin
  for wanted in
    select role_name, attributes
    from (
      values
        ('postgres', 'login createdb createrole replication bypassrls'),
        ('anon', 'nologin inherit'),
        ('authenticated', 'nologin inherit'),
        ('service_role', 'nologin inherit bypassrls'),
        ('authenticator', 'login noinherit'),
        ('supabase_auth_admin', 'login noinherit'),
        ('supabase_storage_admin', 'login noinherit'),
        ('supabase_realtime_admin', 'nologin noinherit'),
        ('dashboard_user', 'nologin createdb createrole replication')
    ) as roles (role_name, attributes)
  loop
    if not exists (select from pg_catalog.pg_roles where rolname = wanted.role_name) then
      execute format('create role %I %s', wanted.role_name, wanted.attributes);
    end if;
  end loop;
end
$$;

grant anon to authenticator, postgres, supabase_realtime_admin;
grant authenticated to authenticator, postgres, supabase_realtime_admin;
grant service_role to authenticator, postgres, supabase_realtime_admin;
grant pg_monitor to postgres;
grant pg_read_all_data to postgres;
grant pg_signal_backend to postgres;
-- On the image an extension lets postgres write policies on realtime.messages; membership does the same here.
grant supabase_realtime_admin to postgres;

-- A request never runs longer than this; the REST service applies the settings of the role it switches to.
alter role anon set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';
alter role authenticator set statement_timeout = '8s';
alter role authenticator set lock_timeout = '8s';
alter role supabase_auth_admin set search_path = 'auth';
alter role supabase_auth_admin set idle_in_transaction_session_timeout = '60s';
alter role supabase_realtime_admin set search_path = public, extensions, realtime;
alter role postgres set search_path = "$user", public, extensions;
alter role supabase_admin set search_path = "$user", public, auth, extensions;

do $$
begin
  execute format('alter database %I owner to postgres', current_database());
  execute format(
    'grant create on database %I to supabase_auth_admin, supabase_realtime_admin', current_database()
  );
end
$$;

create schema if not exists extensions;
create schema if not exists auth authorization supabase_admin;
create schema if not exists realtime authorization supabase_admin;
create schema if not exists _realtime authorization supabase_admin;

create extension if not exists "uuid-ossp" with schema extensions;
create extension if not exists pgcrypto with schema extensions;

grant usage on schema public, extensions to postgres, anon, authenticated, service_role;
grant all on schema public to postgres;
grant all on schema extensions to postgres;
grant all on schema auth to supabase_auth_admin;
grant usage on schema auth to postgres, anon, authenticated, service_role, supabase_realtime_admin;
grant usage on schema realtime to postgres with grant option;
grant usage on schema realtime to anon, authenticated, service_role;
grant all on schema realtime to supabase_realtime_admin with grant option;

alter default privileges for role supabase_auth_admin in schema auth
grant all on tables to postgres, dashboard_user;
alter default privileges for role supabase_auth_admin in schema auth
grant all on sequences to postgres, dashboard_user;
alter default privileges for role supabase_auth_admin in schema auth
grant all on routines to postgres, dashboard_user;

do $$
begin
  if not exists (select from pg_catalog.pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
    alter publication supabase_realtime owner to postgres;
  end if;
  if current_setting('server_version_num')::integer >= 150000 then
    execute 'grant set on parameter log_min_messages to supabase_realtime_admin';
  end if;
  if current_setting('server_version_num')::integer >= 160000 then
    execute 'grant anon, authenticated, service_role to postgres with admin option';
  end if;
end
$$;

create or replace function extensions.pgrst_ddl_watch()
returns event_trigger
language plpgsql
as $$
begin
  notify pgrst, 'reload schema';
end
$$;
comment on function extensions.pgrst_ddl_watch() is
'Tells the REST service to read the schema again after any definition changed.';

do $$
begin
  if not exists (select from pg_catalog.pg_event_trigger where evtname = 'pgrst_ddl_watch') then
    create event trigger pgrst_ddl_watch on ddl_command_end execute function extensions.pgrst_ddl_watch();
  end if;
  if not exists (select from pg_catalog.pg_event_trigger where evtname = 'pgrst_drop_watch') then
    create event trigger pgrst_drop_watch on sql_drop execute function extensions.pgrst_ddl_watch();
  end if;
end
$$;
