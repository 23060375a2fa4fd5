-- PGMQ's surface: queues in tables pgmq.q_<name>, archives in pgmq.a_<name>. It runs as the role that creates the
-- extension, because that role must own the queues. Partitioned queues need pg_partman, which is refused as there.

-- A schema that is there already stays when the extension is dropped.
do $$
begin
  if pg_catalog.to_regnamespace('pgmq') is null then
    create schema pgmq;
  end if;
end
$$;

create table pgmq.meta (
  queue_name varchar unique not null,
  is_partitioned boolean not null,
  is_unlogged boolean not null,
  created_at timestamptz not null default now()
);

grant usage on schema pgmq to pg_monitor;
grant select on all tables in schema pgmq to pg_monitor;
alter default privileges in schema pgmq grant select on tables to pg_monitor;
alter default privileges in schema pgmq grant select on sequences to pg_monitor;

create type pgmq.message_record as (
  msg_id bigint, read_ct integer, enqueued_at timestamptz, vt timestamptz, message jsonb, headers jsonb
);
create type pgmq.queue_record as (
  queue_name varchar, is_partitioned boolean, is_unlogged boolean, created_at timestamptz
);
create type pgmq.metrics_result as (
  queue_name text, queue_length bigint, newest_msg_age_sec integer, oldest_msg_age_sec integer,
  total_messages bigint, scrape_time timestamptz, queue_visible_length bigint
);

-- Serializes creating and dropping one queue, until the end of the transaction.
create function pgmq.acquire_queue_lock(queue_name text)
returns void
language sql
as $$ select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext('pgmq.queue_' || queue_name)) $$;

create function pgmq.format_table_name(queue_name text, prefix text)
returns text
language plpgsql
as $$
begin
  if queue_name ~ '\$|;|--|''' then
    raise exception 'queue name contains invalid characters: $, ;, --, or \''';
  end if;
  return pg_catalog.lower(prefix || '_' || queue_name);
end
$$;

create function pgmq.validate_queue_name(queue_name text)
returns void
language plpgsql
as $$
begin
  if pg_catalog.length(queue_name) > 47 then
    raise exception 'queue name is too long, maximum length is 47 characters';
  end if;
end
$$;

create function pgmq._extension_exists(extension_name text)
returns boolean
language sql
as $$ select exists (select from pg_catalog.pg_extension where extname = extension_name) $$;

create function pgmq._belongs_to_pgmq(table_name text)
returns boolean
language sql
as $$
  select exists (
    select from pg_catalog.pg_depend as dependency
    join pg_catalog.pg_extension as extension on extension.oid = dependency.refobjid
    where extension.extname = 'pgmq'
      and dependency.deptype = 'e'
      and dependency.objid = pg_catalog.to_regclass(pg_catalog.format('pgmq.%I', table_name))
  )
$$;

create function pgmq.send(queue_name text, msg jsonb, headers jsonb, delay timestamptz)
returns setof bigint
language plpgsql
as $$
begin
  return query execute pg_catalog.format(
    'insert into pgmq.%I (vt, message, headers) values ($2, $1, $3) returning msg_id',
    pgmq.format_table_name(queue_name, 'q')
  ) using msg, delay, headers;
end
$$;

create function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay timestamptz)
returns setof bigint
language plpgsql
as $$
begin
  return query execute pg_catalog.format(
    'insert into pgmq.%I (vt, message, headers) '
    'select $2, pg_catalog.unnest($1), pg_catalog.unnest(coalesce($3, array[]::jsonb[])) returning msg_id',
    pgmq.format_table_name(queue_name, 'q')
  ) using msgs, delay, headers;
end
$$;

create function pgmq.send(queue_name text, msg jsonb)
returns setof bigint
language sql
as $$ select pgmq.send(queue_name, msg, null, clock_timestamp()) $$;

create function pgmq.send(queue_name text, msg jsonb, headers jsonb)
returns setof bigint
language sql
as $$ select pgmq.send(queue_name, msg, headers, clock_timestamp()) $$;

create function pgmq.send(queue_name text, msg jsonb, delay integer)
returns setof bigint
language sql
as $$ select pgmq.send(queue_name, msg, null, clock_timestamp() + make_interval(secs => delay)) $$;

