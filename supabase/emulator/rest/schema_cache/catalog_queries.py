"""The queries of PostgreSQL's catalog that fill the schema cache, and the rows they return. SQL text only.

All run with an empty search_path, so that format_type() qualifies type names. %(schemas)s are the exposed schemas,
%(path)s those and the extra search path. introspect.py runs them, build.py reads the rows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Row = tuple[Any, ...]


@dataclass(frozen=True)
class CatalogRows:
    """The rows of each query of SCHEMA_CACHE_QUERIES, by its name."""

    tables: Sequence[Row] = ()
    columns: Sequence[Row] = ()
    constraints: Sequence[Row] = ()
    view_rules: Sequence[Row] = ()
    functions: Sequence[Row] = ()
    computed_relationships: Sequence[Row] = ()
    handlers: Sequence[Row] = ()
    representations: Sequence[Row] = ()
    schema_descriptions: Sequence[Row] = ()


# `below` pairs every view with the relations that it reads, and those that they read.
_TABLES = """
with recursive reads (view, relation) as (
  select r.ev_class, d.refobjid
  from pg_catalog.pg_rewrite r
  join pg_catalog.pg_depend d on d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass and d.objid = r.oid
  where d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.refobjid <> r.ev_class
    and r.ev_class >= 16384 and d.refobjid >= 16384
),
below (view, relation) as (
  select view, relation from reads
  union
  select b.view, r.relation from below b join reads r on r.view = b.relation
)
select n.nspname, c.relname, c.oid::bigint, c.relkind::text, d.description,
       case when c.relkind in ('r', 'p') then 28 else pg_catalog.pg_relation_is_updatable(c.oid, true) end,
       c.relrowsecurity or c.oid in (
         select b.view from below b join pg_catalog.pg_class t on t.oid = b.relation where t.relrowsecurity
       )
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
left join pg_catalog.pg_description d
  on d.objoid = c.oid and d.objsubid = 0 and d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass
where c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition
  and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_toast%%'
order by 1, 2
"""

_COLUMNS = """
with recursive base (oid, base) as (
  select t.oid, t.oid
  from pg_catalog.pg_type t
  where t.typtype <> 'd'
  union all
  select t.oid, b.base
  from pg_catalog.pg_type t
  join base b on b.oid = t.typbasetype
  where t.typtype = 'd'
)
select a.attrelid::bigint, a.attname, a.attnum::int,
       pg_catalog.format_type(a.atttypid, a.atttypmod),
       case
         when bt.typnamespace = 'pg_catalog'::pg_catalog.regnamespace then pg_catalog.format_type(b.base, null)
         else pg_catalog.format_type(a.atttypid, a.atttypmod)
       end,
       not (a.attnotnull or t.typtype = 'd' and t.typnotnull),
       d.description,
       case
         when declared.type in ('pg_catalog.bpchar'::pg_catalog.regtype, 'pg_catalog.varchar'::pg_catalog.regtype)
         then nullif(declared.typmod, -1) - 4
         when declared.type in ('pg_catalog.bit'::pg_catalog.regtype, 'pg_catalog.varbit'::pg_catalog.regtype)
         then nullif(declared.typmod, -1)
       end,
       case
         when t.typtype = 'd' and ad.adbin is null then pg_catalog.pg_get_expr(t.typdefaultbin, 0)
         when a.attgenerated = 's' then null
         when a.attidentity = 'd' then (
           select 'nextval(' || pg_catalog.quote_literal(
             pg_catalog.quote_ident(sn.nspname) || '.' || pg_catalog.quote_ident(s.relname)
           ) || ')'
           from pg_catalog.pg_depend own
           join pg_catalog.pg_class s on s.oid = own.objid and s.relkind = 'S'
           join pg_catalog.pg_namespace sn on sn.oid = s.relnamespace
           where own.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
             and own.refobjid = a.attrelid and own.refobjsubid = a.attnum and own.deptype = 'i'
           limit 1
         )
         else pg_catalog.pg_get_expr(ad.adbin, ad.adrelid)
       end,
       (
         select pg_catalog.array_agg(e.enumlabel::text order by e.enumsortorder)
         from pg_catalog.pg_enum e
         where e.enumtypid = b.base
       )
from pg_catalog.pg_attribute a
join pg_catalog.pg_class c on c.oid = a.attrelid
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_type t on t.oid = a.atttypid
join base b on b.oid = a.atttypid
join pg_catalog.pg_type bt on bt.oid = b.base
cross join lateral (
  select case when t.typtype = 'd' then t.typbasetype else a.atttypid end as type,
         case when t.typtype = 'd' then t.typtypmod else a.atttypmod end as typmod
) declared -- PostgREST looks through one domain, not through a domain on it
left join pg_catalog.pg_attrdef ad on ad.adrelid = a.attrelid and ad.adnum = a.attnum
left join pg_catalog.pg_description d
  on d.objoid = a.attrelid and d.objsubid = a.attnum and d.classoid = 'pg_catalog.pg_class'::pg_catalog.regclass
where a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition
  and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg\\_toast%%'
