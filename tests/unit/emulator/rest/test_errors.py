"""The error catalog, and the HTTP status of an SQLSTATE."""

import inspect

import pytest

from emulator.errors import ApiError
from emulator.rest import errors
from emulator.rest.response.error_response import error_body


def _every_error() -> list[ApiError]:
    made: list[ApiError] = []
    for name, function in inspect.getmembers(errors, inspect.isfunction):
        if name.startswith("_") or name == "status_of":
            continue
        kinds = [parameter.annotation for parameter in inspect.signature(function).parameters.values()]
        made.append(
            function(
                *(
                    1 if kind is int else ["a"] if "Sequence" in str(kind) else [] if "list" in str(kind) else "a"
                    for kind in kinds
                )
            )
        )
    return made


def test_every_error_has_a_code_and_a_status() -> None:
    catalog = _every_error()
    assert len(catalog) > 35
    for error in catalog:
        assert error.code.startswith("PGRST") or error.code == "22021"
        assert 300 <= error.status <= 504
        assert error_body(error).startswith(b'{"code":')


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
    assert errors.status_of(sqlstate, message, is_anonymous=anonymous) == status
