-- What the Realtime service's own migrations leave in schema realtime, as far as applications can see it:
-- the table of broadcasts with its partitions, the functions that write to it, and its publication.
-- Subscriptions are kept in the service's memory; realtime.subscription exists so that dumps agree.
-- Run as the service's own user, a superuser, at its start (migrate.py); may be run again at any time. Roles that a
-- plain PostgreSQL lacks are made without any right: a stack makes them before (sql/bootstrap), the image has them.

do $$
declare
  missing text;
begin
  foreach missing in array array[
    'anon', 'authenticated', 'service_role', 'postgres', 'dashboard_user', 'supabase_realtime_admin'
  ] loop
    if not exists (select from pg_catalog.pg_roles where rolname = missing) then
      execute format('create role %I nologin noinherit', missing);
    end if;
  end loop;
  if to_regnamespace('realtime') is null then
    create schema realtime;
    grant usage on schema realtime to anon, authenticated, service_role, postgres, supabase_realtime_admin;
  end if;
  if not exists (select from pg_catalog.pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
end
$$;

do $$
declare
  label text;
begin
  if to_regtype('realtime.action') is null then
    create type realtime.action as enum ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'ERROR');
  end if;
  if to_regtype('realtime.equality_op') is null then
    create type realtime.equality_op as enum ('eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'in');
  end if;
  foreach label in array array['like', 'ilike', 'match', 'imatch', 'is', 'isdistinct'] loop
    execute format('alter type realtime.equality_op add value if not exists %L', label);
  end loop;
  if to_regtype('realtime.user_defined_filter') is null then
    create type realtime.user_defined_filter as (
      column_name text,
      op realtime.equality_op,
      value text,
      negate boolean
    );
  end if;
  if to_regtype('realtime.wal_column') is null then
    create type realtime.wal_column as (
      name text,
      type_name text,
      type_oid oid,
      value jsonb,
      is_pkey boolean,
      is_selectable boolean
    );
  end if;
  if to_regtype('realtime.wal_rls') is null then
    create type realtime.wal_rls as (
      wal jsonb,
      is_rls_enabled boolean,
      subscription_ids uuid[],
      errors text[]
    );
  end if;
end
$$;

-- The role a subscription's claims name; regrole has no cast that a generated column may use otherwise.
create or replace function realtime.to_regrole(role_name text)
returns regrole
language sql
immutable
as $$ select role_name::regrole $$;

create table if not exists realtime.subscription (
  id bigint generated always as identity primary key,
  subscription_id uuid not null,
  entity regclass not null,
  filters realtime.user_defined_filter[] not null default '{}',
  claims jsonb not null,
  claims_role regrole not null generated always as (realtime.to_regrole(claims ->> 'role')) stored,
  created_at timestamp not null default timezone('utc', now()),
  action_filter text default '*',
  selected_columns text[],
  constraint subscription_action_filter_check check (action_filter in ('*', 'INSERT', 'UPDATE', 'DELETE'))
);
create unique index if not exists subscription_subscription_id_entity_filters_action_filter_key
on realtime.subscription (subscription_id, entity, filters, action_filter, coalesce(selected_columns, '{}'));
create index if not exists ix_realtime_subscription_entity on realtime.subscription (entity);

-- One row per broadcast from the database; policies on it decide who may join and write private channels.
create table if not exists realtime.messages (
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false,
  updated_at timestamp not null default now(),
  inserted_at timestamp not null default now(),
  id uuid not null default gen_random_uuid(),
  binary_payload bytea,
  constraint messages_pkey primary key (id, inserted_at),
  constraint messages_payload_exclusive check (payload is null or binary_payload is null)
) partition by range (inserted_at);
alter table realtime.messages enable row level security;
create index if not exists messages_inserted_at_topic_index
on realtime.messages (inserted_at desc, topic) where extension = 'broadcast' and private is true;

-- A partition a day, from yesterday to three days ahead; the service goes on with this as days pass.
do $$
declare
  day date;
begin
  for day in select generate_series(current_date - 1, current_date + 3, interval '1 day') loop
    execute format(
      'create table if not exists realtime.%I partition of realtime.messages for values from (%L) to (%L)',
      'messages_' || to_char(day, 'YYYY_MM_DD'), day, day + 1
    );
  end loop;
end
$$;

-- The topic of the private channel that a policy is asked about; null outside of such a check.
create or replace function realtime.topic()
returns text
language sql
stable
as $$ select nullif(pg_catalog.current_setting('realtime.topic', true), '')::text $$;

-- Broadcasts a JSON object. A trigger that calls this never fails because of it: errors become warnings.
create or replace function realtime.send(payload jsonb, event text, topic text, private boolean default true)
returns void
language plpgsql
as $$
declare
  message_id uuid := gen_random_uuid();
begin
  if not payload ? 'id' then
    payload := jsonb_set(payload, '{id}', to_jsonb(message_id));
  end if;
  perform set_config('realtime.topic', topic, true);
  insert into realtime.messages (id, payload, event, topic, private, extension)
  values (message_id, payload, event, topic, private, 'broadcast');
exception
  when others then
    raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
end
$$;

-- The same for bytes: receivers get them as they are.
create or replace function realtime.send_binary(payload bytea, event text, topic text, private boolean default true)
returns void
language plpgsql
as $$
begin
  perform set_config('realtime.topic', topic, true);
  insert into realtime.messages (id, binary_payload, event, topic, private, extension)
  values (gen_random_uuid(), payload, event, topic, private, 'broadcast');
exception
  when others then
    raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
end
$$;

-- For row triggers: one private broadcast that carries the new and the old row.
create or replace function realtime.broadcast_changes(
  topic_name text,
  event_name text,
  operation text,
  table_name text,
  table_schema text,
  new record,
  old record,
  level text default 'ROW'
)
returns void
language plpgsql
as $$
begin
  if level = 'STATEMENT' then
    raise exception 'function can only be triggered for each row, not for each statement';
  end if;
  perform realtime.send(
    jsonb_build_object(
      'old_record', old, 'record', new, 'operation', operation, 'table', table_name, 'schema', table_schema
    ),
    event_name, topic_name
  );
exception
  when others then
    raise exception 'Failed to process the row: %', sqlerrm;
end
$$;

do $$
begin
  if not exists (
    select from pg_catalog.pg_publication where pubname = 'supabase_realtime_messages_publication'
  ) then
    create publication supabase_realtime_messages_publication for table realtime.messages;
  end if;
end
$$;

-- postgres, a member of supabase_realtime_admin, writes the policies on realtime.messages.
alter table realtime.messages owner to supabase_realtime_admin;
grant select, insert, update on realtime.messages to anon, authenticated, service_role;
grant all on realtime.messages to postgres, dashboard_user;
grant select on realtime.subscription to anon, authenticated, service_role;
grant all on realtime.subscription to postgres, dashboard_user, supabase_realtime_admin;
alter function realtime.topic() owner to supabase_realtime_admin;
grant execute on function
realtime.topic(),
realtime.send(jsonb, text, text, boolean),
realtime.send_binary(bytea, text, text, boolean),
realtime.broadcast_changes(text, text, text, text, text, record, record, text),
realtime.to_regrole(text)
to anon, authenticated, service_role, postgres, dashboard_user;
