"""`create extension` by role postgres: what the image allows works here, in every spelling that migrations use."""

import psycopg
import pytest

from emulator.db.extensions import declared
from tests.contract.platform.conftest import Connection

OURS = (
    "pg_cron", "pg_net", "supabase_vault", "pgmq", "pgjwt", "http", "pg_jsonschema", "hypopg", "index_advisor",
    "pg_graphql", "pgsodium", "pgtap", "plpgsql_check",
)  # fmt: skip
# Whose control file names the schema; all others are recorded where they are asked to be.
FIXED = ("pgmq", "pgsodium")
# The list of the image's supautils that is contrib, without what bootstrap installs.
CONTRIB = (
    "autoinc", "bloom", "btree_gin", "btree_gist", "citext", "cube", "dblink", "dict_int", "dict_xsyn",
    "earthdistance", "fuzzystrmatch", "hstore", "insert_username", "intarray", "isn", "ltree", "moddatetime",
    "pg_prewarm", "pg_trgm", "pg_walinspect", "pgrowlocks", "pgstattuple", "postgres_fdw",
    "refint", "seg", "sslinfo", "tablefunc", "tcn", "tsm_system_rows", "tsm_system_time", "unaccent",
)  # fmt: skip


def is_installed(connection: Connection, name: str) -> bool:
    return connection.execute("select from pg_extension where extname = %s", (name,)).fetchone() is not None


@pytest.mark.parametrize("name", OURS)
def test_an_extension_is_created_dropped_and_created(postgres: Connection, name: str) -> None:
    with postgres.transaction(force_rollback=True):
        postgres.execute(f"drop extension if exists {name} cascade")
        schema = "" if name in FIXED else "with schema extensions"
        postgres.execute(f'create extension if not exists "{name}" {schema} cascade')
        postgres.execute(f'create extension if not exists "{name}"')
        postgres.execute(f"drop extension {name}")
        assert not is_installed(postgres, name)
        postgres.execute(f"create extension {name} cascade")
        assert is_installed(postgres, name)


def test_the_contrib_modules_of_the_image_are_created(postgres: Connection) -> None:
    with postgres.transaction(force_rollback=True):
        for name in CONTRIB:
            postgres.execute(f"create extension if not exists {name} with schema extensions cascade")
        assert [name for name in CONTRIB if not is_installed(postgres, name)] == []


@pytest.mark.parametrize(
    ("name", "schema"),
    [("pg_net", "net"), ("supabase_vault", "vault"), ("pgsodium", "pgsodium"), ("pgmq", "pgmq"), ("pg_cron", "cron")],
)
def test_a_schema_that_is_there_already_is_used_and_stays(postgres: Connection, name: str, schema: str) -> None:
    with postgres.transaction(force_rollback=True):
        postgres.execute(f"drop extension if exists {name} cascade")
        postgres.execute(f"create schema if not exists {schema}")
        postgres.execute(f"create extension {name} with schema {schema}")
        postgres.execute(f"drop extension {name} cascade")
        assert postgres.execute("select to_regnamespace(%s) is not null", (schema,)).fetchone() == (True,)


@pytest.mark.parametrize("name", FIXED)
def test_a_dump_creates_it_without_a_schema_and_a_search_path(postgres: Connection, name: str) -> None:
    """As the official CLI writes it: below `set_config('search_path', '', false)`, the schema struck out."""
    with postgres.transaction(force_rollback=True):
        postgres.execute(f"drop extension if exists {name} cascade")
        refused = pytest.raises(psycopg.errors.FeatureNotSupported, match="must be installed in schema")
        with refused, postgres.transaction():
            postgres.execute(f"create extension {name} with schema extensions")
        postgres.execute("select set_config('search_path', '', true)")
        postgres.execute(f'create extension if not exists "{name}"')
        assert is_installed(postgres, name)


@pytest.mark.parametrize("name", ["uuid-ossp", "pgcrypto", "pg_stat_statements"])
def test_what_is_there_from_the_beginning_may_be_asked_for(postgres: Connection, name: str) -> None:
    assert is_installed(postgres, name)
    postgres.execute(f'create extension if not exists "{name}" with schema extensions')


@pytest.mark.parametrize("name", sorted(declared().versions))
def test_a_version_that_dumps_name_can_be_asked_for(postgres: Connection, name: str) -> None:
    with postgres.transaction(force_rollback=True):
        postgres.execute(f"drop extension if exists {name} cascade")
        version, schema = declared().versions[name][0], "" if name in FIXED else "schema extensions"
        postgres.execute(f"create extension {name} with {schema} version '{version}' cascade")
        postgres.execute(f"alter extension {name} update")


def test_statements_are_counted_in_little_memory(postgres: Connection) -> None:
    names = ("pg_stat_statements.max", "wal_buffers")
    found = [postgres.execute("select current_setting(%s)", (name,)).fetchone() for name in names]
    assert found == [("1000",), ("256kB",)]


def test_servers_are_made_with_the_foreign_data_wrapper(postgres: Connection) -> None:
    with postgres.transaction(force_rollback=True):
        postgres.execute("create extension if not exists postgres_fdw with schema extensions")
        postgres.execute("create server other foreign data wrapper postgres_fdw options (host 'other.test')")
        postgres.execute("create user mapping for postgres server other options (user 'x', password 'y')")
        postgres.execute("create foreign table public.far (id integer) server other")


@pytest.mark.parametrize("name", ["file_fdw", "pg_buffercache", "adminpack"])
def test_what_the_image_refuses_is_refused(postgres: Connection, name: str) -> None:
    with pytest.raises((psycopg.errors.InsufficientPrivilege, psycopg.errors.FeatureNotSupported)):
        postgres.execute(f"create extension {name}")


def test_an_extension_that_is_not_to_be_had_is_named(postgres: Connection) -> None:
    with pytest.raises(psycopg.errors.FeatureNotSupported, match='extension "postgis" is not available'):
        postgres.execute("create extension postgis")
