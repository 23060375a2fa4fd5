"""The SQL of the dashboard: what there is, and rows of a table as a role sees them. Read-only transactions."""

import json
from collections.abc import Mapping
from typing import Any

import psycopg
from psycopg import sql
from psycopg.rows import dict_row

Rows = list[dict[str, Any]]
ROLES = ("postgres", "service_role", "authenticated", "anon")
PAGE_ROWS, MOST_COUNTED = 50, 10_000
TIMEOUT = "3s"

_DATABASE = """
select current_database() as name, current_setting('server_version') as version,
  pg_database_size(current_database()) as bytes,
  (select count(*) from pg_stat_activity where datname = current_database()) as connections,
  current_setting('max_connections')::int as max_connections,
  extract(epoch from now() - pg_postmaster_start_time())::int as uptime_s
"""
_TABLES = """
select n.nspname as schema, c.relname as name,
  case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table' else 'table' end
    as kind,
  c.relrowsecurity as rls, greatest(c.reltuples, 0)::bigint as estimate,
  (select count(*) from pg_policy as p where p.polrelid = c.oid) as policies
from pg_class as c
join pg_namespace as n on n.oid = c.relnamespace
where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
  and n.nspname not in ('pg_catalog', 'information_schema', '_muster') and n.nspname !~ '^pg_(toast|temp)'
  and has_schema_privilege(n.oid, 'usage')
order by n.nspname <> 'public', n.nspname, c.relname
"""
_POLICIES = """
select policyname as name, permissive, roles::text[] as roles, lower(cmd) as command, qual as using,
  with_check as "check"
from pg_policies where schemaname = %s and tablename = %s order by policyname
"""
_GRANTS = """
select r.rolname as role, privilege
from unnest(%s::text[]) as r (rolname)
cross join unnest(array['select', 'insert', 'update', 'delete']) as privilege
where has_table_privilege(r.rolname, %s::regclass, privilege)
"""
_USERS = """
select id::text, coalesce(email, '') as email, coalesce(phone, '') as phone, is_anonymous,
  coalesce(raw_app_meta_data, '{}') as app_metadata, coalesce(raw_user_meta_data, '{}') as user_metadata
from auth.users
where %(q)s = '' or email ilike '%%' || %(q)s || '%%' or phone like %(q)s || '%%' or id::text like %(q)s || '%%'
order by last_sign_in_at desc nulls last, created_at desc
limit 20
"""
_BUCKETS = """
select b.id, b.public, b.file_size_limit, b.allowed_mime_types, count(o.id) as objects,
  coalesce(sum((o.metadata ->> 'size')::bigint), 0)::bigint as bytes
from storage.buckets as b
left join storage.objects as o on o.bucket_id = b.id
group by b.id order by b.id limit 200
"""
_JOBS = """
select j.jobid, coalesce(j.jobname, '') as name, j.schedule, left(j.command, 500) as command, j.username, j.active
from cron.job as j order by j.jobid limit 200
"""
_RUNS = """
select r.jobid, r.status, left(r.return_message, 500) as message, r.start_time,
  round(extract(epoch from r.end_time - r.start_time) * 1000) as duration_ms
from cron.job_run_details as r order by r.runid desc limit 50
"""
_RESPONSES = """
select id, status_code, timed_out, left(error_msg, 300) as error, created
from net._http_response order by id desc limit 50
"""
_WAITING = "select count(*) as waiting from net.http_request_queue"
_QUEUES = "select queue_name, queue_length, oldest_msg_age_sec, total_messages from pgmq.metrics_all()"
# Which part of the platform is there, by what it is looked up as.
_PARTS: Mapping[str, tuple[str, str]] = {
    "jobs": ("cron.job", _JOBS), "runs": ("cron.job_run_details", _RUNS),
    "responses": ("net._http_response", _RESPONSES), "requests": ("net.http_request_queue", _WAITING),
    "queues": ("pgmq.meta", _QUEUES),
}  # fmt: skip

Connection = psycopg.AsyncConnection[Any]


async def fetch(connection: Connection, statement: sql.SQL | sql.Composed | str, parameters: Any = None) -> Rows:
    """Rows as objects."""
    async with connection.cursor(row_factory=dict_row) as cursor:
        await cursor.execute(statement, parameters)
        return await cursor.fetchall()


async def database(connection: Connection) -> dict[str, Any]:
    """Name, version, size and connections."""
    return (await fetch(connection, _DATABASE))[0]


async def tables(connection: Connection) -> Rows:
    """Tables and views, with whether rows have policies."""
    return await fetch(connection, _TABLES)


async def table(connection: Connection, schema: str, name: str) -> dict[str, Any]:
    """The policies of a table, and which roles may do what. Raises psycopg.Error when there is none of that name."""
    qualified = sql.Identifier(schema, name).as_string(connection)
    grants = await fetch(connection, _GRANTS, (list(ROLES), qualified))
    return {
        "policies": await fetch(connection, _POLICIES, (schema, name)),
        "grants": {role: [one["privilege"] for one in grants if one["role"] == role] for role in ROLES},
    }


async def rows_as(
    connection: Connection, schema: str, name: str, role: str, claims: Mapping[str, Any], offset: int
) -> dict[str, Any]:
    """A page of a table as a role with these claims sees it, and how many rows it sees of how many there are.

    Counted up to MOST_COUNTED. Raises psycopg.Error, as the role would get it.
    """
    relation = sql.Identifier(schema, name)
    counted = sql.SQL("select count(*) as n from (select from {} limit {}) as t").format(
        relation, sql.Literal(MOST_COUNTED)
    )
    total = (await fetch(connection, counted))[0]["n"]
    settings = "select set_config('request.jwt.claims', %s, true), set_config('role', %s, true)"
    await connection.execute(settings, (json.dumps(claims), role))
    visible = (await fetch(connection, counted))[0]["n"]
    page = sql.SQL("select row_to_json(t)::text as row from (select * from {} limit {} offset {}) as t").format(
        relation, sql.Literal(PAGE_ROWS), sql.Literal(offset)
    )
    found = [json.loads(one["row"]) for one in await fetch(connection, page)]
    return {"rows": found, "visible": visible, "total": total, "counted_to": MOST_COUNTED}


async def users(connection: Connection, asked: str) -> Rows:
    """Users whose address, number or id is like what was asked for; those who were there last come first."""
    return await fetch(connection, _USERS, {"q": asked})


async def buckets(connection: Connection) -> Rows:
    """The buckets of storage with their contents."""
    return await fetch(connection, _BUCKETS)


async def jobs(connection: Connection) -> dict[str, Rows | None]:
    """Scheduled jobs and their runs, requests of pg_net, queues; None for an extension that is not there."""
    found: dict[str, Rows | None] = {}
    for part, (relation, statement) in _PARTS.items():
        present = (await fetch(connection, "select to_regclass(%s) is not null as it_is", (relation,)))[0]["it_is"]
        found[part] = await fetch(connection, statement) if present else None
    return found


def claims_of(user: Mapping[str, Any]) -> dict[str, Any]:
    """The claims of a user's access token, as far as policies look at them."""
    return {
        "sub": user["id"], "role": "authenticated", "aud": "authenticated", "email": user["email"],
        "phone": user["phone"], "app_metadata": user["app_metadata"], "user_metadata": user["user_metadata"],
        "is_anonymous": user["is_anonymous"], "aal": "aal1",
    }  # fmt: skip


def known_role(role: object) -> bool:
    """Whether rows can be read as that role."""
    return role in ROLES
