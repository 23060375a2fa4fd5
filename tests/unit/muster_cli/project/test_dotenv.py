"""The .env files of a project: their order and their grammar."""

from pathlib import Path

import pytest

from muster_cli.output import UserError
from muster_cli.project.dotenv import parse, project_environment

FILE = Path("/project/.env")


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
    assert parse(text, FILE) == want


@pytest.mark.parametrize(
    ("text", "said"),
    [("A-B=1", "unexpected character '-'"), ("=1", "unexpected character '='"), ("A", r"unexpected character '\\n'"),
     ("A='x", "unterminated quoted value")],
)  # fmt: skip
def test_a_broken_file_is_refused_in_the_official_words(text: str, said: str) -> None:
    with pytest.raises(UserError, match=f"failed to parse environment file: {FILE}.*{said}"):
        parse(text, FILE)


def test_the_shell_wins_then_the_most_special_file(tmp_path: Path) -> None:
    (tmp_path / "supabase").mkdir()
    for name, text in {
        ".env": "A=root\nB=root\nC=root\nD=root", "supabase/.env": "A=s\nB=s\nC=s",
        "supabase/.env.development": "A=d\nB=d", "supabase/.env.local": "A=l", "supabase/.env.test": "A=t",
    }.items():  # fmt: skip
        (tmp_path / name).write_text(text)
    found = project_environment(tmp_path, {"E": "shell"})
    assert [found[name] for name in "ABCDE"] == ["l", "d", "s", "root", "shell"]
    assert project_environment(tmp_path, {"A": "shell"})["A"] == "shell"
    assert project_environment(tmp_path, {"SUPABASE_ENV": "test"})["A"] == "t"


def test_a_file_of_other_bytes_is_one_line(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"A=\xff")
    with pytest.raises(UserError, match="no UTF-8"):
        project_environment(tmp_path, {})
