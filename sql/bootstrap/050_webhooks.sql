-- Database webhooks: what triggers that the dashboard makes call. The requests go through pg_net, which a project
-- creates; the function is there without it, as on the image.

create table if not exists supabase_functions.migrations (
  version text primary key,
  inserted_at timestamptz not null default now()
);

create table if not exists supabase_functions.hooks (
  id bigserial primary key,
  hook_table_id integer not null,
  hook_name text not null,
  created_at timestamptz not null default now(),
  request_id bigint
);
create index if not exists supabase_functions_hooks_request_id_idx on supabase_functions.hooks (request_id);
create index if not exists supabase_functions_hooks_h_table_id_h_name_idx
on supabase_functions.hooks (hook_table_id, hook_name);
comment on table supabase_functions.hooks is
'Supabase Functions Hooks: Audit trail for triggered hooks.';

-- Arguments of the trigger: url, method, headers, params, milliseconds; the last three may be left out or 'null'.
create or replace function supabase_functions.http_request()
returns trigger
language plpgsql
security definer
set search_path = supabase_functions
as $$
declare
  url constant text := tg_argv[0]::text;
  method constant text := tg_argv[1]::text;
  headers jsonb := '{}';
  params jsonb := '{}';
  timeout_ms integer := 1000;
  payload jsonb;
  request_id bigint;
begin
  if url is null or url = 'null' then
    raise exception 'url argument is missing';
  elsif method is null or method = 'null' then
    raise exception 'method argument is missing';
  end if;
  headers := case
    when tg_argv[2] is null or tg_argv[2] = 'null' then '{"Content-Type": "application/json"}'::jsonb
    else tg_argv[2]::jsonb
  end;
  if tg_argv[3] is not null and tg_argv[3] <> 'null' then
    params := tg_argv[3]::jsonb;
  end if;
  if tg_argv[4] is not null and tg_argv[4] <> 'null' then
    timeout_ms := tg_argv[4]::integer;
  end if;
  if method = 'GET' then
    request_id := net.http_get(url, params, headers, timeout_ms);
  elsif method = 'POST' then
    payload := pg_catalog.jsonb_build_object(
      'old_record', case when tg_op in ('UPDATE', 'DELETE') then pg_catalog.to_jsonb(old) end,
      'record', case when tg_op in ('INSERT', 'UPDATE') then pg_catalog.to_jsonb(new) end,
      'type', tg_op,
      'table', tg_table_name,
      'schema', tg_table_schema
    );
    request_id := net.http_post(url, payload, params, headers, timeout_ms);
  else
    raise exception 'method argument % is invalid', method;
  end if;
  insert into supabase_functions.hooks (hook_table_id, hook_name, request_id)
  values (tg_relid::integer, tg_name, request_id);
  return coalesce(new, old);
end
$$;
revoke all on function supabase_functions.http_request() from public;
grant execute on function supabase_functions.http_request() to postgres, anon, authenticated, service_role;
grant all on all tables in schema supabase_functions to postgres, supabase_functions_admin, service_role;
grant all on all sequences in schema supabase_functions to postgres, supabase_functions_admin, service_role;
