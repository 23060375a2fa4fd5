"""Fixtures of the SQL tests: the world of the access matrix, in a transaction that is rolled back."""

from collections.abc import Iterator

import psycopg
import pytest

from muster_product.database.policies import make_world
from tests.support.postgres import Database


@pytest.fixture
def world(module_database: Database) -> Iterator[psycopg.Connection]:
    """A superuser's connection in a transaction with the rows of muster_product.database.policy_world."""
    with psycopg.connect(module_database.dsn("supabase_admin")) as connection:
        make_world(connection)
        yield connection
        connection.rollback()
