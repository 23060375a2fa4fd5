"""Fixtures of the SQL tests: the world of the access matrix, to which every test goes back."""

from collections.abc import Iterator

import psycopg
import pytest

from muster_product.database.policies import make_world
from tests.support.postgres import Database


@pytest.fixture(scope="module")
def superuser(module_database: Database) -> Iterator[psycopg.Connection]:
    """A superuser's connection: a new one for each test would read the catalog and compile every function again."""
    with psycopg.connect(module_database.dsn("supabase_admin")) as connection:
        yield connection
        connection.rollback()


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
