"""Copies of whole databases within a cluster: with the owner, privileges and settings that PostgreSQL does not copy."""

import time
from typing import Any

import psycopg
from psycopg import conninfo, sql

from emulator.db.bootstrap import own_database

Connection = psycopg.Connection[tuple[Any, ...]]

# Settings of a database, and of roles in it.
_SETTINGS = """
select r.rolname, split_part(s.setting, '=', 1), substr(s.setting, strpos(s.setting, '=') + 1)
from pg_db_role_setting as d
inner join pg_database as b on b.oid = d.setdatabase
cross join lateral unnest(d.setconfig) as s (setting)
left join pg_roles as r on r.oid = d.setrole
where b.datname = %s
"""
# Settings of roles in every database.
_ROLE_SETTINGS = """
select r.rolname, split_part(s.setting, '=', 1), substr(s.setting, strpos(s.setting, '=') + 1)
from pg_db_role_setting as d
inner join pg_roles as r on r.oid = d.setrole
cross join lateral unnest(d.setconfig) as s (setting)
where d.setdatabase = 0
"""
_LISTS = frozenset({"search_path", "temp_tablespaces", "local_preload_libraries", "session_preload_libraries"})
PAUSE_S = 0.01


class StillInUse(Exception):
    """Sessions of a database did not end in time."""


def copy_database(connection: Connection, template: str, name: str, *, keeps_role_settings: bool = False) -> None:
    """Make `name` a copy of `template`, in which nobody may be connected; one that is there is dropped.

    With `keeps_role_settings` the settings that roles have now are those of the copy, too: a later `alter role ... set`
    does not reach it. Superuser, autocommit.
    """
    drop_database(connection, name)
    statement = sql.SQL("create database {} template {} strategy wal_log")
    connection.execute(statement.format(sql.Identifier(name), sql.Identifier(template)))
    with connection.transaction():
        own_database(connection, name)
        if keeps_role_settings:
            _set(connection, name, connection.execute(_ROLE_SETTINGS).fetchall())
        _set(connection, name, connection.execute(_SETTINGS, (template,)).fetchall())


def _set(connection: Connection, name: str, settings: "list[tuple[Any, ...]]") -> None:
    for role, setting, value in settings:
        # PostgreSQL has the value of a list as it is to be written.
        written = sql.SQL(value) if setting in _LISTS else sql.Literal(value)
        whose = sql.SQL("database {}") if role is None else sql.SQL("role {} in database {}")
        names = [sql.Identifier(each) for each in (role, name) if each is not None]
        change = sql.SQL("alter {} set {} to {}").format(whose.format(*names), _setting_name(setting), written)
        connection.execute(change)


def _setting_name(name: str) -> sql.Composed:
    return sql.SQL(".").join(sql.Identifier(part) for part in name.split("."))


def drop_database(connection: Connection, name: str) -> None:
    """Drop it if it is there, whoever is connected."""
    connection.execute(sql.SQL("drop database if exists {} with (force)").format(sql.Identifier(name)))


def at_database(superuser_url: str, database: str) -> str:
    """The same server, another database."""
    return conninfo.make_conninfo(superuser_url, dbname=database)


def allow_connections(connection: Connection, name: str, allowed: bool) -> None:
    """Let new sessions begin in a database, or refuse them, superusers' too."""
    statement = sql.SQL("alter database {} with allow_connections {}")
    connection.execute(statement.format(sql.Identifier(name), sql.Literal(allowed)))


def end_sessions(connection: Connection, name: str, timeout_s: float, *, with_slots: bool) -> None:
    """End every session of a database that allows no new ones, and drop its replication slots if asked to.

    Raises StillInUse.
    """
    ended = "select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = %s"
    slots = "select pg_drop_replication_slot(slot_name) from pg_replication_slots where database = %s and not active"
    left = (
        "select (select count(*) from pg_stat_activity where datname = %(name)s)"
        " + (select count(*) from pg_replication_slots where %(slots)s and database = %(name)s)"
    )
    deadline = time.monotonic() + timeout_s
    while True:
        connection.execute(ended, (name,))
        if with_slots:
            connection.execute(slots, (name,))
        if connection.execute(left, {"name": name, "slots": with_slots}).fetchone() == (0,):
            return
        if time.monotonic() > deadline:
            raise StillInUse(f"the sessions of database {name} did not end")
        time.sleep(PAUSE_S)
