"""Configuration kept in the database: the service's own settings, and those of the roles it switches to. I/O.

Source: PostgREST reference, "In-Database Configuration" and "Impersonated Role Settings".
"""

from collections import defaultdict
from typing import Any

import psycopg

from emulator.rest.query.pre_query import RoleSettings
from emulator.rest.schema_cache.identifiers import QualifiedIdentifier
from emulator.rest.settings import IN_DATABASE_SETTINGS

# Settings of the roles that the service may switch to, as far as it has the right to set them.
_ROLE_SETTINGS = """
with role_setting as (
  select r.rolname, pg_catalog.unnest(r.rolconfig) as setting
  from pg_catalog.pg_auth_members m
  join pg_catalog.pg_roles r on r.oid = m.roleid
  where m.member = (select oid from pg_catalog.pg_roles where rolname = current_user)
),
split as (
  select distinct rolname, pg_catalog.split_part(setting, '=', 1) as key,
         pg_catalog.substr(setting, pg_catalog.strpos(setting, '=') + 1) as value
  from role_setting
)
select s.rolname, s.key, s.value
from split s
join pg_catalog.pg_settings g on g.name = s.key
where g.context = 'user' {parameter_privilege}
order by 1, 2
"""

# PostgreSQL 15 and later: superuser-only settings that were granted.
_PARAMETER_PRIVILEGE = "or pg_catalog.has_parameter_privilege(current_user, s.key, 'set')"

# Those for one database come last and win over those for all.
_IN_DATABASE_CONFIG = """
select pg_catalog.substr(setting, 1, pg_catalog.strpos(setting, '=') - 1),
       pg_catalog.substr(setting, pg_catalog.strpos(setting, '=') + 1)
from pg_catalog.pg_db_role_setting s, pg_catalog.unnest(s.setconfig) as setting
where s.setrole = (select oid from pg_catalog.pg_roles where rolname = current_user)
  and s.setdatabase in (0, (select oid from pg_catalog.pg_database where datname = current_database()))
  and setting like 'pgrst.%%'
order by s.setdatabase
"""


async def load_database_config(connection: psycopg.AsyncConnection[Any], pre_config: str | None) -> dict[str, str]:
    """Return the settings that the pre-config function made and those of ALTER ROLE ... SET, which win."""
    config: dict[str, str] = {}
    if pre_config:
        async with connection.transaction():
            await connection.execute("set transaction read only")
            await connection.execute(f"select {QualifiedIdentifier.parse(pre_config).sql}()".encode())
            rows = await (
                await connection.execute(
                    "select name, current_setting(name, true) from unnest(%s::text[]) as name",
                    ([f"pgrst.{name}" for name in IN_DATABASE_SETTINGS],),
                )
            ).fetchall()
            config.update({name: value for name, value in rows if value not in (None, "")})
    config.update(await (await connection.execute(_IN_DATABASE_CONFIG, {})).fetchall())
    return {name.removeprefix("pgrst."): value for name, value in config.items()}


async def load_role_settings(connection: psycopg.AsyncConnection[Any]) -> dict[str, RoleSettings]:
    """Return ALTER ROLE ... SET of every role that the service's own is a direct member of."""
    privilege = _PARAMETER_PRIVILEGE if connection.info.server_version >= 150000 else ""
    query = _ROLE_SETTINGS.format(parameter_privilege=privilege)
    by_role: dict[str, dict[str, str]] = defaultdict(dict)
    for role, name, value in await (await connection.execute(query.encode())).fetchall():
        by_role[role][name] = value
    return {
        role: RoleSettings(
            isolation=settings.pop("default_transaction_isolation", None), settings=tuple(settings.items())
        )
        for role, settings in by_role.items()
    }
