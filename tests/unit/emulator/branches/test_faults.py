"""Which request meets which fault."""

from typing import Any

import pytest

from emulator.branches.faults import MOST, NEW, Fault, Faults
from emulator.errors import ApiError


def met(faults: Faults, *requests: tuple[str, str]) -> list[int]:
    return [fault.status if (fault := faults.take(*request)) is not None else 0 for request in requests]


GET, POST = ("GET", "/rest/v1/notes"), ("POST", "/rest/v1/notes")


@pytest.mark.parametrize(
    ("fault", "requests", "want"),
    [
        pytest.param({"status": 500}, [GET, GET], [500, 0], id="the first"),
        pytest.param({"status": 500, "nth": 2}, [GET, GET, GET], [0, 500, 0], id="the second"),
        pytest.param({"status": 500, "nth": 2, "times": 2}, [GET] * 4, [0, 500, 500, 0], id="two of them"),
        pytest.param({"status": 500, "method": "post"}, [GET, POST], [0, 500], id="of a method"),
        pytest.param({"status": 500, "path": "/auth/*"}, [GET, GET], [0, 0], id="of another path"),
        pytest.param({"status": 500, "path": "/rest/v1/no*"}, [GET, GET], [500, 0], id="of a pattern"),
    ],
)
def test_the_nth_matching_request_meets_it(
    fault: dict[str, Any], requests: list[tuple[str, str]], want: list[int]
) -> None:
    faults = Faults()
    faults.add(Fault.read(fault))
    assert met(faults, *requests) == want


def test_websockets_and_requests_are_counted_apart() -> None:
    faults = Faults()
    faults.add(Fault.read({"status": 503, "websocket": "new"}))
    assert met(faults, GET) == [0]
    fault = faults.take(*GET, NEW)
    assert fault is not None
    assert fault.status == 503
    assert not faults


def test_the_first_of_two_is_met_and_both_count() -> None:
    faults = Faults()
    faults.add(Fault.read({"status": 500}))
    faults.add(Fault.read({"status": 501, "nth": 2}))
    assert met(faults, GET, GET, GET) == [500, 501, 0]
    assert not faults


@pytest.mark.parametrize(
    "fault",
    [
        {},
        {"status": 99},
        {"status": 600},
        {"status": "500"},
        {"status": True},
        {"nth": 0, "drop": True},
        {"times": 0, "drop": True},
        {"delay_ms": -1},
        {"delay_ms": 10**9},
        {"path": 1, "drop": True},
        {"seen": 1, "drop": True},
        {"unknown": 1},
        {"close": 1011},
        {"close": 1011, "websocket": "some"},
        {"close": 999, "websocket": "open"},
        {"close": 1006, "websocket": "open"},  # never sent
        {"close": 70_000, "websocket": "new"},
        {"status": 503, "websocket": "open"},
        {"status": 200, "websocket": "new"},
        {"websocket": "new"},
    ],
)
def test_what_is_no_fault_is_refused(fault: dict[str, Any]) -> None:
    with pytest.raises(ApiError) as refused:
        Fault.read(fault)
    assert refused.value.status == 400


def test_there_is_an_end_to_them() -> None:
    faults = Faults()
    for _ in range(MOST):
        faults.add(Fault.read({"status": 500}))
    with pytest.raises(ApiError):
        faults.add(Fault.read({"status": 500}))
    faults.clear()
    assert met(faults, GET) == [0]
