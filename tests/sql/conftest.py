"""Fixtures of the SQL tests: the world of the access matrix, to which every test goes back."""

from collections.abc import Iterator

import psycopg
import pytest

from emulator.db.cluster import Cluster
from muster_product.database.policies import make_world
from tests.support.postgres import create_database, drop_database


@pytest.fixture(scope="session")
def uncommitted(cluster: Cluster, template: str) -> Iterator[psycopg.Connection]:
    """A superuser's connection, for all modules: with a new one the catalog is read and every function compiled again.

    It has a database of its own, in which nothing is ever committed.
    """
    database = create_database(cluster, template)
    with psycopg.connect(database.dsn("supabase_admin")) as connection:
        yield connection
    drop_database(database)


@pytest.fixture(scope="module")
def superuser(uncommitted: psycopg.Connection) -> Iterator[psycopg.Connection]:
    """The same, in a transaction that ends with the module. What has to be committed takes another database."""
    yield uncommitted
    uncommitted.rollback()


@pytest.fixture(scope="module")
def shared_world(superuser: psycopg.Connection) -> psycopg.Connection:
    """A superuser's connection in a transaction with the rows of muster_product.database.policy_world.

    They are made once for the module, and not committed: other connections neither see them nor can insert their keys.
    """
    make_world(superuser)
    return superuser


@pytest.fixture
def world(shared_world: psycopg.Connection) -> Iterator[psycopg.Connection]:
    """The same, in a savepoint of the test's own."""
    with shared_world.transaction(force_rollback=True):
        yield shared_world
