"""Bodies as Go's encoding/json reads them."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emulator.auth.utilities.go_json import GoJsonError, decode


@dataclass(frozen=True)
class Inner:
    flag: bool = False


@dataclass(frozen=True)
class Params:
    name: str = ""
    maybe: str | None = None
    count: int = 0
    flag: bool = False
    data: dict[str, Any] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    inner: Inner = field(default_factory=Inner)
    anything: Any = None


@pytest.mark.parametrize(
    ("body", "want"),
    [
        (b"{}", Params()),
        (b"null", Params()),
        (b' {"NAME":"x","unknown":{"a":[1]}} ', Params(name="x")),
        (b'{"name":null,"data":null,"inner":null}', Params()),
        (b'{"maybe":""}', Params(maybe="")),
        (b'{"count":3,"flag":true,"names":["a"]}', Params(count=3, flag=True, names=["a"])),
        (b'{"inner":{"flag":true},"anything":[1]}', Params(inner=Inner(True), anything=[1])),
        (b'{"data":{"deep":null}}', Params(data={"deep": None})),
        (b'{"name":"a","name":"b"}', Params(name="b")),
        (b'{"name":"\xff"}', Params(name="\ufffd")),
    ],
)
def test_accepted_bodies(body: bytes, want: Params) -> None:
    assert decode(Params, body) == want


@pytest.mark.parametrize(
    "body",
    [
        b'{"flag":1}', b'{"flag":"true"}', b'{"count":1.5}', b'{"count":true}', b'{"names":[1]}', b'{"names":"a"}',
        b'{"inner":[]}', b'{"data":[]}', b'"x"', b"5", b"tru", b"{}x", b'{"a":1e999}', b'{"a":}',
        b'{"data":{"a":[' + b"0," * 20_000 + b"0]}}",
    ],
)  # fmt: skip
def test_bodies_that_are_not_accepted(body: bytes) -> None:
    with pytest.raises(GoJsonError):
        decode(Params, body)


@given(st.binary(max_size=200))
def test_any_bytes_are_decoded_or_an_error(body: bytes) -> None:
    said = None
    try:
        decode(Params, body)
    except GoJsonError as error:
        said = str(error)
    assert said != ""
