"""The process that reads large bodies: what it answers, and that it keeps none of them."""

import gc

import pytest

from emulator.rest.api_request.payload import BodyKind
from emulator.rest.body_worker import answer


@pytest.mark.parametrize(
    ("body", "message"),
    [
        pytest.param(b'[{"a":1},{}]', "All object keys must match", id="uneven"),
        pytest.param(b'[{"a":1},!]', "Empty or invalid json", id="no-json"),
        pytest.param(b'{"a":\xff}', "Empty or invalid json", id="no-text"),
    ],
)
def test_a_refused_body_is_forgotten_at_once(body: bytes, message: str) -> None:
    gc.collect()
    gc.disable()  # a cycle would hold the body until the next collection, which large bodies don't bring about
    try:
        head, content = answer(BodyKind("application/json", False, False), body)
        assert gc.collect() == 0
    finally:
        gc.enable()
    assert (head, content) == ({"error": [400, "PGRST102", message]}, b"")


def test_a_body_is_passed_on_as_it_is() -> None:
    head, content = answer(BodyKind("application/json", False, False), b'[{"a":1},{"a":2}]')
    assert (head["payload"]["keys"], head["payload"]["is_array"], head["size"], content) == (("a",), True, None, b"")