create function pgmq.send(queue_name text, msg jsonb, delay timestamptz)
returns setof bigint
language sql
as $$ select pgmq.send(queue_name, msg, null, delay) $$;

create function pgmq.send(queue_name text, msg jsonb, headers jsonb, delay integer)
returns setof bigint
language sql
as $$ select pgmq.send(queue_name, msg, headers, clock_timestamp() + make_interval(secs => delay)) $$;

create function pgmq.send_batch(queue_name text, msgs jsonb[])
returns setof bigint
language sql
as $$ select pgmq.send_batch(queue_name, msgs, null, clock_timestamp()) $$;

create function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[])
returns setof bigint
language sql
as $$ select pgmq.send_batch(queue_name, msgs, headers, clock_timestamp()) $$;

create function pgmq.send_batch(queue_name text, msgs jsonb[], delay integer)
returns setof bigint
language sql
as $$ select pgmq.send_batch(queue_name, msgs, null, clock_timestamp() + make_interval(secs => delay)) $$;

create function pgmq.send_batch(queue_name text, msgs jsonb[], delay timestamptz)
returns setof bigint
language sql
as $$ select pgmq.send_batch(queue_name, msgs, null, delay) $$;

create function pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay integer)
returns setof bigint
language sql
as $$ select pgmq.send_batch(queue_name, msgs, headers, clock_timestamp() + make_interval(secs => delay)) $$;

-- Concurrent readers skip each other's rows, so a message is read by one of them; `vt` hides it for that many seconds.
create function pgmq.read(queue_name text, vt integer, qty integer, conditional jsonb default '{}')
returns setof pgmq.message_record
language plpgsql
as $$
begin
  return query execute pg_catalog.format(
    $query$
      with visible as (
        select msg_id
        from pgmq.%1$I
        where vt <= pg_catalog.clock_timestamp() and case when $3 = '{}' then true else message @> $3 end
        order by msg_id
        limit $1
        for update skip locked
      )
      update pgmq.%1$I as queued
      set vt = pg_catalog.clock_timestamp() + pg_catalog.make_interval(secs => $2), read_ct = read_ct + 1
      from visible
      where queued.msg_id = visible.msg_id
      returning queued.msg_id, queued.read_ct, queued.enqueued_at, queued.vt, queued.message, queued.headers
    $query$,
    pgmq.format_table_name(queue_name, 'q')
  ) using qty, vt, conditional;
end
$$;

create function pgmq.read_with_poll(
  queue_name text, vt integer, qty integer, max_poll_seconds integer default 5, poll_interval_ms integer default 100,
  conditional jsonb default '{}'
)
returns setof pgmq.message_record
language plpgsql
as $$
declare
  stop_at timestamptz := pg_catalog.clock_timestamp() + pg_catalog.make_interval(secs => max_poll_seconds);
begin
  while pg_catalog.clock_timestamp() < stop_at loop
    return query select * from pgmq.read(queue_name, vt, qty, conditional);
    exit when found;
    perform pg_catalog.pg_sleep(poll_interval_ms / 1000.0);
  end loop;
end
$$;

create function pgmq.pop(queue_name text)
returns setof pgmq.message_record
language plpgsql
as $$
begin
  return query execute pg_catalog.format(
    $query$
      with visible as (
        select msg_id
        from pgmq.%1$I
        where vt <= pg_catalog.clock_timestamp()
        order by msg_id
        limit 1
        for update skip locked
      )
      delete from pgmq.%1$I
      where msg_id = (select msg_id from visible)
      returning msg_id, read_ct, enqueued_at, vt, message, headers
    $query$,
    pgmq.format_table_name(queue_name, 'q')
  );
end
$$;

create function pgmq.set_vt(queue_name text, msg_id bigint, vt integer)
returns setof pgmq.message_record
language plpgsql
as $$
begin
  return query execute pg_catalog.format(
    'update pgmq.%I set vt = pg_catalog.clock_timestamp() + pg_catalog.make_interval(secs => $1) where msg_id = $2 '
    'returning msg_id, read_ct, enqueued_at, vt, message, headers',
    pgmq.format_table_name(queue_name, 'q')
  ) using vt, msg_id;
