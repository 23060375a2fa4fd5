-- Realtime's own schema must be there before it starts for the first time.
create schema if not exists _realtime;
alter schema _realtime owner to supabase_admin;
-- It reads changes with wal2json. A PostgreSQL with a list of allowed output plugins has to have it there; in effect from
-- the start that follows the first one's scripts.
select format(
  'alter system set output_plugin_libraries = %s',
  (
    select string_agg(quote_literal(btrim(item)), ', ')
    from regexp_split_to_table(s.setting || ',wal2json', ',') as item
    where btrim(item) <> ''
  )
)
from pg_settings as s
where s.name = 'output_plugin_libraries' and s.setting not in ('', '*') and s.setting !~ '\mwal2json\M'
\gexec
