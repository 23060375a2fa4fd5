"""The .env files of a project: their order."""

from pathlib import Path

import pytest

from muster_cli.output import UserError
from muster_cli.project.dotenv import project_environment


def test_a_broken_file_is_refused_in_the_official_words(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("A-B=1")
    said = f"failed to parse environment file: {tmp_path}/.env (unexpected character '-' in variable name)"
    with pytest.raises(UserError) as caught:
        project_environment(tmp_path, {})
    assert str(caught.value) == said


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
    with pytest.raises(UserError, match="not UTF-8"):
        project_environment(tmp_path, {})
