"""Databases for projects: bootstrapped, with the services' schemas, and without a project."""

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from emulator.db.bootstrap import apply_bootstrap
from emulator.db.cluster import Cluster
from emulator.schemas import migrate_services
from tests.support.postgres import Database, create_database, drop_database


@pytest.fixture(scope="session")
def platform(cluster: Cluster) -> Database:
    """A bootstrapped database without a project; tests leave nothing in it."""
    made = create_database(cluster, "template0")
    with psycopg.connect(made.dsn("supabase_admin"), autocommit=True) as connection:
        apply_bootstrap(connection, cluster.password)
        migrate_services(connection)
    return made


@pytest.fixture
def project_database(cluster: Cluster, platform: Database) -> Iterator[Database]:
    """A copy of it for one test's project."""
    made = create_database(cluster, platform.name)
    with psycopg.connect(cluster.dsn(), autocommit=True) as connection:
        connection.execute(sql.SQL("alter database {} owner to postgres").format(sql.Identifier(made.name)))
    yield made
    drop_database(made)


@pytest.fixture
def supabase(tmp_path: Path) -> Path:
    """The `supabase` folder of an empty project."""
    folder = tmp_path / "supabase"
    (folder / "migrations").mkdir(parents=True)
    return folder
