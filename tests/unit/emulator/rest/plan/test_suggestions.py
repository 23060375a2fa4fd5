"""The known name that an error suggests for an unknown one."""

import pytest

from emulator.rest.plan.suggestions import suggest


@pytest.mark.parametrize(
    ("word", "known", "min_similarity", "want"),
    [
        pytest.param("sayhell", ["sayhello", "saygoodbye"], 0.75, "sayhello", id="similar"),
        pytest.param("sayh", ["sayhello"], 0.75, None, id="not similar enough"),
        pytest.param("FOO", ["bar", "Foo"], 0.75, "Foo", id="case is ignored"),
        pytest.param("(a, b)", ["(x, y)"], 0.33, "(x, y)", id="comma and blank count"),
        pytest.param("a_b", ["c_d"], 0.33, None, id="underscores do not"),
        pytest.param("abcd", ["abce", "abcf"], 0.33, "abce", id="the first of equals"),
        pytest.param("", ["a"], 0.33, None, id="nothing"),
        pytest.param("users" * 12_000, ["users"] * 400, 0.33, None, id="a word too long to be a name"),
    ],
)
def test_a_similar_name_is_suggested(word: str, known: list[str], min_similarity: float, want: str | None) -> None:
    assert suggest(word, known, min_similarity) == want
