"""A database as a local project has it, and connections to it as its roles."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import psycopg
import pytest

from tests.support.postgres import Database

Connection = psycopg.Connection[tuple[object, ...]]
Connect = Callable[[str], Connection]


@pytest.fixture(scope="module")
def connect(module_database: Database) -> Iterator[Connect]:
    """Connect as a role; every connection is closed at the end of the module."""
    with ExitStack() as stack:
        yield lambda role: stack.enter_context(psycopg.connect(module_database.dsn(role), autocommit=True))


@pytest.fixture(scope="module")
def postgres(connect: Connect) -> Connection:
    """The role of migrations, no superuser."""
    return connect("postgres")
