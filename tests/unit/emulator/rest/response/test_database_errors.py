"""Errors of PostgreSQL and of the connection, as PostgREST reports them."""

import pytest

from emulator.db.statement import ConnectionFailed, ConnectionLost, PoolTimeout, StatementError
from emulator.rest.response.database_errors import to_api_error


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (PoolTimeout(), "PGRST003"),
        (ConnectionFailed("x"), "PGRST000"),
        (ConnectionLost("x"), "PGRST001"),
        (StatementError({"sqlstate": "PGRST", "message_primary": "no json"}), "PGRST121"),
        (StatementError({"sqlstate": "PGRST", "message_primary": '{"code":"a","message":"b"}'}), "PGRST121"),
        (
            StatementError(
                {
                    "sqlstate": "PGRST",
                    "message_primary": '{"code":"a","message":"b"}',
                    "message_detail": '{"status":402,"headers":{"X":"y"}}',
                }
            ),
            "a",
        ),
    ],
)
def test_database_errors_are_translated(error: Exception, code: str) -> None:
    assert to_api_error(error, is_anonymous=False)[0].code == code
