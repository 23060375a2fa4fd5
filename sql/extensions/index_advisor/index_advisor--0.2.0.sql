-- index_advisor's surface, on real indexes instead of hypothetical ones: they are built on the tables that the query
-- reads, in a subtransaction that is always undone, so the costs are the planner's own. Writers of those tables wait
-- meanwhile.

create function index_advisor(query text)
returns table (
  startup_cost_before jsonb,
  startup_cost_after jsonb,
  total_cost_before jsonb,
  total_cost_after jsonb,
  index_statements text[],
  errors text[]
)
language plpgsql
volatile
as $$
declare
  explained text;
  before jsonb;
  after jsonb;
  candidate record;
  statements text[] := '{}';
  tables oid[];
begin
  query := pg_catalog.regexp_replace(query, '/\*.+\*/', '', 'g');
  query := pg_catalog.regexp_replace(query, '--[^\r\n]*', ' ', 'g');
  query := pg_catalog.btrim(pg_catalog.regexp_replace(query, '\s+', ' ', 'g'));
  query := pg_catalog.regexp_replace(query, ';\s*$', '');
  begin
    if query like '%;%' then
      raise exception 'Query must not contain a semicolon';
    end if;
    query := pg_catalog.replace(
      query, 'WITH pgrst_payload AS (SELECT $1 AS json_data)', 'WITH pgrst_payload AS (SELECT $1::json AS json_data)'
    );
    if exists (select from pg_catalog.pg_prepared_statements where name = 'index_advisor_working_statement') then
      deallocate index_advisor_working_statement;
    end if;
    execute 'prepare index_advisor_working_statement as ' || query;
    explained := 'explain (verbose, format json) execute index_advisor_working_statement' || (
      select case when pg_catalog.cardinality(prepared.parameter_types) > 0 then '('
        || pg_catalog.array_to_string(
          pg_catalog.array_fill('null'::text, array[pg_catalog.cardinality(prepared.parameter_types)]), ','
        ) || ')' else '' end
      from pg_catalog.pg_prepared_statements as prepared
      where prepared.name = 'index_advisor_working_statement'
    );
    perform pg_catalog.set_config('plan_cache_mode', 'force_generic_plan', true);
    execute explained into before;
    tables := array(
      select distinct pg_catalog.to_regclass(pg_catalog.quote_ident(node ->> 'Schema') || '.'
        || pg_catalog.quote_ident(node ->> 'Relation Name'))::oid
      from (
        select pg_catalog.jsonb_path_query(before, '$.**') as node
      ) as nodes
      where pg_catalog.jsonb_typeof(node) = 'object' and node ? 'Relation Name' and node ? 'Schema'
    );
    begin
      for candidate in
        select
          pg_catalog.format('create index on %I.%I(%I)', schema.nspname, relation.relname, attribute.attname)
            as statement
        from pg_catalog.pg_class as relation
        join pg_catalog.pg_namespace as schema on schema.oid = relation.relnamespace
        join pg_catalog.pg_attribute as attribute on attribute.attrelid = relation.oid
        where relation.oid = any (tables)
          and relation.relkind in ('r', 'm')
          and relation.relpersistence = 'p'
          and attribute.attnum > 0
          and not attribute.attisdropped
          and attribute.atttypid in (20, 16, 1082, 1184, 1114, 701, 23, 21, 700, 1083, 2950, 1700, 25, 18, 1042, 1043)
          and not exists (
            select from pg_catalog.pg_depend as dependency
            where dependency.objid = relation.oid and dependency.deptype = 'e'
          )
          and not exists (
            select from pg_catalog.pg_index as index
            where index.indrelid = relation.oid
              and index.indkey::text = attribute.attnum::text
              and index.indexprs is null
              and index.indpred is null
          )
      loop
        execute candidate.statement;
      end loop;
      execute explained into after;
      statements := array(
        select distinct pg_catalog.format(
          'CREATE INDEX ON %I.%I USING btree (%s)', index_of.schemaname, index_of.tablename,
          substring(index_of.indexdef from '\(([^()]*)\)')
        )
        from pg_catalog.jsonb_path_query(after, '$.**."Index Name"') as used (name)
        join pg_catalog.pg_indexes as index_of on index_of.indexname = used.name #>> '{}'
        join pg_catalog.pg_class as relation on relation.oid = pg_catalog.format(
          '%I.%I', index_of.schemaname, index_of.indexname
        )::regclass
        where relation.xmin::text::bigint >= (pg_catalog.pg_current_xact_id()::text::bigint % 4294967296)
        order by 1
      );
      raise exception 'undo the indexes' using errcode = 'IA000';
    exception
      when sqlstate 'IA000' then
        null;
    end;
    deallocate index_advisor_working_statement;
    return query values (
      before -> 0 -> 'Plan' -> 'Startup Cost', after -> 0 -> 'Plan' -> 'Startup Cost',
      before -> 0 -> 'Plan' -> 'Total Cost', after -> 0 -> 'Plan' -> 'Total Cost', statements, array[]::text[]
    );
  exception
    when others then
      return query values (
        null::jsonb, null::jsonb, null::jsonb, null::jsonb, array[]::text[], array[sqlerrm]::text[]
      );
  end;
end
$$;