end
$$;

create function pgmq.delete(queue_name text, msg_ids bigint[])
returns setof bigint
language plpgsql
as $$
begin
  return query execute pg_catalog.format(
    'delete from pgmq.%I where msg_id = any ($1) returning msg_id', pgmq.format_table_name(queue_name, 'q')
  ) using msg_ids;
end
$$;

create function pgmq.delete(queue_name text, msg_id bigint)
returns boolean
language sql
as $$ select exists (select from pgmq.delete(queue_name, array[msg_id])) $$;

create function pgmq.archive(queue_name text, msg_ids bigint[])
returns setof bigint
language plpgsql
as $$
begin
  return query execute pg_catalog.format(
    $query$
      with archived as (
        delete from pgmq.%I
        where msg_id = any ($1)
        returning msg_id, vt, read_ct, enqueued_at, message, headers
      )
      insert into pgmq.%I (msg_id, vt, read_ct, enqueued_at, message, headers)
      select msg_id, vt, read_ct, enqueued_at, message, headers
      from archived
      returning msg_id
    $query$,
    pgmq.format_table_name(queue_name, 'q'), pgmq.format_table_name(queue_name, 'a')
  ) using msg_ids;
end
$$;

create function pgmq.archive(queue_name text, msg_id bigint)
returns boolean
language sql
as $$ select exists (select from pgmq.archive(queue_name, array[msg_id])) $$;

create function pgmq.purge_queue(queue_name text)
returns bigint
language plpgsql
as $$
declare
  purged bigint;
  queue_table text := pgmq.format_table_name(queue_name, 'q');
begin
  execute pg_catalog.format('select pg_catalog.count(*) from pgmq.%I', queue_table) into purged;
  execute pg_catalog.format('truncate table pgmq.%I', queue_table);
  return purged;
end
$$;

create function pgmq.list_queues()
returns setof pgmq.queue_record
language sql
as $$ select queue_name, is_partitioned, is_unlogged, created_at from pgmq.meta $$;

create function pgmq.metrics(queue_name text)
returns pgmq.metrics_result
language plpgsql
as $$
declare
  result pgmq.metrics_result;
  queue_table text := pgmq.format_table_name(queue_name, 'q');
begin
  execute pg_catalog.format(
    $query$
      select
        $1,
        pg_catalog.count(*),
        extract(epoch from pg_catalog.now() - pg_catalog.max(enqueued_at))::integer,
        extract(epoch from pg_catalog.now() - pg_catalog.min(enqueued_at))::integer,
        (select case when is_called then last_value else 0 end from pgmq.%I),
        pg_catalog.now(),
        pg_catalog.count(*) filter (where vt <= pg_catalog.now())
      from pgmq.%I
    $query$,
    queue_table || '_msg_id_seq', queue_table
  ) into result using queue_name;
  return result;
end
$$;

create function pgmq.metrics_all()
returns setof pgmq.metrics_result
language sql
as $$ select (pgmq.metrics(queue_name)).* from pgmq.meta $$;

create function pgmq._create_tables(queue_name text, is_unlogged boolean)
returns void
language plpgsql
as $$
declare
  queue_table text := pgmq.format_table_name(queue_name, 'q');
  archive_table text := pgmq.format_table_name(queue_name, 'a');
