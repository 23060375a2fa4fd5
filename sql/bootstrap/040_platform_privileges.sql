-- What role postgres may do although it is no superuser. On the image the library supautils decides that; here it is
-- memberships, privileges on parameters, a guard on the services' tables, and a way for the migration runner to do
-- the few things that PostgreSQL leaves to superusers. docs/known-differences.md (Database) has the limits.
-- Run as the superuser supabase_admin after 010_roles.sql; may be run again at any time.

-- Policies on auth.users, storage.objects and realtime.messages, and dropping triggers from them, need ownership:
-- postgres inherits it, and the guard below refuses everything else that an owner could do.
do $$
declare
  owner_role text;
begin
  foreach owner_role in array array['supabase_auth_admin', 'supabase_storage_admin'] loop
    if current_setting('server_version_num')::integer >= 160000 then
      execute format('grant %I to postgres with inherit true, set false', owner_role);
    else
      execute format('grant %I to postgres', owner_role);
    end if;
  end loop;
end
$$;
grant supabase_realtime_admin to postgres;

-- Refuses to role postgres what the image refuses: new objects in auth and storage, and changes of the services' own.
-- Policies and triggers have no schema of their own here, so they pass. Errors are those of PostgreSQL.
create or replace function extensions.guard_service_schemas()
returns event_trigger
language plpgsql
set search_path = ''
as $$
declare
  command record;
