"""Array literals, to and from PostgreSQL."""

import pytest

from emulator.realtime.postgres_changes.array_literals import quote_array, split_array


def test_texts_are_quoted() -> None:
    assert quote_array(['{"sub":"a"}', "back\\slash", "a,b"]) == rb'{"{\"sub\":\"a\"}","back\\slash","a,b"}'
    assert quote_array([]) == b"{}"


@pytest.mark.parametrize(("literal", "want"), [(b"{1,2}", ["1", "2"]), (b"{t}", ["t"]), (b"{}", []), (None, [])])
def test_elements_are_split(literal: bytes | None, want: list[str]) -> None:
    assert split_array(literal) == want
