-- The schema and signatures of pg_graphql, so that migrations and dumps that name it apply. There is no resolver:
-- a query is answered with one error that says so.

do $$
begin
  if to_regnamespace('graphql') is null then
    create schema graphql;
  end if;
end
$$;

create sequence graphql.seq_schema_version as integer cycle;

create function graphql.get_schema_version()
returns integer
language sql
security definer
set search_path = ''
as $$ select last_value::integer from graphql.seq_schema_version $$;

create function graphql.increment_schema_version()
returns event_trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform pg_catalog.nextval('graphql.seq_schema_version');
end
$$;

create function graphql.comment_directive(comment_ text)
returns jsonb
language plpgsql
immutable
as $$
begin
  return coalesce(substring(comment_ from '@graphql\((.*?)\)')::jsonb, '{}');
exception
  when others then
    return '{}';
end
$$;

create function graphql.exception(message text)
returns text
language plpgsql
as $$
begin
  raise exception using errcode = '22000', message = message;
end
$$;

create function graphql._internal_resolve(
  query text, variables jsonb default '{}', "operationName" text default null, extensions jsonb default null
)
returns jsonb
language sql
as $$
  select pg_catalog.jsonb_build_object('errors', pg_catalog.jsonb_build_array(pg_catalog.jsonb_build_object(
    'message', 'GraphQL is not available here: pg_graphql''s resolver is compiled, run the containers for it'
  )))
$$;

create function graphql.resolve(
  query text, variables jsonb default '{}', "operationName" text default null, extensions jsonb default null
)
returns jsonb
language sql
as $$ select graphql._internal_resolve(query, variables, "operationName", extensions) $$;

-- graphql_public.graphql, which calls this, is there without the extension, too (sql/bootstrap/015_schemas.sql).
grant usage on schema graphql to postgres, anon, authenticated, service_role;
grant execute on all functions in schema graphql to postgres, anon, authenticated, service_role;
