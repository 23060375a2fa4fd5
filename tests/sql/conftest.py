"""Fixtures of the SQL tests: the world of the access matrix, in a transaction that is rolled back."""

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


@pytest.fixture
def world(superuser: psycopg.Connection) -> Iterator[psycopg.Connection]:
    """A superuser's connection in a transaction with the rows of muster_product.database.policy_world."""
    make_world(superuser)
    yield superuser
    superuser.rollback()
