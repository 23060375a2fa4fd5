-- pgTAP's surface: assertions that print the Test Anything Protocol. The state of a test file is temporary objects, and
-- numbers come from sequences, so that neither a savepoint nor a failed statement counts a test twice.
-- Assertions come in families that differ only in which arguments may be left out, so most are made by _define.

create function _start(planned integer)
returns void
language plpgsql
as $$
begin
  if pg_catalog.to_regclass('pg_temp.__tcache__') is not null then
    if exists (select from pg_temp.__tcache__ where label = 'plan') then
      raise exception 'You tried to plan twice!';
    end if;
  else
    perform pg_catalog.set_config('client_min_messages', 'warning', true);
    create temporary sequence __tresults___numb_seq minvalue 0 start 1;
    create temporary sequence __tfailed___numb_seq minvalue 0 start 1;
    create temporary table __tcache__ (id serial, label text not null, value integer not null, note text not null);
    grant all on table __tcache__ to public;
    grant all on sequence __tcache___id_seq, __tresults___numb_seq, __tfailed___numb_seq to public;
  end if;
  insert into pg_temp.__tcache__ (label, value, note) values ('plan', planned, '');
end
$$;

create function _require_plan()
returns void
language plpgsql
as $$
begin
  if pg_catalog.to_regclass('pg_temp.__tcache__') is null then
    raise exception 'You tried to run a test without a plan! Gotta have a plan';
  end if;
end
$$;

create function _count(sequence_name text)
returns integer
language plpgsql
as $$
declare
  counted integer;
begin
  execute pg_catalog.format('select case when is_called then last_value else 0 end from pg_temp.%I', sequence_name)
  into counted;
  return counted;
end
$$;

create function plan(integer)
returns text
language plpgsql
as $$
begin
  perform @extschema@._start($1);
  return '1..' || $1;
end
$$;

create function no_plan()
returns setof boolean
language plpgsql
as $$
begin
  perform @extschema@._start(0);
  return;
end
$$;

create function num_failed()
returns integer
language sql
as $$ select @extschema@._count('__tfailed___numb_seq') $$;

create function diag(msg text)
returns text
language sql
as $$ select '# ' || pg_catalog.regexp_replace(msg, '\r\n|\n|\r', E'\n# ', 'g') $$;

create function diag(msg anyelement)
returns text
language sql
as $$ select @extschema@.diag($1::text) $$;

create function diag(variadic msgs text[])
returns text
language sql
as $$ select @extschema@.diag(pg_catalog.array_to_string($1, '')) $$;

create function finish(exception_on_failure boolean default null)
returns setof text
language plpgsql
as $$
declare
  planned integer;
  ran integer;
  failed integer;
begin
  perform @extschema@._require_plan();
  select value into planned from pg_temp.__tcache__ where label = 'plan';
  ran := @extschema@._count('__tresults___numb_seq');
  failed := @extschema@._count('__tfailed___numb_seq');
  if ran = 0 then
    raise exception '# No tests run!';
  end if;
  if planned = 0 then
    planned := ran;
    return next '1..' || planned;
  end if;
  if ran <> planned then
    return next @extschema@.diag(pg_catalog.format(
      'Looks like you planned %s test%s but ran %s', planned, case when planned = 1 then '' else 's' end, ran
    ));
  elsif failed > 0 then
    if exception_on_failure then
      raise exception '% test% failed of %', failed, case when failed = 1 then '' else 's' end, planned;
    end if;
    return next @extschema@.diag(pg_catalog.format(
      'Looks like you failed %s test%s of %s', failed, case when failed = 1 then '' else 's' end, planned
    ));
  end if;
  delete from pg_temp.__tcache__;
  perform pg_catalog.setval('pg_temp.__tresults___numb_seq', 1, false);
  perform pg_catalog.setval('pg_temp.__tfailed___numb_seq', 1, false);
end
$$;

-- The reason why the present test is expected to fail, if it is; a counted one is used up.
create function _todo()
returns text
language plpgsql
as $$
declare
  entry record;
begin
  select id, value, note into entry from pg_temp.__tcache__ where label = 'todo' order by id desc limit 1;
  if entry.id is null then
    return null;
  elsif entry.value > 0 then
    update pg_temp.__tcache__ set value = value - 1 where id = entry.id;
    delete from pg_temp.__tcache__ where id = entry.id and value = 0;
  end if;
  return entry.note;
end
$$;

create function ok(boolean, text)
returns text
language plpgsql
as $$
declare
  number integer;
  why text;
  about text := pg_catalog.replace(pg_catalog.replace($2, E'\\', E'\\\\'), '#', E'\\#');
  result text;
begin
  perform @extschema@._require_plan();
  number := pg_catalog.nextval('pg_temp.__tresults___numb_seq');
  why := @extschema@._todo();
  if $1 is not true and why is null then
    perform pg_catalog.nextval('pg_temp.__tfailed___numb_seq');
  end if;
  result := case when $1 is true then 'ok ' else 'not ok ' end || number
    || case when coalesce($2, '') = '' then '' else ' - '
      || coalesce(pg_catalog.substr(@extschema@.diag(about), 3), '') end
    || case when why is null then '' else ' ' || @extschema@.diag('TODO ' || why) end;
  if $1 is not true then
    result := result || E'\n' || @extschema@.diag(
      'Failed ' || case when why is null then '' else '(TODO) ' end || 'test ' || number
      || case when coalesce($2, '') = '' then '' else ': "' || $2 || '"' end
    );
    if $1 is null then
      result := result || E'\n' || @extschema@.diag('    (test result was NULL)');
    end if;
  end if;
  return result;
end
$$;

create function ok(boolean)
returns text
language sql
as $$ select @extschema@.ok($1, null) $$;

-- A result, and below one that failed what was found.
create function _judge(is_good boolean, description text, found text)
returns text
language sql
as $$
  select @extschema@.ok(is_good, description)
    || case when is_good is true or found is null then '' else E'\n' || @extschema@.diag(found) end
$$;

create function _compare(is_good boolean, have text, want text, description text, relation text default 'want')
returns text
language sql
as $$
  select @extschema@._judge(
    is_good, description,
    pg_catalog.format(E'        have: %s\n        %s: %s', coalesce(have, 'NULL'), relation, coalesce(want, 'NULL'))
  )
$$;

create function pass(about text default null) returns text language sql as $$ select @extschema@.ok(true, $1) $$;
create function fail(about text default null) returns text language sql as $$ select @extschema@.ok(false, $1) $$;

create function is(anyelement, anyelement, about text default null)
returns text
language sql
as $$ select @extschema@._compare($1 is not distinct from $2, $1::text, $2::text, $3) $$;

create function isnt(anyelement, anyelement, about text default null)
returns text
language sql
as $$
  select @extschema@._judge(
    $1 is distinct from $2, $3,
    pg_catalog.format(E'        have: %s\n        want: anything else', coalesce($1::text, 'NULL'))
  )
$$;

