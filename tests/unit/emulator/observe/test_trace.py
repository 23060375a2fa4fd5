"""Request ids: which are kept and which are made."""

import pytest

from emulator.observe import trace


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        pytest.param(b"7f3a", True, id="short"),
        pytest.param(b"0194f3c2-6a1e-7b5c-8d2f-0a1b2c3d4e5f", True, id="uuid"),
        pytest.param(b"Root=1-67891233-abcdef012345678912345678", True, id="a load balancer's"),
        pytest.param(b"a" * 128, True, id="as long as may be"),
        pytest.param(None, False, id="none"),
        pytest.param(b"", False, id="empty"),
        pytest.param(b"a" * 129, False, id="too long"),
        pytest.param(b"a b", False, id="blank"),
        pytest.param(b"a\r\nSet-Cookie: x=1", False, id="line end"),
        pytest.param(b'a"}{', False, id="quotes"),
        pytest.param("é".encode(), False, id="not ASCII"),
        pytest.param(b"\x1b[31m", False, id="terminal"),
        pytest.param(b"-rf", False, id="an option"),
    ],
)
def test_an_id_is_kept_only_if_it_is_safe(value: bytes | None, kept: bool) -> None:
    found = trace.read(value)
    assert (found is not None) is kept
    if found is not None:
        assert found.id.encode() == value
        assert found.is_given


def test_ids_that_we_make_are_never_the_same() -> None:
    made = {trace.make().id for _ in range(1000)}
    assert len(made) == 1000
    assert all(trace.read(one.encode()) for one in made)


def test_sql_is_named_only_for_a_request_that_brought_its_id() -> None:
    before = trace.current.set(trace.Trace("7f3a" * 30, True))
    try:
        name = trace.application_name("rest")
        assert name is not None
        assert name.startswith("rest 7f3a")
        assert len(name) == 63
        trace.current.set(trace.make())
        assert trace.application_name("rest") is None
    finally:
        trace.current.reset(before)
