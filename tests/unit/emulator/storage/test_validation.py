"""Which values are taken for another type, and what a refusal says."""

from typing import Any

import pytest

from emulator.storage.errors import StorageError
from emulator.storage.wire.validation import Schema, flag, integer, number, one_of, size_limit, text, texts

SCHEMA = Schema(
    {
        "text": text,
        "flag": flag,
        "whole": integer(1),
        "number": number(),
        "word": one_of("a", "b"),
        "list": texts(least=1),
    }
)


@pytest.mark.parametrize(
    ("given", "want"),
    [
        ({"text": 5}, {"text": "5"}),
        ({"text": None}, {"text": ""}),
        ({"text": ["x"]}, {"text": "x"}),
        ({"flag": "true"}, {"flag": True}),
        ({"flag": None}, {"flag": False}),
        ({"whole": "60"}, {"whole": 60}),
        ({"whole": "1e3"}, {"whole": 1000}),
        ({"whole": True}, {"whole": 1}),
        ({"list": "x"}, {"list": ["x"]}),
        ({"unknown": 1}, {}),
    ],
)
def test_values_are_converted(given: dict[str, Any], want: dict[str, Any]) -> None:
    assert SCHEMA.read(given, "body") == want


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "body must be object"),
        ({"text": {}}, "body/text must be string"),
        ({"flag": "yes"}, "body/flag must be boolean"),
        ({"whole": "x"}, "body/whole must be integer"),
        ({"whole": 1.5}, "body/whole must be integer"),
        ({"whole": 0}, "body/whole must be >= 1"),
        ({"whole": 10**20}, "body/whole must be <= 9007199254740991"),
        ({"number": []}, "body/number must be number"),
        ({"word": None}, "body/word must be equal to one of the allowed values"),
        ({"list": []}, "body/list must NOT have fewer than 1 items"),
        ({"list": [{}]}, "body/list/0 must be string"),
    ],
)
def test_refusals(given: Any, message: str) -> None:
    with pytest.raises(StorageError) as refused:
        SCHEMA.read(given, "body")
    assert refused.value.message == message


def test_what_has_to_be_there() -> None:
    with pytest.raises(StorageError, match="body must have required property 'a'"):
        Schema({"a": text}, required=("a",)).read({}, "body")
    with pytest.raises(StorageError, match="fewer than 1 properties"):
        Schema({"a": text}, one_of=("a",)).read({}, "body")
    with pytest.raises(StorageError, match="must match a schema in anyOf"):
        Schema({"a": text}, one_of=("a",)).read({"b": 1}, "body")


@pytest.mark.parametrize(("given", "want"), [("", None), (None, None), (True, 1), ("20MB", "20MB"), ("30", 30)])
def test_size_limits(given: Any, want: Any) -> None:
    assert size_limit(given, "body/size") == want