begin
  perform pgmq.validate_queue_name(queue_name);
  perform pgmq.acquire_queue_lock(queue_name);
  execute pg_catalog.format(
    $query$
      create %s table if not exists pgmq.%I (
        msg_id bigint primary key generated always as identity,
        read_ct integer default 0 not null,
        enqueued_at timestamptz default pg_catalog.now() not null,
        vt timestamptz not null,
        message jsonb,
        headers jsonb
      )
    $query$,
    case when is_unlogged then 'unlogged' else '' end, queue_table
  );
  execute pg_catalog.format(
    $query$
      create table if not exists pgmq.%I (
        msg_id bigint primary key,
        read_ct integer default 0 not null,
        enqueued_at timestamptz default pg_catalog.now() not null,
        archived_at timestamptz default pg_catalog.now() not null,
        vt timestamptz not null,
        message jsonb,
        headers jsonb
      )
    $query$,
    archive_table
  );
  if pgmq._extension_exists('pgmq') then
    if not pgmq._belongs_to_pgmq(queue_table) then
      execute pg_catalog.format('alter extension pgmq add table pgmq.%I', queue_table);
      execute pg_catalog.format('alter extension pgmq add sequence pgmq.%I', queue_table || '_msg_id_seq');
    end if;
    if not pgmq._belongs_to_pgmq(archive_table) then
      execute pg_catalog.format('alter extension pgmq add table pgmq.%I', archive_table);
    end if;
  end if;
  execute pg_catalog.format(
    'create index if not exists %I on pgmq.%I (vt asc)', queue_table || '_vt_idx', queue_table
  );
  execute pg_catalog.format(
    'create index if not exists %I on pgmq.%I (archived_at)', 'archived_at_idx_' || queue_name, archive_table
  );
  insert into pgmq.meta (queue_name, is_partitioned, is_unlogged)
  values (_create_tables.queue_name, false, _create_tables.is_unlogged)
  on conflict do nothing;
end
$$;

create function pgmq.create_non_partitioned(queue_name text)
returns void
language sql
as $$ select pgmq._create_tables(queue_name, false) $$;

create function pgmq.create_unlogged(queue_name text)
returns void
language sql
as $$ select pgmq._create_tables(queue_name, true) $$;

create function pgmq.create(queue_name text)
returns void
language sql
as $$ select pgmq.create_non_partitioned(queue_name) $$;

create function pgmq._ensure_pg_partman_installed()
returns void
language plpgsql
as $$
begin
  if not pgmq._extension_exists('pg_partman') then
    raise exception 'pg_partman is required for partitioned queues';
  end if;
end
$$;

create function pgmq.create_partitioned(
  queue_name text, partition_interval text default '10000', retention_interval text default '100000'
)
returns void
language plpgsql
as $$
begin
  perform pgmq.validate_queue_name(queue_name);
  perform pgmq._ensure_pg_partman_installed();
end
$$;

create function pgmq.convert_archive_partitioned(
  table_name text, partition_interval text default '10000', retention_interval text default '100000',
  leading_partition integer default 10
)
returns void
language sql
as $$ select pgmq._ensure_pg_partman_installed() $$;

create function pgmq.detach_archive(queue_name text)
returns void
language plpgsql
as $$
begin
  if pgmq._extension_exists('pgmq') then
    execute pg_catalog.format('alter extension pgmq drop table pgmq.%I', pgmq.format_table_name(queue_name, 'a'));
  end if;
end
$$;

create function pgmq.drop_queue(queue_name text)
returns boolean
language plpgsql
as $$
declare
  queue_table text := pgmq.format_table_name(queue_name, 'q');
  member text;
begin
  perform pgmq.acquire_queue_lock(queue_name);
  if pg_catalog.to_regclass(pg_catalog.format('pgmq.%I', queue_table)) is null then
    raise notice 'pgmq queue `%` does not exist', queue_name;
    return false;
  end if;
  foreach member in array array[queue_table, pgmq.format_table_name(queue_name, 'a')] loop
    if pgmq._belongs_to_pgmq(member) then
      execute pg_catalog.format('alter extension pgmq drop table pgmq.%I', member);
    end if;
    if member = queue_table and pgmq._belongs_to_pgmq(queue_table || '_msg_id_seq') then
      execute pg_catalog.format('alter extension pgmq drop sequence pgmq.%I', queue_table || '_msg_id_seq');
    end if;
    execute pg_catalog.format('drop table if exists pgmq.%I', member);
  end loop;
  delete from pgmq.meta where meta.queue_name = drop_queue.queue_name;
  return true;
end
$$;

create function pgmq.drop_queue(queue_name text, partitioned boolean)
returns boolean
language plpgsql
as $$
begin
  raise warning 'drop_queue(queue_name, partitioned) is deprecated and will be removed in PGMQ v2.0. Use drop_queue(queue_name) instead';
  return pgmq.drop_queue(queue_name);
end
$$;

select pg_catalog.pg_extension_config_dump('pgmq.meta', '');
