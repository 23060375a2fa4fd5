"""The SQL that RlsEvaluator runs: two functions in the session's temporary schema, and statements made for a table.

The functions have an empty search_path, as `supabase db advisors` wants of every function. While policies run it is the
session's own: functions that policies call may rely on it.
"""

from collections.abc import Sequence

from psycopg import sql

from emulator.realtime.postgres_changes.catalog import trusted_sql
from emulator.realtime.postgres_changes.subscriptions.conditions import Comparison
from emulator.realtime.postgres_changes.subscriptions.tables import Column, Table
from emulator.realtime.postgres_changes.wal.decoder import Row, Unchanged

# The log contains a commit a moment before other sessions can see it. Until then a policy would find no row, and a
# client that reads again on a change would find nothing new: so wait, a second at a time, for as long as it takes
# (a commit may hang for long where it waits for a standby).
_CREATE_WAIT = """
create or replace function pg_temp.muster_wait_until_visible(xids bigint[])
returns boolean language plpgsql set search_path = '' as $$
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
# A deleted row is judged by the present policies for `select`, over what the log has of it (`deleted`, a FROM item
# that bears the table's name). The condition is parsed as the service's own user: policies may call functions of
# schemas that the role may not use. It runs as the role; a policy that asks for a column that the log does not have
# can't be parsed, and then the deletion is told to nobody.
_CREATE_EVALUATE = """
create or replace function pg_temp.muster_evaluate_rls(
  entity oid, role_name text, query text, deleted text, statement text, claims text[], session_path text
)
returns table (bypasses boolean, readable smallint[], visible boolean[], problem text)
language plpgsql set search_path = '' as $$
declare
  role_oid oid;
  condition text;
  user_claims text;
  found_row boolean;
begin
  select r.oid, r.rolbypassrls,
    array(
      select a.attnum from pg_catalog.pg_attribute a
      where a.attrelid = entity and a.attnum > 0 and not a.attisdropped
        and pg_catalog.has_column_privilege(r.oid, entity, a.attnum, 'select')
        and pg_catalog.has_schema_privilege(r.oid, c.relnamespace, 'usage')
    )
  into role_oid, bypasses, readable
  from pg_catalog.pg_roles r, pg_catalog.pg_class c
  where r.rolname = role_name and c.oid = entity and not r.rolsuper;
  if not found then
    return;
  end if;
  visible := array[]::boolean[];
  perform pg_catalog.set_config('search_path', session_path, true);
  if deleted is not null and not bypasses then
    select '(' || pg_catalog.string_agg('(' || pg_catalog.pg_get_expr(p.polqual, entity) || ')', ' or ')
        filter (where p.polpermissive) || ')'
      || coalesce(pg_catalog.string_agg(' and (' || pg_catalog.pg_get_expr(p.polqual, entity) || ')', '')
        filter (where not p.polpermissive), '')
    into condition
    from pg_catalog.pg_policy p
    where p.polrelid = entity and p.polcmd in ('r', '*') and p.polqual is not null and exists (
      select from pg_catalog.unnest(p.polroles) member_of
      where case when member_of = 0 then true else pg_catalog.pg_has_role(role_oid, member_of, 'usage') end
    );
    begin
      execute pg_catalog.format('prepare %I as select %s from %s', statement, coalesce(condition, 'false'), deleted);
      query := pg_catalog.format('execute %I', statement);
    exception
      when others then
        problem := sqlerrm;
        query := 'select false';
    end;
  end if;
  if query is not null and not bypasses then
    perform pg_catalog.set_config('role', role_name, true);
    if deleted is not null and not pg_catalog.row_security_active(entity) then
      bypasses := true;
    else
      foreach user_claims in array claims loop
        begin
          perform pg_catalog.set_config('request.jwt.claims', user_claims, true);
          execute query into found_row;
        exception
          when others then
            found_row := false;
        end;
        visible := visible || coalesce(found_row, false);
      end loop;
    end if;
    perform pg_catalog.set_config('role', 'none', true);
  end if;
  if deleted is not null and problem is null and query is not null then
    execute pg_catalog.format('deallocate %I', statement);
  end if;
  return next;
end $$
"""
CREATE_FUNCTIONS = (_CREATE_WAIT, _CREATE_EVALUATE)
WAIT_UNTIL_VISIBLE = "select pg_temp.muster_wait_until_visible($1)"
EVALUATE = """
select * from pg_temp.muster_evaluate_rls($1, $2, $3, $4, $5, $6, pg_catalog.current_setting('search_path'))
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


def deleted_row(table: Table, row: Row) -> str:
    """A FROM item of one row that stands for the deleted row: its name is the table's, as policies spell it.

    If the log has all of the row it has the table's type, else only the columns that are known.
    """
    values = [(column, row[column.name]) for column in table.columns.values() if column.name in row]
    known = [(column, text) for column, text in values if not isinstance(text, Unchanged)]
    name = sql.Identifier(table.name)
    literals = [sql.SQL("{}::{}").format(sql.Literal(text), trusted_sql(column.sql_type)) for column, text in known]
    if known and len(known) == len(table.columns):
        whole = sql.SQL("pg_catalog.unnest(array[row({})::{}]) as {}")
        return whole.format(sql.SQL(", ").join(literals), sql.Identifier(table.schema, table.name), name).as_string()
    named = [
        sql.SQL("{} as {}").format(literal, sql.Identifier(column.name))
        for literal, (column, _) in zip(literals, known, strict=True)
    ]
    return sql.SQL("(select {}) as {}").format(sql.SQL(", ").join(named), name).as_string()


def compute_generated(table: Table, known: Sequence[Column], unchanged: Sequence[Column]) -> str:
    """The statement that computes a row's generated columns, in the table's order.

    Its parameters are the texts of the known columns and, where stored values that an UPDATE did not touch have to be
    read, of the primary key.
    """
    values = [
        sql.SQL("{}::{} as {}").format(
            trusted_sql(f"${number}::text"), trusted_sql(column.sql_type), sql.Identifier(column.name)
        )
        for number, column in enumerate(known, 1)
    ]
    if unchanged:
        tests = sql.SQL(" and ").join(
            sql.SQL("stored.{} = {}::{}").format(
                sql.Identifier(name), trusted_sql(f"${number}::text"), trusted_sql(table.columns[name].sql_type)
            )
            for number, name in enumerate(table.key, len(known) + 1)
        )
        source = sql.SQL("(select stored.{column} from {table} as stored where {tests}) as {column}")
        values += [
            source.format(
                column=sql.Identifier(column.name), table=sql.Identifier(table.schema, table.name), tests=tests
            )
            for column in unchanged
        ]
    expressions = sql.SQL(", ").join(trusted_sql(f"({column.expression})") for column in table.generated)
    text = sql.SQL("select {} from (select {}) as {}")
    return text.format(expressions, sql.SQL(", ").join(values), sql.Identifier(table.name)).as_string()
