"""The HTTP status of an SQLSTATE."""

import pytest

from emulator.rest.response.sqlstate import http_status


@pytest.mark.parametrize(
    ("sqlstate", "message", "anonymous", "status"),
    [
        ("42501", "", True, 401),
        ("42501", "", False, 403),
        ("42883", "", False, 404),
        ("42P01", "", False, 404),
        ("42883", "function xmlagg(x)", False, 406),
        ("23505", "", False, 409),
        ("23502", "", False, 400),
        ("25006", "", False, 405),
        ("25P02", "", False, 500),
        ("57014", "", False, 500),
        ("57P01", "", False, 503),
        ("53300", "", False, 503),
        ("53400", "", False, 500),
        ("40001", "", False, 500),
        ("21000", "x", False, 500),
        ("21000", "DELETE requires a WHERE clause", False, 400),
        ("22023", 'role "x" does not exist', False, 401),
        ("22P02", "", False, 400),
        ("P0001", "", False, 400),
        ("P0002", "", False, 500),
        ("PT418", "", False, 418),
        ("PTxyz", "", False, 500),
        ("08006", "", False, 503),
        ("XX000", "", False, 500),
        ("28000", "", False, 403),
    ],
)
def test_sqlstate_maps_to_http_status(sqlstate: str, message: str, anonymous: bool, status: int) -> None:
    assert http_status(sqlstate, message, is_anonymous=anonymous) == status