begin
  if current_user in ('supabase_auth_admin', 'supabase_storage_admin')
    or (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
    return;
  end if;
  if tg_event = 'sql_drop' then
    for command in
      select split_part(object_type, ' ', 1) as kind,
        pg_catalog.regexp_replace(object_identity, '^(auth|storage)\.|\(.*$', '', 'g') as name
      from pg_catalog.pg_event_trigger_dropped_objects()
      where schema_name in ('auth', 'storage') and original
        and object_type not in ('trigger', 'policy')
    loop
      raise exception 'must be owner of % %', command.kind, command.name using errcode = '42501';
    end loop;
    return;
  end if;
  for command in
    select command_tag as tag, schema_name as schema,
      case when command_tag = 'CREATE INDEX' then 'table' else object_type end as kind,
      case when command_tag = 'CREATE INDEX'
        then (select i.indrelid::regclass::text from pg_catalog.pg_index as i where i.indexrelid = objid)
        else object_identity end as name
    from pg_catalog.pg_event_trigger_ddl_commands()
    where schema_name in ('auth', 'storage') and not in_extension
  loop
    if command.tag like 'CREATE %' and command.tag <> 'CREATE INDEX' then
      raise exception 'permission denied for schema %', command.schema using errcode = '42501',
        hint = 'This schema belongs to a service: create the object in a schema of your own.';
    end if;
    raise exception 'must be owner of % %', command.kind, pg_catalog.replace(command.name, command.schema || '.', '')
      using errcode = '42501', hint = 'This schema belongs to a service: only policies and triggers may be added.';
  end loop;
end
$$;
comment on function extensions.guard_service_schemas() is
'Keeps role postgres from changing the tables of the services, whose ownership it inherits for the sake of policies.';

do $$
begin
  if not exists (select from pg_catalog.pg_event_trigger where evtname = 'guard_service_schemas') then
    create event trigger guard_service_schemas on ddl_command_end execute function extensions.guard_service_schemas();
  end if;
  if not exists (select from pg_catalog.pg_event_trigger where evtname = 'guard_service_schemas_drop') then
    create event trigger guard_service_schemas_drop on sql_drop execute function extensions.guard_service_schemas();
  end if;
  -- Also while session_replication_role is replica, which postgres may set.
  alter event trigger guard_service_schemas enable always;
  alter event trigger guard_service_schemas_drop enable always;
end
$$;

-- Settings that postgres may set, for a session or for a role. Names are exact: PostgreSQL knows no wildcard.
do $$
declare
  setting text;
begin
  if current_setting('server_version_num')::integer < 150000 then
    return;
  end if;
  execute 'grant set on parameter log_min_messages to supabase_realtime_admin';
  foreach setting in array array[
    'session_replication_role', 'log_min_messages', 'log_min_duration_statement', 'log_min_error_statement',
    'log_statement', 'log_duration', 'log_lock_waits', 'log_parameter_max_length', 'log_replication_commands',
    'log_statement_stats', 'log_temp_files', 'log_statement_sample_rate', 'log_transaction_sample_rate',
    'track_io_timing', 'track_functions', 'wal_compression',
    'auto_explain.log_min_duration', 'auto_explain.log_analyze', 'auto_explain.log_nested_statements',
    'pg_net.batch_size', 'pg_net.ttl', 'pg_stat_statements.track', 'pg_stat_statements.track_utility',
    'pgaudit.log', 'pgaudit.log_catalog', 'pgaudit.log_level', 'pgaudit.log_parameter', 'pgaudit.log_relation',
    'pgaudit.log_statement_once', 'pgaudit.role', 'plan_filter.statement_cost_limit', 'plan_filter.limit_select_only',
    'safeupdate.enabled',
    'pgrst.db_aggregates_enabled', 'pgrst.db_anon_role', 'pgrst.db_extra_search_path', 'pgrst.db_hoisted_tx_settings',
    'pgrst.db_max_rows', 'pgrst.db_plan_enabled', 'pgrst.db_pre_config', 'pgrst.db_pre_request',
    'pgrst.db_prepared_statements', 'pgrst.db_root_spec', 'pgrst.db_schemas', 'pgrst.db_timezone_enabled',
    'pgrst.db_tx_end', 'pgrst.jwt_aud', 'pgrst.jwt_cache_max_lifetime', 'pgrst.jwt_role_claim_key',
    'pgrst.jwt_secret', 'pgrst.jwt_secret_is_base64', 'pgrst.openapi_mode', 'pgrst.openapi_security_active',
    'pgrst.openapi_server_proxy_uri', 'pgrst.server_cors_allowed_origins', 'pgrst.server_timing_enabled',
    'pgrst.server_trace_header'
  ] loop
    execute format('grant set on parameter %I to postgres', setting);
  end loop;
end
$$;
grant execute on function pg_catalog.pg_reload_conf() to postgres;
grant execute on function pg_catalog.pg_stat_reset() to postgres;

-- For the migration runner alone: event triggers, publications of all tables and foreign data wrappers need a superuser
-- by PostgreSQL's rules. The runner knows the statement's kind, and a token of which the database has the digest.
create table if not exists _muster.runner_token (digest bytea not null);
create or replace function _muster.check_runner_token(token text)
returns void
language plpgsql
security definer
set search_path = ''
as $$
begin
  if not exists (
    select from _muster.runner_token as known where known.digest = pg_catalog.sha256(token::bytea)
  ) then
    raise insufficient_privilege using message = 'only the migration runner may call this';
  end if;
end
$$;
revoke all on function _muster.check_runner_token(text) from public;
-- No search_path of its own: the statement is to find what it would find in the caller's session. In `extensions`, for
-- the schemas that tools leave out when they look at a project.
create or replace function extensions.execute_as_superuser(statement text, token text)
returns void
language plpgsql
security definer
as $$
begin
  perform _muster.check_runner_token(token);
  execute statement;
end
$$;
comment on function extensions.execute_as_superuser(text, text) is
'Runs the statements of a migration that only superusers may run. For the migration runner, which has the token.';
revoke all on function extensions.execute_as_superuser(text, text) from public, anon, authenticated, service_role;
grant execute on function extensions.execute_as_superuser(text, text) to postgres;

-- Which steps of a new database the project's own SQL has been through (emulator/db/project_sql.py).
create table if not exists _muster.project_steps (step text not null primary key);
