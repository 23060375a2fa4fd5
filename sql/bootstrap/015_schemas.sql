-- The schemas of the supabase/postgres image with their privileges, its extensions, the publication of watched tables
-- and the event triggers that tell the REST service of new tables. The services fill auth, realtime and storage.
-- Run as the superuser supabase_admin after 010_roles.sql, in a database of postgres; may be run again at any time.

create schema if not exists extensions;
create schema if not exists auth authorization supabase_admin;
create schema if not exists storage authorization supabase_admin;
create schema if not exists realtime authorization supabase_admin;
create schema if not exists _realtime authorization supabase_admin;
create schema if not exists graphql authorization supabase_admin;
create schema if not exists graphql_public authorization supabase_admin;
create schema if not exists supabase_functions authorization supabase_admin;
create schema if not exists pgbouncer authorization pgbouncer;
-- The extension is preinstalled on older images: dumps of their projects name its schema without making it.
create schema if not exists pgsodium authorization supabase_admin;

create extension if not exists "uuid-ossp" with schema extensions;
create extension if not exists pgcrypto with schema extensions;

grant usage on schema public, extensions, graphql, graphql_public to postgres, anon, authenticated, service_role;
grant all on schema public to postgres;
grant all on schema extensions to postgres, dashboard_user;
grant all on schema auth to supabase_auth_admin, dashboard_user;
grant usage on schema auth to postgres, anon, authenticated, service_role, supabase_realtime_admin;
grant all on schema storage to supabase_storage_admin, dashboard_user;
grant usage on schema storage to postgres with grant option;
grant usage on schema storage to anon, authenticated, service_role;
grant usage on schema realtime to postgres with grant option;
grant usage on schema realtime to anon, authenticated, service_role;
grant all on schema realtime to supabase_realtime_admin with grant option;
grant usage on schema supabase_functions to postgres, anon, authenticated, service_role;
grant all on schema supabase_functions to supabase_functions_admin;

-- Of postgres where it may create them, which is where sql/extensions is installed: projects drop and create them, too.
do $$
declare
  wanted record;
begin
  for wanted in
    select names.extension_name, names.place, bool_or(v.trusted) as is_trusted
    from (values ('pg_stat_statements', 'extensions'), ('supabase_vault', 'vault')) as names (extension_name, place)
    inner join pg_catalog.pg_available_extension_versions as v on v.name = names.extension_name
    group by names.extension_name, names.place
  loop
    execute format('create schema if not exists %I authorization supabase_admin', wanted.place);
    if wanted.is_trusted then
      set local role postgres;
    end if;
    execute format('create extension if not exists %I with schema %I', wanted.extension_name, wanted.place);
    reset role;
  end loop;
end
$$;

-- A project's tables are open to the API's roles as soon as they exist; row-level security decides about their rows.
-- A project that wants the opposite revokes these privileges in its first migration.
do $$
declare
  creator text;
  place text;
  kind text;
begin
  foreach creator in array array['postgres', 'supabase_admin'] loop
    foreach place in array array['public', 'graphql', 'graphql_public', 'storage'] loop
      foreach kind in array array['tables', 'functions', 'sequences'] loop
        -- On the image only what postgres creates is open in storage, and only what supabase_admin does in graphql.
        continue when place = 'storage' and creator = 'supabase_admin';
        continue when place like 'graphql%' and creator = 'postgres';
        execute format(
          'alter default privileges for role %I in schema %I grant all on %s'
          ' to postgres, anon, authenticated, service_role', creator, place, kind
        );
      end loop;
    end loop;
  end loop;
end
$$;
alter default privileges for role supabase_auth_admin in schema auth
grant all on tables to postgres, dashboard_user;
alter default privileges for role supabase_auth_admin in schema auth
grant all on sequences to postgres, dashboard_user;
alter default privileges for role supabase_auth_admin in schema auth
grant all on routines to postgres, dashboard_user;
alter default privileges for role supabase_admin in schema extensions
grant all on tables to postgres with grant option;
alter default privileges for role supabase_admin in schema extensions
grant all on sequences to postgres with grant option;
alter default privileges for role supabase_admin in schema extensions
grant all on routines to postgres with grant option;
grant all on all tables in schema extensions to postgres with grant option;
grant all on all routines in schema extensions to postgres with grant option;

do $$
begin
  if not exists (select from pg_catalog.pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
    alter publication supabase_realtime owner to postgres;
  end if;
end
$$;

-- What /graphql/v1 calls: pg_graphql where the extension is enabled.
create or replace function graphql_public.graphql(
  "operationName" text default null, query text default null, variables jsonb default null,
  extensions jsonb default null
) returns jsonb
language plpgsql
as $$
declare
  answer jsonb;
begin
  if to_regproc('graphql.resolve') is null then
    return '{"errors": [{"message": "pg_graphql extension is not enabled."}]}'::jsonb;
  end if;
  execute 'select graphql.resolve($1, $2, $3, $4)'
  into answer using query, coalesce(variables, '{}'), "operationName", extensions;
  return answer;
end
$$;
grant execute on function graphql_public.graphql(text, text, jsonb, jsonb)
to postgres, anon, authenticated, service_role;

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
