-- pgsql-http's surface. The request is made by the emulator (emulator/platform/http), which is asked over a socket in
-- the server's own socket folder, in PostgreSQL's protocol, which dblink's C functions speak.

create domain http_method as text;
create domain content_type as text check (value ~ '^\S+\/\S+');

create type http_header as (field varchar, value varchar);
create type http_response as (status integer, content_type varchar, headers http_header [], content varchar);
create type http_request as (
  method http_method, uri varchar, headers http_header [], content_type varchar, content varchar
);

-- dblink's functions, without its extension.
create function _http_connect(name text, connection text) returns text
language c strict as '$libdir/dblink', 'dblink_connect';
create function _http_send(name text, request text) returns integer
language c strict as '$libdir/dblink', 'dblink_send_query';
create function _http_is_busy(name text) returns integer
language c strict as '$libdir/dblink', 'dblink_is_busy';
create function _http_result(name text) returns setof record
language c strict as '$libdir/dblink', 'dblink_get_result';
create function _http_disconnect(name text) returns text
language c strict as '$libdir/dblink', 'dblink_disconnect';
revoke all on function
_http_connect(text, text), _http_send(text, text), _http_is_busy(text), _http_result(text), _http_disconnect(text)
from public;

-- The C functions open any connection, so only this one, with a fixed address, may be called. It polls, because a
-- backend that waits in dblink for a whole result ends only when that has come.
create function _http_ask(request text)
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  name constant text := 'muster_http';
  folder constant text := pg_catalog.btrim(pg_catalog.current_setting('unix_socket_directories'), '"');
  pause double precision := 0.0005;
  answer jsonb;
  is_open boolean := false;
begin
  perform @extschema@._http_connect(
    name, pg_catalog.format('host=%s port=1 user=http dbname=http connect_timeout=5', pg_catalog.quote_literal(folder))
  );
  is_open := true;
  perform @extschema@._http_send(name, request);
  while @extschema@._http_is_busy(name) = 1 loop
    perform pg_catalog.pg_sleep(pause);
    pause := least(pause * 1.5, 0.02);
  end loop;
  select result.answer into answer from @extschema@._http_result(name) as result (answer jsonb);
  perform @extschema@._http_disconnect(name);
  return answer;
exception
  when query_canceled or others then
    if is_open then
      perform @extschema@._http_disconnect(name);
      raise;
    end if;
    raise exception 'http: the emulator is not running, and it makes the requests' using
      errcode = 'object_not_in_prerequisite_state',
      detail = sqlerrm,
      hint = 'Requests can''t be made while migrations run at the start; make them from a function or with pg_net.';
end
$$;

create function http_set_curlopt(curlopt varchar, value varchar)
returns boolean
language plpgsql
as $$
begin
  if pg_catalog.upper(curlopt) not in (
    'CURLOPT_TIMEOUT', 'CURLOPT_TIMEOUT_MS', 'CURLOPT_CONNECTTIMEOUT', 'CURLOPT_CONNECTTIMEOUT_MS',
    'CURLOPT_USERAGENT', 'CURLOPT_USERPWD', 'CURLOPT_TCP_KEEPALIVE', 'CURLOPT_SSL_VERIFYHOST',
    'CURLOPT_SSL_VERIFYPEER'
  ) then
    raise exception 'curl option ''%'' is not available for run-time configuration', curlopt;
  end if;
  perform pg_catalog.set_config(
    'http.curlopts',
    (
      coalesce(nullif(pg_catalog.current_setting('http.curlopts', true), ''), '{}')::jsonb
      || pg_catalog.jsonb_build_object(pg_catalog.upper(curlopt), value)
    )::text,
    false
  );
  return true;
end
$$;

create function http_reset_curlopt()
returns boolean
language sql
as $$ select pg_catalog.set_config('http.curlopts', '', false) = '' $$;

create function http_list_curlopt()
returns table (curlopt text, value text)
language sql
as $$
  select option.key, option.value
  from pg_catalog.jsonb_each_text(
    coalesce(nullif(pg_catalog.current_setting('http.curlopts', true), ''), '{}')::jsonb
  ) as option
$$;

create function http_header(field varchar, value varchar)
returns http_header
language sql
as $$ select $1, $2 $$;

create function http_headers(variadic args text[])
returns http_header[]
language plpgsql
immutable
strict
as $$
begin
  if pg_catalog.cardinality(args) % 2 <> 0 then
    raise exception 'Arguments must be provided in key-value pairs';
  end if;
  return array(
    select (args[position], args[position + 1])::@extschema@.http_header
    from pg_catalog.generate_series(1, pg_catalog.cardinality(args), 2) as position
    order by position
  );
end
$$;

create function http(request http_request)
returns http_response
language plpgsql
as $$
declare
  method text := pg_catalog.upper((request).method::text);
  answer jsonb;
