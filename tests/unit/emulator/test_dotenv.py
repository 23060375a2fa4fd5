"""The grammar of .env files, of a project and of its functions."""

import pytest

from emulator.dotenv import DotenvError, parse_dotenv


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param("A=1\nexport B = two # said\n\n# no\nC: 3", {"A": "1", "B": "two", "C": "3"}, id="plain"),
        pytest.param("A='a b # $B'\nB=\"x\\ny\"", {"A": "a b # $B", "B": "x\ny"}, id="quoted"),
        pytest.param('A="one\ntwo" # after\nB=2', {"A": "one\ntwo", "B": "2"}, id="lines"),
        pytest.param("A=1\nB=${A}$A-$NONE", {"A": "1", "B": "11-"}, id="references"),
        pytest.param("\ufeffA=\r\nB=x#y\r\n", {"A": "", "B": "x#y"}, id="windows"),
        pytest.param("", {}, id="empty"),
    ],
)
def test_a_file_is_read(text: str, want: dict[str, str]) -> None:
    assert parse_dotenv(text) == want


@pytest.mark.parametrize(
    ("text", "said"),
    [("A-B=1", "unexpected character '-'"), ("=1", "unexpected character '='"), ("A", r"unexpected character '\\n'"),
     ("A='x", "unterminated quoted value")],
)  # fmt: skip
def test_a_broken_file_is_refused_in_godotenvs_words(text: str, said: str) -> None:
    with pytest.raises(DotenvError, match=said):
        parse_dotenv(text)
