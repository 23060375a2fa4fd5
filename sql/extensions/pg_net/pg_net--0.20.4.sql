-- pg_net's surface. Requests are rows of net.http_request_queue; the emulator's worker
-- (emulator/platform/net) sends them after commit and writes net._http_response.

-- A schema that is there already stays when the extension is dropped.
do $$
begin
  if pg_catalog.to_regnamespace('net') is null then
    create schema net;
  end if;
end
$$;

-- Both tables are unlogged in the original, which loses them when PostgreSQL crashes; here they survive.
create domain net.http_method as text
check (lower(value) in ('get', 'post', 'delete'));

create table net.http_request_queue (
  id bigserial,
  method net.http_method not null,
  url text not null,
  headers jsonb,
  body bytea,
  timeout_milliseconds integer not null
);

create table net._http_response (
  id bigint,
  status_code integer,
  content_type text,
  headers jsonb,
  content text,
  timed_out boolean,
  error_msg text,
  created timestamptz not null default now()
);
create index on net._http_response (created);
create index on net.http_request_queue (id);

create type net.request_status as enum ('PENDING', 'SUCCESS', 'ERROR');
create type net.http_response as (status_code integer, headers jsonb, body text);
create type net.http_response_result as (status net.request_status, message text, response net.http_response);

-- The session of the emulator's workers has this name.
create function net.check_worker_is_up()
returns void
language plpgsql
as $$
begin
  if not exists (
    select from pg_catalog.pg_stat_activity as session
    where session.application_name = 'muster platform' and session.datname = pg_catalog.current_database()
  ) then
    raise exception 'the pg_net background worker is not up'
    using
      detail = 'the pg_net background worker is down due to an internal error and cannot process requests',
      hint = 'make sure that you didn''t modify any of pg_net internal tables';
  end if;
end
$$;
comment on function net.check_worker_is_up() is
'raises an exception if the pg_net background worker is not up, otherwise it doesn''t return anything';

create function net.wait_until_running()
returns void
language plpgsql
as $$
begin
  loop
    exit when exists (
      select from pg_catalog.pg_stat_activity as session
      where session.application_name = 'muster platform' and session.datname = pg_catalog.current_database()
    );
    perform pg_catalog.pg_sleep(0.05);
    perform pg_catalog.pg_stat_clear_snapshot();
  end loop;
end
$$;
comment on function net.wait_until_running() is 'waits until the worker is running';

-- A notification is delivered at commit, like the original's wake-up.
create function net.wake()
returns void
language sql
as $$ select pg_catalog.pg_notify('muster_net', pg_catalog.current_database()) $$;

create function net.worker_restart()
returns boolean
language plpgsql
as $$
begin
  perform net.wake();
  return true;
end
$$;

-- curl_easy_escape: everything but RFC 3986's unreserved characters.
create function net._urlencode_string(string varchar)
returns text
language sql
immutable
as $$
  select coalesce(pg_catalog.string_agg(
    case
      when octet in (45, 46, 95, 126) or octet between 48 and 57 or octet between 65 and 90 or octet between 97 and 122
        then pg_catalog.chr(octet)
      else '%' || pg_catalog.upper(pg_catalog.lpad(pg_catalog.to_hex(octet), 2, '0'))
    end,
    '' order by position
  ), '')
  from (
    select position, pg_catalog.get_byte(bytes, position) as octet
    from
      (select pg_catalog.convert_to(string, 'UTF8') as bytes) as encoded,
      pg_catalog.generate_series(0, pg_catalog.length(encoded.bytes) - 1) as position
  ) as octets
$$;

create function net._encode_url_with_params_array(url text, params_array text[])
returns text
language plpgsql
immutable
as $$
declare
  parts text[] := pg_catalog.regexp_match(url, '^([A-Za-z][A-Za-z0-9+.-]*://)?([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$');
  query text;
