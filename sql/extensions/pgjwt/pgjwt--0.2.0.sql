-- pgjwt's surface: sign and verify JSON Web Tokens with HMAC, over pgcrypto.

create function url_encode(data bytea)
returns text
language sql
immutable
return pg_catalog.translate(pg_catalog.encode(data, 'base64'), E'+/=\n', '-_');

create function url_decode(data text)
returns bytea
language sql
immutable
return pg_catalog.decode(
  pg_catalog.rpad(
    pg_catalog.translate(data, '-_', '+/'),
    (4 * pg_catalog.ceil(pg_catalog.length(data) / 4.0))::integer,
    '='
  ),
  'base64'
);

-- An unknown algorithm becomes '', which hmac() refuses with pgcrypto's own error.
create function algorithm_sign(signables text, secret text, algorithm text)
returns text
language sql
immutable
as $$
  select @extschema@.url_encode(
    @extschema:pgcrypto@.hmac(
      signables,
      secret,
      case when algorithm in ('HS256', 'HS384', 'HS512') then 'sha' || pg_catalog.substr(algorithm, 3) else '' end
    )
  )
$$;

create function sign(payload json, secret text, algorithm text default 'HS256')
returns text
language sql
immutable
as $$
  select signed.content || '.' || @extschema@.algorithm_sign(signed.content, secret, algorithm)
  from (
    select
      @extschema@.url_encode(pg_catalog.convert_to('{"alg":"' || algorithm || '","typ":"JWT"}', 'utf8'))
      || '.' || @extschema@.url_encode(pg_catalog.convert_to(payload::text, 'utf8')) as content
  ) as signed
$$;

create function try_cast_double(inp text)
returns double precision
language plpgsql
immutable
as $$
begin
  return inp::double precision;
exception
  when others then
    return null;
end
$$;

create function verify(token text, secret text, algorithm text default 'HS256')
returns table (header json, payload json, valid boolean)
language sql
immutable
as $$
  select
    decoded.header,
    decoded.payload,
    decoded.is_signed and pg_catalog.tstzrange(
      pg_catalog.to_timestamp(@extschema@.try_cast_double(decoded.payload ->> 'nbf')),
      pg_catalog.to_timestamp(@extschema@.try_cast_double(decoded.payload ->> 'exp'))
    ) @> current_timestamp
  from (
    select
      pg_catalog.convert_from(@extschema@.url_decode(parts[1]), 'utf8')::json as header,
      pg_catalog.convert_from(@extschema@.url_decode(parts[2]), 'utf8')::json as payload,
      parts[3] = @extschema@.algorithm_sign(parts[1] || '.' || parts[2], secret, algorithm) as is_signed
    from pg_catalog.regexp_split_to_array(token, '\.') as split (parts)
  ) as decoded
$$;