begin
  if request is null and pg_catalog.num_nonnulls((request).method, (request).uri) = 0 then
    raise exception 'An http_request must be provided';
  elsif (request).uri is null then
    raise exception 'http_request.uri is NULL';
  elsif (request).method is null then
    raise exception 'http_request.method is NULL';
  elsif (request).content is not null and (request).content_type is null then
    raise exception 'http_request.content_type is NULL';
  elsif (request).content is null and method in ('PUT', 'POST') then
    raise exception 'http_request.content is NULL';
  end if;
  answer := @extschema@._http_ask(pg_catalog.jsonb_build_object(
    'method', case when method in ('GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'HEAD') then method
      else (request).method::text end,
    'uri', (request).uri,
    'headers', array(
      select array[header.field, coalesce(header.value, '')]
      from pg_catalog.unnest((request).headers) as header
      where header.field is not null
    ),
    'content_type', (request).content_type,
    'content', (request).content,
    'options', coalesce(nullif(pg_catalog.current_setting('http.curlopts', true), ''), '{}')::jsonb,
    'timeout_ms', pg_catalog.current_setting('http.timeout_msec', true)
  )::text);
  if answer ? 'error' then
    raise exception '%', answer ->> 'error';
  end if;
  return (
    (answer ->> 'status')::integer,
    answer ->> 'content_type',
    array(
      select (header.pair ->> 0, header.pair ->> 1)::@extschema@.http_header
      from pg_catalog.jsonb_array_elements(answer -> 'headers') with ordinality as header (pair, position)
      order by header.position
    ),
    answer ->> 'content'
  )::@extschema@.http_response;
end
$$;

create function http_get(uri varchar)
returns http_response
language sql
as $$ select @extschema@.http(('GET', $1, null, null, null)::@extschema@.http_request) $$;

create function http_post(uri varchar, content varchar, content_type varchar)
returns http_response
language sql
as $$ select @extschema@.http(('POST', $1, null, $3, $2)::@extschema@.http_request) $$;

create function http_put(uri varchar, content varchar, content_type varchar)
returns http_response
language sql
as $$ select @extschema@.http(('PUT', $1, null, $3, $2)::@extschema@.http_request) $$;

create function http_patch(uri varchar, content varchar, content_type varchar)
returns http_response
language sql
as $$ select @extschema@.http(('PATCH', $1, null, $3, $2)::@extschema@.http_request) $$;

create function http_delete(uri varchar)
returns http_response
language sql
as $$ select @extschema@.http(('DELETE', $1, null, null, null)::@extschema@.http_request) $$;

create function http_delete(uri varchar, content varchar, content_type varchar)
returns http_response
language sql
as $$ select @extschema@.http(('DELETE', $1, null, $3, $2)::@extschema@.http_request) $$;

create function http_head(uri varchar)
returns http_response
language sql
as $$ select @extschema@.http(('HEAD', $1, null, null, null)::@extschema@.http_request) $$;

-- RFC 3986's unreserved characters stay, a blank becomes +.
create function urlencode(string bytea)
returns text
language sql
immutable
strict
as $$
  select coalesce(pg_catalog.string_agg(
    case
      when octet = 32 then '+'
      when octet in (45, 46, 95, 126) or octet between 48 and 57 or octet between 65 and 90 or octet between 97 and 122
        then pg_catalog.chr(octet)
      else '%' || pg_catalog.upper(pg_catalog.lpad(pg_catalog.to_hex(octet), 2, '0'))
    end,
    '' order by position
  ), '')
  from (
    select position, pg_catalog.get_byte(string, position) as octet
    from pg_catalog.generate_series(0, pg_catalog.length(string) - 1) as position
  ) as octets
$$;

create function urlencode(string varchar)
returns text
language sql
immutable
strict
as $$ select @extschema@.urlencode(pg_catalog.convert_to(string, 'UTF8')) $$;

create function urlencode(data jsonb)
returns text
language sql
immutable
strict
as $$
  select coalesce(pg_catalog.string_agg(
    @extschema@.urlencode(pair.key::varchar) || '=' || @extschema@.urlencode((pair.value #>> '{}')::varchar), '&'
  ), '')
  from pg_catalog.jsonb_each(data) as pair
  where pg_catalog.jsonb_typeof(pair.value) in ('string', 'number', 'boolean')
$$;

create function http_get(uri varchar, data jsonb)
returns http_response
language sql
as $$
  select @extschema@.http(('GET', $1 || '?' || @extschema@.urlencode($2), null, null, null)::@extschema@.http_request)
$$;

create function http_post(uri varchar, data jsonb)
returns http_response
language sql
as $$
  select @extschema@.http((
    'POST', $1, null, 'application/x-www-form-urlencoded', @extschema@.urlencode($2)
  )::@extschema@.http_request)
$$;

create function text_to_bytea(data text)
returns bytea
language sql
immutable
strict
as $$ select pg_catalog.convert_to(data, pg_catalog.getdatabaseencoding()) $$;

create function bytea_to_text(data bytea)
returns text
language sql
immutable
strict
as $$ select pg_catalog.convert_from(data, pg_catalog.getdatabaseencoding()) $$;
