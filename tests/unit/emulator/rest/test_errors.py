"""The error catalog."""

import inspect

from emulator.errors import ApiError
from emulator.rest import errors
from emulator.rest.response.error_response import error_body


def _every_error() -> list[ApiError]:
    made: list[ApiError] = []
    for name, function in inspect.getmembers(errors, inspect.isfunction):
        if name.startswith("_"):
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
