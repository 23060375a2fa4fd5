-- The two functions of plpgsql_check that `supabase db lint` and tests call. The checker itself is compiled, so every
-- function is reported as not checked: a result without issues would say that all is well.

create function plpgsql_check_function_tb(
  funcoid regprocedure, relid regclass default 0, fatal_errors boolean default true,
  other_warnings boolean default true, performance_warnings boolean default false, extra_warnings boolean default true,
  security_warnings boolean default false, compatibility_warnings boolean default false
)
returns table (
  functionid regproc, lineno integer, statement text, sqlstate text, message text, detail text, hint text, level text,
  "position" integer, query text, context text -- noqa: RF06
)
language sql
stable
set search_path = ''
as $$
  select
    funcoid::oid::regproc, null::integer, null::text, '00000',
    'not checked: plpgsql_check is compiled and not part of this PostgreSQL', null::text,
    'start with --postgres system where its package is installed, or run the containers',
    'warning', null::integer, null::text, null::text
$$;

create function plpgsql_check_function(
  funcoid regprocedure, relid regclass default 0, format text default 'text', fatal_errors boolean default true,
  other_warnings boolean default true, performance_warnings boolean default false, extra_warnings boolean default true,
  security_warnings boolean default false, compatibility_warnings boolean default false
)
returns setof text
language sql
stable
as $$
  select case format
    when 'json' then json_build_object(
      'function', funcoid::text,
      'issues', json_build_array(json_build_object(
        'level', t.level, 'message', t.message, 'hint', t.hint, 'sqlState', t.sqlstate
      ))
    )::text
    else format('%s:%s:%s', t.level, t.sqlstate, t.message)
  end
  from plpgsql_check_function_tb(funcoid, relid) as t
$$;
