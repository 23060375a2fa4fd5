"""Rows and roles of a database as SQL, as far as `db dump --data-only` and `--role-only` go. Without pg_dump.

The order of tables does not matter: the text switches triggers and foreign keys off, as the official CLI's does.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import psycopg
from psycopg import sql

# What belongs to the platform: its history and its caches are made by itself.
_NOT_DUMPED = (
    "_muster", "_realtime", "_analytics", "_supavisor", "extensions", "graphql", "graphql_public", "information_schema",
    "net", "pgbouncer", "pgsodium", "pgsodium_masks", "realtime", "supabase_functions", "supabase_migrations", "vault",
)  # fmt: skip
_HISTORIES = ("auth.schema_migrations", "storage.migrations")
_ROWS_AT_ONCE = 500

_TABLES = """
select n.nspname, c.relname,
  array_agg(a.attname order by a.attnum) filter (where a.attgenerated = ''),
  bool_or(a.attidentity = 'a')
from pg_class as c
inner join pg_namespace as n on n.oid = c.relnamespace
inner join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where c.relkind = 'r' and c.relpersistence <> 't' and n.nspname <> all (%(skipped)s) and n.nspname not like 'pg\\_%%'
  and (%(wanted)s::text[] is null or n.nspname = any (%(wanted)s))
  and not n.nspname || '.' || c.relname = any (%(histories)s)
  and not exists (
    select from pg_depend as d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
  )
group by n.nspname, c.relname order by n.nspname, c.relname
"""
_SEQUENCES = """
select schemaname, sequencename, last_value from pg_sequences
where schemaname <> all (%(skipped)s) and last_value is not null
  and (%(wanted)s::text[] is null or schemaname = any (%(wanted)s))
order by schemaname, sequencename
"""
_OWN_ROLES = """
select r.rolname,
  concat_ws(' ', case when r.rolcanlogin then 'login' else 'nologin' end,
    case when r.rolinherit then 'inherit' else 'noinherit' end,
    case when r.rolcreaterole then 'createrole' end, case when r.rolcreatedb then 'createdb' end,
    case when r.rolbypassrls then 'bypassrls' end, case when r.rolreplication then 'replication' end),
  array(select g.rolname from pg_auth_members as m inner join pg_roles as g on g.oid = m.roleid
    where m.member = r.oid order by 1)
from pg_roles as r
where r.rolname not like 'pg\\_%' and r.rolname not like 'supabase\\_%'
  and r.rolname not in ('anon', 'authenticated', 'authenticator', 'dashboard_user', 'pgbouncer', 'pgtle_admin',
    'postgres', 'service_role')
order by r.rolname
"""
_ROLE_SETTINGS = """
select s.setrole::regrole::text, unnest(s.setconfig) from pg_db_role_setting as s
inner join pg_roles as r on r.oid = s.setrole
where s.setdatabase = 0 and r.rolname not like 'supabase\\_%' and r.rolname <> 'postgres' order by 1, 2
"""

Connection = psycopg.Connection[tuple[Any, ...]]


def dump_rows(connection: Connection, schemas: Sequence[str] | None) -> Iterator[str]:
    """INSERT statements for every table of these schemas, or of all that are not the platform's, as one snapshot."""
    names = {
        "skipped": list(_NOT_DUMPED),
        "histories": list(_HISTORIES),
        "wanted": None if schemas is None else list(schemas),
    }
    yield "set session_replication_role = replica;\n"
    with connection.transaction():
        connection.execute("set transaction isolation level repeatable read, read only")
        connection.execute("set local search_path = ''")
        for schema, table, columns, is_always in connection.execute(_TABLES, names).fetchall():
            yield from _inserts(connection, sql.Identifier(schema, table), columns or [], is_always=bool(is_always))
        for schema, name, last in connection.execute(_SEQUENCES, names).fetchall():
            sequence = sql.Identifier(schema, name).as_string(connection)
            yield f"select pg_catalog.setval({_literal(sequence)}, {last}, true);\n"
    yield "reset all;\n"


def dump_roles(connection: Connection) -> Iterator[str]:
    """The roles that the project made, without passwords, and the settings of those that it shares."""
    for name, attributes, groups in connection.execute(_OWN_ROLES.encode()).fetchall():
        role = sql.Identifier(name).as_string(connection)
        yield f"create role {role} with {attributes};\n"
        for group in groups:
            yield f"grant {sql.Identifier(group).as_string(connection)} to {role};\n"
    for role, setting in connection.execute(_ROLE_SETTINGS.encode()).fetchall():
        key, _, value = setting.partition("=")
        yield f"alter role {role} set {key} to {_literal(value)};\n"


def _inserts(connection: Connection, table: sql.Identifier, columns: list[str], *, is_always: bool) -> Iterator[str]:
    if not columns:
        return
    listed = sql.SQL(", ").join(sql.Identifier(column) for column in columns)
    values = sql.SQL(" || ', ' || ").join(
        sql.SQL("pg_catalog.quote_nullable({}::text)").format(sql.Identifier(column)) for column in columns
    )
    head = sql.SQL("insert into {} ({}){} values\n").format(
        table, listed, sql.SQL(" overriding system value" if is_always else "")
    )
    with connection.cursor(name="rows") as cursor:
        cursor.execute(sql.SQL("select {} from {}").format(values, table))
        while rows := cursor.fetchmany(_ROWS_AT_ONCE):
            yield head.as_string(connection) + ",\n".join(f"  ({row[0]})" for row in rows) + ";\n"


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
