"""A connection to a stack's database; its errors become one line instead of a traceback."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

from muster_cli.output import UserError


@contextmanager
def connect(url: str) -> Iterator["psycopg.Connection[tuple[Any, ...]]"]:
    """An autocommit connection for a block. Errors of PostgreSQL in the block become a UserError, too."""
    try:
        with psycopg.connect(url, autocommit=True, connect_timeout=10, application_name="muster") as connection:
            yield connection
    except psycopg.OperationalError as error:
        raise UserError(f"the database does not answer: {one_line(error)}") from error
    except psycopg.Error as error:
        raise UserError(f"the database refused: {one_line(error)}") from error


def one_line(error: psycopg.Error) -> str:
    """The message of a PostgreSQL error, without its context."""
    return (error.diag.message_primary or str(error)).strip().splitlines()[-1]
