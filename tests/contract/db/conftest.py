"""Databases for projects: bootstrapped, with the services' schemas, and without a project."""

from pathlib import Path

import psycopg
import pytest

from emulator.db.bootstrap import own_database
from emulator.db.cluster import Cluster
from tests.support.postgres import Database, create_database


@pytest.fixture
def project_database(cluster: Cluster, platform: Database) -> Database:
    """A copy of it for one test's project; it goes with the cluster."""
    return _copied(cluster, platform)


@pytest.fixture(scope="module")
def refusing_database(cluster: Cluster, platform: Database) -> Database:
    """A copy of it for the projects of a module that fail, and so leave nothing in it."""
    return _copied(cluster, platform)


def _copied(cluster: Cluster, platform: Database) -> Database:
    made = create_database(cluster, platform.name)
    with psycopg.connect(cluster.dsn(), autocommit=True) as connection:
        own_database(connection, made.name)
    return made


@pytest.fixture
def supabase(tmp_path: Path) -> Path:
    """The `supabase` folder of an empty project."""
    folder = tmp_path / "supabase"
    (folder / "migrations").mkdir(parents=True)
    return folder