order by 1, 3
"""

_CONSTRAINTS = """
select conname, contype::text, conrelid::bigint, confrelid::bigint, conkey::int[], confkey::int[]
from pg_catalog.pg_constraint
where contype in ('p', 'u', 'f') and conrelid <> 0 and (contype <> 'f' or conparentid = 0)
order by conrelid, conname
"""

_VIEW_RULES = """
select c.oid::bigint, n.nspname, c.relname, r.ev_action::text
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_rewrite r on r.ev_class = c.oid and r.rulename = '_RETURN'
where c.relkind in ('v', 'm') and n.nspname = any(%(path)s)
order by 2, 3
"""

_FUNCTIONS = """
with recursive resolved (oid, base) as (
  select t.oid, t.oid
  from pg_catalog.pg_type t
  where t.typtype <> 'd'
  union all
  select t.oid, b.base
  from pg_catalog.pg_type t
  join resolved b on b.oid = t.typbasetype
  where t.typtype = 'd'
)
select n.nspname, p.proname, d.description, p.proretset, p.provolatile::text,
       p.prorettype = 'pg_catalog.void'::pg_catalog.regtype,
       bt.typtype = 'c' or coalesce(p.proargmodes::text[] && '{t,b,o}', false),
       coalesce(bc.relname, bt.typname),
       p.proargnames::text[],
       coalesce(p.proargmodes::text[], pg_catalog.array_fill('i'::text, array[p.pronargs::int])),
       (
         select coalesce(pg_catalog.array_agg(pg_catalog.format_type(arg.type, null) order by arg.place), '{}')
         from pg_catalog.unnest(p.proargtypes::oid[]) with ordinality as arg (type, place)
       ),
       p.pronargdefaults::int, p.proconfig::text[], p.oid::bigint
from pg_catalog.pg_proc p
join pg_catalog.pg_namespace n on n.oid = p.pronamespace
join resolved r on r.oid = p.prorettype
join pg_catalog.pg_type bt on bt.oid = r.base
left join pg_catalog.pg_class bc on bc.oid = bt.typrelid
left join pg_catalog.pg_description d
  on d.objoid = p.oid and d.objsubid = 0 and d.classoid = 'pg_catalog.pg_proc'::pg_catalog.regclass
where p.prokind = 'f' and n.nspname = any(%(schemas)s)
  and bt.oid <> 'pg_catalog.trigger'::pg_catalog.regtype
order by n.nspname, p.proname, p.oid
"""

_COMPUTED_RELATIONSHIPS = """
select pn.nspname, p.proname, an.nspname, ac.relname, rn.nspname, rc.relname, not p.proretset or p.prorows = 1
from pg_catalog.pg_proc p
join pg_catalog.pg_namespace pn on pn.oid = p.pronamespace
join pg_catalog.pg_type argument on argument.oid = p.proargtypes[0]
join pg_catalog.pg_class ac on ac.oid = argument.typrelid
join pg_catalog.pg_namespace an on an.oid = ac.relnamespace
join pg_catalog.pg_type result on result.oid = p.prorettype
join pg_catalog.pg_class rc on rc.oid = result.typrelid
join pg_catalog.pg_namespace rn on rn.oid = rc.relnamespace
where p.pronargs = 1 and ac.relkind in ('r', 'v', 'm', 'f', 'p') and rc.relkind in ('r', 'v', 'm', 'f', 'p')
  and pn.nspname = any(%(schemas)s)
order by 1, 2, 3, 4
"""

_HANDLERS = """
with media_type as (
  select t.oid, t.typname
  from pg_catalog.pg_type t
  where t.typtype = 'd' and (t.typname ~* '^[a-z0-9.-]+/[a-z0-9.+-]+$' or t.typname = '*/*')
)
select pn.nspname, p.proname, m.typname, an.nspname, ac.relname,
       argument.oid = 'pg_catalog.anyelement'::pg_catalog.regtype, p.prokind = 'a'
from pg_catalog.pg_proc p
join media_type m on m.oid = p.prorettype
join pg_catalog.pg_namespace pn on pn.oid = p.pronamespace
left join pg_catalog.pg_type argument on argument.oid = p.proargtypes[0]
left join pg_catalog.pg_class ac on ac.oid = argument.typrelid
left join pg_catalog.pg_namespace an on an.oid = ac.relnamespace
where pn.nspname = any(%(path)s)
  and (p.prokind = 'f' and not p.proretset or p.prokind = 'a' and p.pronargs = 1)
order by p.prokind desc, 1, 2
"""

_REPRESENTATIONS = """
select pg_catalog.format_type(c.castsource, null), pg_catalog.format_type(c.casttarget, null), n.nspname, p.proname
from pg_catalog.pg_cast c
join pg_catalog.pg_proc p on p.oid = c.castfunc
join pg_catalog.pg_namespace n on n.oid = p.pronamespace
join pg_catalog.pg_type s on s.oid = c.castsource
join pg_catalog.pg_type t on t.oid = c.casttarget
where c.castcontext = 'i' and c.castmethod = 'f'
  and (
    (s.typtype = 'd' and c.casttarget in ('json'::pg_catalog.regtype, 'text'::pg_catalog.regtype))
    or (t.typtype = 'd' and c.castsource in ('json'::pg_catalog.regtype, 'text'::pg_catalog.regtype))
  )
"""

_SCHEMA_DESCRIPTIONS = """
select n.nspname, d.description
from pg_catalog.pg_namespace n
join pg_catalog.pg_description d
  on d.objoid = n.oid and d.objsubid = 0 and d.classoid = 'pg_catalog.pg_namespace'::pg_catalog.regclass
where n.nspname = any(%(schemas)s)
"""

SCHEMA_CACHE_QUERIES: Mapping[str, str] = {
    "tables": _TABLES,
    "columns": _COLUMNS,
    "constraints": _CONSTRAINTS,
    "view_rules": _VIEW_RULES,
    "functions": _FUNCTIONS,
    "computed_relationships": _COMPUTED_RELATIONSHIPS,
    "handlers": _HANDLERS,
    "representations": _REPRESENTATIONS,
    "schema_descriptions": _SCHEMA_DESCRIPTIONS,
}
