"""The shape of a database: everything that migrations define, as text, for comparing two databases.

Names instead of oids, privileges one by one: different paths to the same schema give equal shapes.
"""

import psycopg

SCHEMAS = "('public', 'private', 'functions')"

_TABLES = f"c.relnamespace::regnamespace::text in {SCHEMAS}"
_PRIVILEGES = """
select {of}, coalesce(nullif(acl.grantee, 0)::regrole::text, 'public'), acl.privilege_type, acl.is_grantable
from {tables}
cross join lateral aclexplode({acl}) as acl
where {where}
"""

QUERIES = {
    "schemas": f"""
        select n.nspname, n.nspowner::regrole::text, obj_description(n.oid) from pg_namespace as n
        where n.nspname in {SCHEMAS}""",
    "extensions": """
        select e.extname, e.extnamespace::regnamespace::text from pg_extension as e""",
    "relations": f"""
        select c.oid::regclass::text, c.relkind::text, c.relowner::regrole::text, c.relrowsecurity,
          c.relforcerowsecurity, c.relreplident::text, c.relpersistence::text, c.reloptions::text, am.amname,
          obj_description(c.oid)
        from pg_class as c left join pg_am as am on am.oid = c.relam
        where {_TABLES} and c.relkind <> 'c'""",
    "columns": f"""
        select c.oid::regclass::text, row_number() over (partition by c.oid order by a.attnum), a.attname,
          format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity::text, a.attgenerated::text,
          a.attstorage::text, a.attstattarget, pg_get_expr(d.adbin, d.adrelid), a.attcollation::regcollation::text,
          col_description(c.oid, a.attnum)
        from pg_attribute as a
        inner join pg_class as c on c.oid = a.attrelid
        left join pg_attrdef as d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where {_TABLES} and c.relkind in ('r', 'v', 'm', 'p') and a.attnum > 0 and not a.attisdropped""",
    "constraints": f"""
        select conrelid::regclass::text, conname, contype::text, convalidated, condeferrable,
          pg_get_constraintdef(oid), obj_description(oid)
        from pg_constraint where connamespace::regnamespace::text in {SCHEMAS}""",
    "indexes": f"""
        select schemaname, tablename, indexname, indexdef from pg_indexes where schemaname in {SCHEMAS}""",
    "statistics": f"""
        select oid::regclass::text, pg_get_statisticsobjdef(oid) from pg_statistic_ext
        where stxnamespace::regnamespace::text in {SCHEMAS}""",
    "sequences": f"""
        select schemaname, sequencename, data_type::text, start_value, increment_by, cycle from pg_sequences
        where schemaname in {SCHEMAS}""",
    "views": f"""
        select schemaname, viewname, definition from pg_views where schemaname in {SCHEMAS}""",
    "types": f"""
        select t.oid::regtype::text, t.typtype::text, obj_description(t.oid),
          array(select e.enumlabel::text from pg_enum as e where e.enumtypid = t.oid order by e.enumsortorder)
        from pg_type as t where t.typnamespace::regnamespace::text in {SCHEMAS}""",
    "functions": f"""
        select p.oid::regprocedure::text, pg_get_functiondef(p.oid), p.proowner::regrole::text, obj_description(p.oid)
        from pg_proc as p where p.pronamespace::regnamespace::text in {SCHEMAS}""",
    "triggers": f"""
        select t.tgrelid::regclass::text, t.tgname, pg_get_triggerdef(t.oid), t.tgenabled::text, obj_description(t.oid)
        from pg_trigger as t
        inner join pg_proc as p on p.oid = t.tgfoid
        inner join pg_class as c on c.oid = t.tgrelid
        where not t.tgisinternal and (p.pronamespace::regnamespace::text in {SCHEMAS} or {_TABLES})""",
    "event triggers": """
        select evtname, evtevent, evtfoid::regproc::text, evtenabled::text, evttags::text from pg_event_trigger""",
    "rules": f"""
        select schemaname, tablename, rulename, definition from pg_rules where schemaname in {SCHEMAS}""",
    "policies": f"""
        select schemaname, tablename, policyname, permissive, roles::text, cmd, qual, with_check from pg_policies
        where schemaname in {SCHEMAS}""",
    # Not Realtime's partitions, one a day: two databases may be made on two days.
    "publications": """
        select p.pubname, p.puballtables, p.pubinsert, p.pubupdate, p.pubdelete, p.pubtruncate,
          t.schemaname, t.tablename, t.attnames::text, t.rowfilter
        from pg_publication as p
        left join pg_publication_tables as t on t.pubname = p.pubname
          and not (t.schemaname = 'realtime' and t.tablename ~ '^messages_[0-9_]+$')""",
    "privileges on schemas": _PRIVILEGES.format(
        of="n.nspname", tables="pg_namespace as n", acl="coalesce(n.nspacl, acldefault('n', n.nspowner))",
        where=f"n.nspname in {SCHEMAS}",
    ),
    "privileges on relations": _PRIVILEGES.format(
        of="c.oid::regclass::text", tables="pg_class as c",
        acl="coalesce(c.relacl, acldefault(case c.relkind when 'S' then 's' else 'r' end::\"char\", c.relowner))",
        where=f"{_TABLES} and c.relkind in ('r', 'v', 'm', 'p', 'S')",
    ),
    "privileges on columns": _PRIVILEGES.format(
        of="c.oid::regclass::text, a.attname", acl="a.attacl", where=_TABLES,
        tables="pg_attribute as a inner join pg_class as c on c.oid = a.attrelid",
    ),
    "privileges on functions": _PRIVILEGES.format(
        of="p.oid::regprocedure::text", tables="pg_proc as p", acl="coalesce(p.proacl, acldefault('f', p.proowner))",
        where=f"p.pronamespace::regnamespace::text in {SCHEMAS}",
    ),
    "default privileges": _PRIVILEGES.format(
        of="d.defaclrole::regrole::text, coalesce(nullif(d.defaclnamespace, 0)::regnamespace::text, ''),"
        " d.defaclobjtype::text",
        tables="pg_default_acl as d", acl="d.defaclacl", where="true",
    ),
}  # fmt: skip


def shape(connection: psycopg.Connection) -> dict[str, list[str]]:
    """The definitions made by the migrations, by kind, one line each. `connection` needs a superuser."""
    return {kind: sorted(str(row) for row in connection.execute(query)) for kind, query in QUERIES.items()}