create function _match(is_good boolean, have text, pattern text, description text, relation text)
returns text
language sql
as $$
  select @extschema@._judge(
    is_good, description, pg_catalog.format(
      E'    %s\n   %s: %s', coalesce('''' || have || '''', 'NULL'), relation, coalesce('''' || pattern || '''', 'NULL')
    )
  )
$$;

create function matches(anyelement, text, about text default null) returns text language sql
as $$ select @extschema@._match($1::text ~ $2, $1::text, $2, $3, '     doesn''t match') $$;
create function imatches(anyelement, text, about text default null) returns text language sql
as $$ select @extschema@._match($1::text ~* $2, $1::text, $2, $3, '     doesn''t match') $$;
create function doesnt_match(anyelement, text, about text default null) returns text language sql
as $$ select @extschema@._match($1::text !~ $2, $1::text, $2, $3, '           matches') $$;
create function doesnt_imatch(anyelement, text, about text default null) returns text language sql
as $$ select @extschema@._match($1::text !~* $2, $1::text, $2, $3, '           matches') $$;
create function alike(anyelement, text, about text default null) returns text language sql
as $$ select @extschema@._match($1::text like $2, $1::text, $2, $3, '     doesn''t match') $$;
create function ialike(anyelement, text, about text default null) returns text language sql
as $$ select @extschema@._match($1::text ilike $2, $1::text, $2, $3, '     doesn''t match') $$;
create function unalike(anyelement, text, about text default null) returns text language sql
as $$ select @extschema@._match($1::text not like $2, $1::text, $2, $3, '           matches') $$;
create function unialike(anyelement, text, about text default null) returns text language sql
as $$ select @extschema@._match($1::text not ilike $2, $1::text, $2, $3, '           matches') $$;

create function cmp_ok(anyelement, text, anyelement, about text default null)
returns text
language plpgsql
as $$
declare
  result boolean;
begin
  execute pg_catalog.format(
    'select %L::%s %s %L::%s', $1, pg_catalog.pg_typeof($1), $2, $3, pg_catalog.pg_typeof($3)
  ) into result;
  return @extschema@._judge(coalesce(result, false), $4, pg_catalog.format(
    E'    %s\n        %s\n    %s', coalesce('''' || $1::text || '''', 'NULL'), $2,
    coalesce('''' || $3::text || '''', 'NULL')
  ));
end
$$;

create function isa_ok(anyelement, regtype, text)
returns text
language sql
as $$
  select @extschema@._judge(
    pg_catalog.pg_typeof($1) = $2, $3 || ' isa ' || $2,
    pg_catalog.format('    %s isn''t a "%s" it''s a "%s"', $3, $2, pg_catalog.pg_typeof($1))
  )
$$;
create function isa_ok(anyelement, regtype) returns text language sql
as $$ select @extschema@.isa_ok($1, $2, 'the value') $$;

create function skip(why text, how_many integer)
returns text
language plpgsql
as $$
declare
  lines text[] := '{}';
begin
  perform @extschema@._require_plan();
  for _ in 1 .. how_many loop
    lines := lines || ('ok ' || pg_catalog.nextval('pg_temp.__tresults___numb_seq') || ' '
      || @extschema@.diag('SKIP' || coalesce(' ' || why, '')));
  end loop;
  return pg_catalog.array_to_string(lines, E'\n');
end
$$;
create function skip(text) returns text language sql as $$ select @extschema@.skip($1, 1) $$;
create function skip(integer, text) returns text language sql as $$ select @extschema@.skip($2, $1) $$;
create function skip(integer) returns text language sql as $$ select @extschema@.skip(null, $1) $$;

create function todo(why text, how_many integer)
returns setof boolean
language plpgsql
as $$
begin
  insert into pg_temp.__tcache__ (label, value, note) values ('todo', coalesce(how_many, 1), coalesce(why, ''));
end
$$;
create function todo(how_many integer, why text) returns setof boolean language sql
as $$ select @extschema@.todo(why, how_many) $$;
create function todo(why text) returns setof boolean language sql as $$ select @extschema@.todo(why, 1) $$;
create function todo(how_many integer) returns setof boolean language sql
as $$ select @extschema@.todo('', how_many) $$;
create function todo_start(text) returns setof boolean language sql as $$ select @extschema@.todo($1, -1) $$;
create function todo_start() returns setof boolean language sql as $$ select @extschema@.todo('', -1) $$;

create function in_todo()
returns boolean
language sql
as $$ select exists (select from pg_temp.__tcache__ where label = 'todo') $$;

create function todo_end()
returns setof boolean
language plpgsql
as $$
begin
  delete from pg_temp.__tcache__ where id = (
    select pg_catalog.max(id) from pg_temp.__tcache__ where label = 'todo' and value = -1
  );
  if not found then
    raise exception 'todo_end() called without todo_start()';
  end if;
end
$$;

-- A statement is SQL, or the name of a prepared one.
create function _query(statement text)
returns text
language sql
as $$
  select case
    when statement like '"%' or statement !~ '[[:space:]]' then 'EXECUTE ' || statement
    else pg_catalog.rtrim(statement, E'; \n\t')
  end
$$;

-- What a statement raises: its code and message, or two nulls.
create function _raised(statement text, out code text, out message text)
returns record
language plpgsql
as $$
begin
  execute @extschema@._query(statement);
exception
  when others or assert_failure then
    code := sqlstate;
    message := sqlerrm;
end
$$;

create function throws_ok(text, character(5), text, text)
returns text
language plpgsql
as $$
declare
  got record := @extschema@._raised($1);
  about text := coalesce($4, case when $2 is null and $3 is null then 'threw an exception' else
    'threw ' || coalesce($2::text, '') || case when $2 is not null and $3 is not null then ': ' else '' end
    || coalesce($3, '') end);
begin
  if got.code is null then
    return @extschema@.ok(false, about) || E'\n' || @extschema@.diag(
      E'      caught: no exception\n      wanted: '
      || coalesce(nullif(pg_catalog.concat_ws(': ', $2::text, $3), ''), 'an exception')
    );
  end if;
  return @extschema@._judge(
    ($2 is null or got.code = $2) and ($3 is null or got.message = $3), about,
    pg_catalog.format(
      E'      caught: %s: %s\n      wanted: %s', got.code, got.message,
      case when $3 is null then $2::text else coalesce($2::text, got.code) || ': ' || $3 end
    )
  );
end
$$;

create function throws_ok(text, text, text)
returns text
language sql
as $$
  select case
    when pg_catalog.octet_length($2) = 5 then @extschema@.throws_ok($1, $2::character(5), $3, null)
    else @extschema@.throws_ok($1, null::character(5), $2, $3)
  end
$$;
create function throws_ok(text, text)
returns text
language sql
as $$
  select case
    when pg_catalog.octet_length($2) = 5 then @extschema@.throws_ok($1, $2::character(5), null, null)
    else @extschema@.throws_ok($1, null::character(5), $2, null)
  end
$$;
create function throws_ok(text) returns text language sql
as $$ select @extschema@.throws_ok($1, null::character(5), null, null) $$;
create function throws_ok(text, integer, text, text) returns text language sql
as $$ select @extschema@.throws_ok($1, $2::text::character(5), $3, $4) $$;
create function throws_ok(text, integer, text) returns text language sql
as $$ select @extschema@.throws_ok($1, $2::text::character(5), $3, null) $$;
create function throws_ok(text, integer) returns text language sql
as $$ select @extschema@.throws_ok($1, $2::text::character(5), null, null) $$;

create function _throws(statement text, operator text, pattern text, description text)
returns text
language plpgsql
as $$
declare
  got record := @extschema@._raised(statement);
  is_good boolean;
begin
  execute pg_catalog.format('select $1 operator(pg_catalog.%s) $2', operator) into is_good using got.message, pattern;
  return @extschema@._judge(
    coalesce(is_good, false), description,
    case when got.code is null then '    no exception thrown' else pg_catalog.format(
      E'    error message: %L\n    doesn''t match: %L', got.message, pattern
    ) end
  );
end
$$;

create function throws_like(text, text, about text default 'Should throw exception like') returns text language sql
as $$ select @extschema@._throws($1, '~~', $2, $3) $$;
create function throws_ilike(text, text, about text default 'Should throw exception like') returns text language sql
as $$ select @extschema@._throws($1, '~~*', $2, $3) $$;
create function throws_matching(text, text, about text default 'Should throw exception matching')
returns text language sql
as $$ select @extschema@._throws($1, '~', $2, $3) $$;
create function throws_imatching(text, text, about text default 'Should throw exception matching')
returns text language sql
as $$ select @extschema@._throws($1, '~*', $2, $3) $$;

create function lives_ok(text, about text default null)
returns text
language plpgsql
as $$
declare
  got record := @extschema@._raised($1);
begin
  return @extschema@._judge(got.code is null, $2, pg_catalog.format(E'    died: %s: %s', got.code, got.message));
end
$$;

create function _duration_ms(statement text)
returns numeric
language plpgsql
as $$
declare
  began timestamptz := pg_catalog.clock_timestamp();
begin
  execute @extschema@._query(statement);
  return extract(epoch from pg_catalog.clock_timestamp() - began) * 1000;
end
$$;

create function performs_ok(text, numeric, about text default null)
returns text
language plpgsql
as $$
declare
  took numeric := @extschema@._duration_ms($1);
begin
  return @extschema@._judge(
    took < $2, coalesce($3, 'Should run in less than ' || $2 || ' ms'),
    pg_catalog.format(E'      runtime: %s ms\n      exceeds: %s ms', took, $2)
  );
end
$$;

create function performs_within(text, numeric, numeric, integer, text)
returns text
language plpgsql
as $$
declare
  average numeric;
begin
  select pg_catalog.avg(@extschema@._duration_ms($1)) into average from pg_catalog.generate_series(1, $4);
  return @extschema@._judge(
    average between $2 - $3 and $2 + $3, coalesce($5, 'Should run within ' || $3 || ' ms of ' || $2 || ' ms'),
    pg_catalog.format(E' average runtime: %s ms\n desired average: %s +/- %s ms', average, $2, $3)
  );
end
$$;
create function performs_within(text, numeric, numeric, integer) returns text language sql
as $$ select @extschema@.performs_within($1, $2, $3, $4, null) $$;
create function performs_within(text, numeric, numeric, text) returns text language sql
as $$ select @extschema@.performs_within($1, $2, $3, 10, $4) $$;
create function performs_within(text, numeric, numeric) returns text language sql
as $$ select @extschema@.performs_within($1, $2, $3, 10, null) $$;

-- The rows of a statement, a cursor or an array, as text in their order.
create function _rows(cursor_name refcursor)
returns text[]
language plpgsql
as $$
declare
  entry record;
  found_rows text[] := '{}';
begin
  loop
    fetch cursor_name into entry;
    exit when not found;
    found_rows := found_rows || entry::text;
  end loop;
  return found_rows;
end
$$;

create function _rows(statement text)
returns text[]
language plpgsql
as $$
declare
  source refcursor;
begin
  open source for execute @extschema@._query(statement);
  return @extschema@._rows(source);
end
$$;

create function _rows(items anyarray)
returns text[]
language sql
as $$
  select array(
    select (row(item))::text from pg_catalog.unnest(items) with ordinality as listed (item, place) order by place
  )
$$;

create function _same_rows(have text[], want text[], is_wanted boolean, description text)
returns text
language plpgsql
as $$
declare
  place integer;
begin
  if not is_wanted then
    return @extschema@.ok(have is distinct from want, description);
  end if;
  select min(number) into place from pg_catalog.generate_series(
    1, greatest(pg_catalog.cardinality(have), pg_catalog.cardinality(want))
  ) as number where have[number] is distinct from want[number];
  return @extschema@._judge(place is null, description, pg_catalog.format(
    E'    Results differ beginning at row %s:\n        have: %s\n        want: %s',
    place, coalesce(have[place], 'NULL'), coalesce(want[place], 'NULL')
  ));
end
$$;

-- How two collections relate: both ways or only have ⊇ want, with or without counting duplicates.
create function _collection(have text[], want text[], relation text, is_bag boolean, description text)
returns text
language plpgsql
as $$
declare
  missing text[];
  extra text[];
  is_good boolean;
begin
  if is_bag then
    missing := array(select pg_catalog.unnest(want) except all select pg_catalog.unnest(have));
    extra := array(select pg_catalog.unnest(have) except all select pg_catalog.unnest(want));
  else
    missing := array(select pg_catalog.unnest(want) except select pg_catalog.unnest(have));
    extra := array(select pg_catalog.unnest(have) except select pg_catalog.unnest(want));
  end if;
  is_good := case relation
    when 'eq' then missing = '{}' and extra = '{}'
    when 'ne' then missing <> '{}' or extra <> '{}'
    when 'has' then missing = '{}'
    else not exists (select pg_catalog.unnest(want) intersect select pg_catalog.unnest(have))
  end;
  return @extschema@._judge(is_good, description, nullif(pg_catalog.concat_ws(
    E'\n',
    case when relation = 'eq' and extra <> '{}'
      then E'    Extra records:\n        ' || pg_catalog.array_to_string(extra, E'\n        ') end,
    case when relation in ('eq', 'has') and missing <> '{}'
      then E'    Missing records:\n        ' || pg_catalog.array_to_string(missing, E'\n        ') end
  ), ''));
end
$$;

do $$
declare
  have text;
  want text;
  relation text;
  kind text;
begin
  foreach have in array array['text', 'refcursor'] loop
    foreach want in array array['text', 'refcursor', 'anyarray'] loop
      foreach relation in array array['eq', 'ne'] loop
        execute pg_catalog.format(
          'create function results_%s(%s, %s, about text default null) returns text language sql as %L', relation, have, want,
          pg_catalog.format(
            'select @extschema@._same_rows(@extschema@._rows($1), @extschema@._rows($2), %L, $3)', relation = 'eq'
          )
        );
      end loop;
    end loop;
  end loop;
  foreach kind in array array['set', 'bag'] loop
    foreach relation in array array['eq', 'ne', 'has', 'hasnt'] loop
      foreach want in array array['text', 'anyarray'] loop
        execute pg_catalog.format(
          'create function %s_%s(text, %s, about text default null) returns text language sql as %L', kind, relation, want,
          pg_catalog.format(
            'select @extschema@._collection(@extschema@._rows($1), @extschema@._rows($2), %L, %L, $3)',
            relation, kind = 'bag'
          )
        );
      end loop;
    end loop;
  end loop;
end
$$;

create function is_empty(text, about text default null)
returns text
language sql
as $$
  select @extschema@._judge(
    pg_catalog.cardinality(found) = 0, $2,
    E'    Unexpected records:\n        ' || pg_catalog.array_to_string(found, E'\n        ')
  )
  from @extschema@._rows($1) as found
$$;
create function isnt_empty(text, about text default null)
returns text
language sql
as $$ select @extschema@.ok(pg_catalog.cardinality(@extschema@._rows($1)) > 0, $2) $$;

create function row_eq(text, anyelement, about text default null)
returns text
language sql
as $$
  select @extschema@._compare(found[1] is not distinct from $2::text, found[1], $2::text, $3)
  from @extschema@._rows($1) as found
$$;

-- Makes an assertion with and without a description. `arguments` are declared as for create function; `result` uses
-- them and `about`, the description; `usual` is the description where none is given.
create function _define(name text, arguments text, result text, usual text)
returns void
language plpgsql
as $$
declare
  names text := (
    select pg_catalog.string_agg(pg_catalog.split_part(pg_catalog.btrim(argument), ' ', 1), ', ')
    from pg_catalog.unnest(pg_catalog.string_to_array(arguments, ',')) as argument
  );
begin
  execute pg_catalog.format(
    'create function @extschema@.%I(%s, about text) returns text language sql as %L', name, arguments, 'select ' || result
  );
  if usual is not null then
    execute pg_catalog.format(
      'create function @extschema@.%I(%s) returns text language sql as %L', name, arguments,
      pg_catalog.format('select @extschema@.%I(%s, %s)', name, names, usual)
    );
  end if;
end
$$;

-- The same where a description would be taken for a name: only without one.
create function _define_bare(name text, arguments text, result text, usual text)
returns void
language plpgsql
as $$
begin
  execute pg_catalog.format(
    'create function @extschema@.%I(%s) returns text language sql as %L', name, arguments,
    'select ' || pg_catalog.replace(result, 'about', usual)
  );
end
$$;

create function _called(schema_name name, object_name name)
returns text
language sql
as $$ select coalesce(pg_catalog.quote_ident(schema_name) || '.', '') || pg_catalog.quote_ident(object_name) $$;

-- A relation by kinds of pg_class, visible where no schema is named.
create function _relation(kinds text, schema_name name, relation_name name)
returns oid
language sql
as $$
  select relation.oid
  from pg_catalog.pg_class as relation
  join pg_catalog.pg_namespace as schema on schema.oid = relation.relnamespace
  where relation.relname = relation_name
    and pg_catalog.strpos(kinds, relation.relkind::text) > 0
    and case when schema_name is null then pg_catalog.pg_table_is_visible(relation.oid)
      else schema.nspname = schema_name end
  limit 1
$$;

create function _type(kinds text, schema_name name, type_name name)
returns oid
language sql
as $$
  select type.oid
  from pg_catalog.pg_type as type
  join pg_catalog.pg_namespace as schema on schema.oid = type.typnamespace
  where type.typname = type_name
    and pg_catalog.strpos(kinds, type.typtype::text) > 0
    and (type.typrelid = 0 or exists (
      select from pg_catalog.pg_class as class where class.oid = type.typrelid and class.relkind = 'c'
    ))
    and case when schema_name is null then pg_catalog.pg_type_is_visible(type.oid)
      else schema.nspname = schema_name end
  limit 1
$$;

create function _type_name(type_name text)
returns text
language sql
as $$
  select coalesce(
    pg_catalog.format_type(pg_catalog.to_regtype(type_name)::oid, pg_catalog.to_regtypemod(type_name)), type_name
  )
$$;

-- The functions of a name, with certain arguments where these are given.
create function _functions(schema_name name, function_name name, arguments name[])
returns setof pg_catalog.pg_proc
language sql
as $$
  select routine.*
  from pg_catalog.pg_proc as routine
  join pg_catalog.pg_namespace as schema on schema.oid = routine.pronamespace
  where routine.proname = function_name
    and case when schema_name is null then pg_catalog.pg_function_is_visible(routine.oid)
      else schema.nspname = schema_name end
    and (arguments is null or array(
      select pg_catalog.format_type(argument.type, null)
      from pg_catalog.unnest(routine.proargtypes) with ordinality as argument (type, place) order by argument.place
    ) = array(
      select @extschema@._type_name(wanted.type)
      from pg_catalog.unnest(arguments) with ordinality as wanted (type, place) order by wanted.place
    ))
$$;

create function _column(schema_name name, table_name name, column_name name)
returns pg_catalog.pg_attribute
language sql
as $$
  select attribute.*
  from pg_catalog.pg_attribute as attribute
  where attribute.attrelid = @extschema@._relation('rvmfpc', schema_name, table_name)
    and attribute.attname = column_name and attribute.attnum > 0 and not attribute.attisdropped
$$;

create function _default(schema_name name, table_name name, column_name name)
returns text
language sql
as $$
  select pg_catalog.pg_get_expr(value.adbin, value.adrelid)
  from @extschema@._column(schema_name, table_name, column_name) as attribute
  join pg_catalog.pg_attrdef as value on value.adrelid = attribute.attrelid and value.adnum = attribute.attnum
  where attribute.attgenerated = ''
$$;

-- A constant is compared by its value, anything else as PostgreSQL prints it.
create function _default_is(schema_name name, table_name name, column_name name, want text, about text)
returns text
language plpgsql
as $$
declare
  have text := @extschema@._default(schema_name, table_name, column_name);
begin
  if (@extschema@._column(schema_name, table_name, column_name)).attname is null then
    return @extschema@._judge(false, about, pg_catalog.format(
      '    Column %s.%s does not exist', @extschema@._called(schema_name, table_name), column_name
    ));
  end if;
  if have ~ '^\(?-?(''|[0-9])' or have in ('true', 'false') then
    execute pg_catalog.format('select (%s)::text', have) into have;
  end if;
  return @extschema@._compare(have is not distinct from want, have, want, about);
end
$$;

-- The columns of each constraint of a kind on a table.
create function _keys(kind text, schema_name name, table_name name)
returns setof name[]
language sql
as $$
  select array(
    select attribute.attname
    from pg_catalog.unnest(limits.conkey) with ordinality as key (number, place)
    join pg_catalog.pg_attribute as attribute on attribute.attrelid = limits.conrelid and attribute.attnum = key.number
    order by key.place
  )
  from pg_catalog.pg_constraint as limits
  where limits.conrelid = @extschema@._relation('rpf', schema_name, table_name) and limits.contype::text = kind
$$;

create function _has_key(kind text, schema_name name, table_name name, columns name[])
returns boolean
language sql
as $$
  select exists (
    select from @extschema@._keys(kind, schema_name, table_name) as key
    where columns is null or (key @> columns and key <@ columns)
  )
$$;

create function _fk_is(
  foreign_schema name, foreign_table name, foreign_columns name[], schema_name name, table_name name, columns name[],
  about text
)
returns text
language sql
as $$
  select @extschema@._judge(
    exists (
      select from pg_catalog.pg_constraint as limits
      where limits.contype = 'f'
        and limits.conrelid = @extschema@._relation('rp', foreign_schema, foreign_table)
        and limits.confrelid = @extschema@._relation('rp', schema_name, table_name)
        and array(
          select attribute.attname from pg_catalog.unnest(limits.conkey) with ordinality as key (number, place)
          join pg_catalog.pg_attribute as attribute
            on attribute.attrelid = limits.conrelid and attribute.attnum = key.number order by key.place
        ) = foreign_columns
        and array(
          select attribute.attname from pg_catalog.unnest(limits.confkey) with ordinality as key (number, place)
          join pg_catalog.pg_attribute as attribute
            on attribute.attrelid = limits.confrelid and attribute.attnum = key.number order by key.place
        ) = columns
    ),
    about, pg_catalog.format(
      E'        want: %s(%s) REFERENCES %s(%s)', @extschema@._called(foreign_schema, foreign_table),
      pg_catalog.array_to_string(foreign_columns, ', '), @extschema@._called(schema_name, table_name),
      pg_catalog.array_to_string(columns, ', ')
    )
  )
$$;

create function _index(schema_name name, table_name name, index_name name)
returns pg_catalog.pg_index
language sql
as $$
  select index.*
  from pg_catalog.pg_index as index
  join pg_catalog.pg_class as relation on relation.oid = index.indexrelid
  join pg_catalog.pg_namespace as schema on schema.oid = relation.relnamespace
  where relation.relname = index_name
    and (table_name is null or index.indrelid = @extschema@._relation('rmp', schema_name, table_name))
    and case when schema_name is null then pg_catalog.pg_table_is_visible(relation.oid)
      else schema.nspname = schema_name end
  limit 1
$$;

create function _index_columns(index_oid oid)
returns name[]
language sql
as $$
  select array(
    select pg_catalog.pg_get_indexdef(index_oid, place, true)::name
    from pg_catalog.pg_index as index, pg_catalog.generate_series(1, index.indnkeyatts) as place
    where index.indexrelid = index_oid order by place
  )
$$;

create function _index_type_is(schema_name name, table_name name, index_name name, want name, description text)
returns text
language sql
as $$
  select @extschema@._compare(have = want, have, want, description)
  from (
    select (
      select method.amname::text
      from pg_catalog.pg_class as class
      join pg_catalog.pg_am as method on method.oid = class.relam
      where class.oid = (@extschema@._index(schema_name, table_name, index_name)).indexrelid
    ) as have
  ) as found
$$;

create function _trigger(schema_name name, table_name name, trigger_name name)
returns pg_catalog.pg_trigger
language sql
as $$
  select found.* from pg_catalog.pg_trigger as found
  where found.tgrelid = @extschema@._relation('rvpf', schema_name, table_name)
    and found.tgname = trigger_name and not found.tgisinternal
$$;

-- Lists that are compared as sets.
create function _are(what text, have name[], want name[], about text)
returns text
language sql
as $$
  select @extschema@._judge(
    extra = '{}' and missing = '{}', about, nullif(pg_catalog.concat_ws(
      E'\n',
      case when extra <> '{}'
        then '    Extra ' || what || E':\n        ' || pg_catalog.array_to_string(extra, E'\n        ') end,
      case when missing <> '{}'
        then '    Missing ' || what || E':\n        ' || pg_catalog.array_to_string(missing, E'\n        ') end
    ), '')
  )
  from (
    select
      array(select pg_catalog.unnest(have) except select pg_catalog.unnest(want) order by 1) as extra,
      array(select pg_catalog.unnest(want) except select pg_catalog.unnest(have) order by 1) as missing
  ) as difference
$$;

create function _relations(kinds text, schema_name name)
returns name[]
language sql
as $$
  select array(
    select relation.relname
    from pg_catalog.pg_class as relation
    join pg_catalog.pg_namespace as schema on schema.oid = relation.relnamespace
    where pg_catalog.strpos(kinds, relation.relkind::text) > 0
      and case when schema_name is null
        then pg_catalog.pg_table_is_visible(relation.oid)
          and schema.nspname not in ('pg_catalog', 'information_schema')
        else schema.nspname = schema_name end
      and relation.relname not in ('__tcache__', '__tresults___numb_seq', '__tfailed___numb_seq', '__tcache___id_seq')
  )
$$;

create function _types(kinds text, schema_name name)
returns name[]
language sql
as $$
  select array(
    select type.typname
    from pg_catalog.pg_type as type
    join pg_catalog.pg_namespace as schema on schema.oid = type.typnamespace
    where pg_catalog.strpos(kinds, type.typtype::text) > 0
      and type.typelem = 0
      and (type.typrelid = 0 or exists (
        select from pg_catalog.pg_class as class where class.oid = type.typrelid and class.relkind = 'c'
      ))
      and case when schema_name is null
        then pg_catalog.pg_type_is_visible(type.oid)
          and schema.nspname not in ('pg_catalog', 'information_schema')
        else schema.nspname = schema_name end
  )
$$;

create function _privileges(holder name, asked text[], check_with text)
returns name[]
language plpgsql
as $$
declare
  privilege text;
  is_held boolean;
  held name[] := '{}';
begin
  foreach privilege in array asked loop
    execute pg_catalog.format('select ' || check_with, holder, privilege) into is_held;
    if is_held then
      held := held || privilege::name;
    end if;
  end loop;
  return held;
end
$$;

do $define$
declare
  entry record;
  place record;
begin
  -- Relations and types: has_ and hasnt_, with and without a schema.
  for entry in
    select * from (values
      ('table', 'Table', 'rp', '_relation'), ('view', 'View', 'v', '_relation'),
      ('materialized_view', 'Materialized view', 'm', '_relation'), ('sequence', 'Sequence', 'S', '_relation'),
      ('foreign_table', 'Foreign table', 'f', '_relation'), ('composite', 'Composite type', 'c', '_relation'),
      ('relation', 'Relation', 'rvmSfpc', '_relation'), ('type', 'Type', 'bcdermp', '_type'),
      ('domain', 'Domain', 'd', '_type'), ('enum', 'Enum', 'e', '_type')
    ) as families (suffix, noun, kinds, lookup)
  loop
    for place in
      select * from (values ('s name, o name', 's'), ('o name', 'null::name')) as places (arguments, schema_name)
    loop
      perform @extschema@._define(
        'has_' || entry.suffix, place.arguments,
        pg_catalog.format('@extschema@.ok(@extschema@.%s(%L, %s, o) is not null, about)', entry.lookup, entry.kinds, place.schema_name),
        pg_catalog.format('%L || @extschema@._called(%s, o) || '' should exist''', entry.noun || ' ', place.schema_name)
      );
      perform @extschema@._define(
        'hasnt_' || entry.suffix, place.arguments,
        pg_catalog.format('@extschema@.ok(@extschema@.%s(%L, %s, o) is null, about)', entry.lookup, entry.kinds, place.schema_name),
        pg_catalog.format('%L || @extschema@._called(%s, o) || '' should not exist''', entry.noun || ' ', place.schema_name)
      );
    end loop;
  end loop;

  -- What has a name of its own.
  for entry in
    select * from (values
      ('schema', 'Schema', 'pg_catalog.pg_namespace where nspname = o'),
      ('role', 'Role', 'pg_catalog.pg_roles where rolname = o'),
      ('user', 'User', 'pg_catalog.pg_user where usename = o'),
      ('group', 'Group', 'pg_catalog.pg_group where groname = o'),
      ('language', 'Procedural language', 'pg_catalog.pg_language where lanispl and lanname = o'),
      ('tablespace', 'Tablespace', 'pg_catalog.pg_tablespace where spcname = o'),
      ('extension', 'Extension', 'pg_catalog.pg_extension where extname = o')
    ) as families (suffix, noun, source)
  loop
    perform @extschema@._define(
      'has_' || entry.suffix, 'o name', pg_catalog.format('@extschema@.ok(exists (select from %s), about)', entry.source),
      pg_catalog.format('%L || pg_catalog.quote_ident(o) || '' should exist''', entry.noun || ' ')
    );
    perform @extschema@._define(
      'hasnt_' || entry.suffix, 'o name', pg_catalog.format('@extschema@.ok(not exists (select from %s), about)', entry.source),
      pg_catalog.format('%L || pg_catalog.quote_ident(o) || '' should not exist''', entry.noun || ' ')
    );
  end loop;
  perform @extschema@._define(
    'has_extension', 's name, o name',
    '@extschema@.ok(exists (select from pg_catalog.pg_extension where extname = o and extnamespace = pg_catalog.to_regnamespace(s)), about)',
    '''Extension '' || pg_catalog.quote_ident(o) || '' should exist in schema '' || pg_catalog.quote_ident(s)'
  );

  -- Columns; with a schema the description is asked for, or three names could mean two things.
  for entry in
    select * from (values
      ('has_column', 'should exist', 'is not null'), ('hasnt_column', 'should not exist', 'is null')
    ) as families (name, says, test)
  loop
    perform @extschema@._define(entry.name, 's name, t name, c name',
      '@extschema@.ok((@extschema@._column(s, t, c)).attname ' || entry.test || ', about)', null);
    perform @extschema@._define(entry.name, 't name, c name',
      '@extschema@.ok((@extschema@._column(null, t, c)).attname ' || entry.test || ', about)',
      pg_catalog.format('''Column '' || pg_catalog.quote_ident(t) || ''.'' || pg_catalog.quote_ident(c) || %L', ' ' || entry.says));
  end loop;
  for entry in
    select * from (values
      ('col_not_null', 'should be NOT NULL', '(@extschema@._column(%s, t, c)).attnotnull is true'),
      ('col_is_null', 'should allow NULL', '(@extschema@._column(%s, t, c)).attnotnull is false'),
      ('col_has_default', 'should have a default', '@extschema@._default(%s, t, c) is not null'),
      ('col_hasnt_default', 'should not have a default', '@extschema@._default(%s, t, c) is null')
    ) as families (name, says, test)
  loop
    perform @extschema@._define(entry.name, 's name, t name, c name',
      '@extschema@.ok(' || pg_catalog.format(entry.test, 's') || ', about)', null);
    perform @extschema@._define(entry.name, 't name, c name',
      '@extschema@.ok(' || pg_catalog.format(entry.test, 'null') || ', about)',
      pg_catalog.format('''Column '' || pg_catalog.quote_ident(t) || ''.'' || pg_catalog.quote_ident(c) || %L', ' ' || entry.says));
  end loop;
  for place in
    select * from (values
      ('s name, t name, c name, y text', 's', 'y'), ('t name, c name, y text', 'null', 'y'),
      ('s name, t name, c name, n name, y text', 's', 'pg_catalog.quote_ident(n) || ''.'' || y')
    ) as places (arguments, schema_name, type_name)
  loop
    perform @extschema@._define('col_type_is', place.arguments, pg_catalog.format(
      '@extschema@._compare(have = want, have, want, about) from (select pg_catalog.format_type(a.atttypid, a.atttypmod) '
      'as have, @extschema@._type_name(%s) as want from (select 1) as one left join @extschema@._column(%s, t, c) as a on true) as compared',
      place.type_name, place.schema_name
    ), pg_catalog.format(
      '''Column '' || @extschema@._called(%s, t) || ''.'' || pg_catalog.quote_ident(c) || '' should be type '' || %s',
      place.schema_name, place.type_name
    ));
  end loop;
  for entry in select * from (values ('text', 'w'), ('anyelement', 'w::text')) as types (type, value) loop
    perform @extschema@._define('col_default_is', 's name, t name, c name, w ' || entry.type,
      '@extschema@._default_is(s, t, c, ' || entry.value || ', about)', null);
    perform @extschema@._define('col_default_is', 't name, c name, w ' || entry.type,
      '@extschema@._default_is(null, t, c, ' || entry.value || ', about)',
      '''Column '' || pg_catalog.quote_ident(t) || ''.'' || pg_catalog.quote_ident(c) || '' should default to '' || coalesce('
      || entry.value || ', ''NULL'')');
  end loop;

  -- Constraints.
  for entry in
    select * from (values
      ('pk', 'primary key', 'p'), ('fk', 'foreign key constraint', 'f'), ('unique', 'unique constraint', 'u'),
      ('check', 'check constraint', 'c')
    ) as families (suffix, noun, kind)
  loop
    for place in
      select * from (values ('s name, t name', 's'), ('t name', 'null')) as places (arguments, schema_name)
    loop
      perform @extschema@._define('has_' || entry.suffix, place.arguments,
        pg_catalog.format('@extschema@.ok(@extschema@._has_key(%L, %s, t, null), about)', entry.kind, place.schema_name),
        pg_catalog.format('''Table '' || @extschema@._called(%s, t) || '' should have a %s''', place.schema_name, entry.noun));
      if entry.kind in ('p', 'f') then
        perform @extschema@._define('hasnt_' || entry.suffix, place.arguments,
          pg_catalog.format('@extschema@.ok(not @extschema@._has_key(%L, %s, t, null), about)', entry.kind, place.schema_name),
          pg_catalog.format('''Table '' || @extschema@._called(%s, t) || '' should not have a %s''', place.schema_name, entry.noun));
      end if;
    end loop;
    for place in
      select * from (values
        ('s name, t name, c name[]', 's', 'c'), ('t name, c name[]', 'null', 'c'),
        ('s name, t name, c name', 's', 'array[c]'), ('t name, c name', 'null', 'array[c]')
      ) as places (arguments, schema_name, columns)
    loop
      perform @extschema@._define(case when entry.kind = 'c' then 'col_has_check' else 'col_is_' || entry.suffix end,
        place.arguments, pg_catalog.format(
          '@extschema@._judge(@extschema@._has_key(%L, %s, t, %s), about, E''        have: '' || coalesce((select pg_catalog.string_agg(key::text, '', '') from @extschema@._keys(%L, %s, t) as key), ''none'') || E''\n        want: '' || (%s)::text)',
          entry.kind, place.schema_name, place.columns, entry.kind, place.schema_name, place.columns
        ),
        pg_catalog.format(
          '''Columns '' || @extschema@._called(%s, t) || ''('' || pg_catalog.array_to_string(%s, '', '') || '') should be a %s''',
          place.schema_name, place.columns, entry.noun
        ));
      if entry.kind in ('p', 'f') then
        perform @extschema@._define('col_isnt_' || entry.suffix, place.arguments,
          pg_catalog.format('@extschema@.ok(not @extschema@._has_key(%L, %s, t, %s), about)', entry.kind, place.schema_name, place.columns),
          pg_catalog.format(
            '''Columns '' || @extschema@._called(%s, t) || ''('' || pg_catalog.array_to_string(%s, '', '') || '') should not be a %s''',
            place.schema_name, place.columns, entry.noun
          ));
      end if;
    end loop;
  end loop;
  for place in
    select * from (values
      ('fs name, ft name, fc name[], ps name, pt name, pc name[]', 'fs, ft, fc, ps, pt, pc'),
      ('ft name, fc name[], pt name, pc name[]', 'null, ft, fc, null, pt, pc'),
      ('fs name, ft name, fc name, ps name, pt name, pc name', 'fs, ft, array[fc], ps, pt, array[pc]'),
      ('ft name, fc name, pt name, pc name', 'null, ft, array[fc], null, pt, array[pc]')
    ) as places (arguments, names)
  loop
    perform @extschema@._define('fk_ok', place.arguments, '@extschema@._fk_is(' || place.names || ', about)',
      'pg_catalog.quote_ident(ft) || ''('' || fc::text || '') should reference '' || pg_catalog.quote_ident(pt) || ''('' || pc::text || '')''');
  end loop;

  -- Indexes.
  for place in
    select * from (values
      ('t name, i name', 'null', 't'), ('s name, t name, i name', 's', 't')
    ) as places (arguments, schema_name, table_name)
  loop
    -- Three names are schema, table and index, or table, index and column when the first is no schema.
    perform @extschema@._define('has_index', place.arguments, case
      when place.schema_name = 's' then
        'case when pg_catalog.to_regnamespace(pg_catalog.quote_ident(s)) is null then @extschema@.has_index(s, t, array[i], about)'
        ' else @extschema@.ok((@extschema@._index(s, t, i)).indexrelid is not null, about) end'
      else '@extschema@.ok((@extschema@._index(null, t, i)).indexrelid is not null, about)'
    end, '''Index '' || pg_catalog.quote_ident(i) || '' should exist''');
    perform @extschema@._define('hasnt_index', place.arguments,
      pg_catalog.format('@extschema@.ok((@extschema@._index(%s, t, i)).indexrelid is null, about)', place.schema_name),
      '''Index '' || pg_catalog.quote_ident(i) || '' should not exist''');
    for entry in select * from (values ('name[]', 'c'), ('name', 'array[c]')) as types (type, columns) loop
      if place.schema_name = 's' or entry.type = 'name[]' then
        perform @extschema@._define('has_index', place.arguments || ', c ' || entry.type, pg_catalog.format(
        '@extschema@._compare(have = want, have::text, want::text, about) from (select @extschema@._index_columns('
        '(@extschema@._index(%s, t, i)).indexrelid) as have, %s as want) as compared', place.schema_name, entry.columns
      ), '''Index '' || pg_catalog.quote_ident(i) || '' should exist''');
      end if;
      if place.schema_name = 's' then
        perform @extschema@._define('is_indexed', 's name, t name, c ' || entry.type, pg_catalog.format(
          '@extschema@.ok(exists (select from pg_catalog.pg_index where indrelid = @extschema@._relation(''rmp'', s, t) and @extschema@._index_columns(indexrelid) = %s), about)',
          entry.columns
        ), '''An index on '' || @extschema@._called(s, t) || '' should exist''');
      else
        execute pg_catalog.format(
          'select @extschema@.%I($1, $2, $3, $4)', case entry.type when 'name' then '_define_bare' else '_define' end
        ) using 'is_indexed', 't name, c ' || entry.type, pg_catalog.format(
          '@extschema@.ok(exists (select from pg_catalog.pg_index where indrelid = @extschema@._relation(''rmp'', null, t) and @extschema@._index_columns(indexrelid) = %s), about)',
          entry.columns
        ), '''An index on '' || pg_catalog.quote_ident(t) || '' should exist''';
      end if;
    end loop;
  end loop;
  for entry in
    select * from (values
      ('index_is_unique', 'unique', 'indisunique'), ('index_is_primary', 'on a primary key', 'indisprimary'),
      ('is_clustered', 'clustered on', 'indisclustered')
    ) as families (name, says, flag)
  loop
    perform @extschema@._define(entry.name, 's name, t name, i name',
      pg_catalog.format('@extschema@.ok(coalesce((@extschema@._index(s, t, i)).%s, false), about)', entry.flag),
      pg_catalog.format('''Index '' || pg_catalog.quote_ident(i) || '' should be %s''', entry.says));
    for place in
      select * from (values ('t name, i name', 'null, t, i'), ('i name', 'null, null, i')) as places (arguments, names)
    loop
      perform @extschema@._define_bare(entry.name, place.arguments,
        pg_catalog.format('@extschema@.ok(coalesce((@extschema@._index(%s)).%s, false), about)', place.names, entry.flag),
        pg_catalog.format('''Index '' || pg_catalog.quote_ident(i) || '' should be %s''', entry.says));
    end loop;
  end loop;
  perform @extschema@._define('index_is_partial', 's name, t name, i name',
    '@extschema@.ok((@extschema@._index(s, t, i)).indpred is not null, about)',
    '''Index '' || pg_catalog.quote_ident(i) || '' should be partial''');
  perform @extschema@._define('index_is_type', 's name, t name, i name, y name',
    '@extschema@._index_type_is(s, t, i, y, about)',
    '''Index '' || pg_catalog.quote_ident(i) || '' should be a '' || pg_catalog.quote_ident(y) || '' index''');
  for place in
    select * from (values ('t name, i name', 'null, t, i'), ('i name', 'null, null, i')) as places (arguments, names)
  loop
    perform @extschema@._define_bare('index_is_partial', place.arguments,
      pg_catalog.format('@extschema@.ok((@extschema@._index(%s)).indpred is not null, about)', place.names),
      '''Index '' || pg_catalog.quote_ident(i) || '' should be partial''');
    perform @extschema@._define_bare('index_is_type', place.arguments || ', y name',
      pg_catalog.format('@extschema@._index_type_is(%s, y, about)', place.names),
      '''Index '' || pg_catalog.quote_ident(i) || '' should be a '' || pg_catalog.quote_ident(y) || '' index''');
  end loop;

  -- Triggers and rules.
  for place in
    select * from (values ('s name, t name, g name', 's'), ('t name, g name', 'null')) as places (arguments, schema_name)
  loop
    perform @extschema@._define('has_trigger', place.arguments,
      pg_catalog.format('@extschema@.ok((@extschema@._trigger(%s, t, g)).oid is not null, about)', place.schema_name),
      pg_catalog.format('''Table '' || @extschema@._called(%s, t) || '' should have trigger '' || pg_catalog.quote_ident(g)', place.schema_name));
    perform @extschema@._define('hasnt_trigger', place.arguments,
      pg_catalog.format('@extschema@.ok((@extschema@._trigger(%s, t, g)).oid is null, about)', place.schema_name),
      pg_catalog.format('''Table '' || @extschema@._called(%s, t) || '' should not have trigger '' || pg_catalog.quote_ident(g)', place.schema_name));
    for entry in select * from (values ('has_rule', ''), ('hasnt_rule', 'not ')) as families (name, negation) loop
      perform @extschema@._define(entry.name, place.arguments, pg_catalog.format(
        '@extschema@.ok(%sexists (select from pg_catalog.pg_rewrite where ev_class = @extschema@._relation(''rvmp'', %s, t) and rulename = g), about)',
        entry.negation, place.schema_name
      ), pg_catalog.format('''Relation '' || @extschema@._called(%s, t) || '' should %shave rule '' || pg_catalog.quote_ident(g)', place.schema_name, entry.negation));
    end loop;
  end loop;
  perform @extschema@._define('trigger_is', 's name, t name, g name, fs name, f name',
    '@extschema@._compare(have = want, have, want, about) from (select (select @extschema@._called(schema.nspname, routine.proname) from pg_catalog.pg_proc as routine join pg_catalog.pg_namespace as schema on schema.oid = routine.pronamespace where routine.oid = (@extschema@._trigger(s, t, g)).tgfoid) as have, @extschema@._called(fs, f) as want) as compared',
    '''Trigger '' || pg_catalog.quote_ident(g) || '' should call '' || @extschema@._called(fs, f) || ''()''');
  perform @extschema@._define('trigger_is', 't name, g name, f name',
    '@extschema@._compare(have = f, have, f, about) from (select (select routine.proname::text from pg_catalog.pg_proc as routine where routine.oid = (@extschema@._trigger(null, t, g)).tgfoid) as have) as compared',
    '''Trigger '' || pg_catalog.quote_ident(g) || '' should call '' || pg_catalog.quote_ident(f) || ''()''');

  -- Functions.
  for place in
    select * from (values
      ('s name, f name, a name[]', 's, f, a', 'a::text'), ('s name, f name', 's, f, null', '''()'''),
      ('f name, a name[]', 'null, f, a', 'a::text'), ('f name', 'null, f, null', '''()''')
    ) as places (arguments, names, signature)
  loop
    perform @extschema@._define('has_function', place.arguments,
      pg_catalog.format('@extschema@.ok(exists (select from @extschema@._functions(%s)), about)', place.names),
      '''Function '' || pg_catalog.quote_ident(f) || ' || place.signature || ' || '' should exist''');
    perform @extschema@._define('hasnt_function', place.arguments,
      pg_catalog.format('@extschema@.ok(not exists (select from @extschema@._functions(%s)), about)', place.names),
      '''Function '' || pg_catalog.quote_ident(f) || ' || place.signature || ' || '' should not exist''');
    for entry in
      select * from (values
        ('definer', 'security definer', 'prosecdef'), ('strict', 'strict', 'proisstrict'),
        ('aggregate', 'an aggregate function', 'prokind = ''a'''), ('window', 'a window function', 'prokind = ''w'''),
        ('procedure', 'a procedure', 'prokind = ''p'''), ('normal_function', 'a normal function', 'prokind = ''f''')
      ) as families (suffix, says, test)
    loop
      perform @extschema@._define('is_' || entry.suffix, place.arguments, pg_catalog.format(
        '@extschema@.ok((select pg_catalog.bool_and(%s) from @extschema@._functions(%s)), about)', entry.test, place.names
      ), pg_catalog.format('''Function '' || pg_catalog.quote_ident(f) || %s || '' should be %s''', place.signature, entry.says));
      perform @extschema@._define('isnt_' || entry.suffix, place.arguments, pg_catalog.format(
        '@extschema@.ok((select not pg_catalog.bool_or(%s) from @extschema@._functions(%s)), about)', entry.test, place.names
      ), pg_catalog.format('''Function '' || pg_catalog.quote_ident(f) || %s || '' should not be %s''', place.signature, entry.says));
    end loop;
    for entry in
      select * from (values
        ('function_lang_is', 'name', 'w::text', 'be written in',
         '(select language.lanname::text from pg_catalog.pg_language as language where language.oid = routine.prolang)'),
        ('function_returns', 'text', '@extschema@._type_name(pg_catalog.regexp_replace(w, ''^setof[[:space:]]+'', '''', ''i''))', 'return',
         'pg_catalog.format_type(routine.prorettype, null)'),
        ('volatility_is', 'text', 'pg_catalog.upper(w)', 'be',
         'case routine.provolatile when ''i'' then ''IMMUTABLE'' when ''s'' then ''STABLE'' else ''VOLATILE'' end'),
        ('function_owner_is', 'name', 'w::text', 'be owned by', 'pg_catalog.pg_get_userbyid(routine.proowner)::text')
      ) as families (name, type, want, says, have)
    loop
      continue when entry.name = 'function_owner_is' and place.names not like '%, a';
      perform @extschema@._define(entry.name, place.arguments || ', w ' || entry.type, pg_catalog.format(
        '@extschema@._compare(have = want%s, %shave, w, about) from (select (select %s from @extschema@._functions(%s) as routine limit 1) as have, %s as want, (select routine.proretset from @extschema@._functions(%s) as routine limit 1) as is_set) as compared',
        case when entry.name = 'function_returns' then ' and is_set = (w ~* ''^setof[[:space:]]'')' else '' end,
        case when entry.name = 'function_returns' then 'case when is_set then ''setof '' else '''' end || ' else '' end,
        entry.have, place.names, entry.want, place.names
      ), pg_catalog.format('''Function '' || pg_catalog.quote_ident(f) || %s || '' should %s '' || w', place.signature, entry.says));
    end loop;
  end loop;
  perform @extschema@._define('can', 's name, n name[]',
    '@extschema@._judge(missing = ''{}'', about, ''    '' || pg_catalog.quote_ident(s) || ''.'' || pg_catalog.array_to_string(missing, ''() missing, '') || ''() missing'') from (select array(select wanted from pg_catalog.unnest(n) as wanted where not exists (select from @extschema@._functions(s, wanted, null))) as missing) as found',
    '''Schema '' || pg_catalog.quote_ident(s) || '' can''');
  perform @extschema@._define('can', 'n name[]',
    '@extschema@._judge(missing = ''{}'', about, ''    '' || pg_catalog.array_to_string(missing, ''() missing, '') || ''() missing'') from (select array(select wanted from pg_catalog.unnest(n) as wanted where not exists (select from @extschema@._functions(null, wanted, null))) as missing) as found',
    '''Schema '' || pg_catalog.array_to_string(pg_catalog.current_schemas(true), '' or '') || '' can''');

  -- Lists.
  for entry in
    select * from (values
      ('tables', '_relations(''rp'', %s)'), ('views', '_relations(''v'', %s)'),
      ('materialized_views', '_relations(''m'', %s)'), ('sequences', '_relations(''S'', %s)'),
      ('foreign_tables', '_relations(''f'', %s)'), ('types', '_types(''bcder'', %s)'),
      ('domains', '_types(''d'', %s)'), ('enums', '_types(''e'', %s)')
    ) as families (what, source)
  loop
    perform @extschema@._define(entry.what || '_are', 's name, n name[]', pg_catalog.format(
      '@extschema@._are(%L, @extschema@.%s, n, about)', entry.what, pg_catalog.format(entry.source, 's')
    ), pg_catalog.format('''Schema '' || pg_catalog.quote_ident(s) || '' should have the correct %s''', entry.what));
    perform @extschema@._define(entry.what || '_are', 'n name[]', pg_catalog.format(
      '@extschema@._are(%L, @extschema@.%s, n, about)', entry.what, pg_catalog.format(entry.source, 'null')
    ), pg_catalog.format('''Search path should have the correct %s''', entry.what));
  end loop;
  for entry in
    select * from (values
      ('schemas', 'select nspname from pg_catalog.pg_namespace where nspname !~ ''^pg_'' and nspname <> ''information_schema'''),
      ('roles', 'select rolname from pg_catalog.pg_roles'), ('users', 'select usename from pg_catalog.pg_user'),
      ('groups', 'select groname from pg_catalog.pg_group'),
      ('languages', 'select lanname from pg_catalog.pg_language where lanispl'),
      ('tablespaces', 'select spcname from pg_catalog.pg_tablespace'),
      ('extensions', 'select extname from pg_catalog.pg_extension')
    ) as families (what, source)
  loop
    perform @extschema@._define(entry.what || '_are', 'n name[]',
      pg_catalog.format('@extschema@._are(%L, array(%s), n, about)', entry.what, entry.source),
      pg_catalog.format('''There should be the correct %s''', entry.what));
  end loop;
  perform @extschema@._define('extensions_are', 's name, n name[]',
    '@extschema@._are(''extensions'', array(select extname from pg_catalog.pg_extension where extnamespace = pg_catalog.to_regnamespace(pg_catalog.quote_ident(s))), n, about)',
    '''Schema '' || pg_catalog.quote_ident(s) || '' should have the correct extensions''');
  perform @extschema@._define('functions_are', 's name, n name[]',
    '@extschema@._are(''functions'', array(select proname from pg_catalog.pg_proc where pronamespace = pg_catalog.to_regnamespace(pg_catalog.quote_ident(s))), n, about)',
    '''Schema '' || pg_catalog.quote_ident(s) || '' should have the correct functions''');
  perform @extschema@._define('functions_are', 'n name[]',
    '@extschema@._are(''functions'', array(select proname from pg_catalog.pg_proc where pg_catalog.pg_function_is_visible(oid) and pronamespace <> ''pg_catalog''::regnamespace), n, about)',
    '''Search path should have the correct functions''');
  for place in
    select * from (values ('s name, t name', 's'), ('t name', 'null')) as places (arguments, schema_name)
  loop
    for entry in
      select * from (values
        ('columns', 'select attname from pg_catalog.pg_attribute where attrelid = %s and attnum > 0 and not attisdropped'),
        ('indexes', 'select relname from pg_catalog.pg_index join pg_catalog.pg_class on oid = indexrelid where indrelid = %s'),
        ('triggers', 'select tgname from pg_catalog.pg_trigger where tgrelid = %s and not tgisinternal'),
        ('rules', 'select rulename from pg_catalog.pg_rewrite where ev_class = %s and rulename <> ''_RETURN'''),
        ('policies', 'select polname from pg_catalog.pg_policy where polrelid = %s'),
        ('partitions', 'select relname from pg_catalog.pg_inherits join pg_catalog.pg_class on oid = inhrelid where inhparent = %s')
      ) as families (what, source)
    loop
      perform @extschema@._define(entry.what || '_are', place.arguments || ', n name[]', pg_catalog.format(
        '@extschema@._are(%L, array(%s), n, about)', entry.what,
        pg_catalog.format(entry.source, pg_catalog.format('@extschema@._relation(''rvmfpc'', %s, t)', place.schema_name))
      ), pg_catalog.format('''Table '' || @extschema@._called(%s, t) || '' should have the correct %s''', place.schema_name, entry.what));
    end loop;
    perform @extschema@._define('policy_roles_are', place.arguments || ', p name, n name[]', pg_catalog.format(
      '@extschema@._are(''policy roles'', array(select case when role = 0 then ''public'' else pg_catalog.pg_get_userbyid(role) end from pg_catalog.pg_policy, pg_catalog.unnest(polroles) as role where polrelid = @extschema@._relation(''rp'', %s, t) and polname = p), n, about)',
      place.schema_name
    ), pg_catalog.format('''Policy '' || pg_catalog.quote_ident(p) || '' for table '' || @extschema@._called(%s, t) || '' should have the correct roles''', place.schema_name));
    perform @extschema@._define('policy_cmd_is', place.arguments || ', p name, w text', pg_catalog.format(
      '@extschema@._compare(have = pg_catalog.upper(w), have, pg_catalog.upper(w), about) from (select (select case polcmd when ''r'' then ''SELECT'' when ''a'' then ''INSERT'' when ''w'' then ''UPDATE'' when ''d'' then ''DELETE'' else ''ALL'' end from pg_catalog.pg_policy where polrelid = @extschema@._relation(''rp'', %s, t) and polname = p) as have) as found',
      place.schema_name
    ), pg_catalog.format('''Policy '' || pg_catalog.quote_ident(p) || '' for table '' || @extschema@._called(%s, t) || '' should apply to '' || pg_catalog.upper(w) || '' command''', place.schema_name));
    for entry in
      select * from (values
        ('table_privs_are', 'rvmfp', 'table', array['DELETE', 'INSERT', 'REFERENCES', 'SELECT', 'TRIGGER', 'TRUNCATE', 'UPDATE', 'MAINTAIN']),
        ('sequence_privs_are', 'S', 'sequence', array['SELECT', 'UPDATE', 'USAGE']),
        ('any_column_privs_are', 'rvmfp', 'any_column', array['INSERT', 'REFERENCES', 'SELECT', 'UPDATE'])
      ) as families (name, kinds, what, privileges)
    loop
      perform @extschema@._define(entry.name, place.arguments || ', r name, n name[]', pg_catalog.format(
        '@extschema@._are(''privileges'', @extschema@._privileges(r, %L, pg_catalog.format(%L, ''%%L'', @extschema@._relation(%L, %s, t), ''%%L'')), array(select pg_catalog.upper(one)::name from pg_catalog.unnest(n) as one), about)',
        entry.privileges, 'pg_catalog.has_' || entry.what || '_privilege(%s, %s::oid, %s)', entry.kinds, place.schema_name
      ), pg_catalog.format('''Role '' || pg_catalog.quote_ident(r) || '' should be granted '' || coalesce(nullif(pg_catalog.array_to_string(n, '', ''), ''''), ''no privileges'') || '' on '' || @extschema@._called(%s, t)', place.schema_name));
    end loop;
    perform @extschema@._define('column_privs_are', place.arguments || ', c name, r name, n name[]', pg_catalog.format(
      '@extschema@._are(''privileges'', @extschema@._privileges(r, %L, pg_catalog.format(%L, ''%%L'', @extschema@._relation(''rvmfp'', %s, t), c, ''%%L'')), array(select pg_catalog.upper(one)::name from pg_catalog.unnest(n) as one), about)',
      array['INSERT', 'REFERENCES', 'SELECT', 'UPDATE'], 'pg_catalog.has_column_privilege(%s, %s::oid, %L, %s)', place.schema_name
    ), '''Role '' || pg_catalog.quote_ident(r) || '' should be granted the correct privileges on column '' || pg_catalog.quote_ident(c)');
    for entry in
      select * from (values
        ('relation', 'rvmSfpc'), ('table', 'rp'), ('view', 'v'), ('materialized_view', 'm'), ('sequence', 'S'),
        ('foreign_table', 'f'), ('composite', 'c'), ('index', 'iI')
      ) as families (what, kinds)
    loop
      perform @extschema@._define(entry.what || '_owner_is', place.arguments || ', w name', pg_catalog.format(
        '@extschema@._compare(have = w, have, w, about) from (select (select pg_catalog.pg_get_userbyid(relowner)::text from pg_catalog.pg_class where oid = @extschema@._relation(%L, %s, t)) as have) as found',
        entry.kinds, place.schema_name
      ), '''' || pg_catalog.initcap(entry.what) || ' '' || pg_catalog.quote_ident(t) || '' should be owned by '' || pg_catalog.quote_ident(w)');
    end loop;
    perform @extschema@._define('is_partitioned', place.arguments,
      pg_catalog.format('@extschema@.ok(@extschema@._relation(''p'', %s, t) is not null, about)', place.schema_name),
      pg_catalog.format('''Table '' || @extschema@._called(%s, t) || '' should be partitioned''', place.schema_name));
    perform @extschema@._define('isnt_partitioned', place.arguments,
      pg_catalog.format('@extschema@.ok(@extschema@._relation(''p'', %s, t) is null, about)', place.schema_name),
      pg_catalog.format('''Table '' || @extschema@._called(%s, t) || '' should not be partitioned''', place.schema_name));
    perform @extschema@._define('enum_has_labels', place.arguments || ', n name[]', pg_catalog.format(
      '@extschema@._compare(have = n, have::text, n::text, about) from (select array(select enumlabel from pg_catalog.pg_enum where enumtypid = @extschema@._type(''e'', %s, t) order by enumsortorder) as have) as found',
      place.schema_name
    ), pg_catalog.format('''Enum '' || @extschema@._called(%s, t) || '' should have labels ('' || pg_catalog.array_to_string(n, '', '') || '')''', place.schema_name));
    for entry in select * from (values ('domain_type_is', '='), ('domain_type_isnt', '<>')) as families (name, operator) loop
      perform @extschema@._define(entry.name, place.arguments || ', y text', pg_catalog.format(
        '@extschema@._compare(have %s want, have, want, about) from (select (select pg_catalog.format_type(typbasetype, typtypmod) from pg_catalog.pg_type where oid = @extschema@._type(''d'', %s, t)) as have, @extschema@._type_name(y) as want) as compared',
        entry.operator, place.schema_name
      ), '''Domain '' || pg_catalog.quote_ident(t) || '' should have the right type''');
    end loop;
  end loop;
  perform @extschema@._define('is_partition_of', 'cs name, c name, ps name, p name',
    '@extschema@.ok(exists (select from pg_catalog.pg_inherits where inhrelid = @extschema@._relation(''rpf'', cs, c) and inhparent = @extschema@._relation(''p'', ps, p)), about)',
    '''Table '' || @extschema@._called(cs, c) || '' should be a partition of '' || @extschema@._called(ps, p)');
  perform @extschema@._define('is_partition_of', 'c name, p name',
    '@extschema@.ok(exists (select from pg_catalog.pg_inherits where inhrelid = @extschema@._relation(''rpf'', null, c) and inhparent = @extschema@._relation(''p'', null, p)), about)',
    '''Table '' || pg_catalog.quote_ident(c) || '' should be a partition of '' || pg_catalog.quote_ident(p)');

  -- Privileges and owners of what has no schema, or is a function.
  for entry in
    select * from (values
      ('schema', array['CREATE', 'USAGE']), ('database', array['CONNECT', 'CREATE', 'TEMPORARY']),
      ('language', array['USAGE']), ('tablespace', array['CREATE']), ('server', array['USAGE'])
    ) as families (what, privileges)
  loop
    perform @extschema@._define(entry.what || '_privs_are', 'o name, r name, n name[]', pg_catalog.format(
      '@extschema@._are(''privileges'', @extschema@._privileges(r, %L, pg_catalog.format(%L, ''%%L'', o, ''%%L'')), array(select pg_catalog.upper(one)::name from pg_catalog.unnest(n) as one), about)',
      entry.privileges, 'pg_catalog.has_' || entry.what || '_privilege(%s, %L, %s)'
    ), '''Role '' || pg_catalog.quote_ident(r) || '' should be granted '' || coalesce(nullif(pg_catalog.array_to_string(n, '', ''), ''''), ''no privileges'') || '' on '' || pg_catalog.quote_ident(o)');
  end loop;
  for place in
    select * from (values ('s name, f name, a name[]', 's'), ('f name, a name[]', 'null')) as places (arguments, schema_name)
  loop
    perform @extschema@._define('function_privs_are', place.arguments || ', r name, n name[]', pg_catalog.format(
      '@extschema@._are(''privileges'', @extschema@._privileges(r, %L, pg_catalog.format(%L, ''%%L'', (select oid from @extschema@._functions(%s, f, a)), ''%%L'')), array(select pg_catalog.upper(one)::name from pg_catalog.unnest(n) as one), about)',
      array['EXECUTE'], 'pg_catalog.has_function_privilege(%s, %s::oid, %s)', place.schema_name
    ), '''Role '' || pg_catalog.quote_ident(r) || '' should be granted '' || coalesce(nullif(pg_catalog.array_to_string(n, '', ''), ''''), ''no privileges'') || '' on function '' || pg_catalog.quote_ident(f)');
  end loop;
  for entry in
    select * from (values
      ('db', 'datdba from pg_catalog.pg_database where datname = o'),
      ('schema', 'nspowner from pg_catalog.pg_namespace where nspname = o'),
      ('language', 'lanowner from pg_catalog.pg_language where lanname = o'),
      ('tablespace', 'spcowner from pg_catalog.pg_tablespace where spcname = o'),
      ('type', 'typowner from pg_catalog.pg_type where oid = @extschema@._type(''bcder'', null, o)')
    ) as families (what, source)
  loop
    perform @extschema@._define(entry.what || '_owner_is', 'o name, w name', pg_catalog.format(
      '@extschema@._compare(have = w, have, w, about) from (select pg_catalog.pg_get_userbyid((select %s))::text as have) as found', entry.source
    ), pg_catalog.format('''%s '' || pg_catalog.quote_ident(o) || '' should be owned by '' || pg_catalog.quote_ident(w)', pg_catalog.initcap(entry.what)));
  end loop;

  -- Roles.
  perform @extschema@._define('is_superuser', 'o name',
    '@extschema@.ok((select rolsuper from pg_catalog.pg_roles where rolname = o), about)',
    '''User '' || pg_catalog.quote_ident(o) || '' should be a super user''');
  perform @extschema@._define('isnt_superuser', 'o name',
    '@extschema@.ok((select not rolsuper from pg_catalog.pg_roles where rolname = o), about)',
    '''User '' || pg_catalog.quote_ident(o) || '' should not be a super user''');
  for entry in select * from (values ('name[]', 'm'), ('name', 'array[m]')) as types (type, members) loop
    perform @extschema@._define('is_member_of', 'g name, m ' || entry.type,
      '@extschema@.ok((select pg_catalog.bool_and(pg_catalog.pg_has_role(one, g, ''member'')) from pg_catalog.unnest(' || entry.members || ') as one), about)',
      '''Should have members of role '' || pg_catalog.quote_ident(g)');
    perform @extschema@._define('isnt_member_of', 'g name, m ' || entry.type,
      '@extschema@.ok((select not pg_catalog.bool_or(pg_catalog.pg_has_role(one, g, ''member'')) from pg_catalog.unnest(' || entry.members || ') as one), about)',
      '''Should not have members of role '' || pg_catalog.quote_ident(g)');
  end loop;
end
$define$;

drop function _define(text, text, text, text);
drop function _define_bare(text, text, text, text);

create function pgtap_version() returns numeric language sql immutable as $$ select 1.3 $$;
create function pg_version() returns text language sql immutable
as $$ select pg_catalog.current_setting('server_version') $$;
create function pg_version_num() returns integer language sql immutable
as $$ select pg_catalog.current_setting('server_version_num')::integer $$;
create function os_name() returns text language sql immutable
as $$ select case when pg_catalog.version() like '%darwin%' then 'darwin' else 'linux' end $$;
create function collect_tap(variadic text[]) returns text language sql
as $$ select pg_catalog.array_to_string($1, E'\n') $$;

-- Functions as tests: startup, setup, test, teardown and shutdown, each test undone.
create function findfuncs(name, text, about text default null)
returns text[]
language sql
as $$
  select array(
    select @extschema@._called(schema.nspname, routine.proname)
    from pg_catalog.pg_proc as routine
    join pg_catalog.pg_namespace as schema on schema.oid = routine.pronamespace
    where schema.nspname = $1 and routine.proname ~ $2 and ($3 is null or routine.proname !~ $3)
    order by routine.proname
  )
$$;

create function runtests(name, text)
returns setof text
language plpgsql
as $$
declare
  test text;
  step text;
  line text;
  lines text[];
  message text;
begin
  perform * from @extschema@.no_plan();
  foreach step in array @extschema@.findfuncs($1, '^startup') loop
    return query execute pg_catalog.format('select * from %s() as line', step);
  end loop;
  foreach test in array @extschema@.findfuncs($1, $2, '^(startup|shutdown|setup|teardown)') loop
    return next '# ' || test || '()';
    lines := '{}';
    begin
      foreach step in array @extschema@.findfuncs($1, '^setup') || test || @extschema@.findfuncs($1, '^teardown') loop
        for line in execute pg_catalog.format('select line::text from %s() as line', step) loop
          lines := lines || line;
        end loop;
      end loop;
      raise exception '__TAP_ROLLBACK__';
    exception
      when others then
        message := case when sqlerrm = '__TAP_ROLLBACK__' then null else sqlstate || ': ' || sqlerrm end;
    end;
    return query select pg_catalog.unnest(lines);
    if message is not null then
      return next @extschema@.ok(false, test) || E'\n' || @extschema@.diag('    Test died: ' || message);
    end if;
  end loop;
  foreach step in array @extschema@.findfuncs($1, '^shutdown') loop
    return query execute pg_catalog.format('select * from %s() as line', step);
  end loop;
  return query select * from @extschema@.finish();
end
$$;
create function runtests(name) returns setof text language sql as $$ select * from @extschema@.runtests($1, '^test') $$;