begin
  if url is null or params_array is null then
    return null;
  end if;
  if parts is null or parts[2] = '' or url ~ '[[:space:][:cntrl:]]' then
    raise exception '%', case when url = '' then 'curl_url returned: No host part in the URL'
      else 'curl_url returned: Malformed input to a URL function' end;
  end if;
  query := pg_catalog.array_to_string(
    pg_catalog.array_remove(pg_catalog.array_prepend(pg_catalog.substr(parts[4], 2), params_array), null), '&'
  );
  return pg_catalog.lower(coalesce(parts[1], 'http://')) || parts[2] || coalesce(nullif(parts[3], ''), '/')
    || case when query = '' then '' else '?' || query end || coalesce(parts[5], '');
end
$$;

create function net._enqueue(
  method text, url text, params jsonb, headers jsonb, body jsonb, timeout_milliseconds integer
)
returns bigint
language plpgsql
as $$
declare
  request_id bigint;
begin
  insert into net.http_request_queue (method, url, headers, body, timeout_milliseconds)
  values (
    _enqueue.method,
    net._encode_url_with_params_array(
      _enqueue.url,
      array(
        select net._urlencode_string(param.key) || '=' || net._urlencode_string(param.value)
        from pg_catalog.jsonb_each_text(_enqueue.params) as param
      )
    ),
    _enqueue.headers,
    pg_catalog.convert_to(_enqueue.body::text, 'UTF8'),
    _enqueue.timeout_milliseconds
  )
  returning id into request_id;
  perform net.wake();
  return request_id;
end
$$;

create function net.http_get(
  url text, params jsonb default '{}', headers jsonb default '{}', timeout_milliseconds integer default 5000
)
returns bigint
language sql
as $$ select net._enqueue('GET', url, params, headers, null, timeout_milliseconds) $$;

create function net.http_post(
  url text,
  body jsonb default '{}',
  params jsonb default '{}',
  headers jsonb default '{"Content-Type": "application/json"}',
  timeout_milliseconds integer default 5000
)
returns bigint
language plpgsql
as $$
declare
  content_type text := (
    select header.value from pg_catalog.jsonb_each_text(coalesce(headers, '{}')) as header
    where pg_catalog.lower(header.key) = 'content-type'
    limit 1
  );
begin
  if content_type is null then
    headers := headers || '{"Content-Type": "application/json"}';
  elsif content_type <> 'application/json' then
    raise exception 'Content-Type header must be "application/json"';
  end if;
  return net._enqueue('POST', url, params, headers, body, timeout_milliseconds);
end
$$;

create function net.http_delete(
  url text,
  params jsonb default '{}',
  headers jsonb default '{}',
  timeout_milliseconds integer default 5000,
  body jsonb default null
)
returns bigint
language sql
as $$ select net._enqueue('DELETE', url, params, headers, body, timeout_milliseconds) $$;

create function net._await_response(request_id bigint)
returns boolean
language plpgsql
as $$
begin
  while not exists (select from net._http_response as response where response.id = request_id) loop
    perform pg_catalog.pg_sleep(0.05);
  end loop;
  return true;
end
$$;

create function net._http_collect_response(request_id bigint, async boolean default true)
returns net.http_response_result
language plpgsql
as $$
declare
  found_row net._http_response;
begin
  if not async then
    perform net._await_response(request_id);
  end if;
  select response.* into found_row from net._http_response as response where response.id = request_id;
  if found_row.id is null or found_row.error_msg is not null then
    return (
      'ERROR', coalesce(found_row.error_msg, 'request matching request_id not found'), null
    )::net.http_response_result;
  end if;
  return (
    'SUCCESS', 'ok', (found_row.status_code, found_row.headers, found_row.content)::net.http_response
  )::net.http_response_result;
end
$$;

create function net.http_collect_response(request_id bigint, async boolean default true)
returns net.http_response_result
language plpgsql
as $$
begin
  raise notice 'The net.http_collect_response function is deprecated.';
  return net._http_collect_response(request_id, async);
end
$$;

grant usage on schema net to public;
grant all on all sequences in schema net to public;
grant all on all tables in schema net to public;
