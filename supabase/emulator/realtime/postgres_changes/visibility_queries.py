"""The SQL that RlsEvaluator runs: two functions in the session's temporary schema, and statements made for a table."""

from psycopg import sql

from emulator.realtime.postgres_changes.catalog import trusted_sql
from emulator.realtime.postgres_changes.subscriptions.conditions import Comparison
from emulator.realtime.postgres_changes.subscriptions.tables import Table

# The log contains a commit a moment before other sessions can see it. Until then a policy would find no row, and a
# client that reads again on a change would find nothing new: so wait, a second at a time, for as long as it takes
# (a commit may hang for long where it waits for a standby).
_CREATE_WAIT = """
create or replace function pg_temp.muster_wait_until_visible(xids bigint[]) returns boolean language plpgsql as $$
declare
  newest bigint := pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())::text::bigint;
  until timestamptz := pg_catalog.clock_timestamp() + interval '1 second';
  xid bigint;
begin
  foreach xid in array xids loop
    -- The log has its lower 32 bits. The nearest number with those is meant, which may be newer than any that ended.
    xid := newest - ((newest - xid + 2147483648) & 4294967295) + 2147483648;
    while pg_catalog.pg_xact_status(xid::text::xid8) = 'in progress' loop
      if pg_catalog.clock_timestamp() > until then
        return false;
      end if;
      perform pg_catalog.pg_sleep(0.0002);
    end loop;
  end loop;
  return true;
end $$
"""
_CREATE_EVALUATE = """
create or replace function pg_temp.muster_evaluate_rls(entity oid, role_name text, query text, claims text[])
returns table (bypasses boolean, readable smallint[], visible boolean[])
language plpgsql as $$
declare
  user_claims text;
  found_row boolean;
begin
  select r.rolsuper or r.rolbypassrls,
    array(
      select a.attnum from pg_catalog.pg_attribute a
      where a.attrelid = entity and a.attnum > 0 and not a.attisdropped
        and pg_catalog.has_column_privilege(r.oid, entity, a.attnum, 'select')
        and pg_catalog.has_schema_privilege(r.oid, c.relnamespace, 'usage')
    )
  into bypasses, readable
  from pg_catalog.pg_roles r, pg_catalog.pg_class c
  where r.rolname = role_name and c.oid = entity;
  if not found then
    return;
  end if;
  visible := array[]::boolean[];
  if query is not null and not bypasses then
    perform set_config('role', role_name, true);
    foreach user_claims in array claims loop
      begin
        perform set_config('request.jwt.claims', user_claims, true);
        execute query into found_row;
      exception
        when others then
          found_row := false;
      end;
      visible := visible || coalesce(found_row, false);
    end loop;
    perform set_config('role', 'none', true);
  end if;
  return next;
end $$
"""
CREATE_FUNCTIONS = (_CREATE_WAIT, _CREATE_EVALUATE)
WAIT_UNTIL_VISIBLE = "select pg_temp.muster_wait_until_visible($1)"
EVALUATE = "select * from pg_temp.muster_evaluate_rls($1, $2, $3, $4)"
DATABASE = """
select current_setting('max_slot_wal_keep_size') <> '-1', oid::bigint from pg_catalog.pg_database
where datname = current_database()
"""


def compare(comparison: Comparison) -> str:
    """The statement of a comparison; its parameters are the two texts."""
    return f"select ($1::text::{comparison.sql_type}) {comparison.operator} ($2::text::{comparison.sql_type})"


def print_json(sql_type: str) -> str:
    """The statement that prints a text of a type as JSON."""
    return f"select to_jsonb($1::text::{sql_type})::text"


def prepare_key_lookup(name: str, table: Table) -> str:
    """`prepare` for the query whether the current role sees a row, found by its primary key."""
    tests = sql.SQL(" and ").join(
        sql.SQL("{} = {}::{}").format(
            sql.Identifier(column), trusted_sql(f"${number}"), trusted_sql(table.columns[column].sql_type)
        )
        for number, column in enumerate(table.key, 1)
    )
    types = trusted_sql(", ".join("text" for _ in table.key))
    text = sql.SQL("prepare {} ({}) as select exists (select from {} where {})")
    return text.format(sql.Identifier(name), types, sql.Identifier(table.schema, table.name), tests).as_string()


def execute_key_lookup(name: str, key: tuple[str, ...]) -> str:
    """`execute` for a query that prepare_key_lookup prepared."""
    return f"execute {name}({', '.join(sql.Literal(text).as_string() for text in key)})"
