"""People's mistakes: one line and an exit code, and never another stack than the one that was named."""

import sys
from pathlib import Path

import pytest

from muster_cli.main import main, muster_version


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """The exit code of a command line."""
    monkeypatch.setattr(sys, "argv", ["muster", *arguments])
    try:
        return main()
    except SystemExit as end:
        return int(end.code or 0)


@pytest.mark.parametrize("name", ["bogus", "container", "https://muster.example", ""])
@pytest.mark.parametrize(
    "command", [["down"], ["restart"], ["logs"], ["keys", "show"], ["keys", "rotate"], ["up"], ["destroy", "--yes"]]
)
def test_a_stack_that_is_not_there_is_never_another_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, command: list[str], name: str
) -> None:
    assert run(monkeypatch, *command, "--stack", name, "--home", str(tmp_path)) == 2
    printed = capsys.readouterr()
    assert f"--stack is emulator or containers here, not {name!r}" in printed.err
    assert printed.out == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["up", "--public-url", "https://muster.example"], 1, "set SMTP_HOST to a mail server"),
        (["up", "--detach", "--host", "0.0.0.0"], 1, "set SMTP_HOST to a mail server"),
        (["up", "--public-url", "ftp://x"], 2, "--public-url must be an origin"),
        (["up", "--postgres", "bogus"], 2, "--postgres is embedded or system"),
        (["up", "--variables-file", "/nonexistent"], 2, "/nonexistent"),
        (["destroy", "--yes"], 1, "is not a stack's state folder"),
    ],
)
def test_a_mistake_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, arguments: list[str],
    code: int, says: str,
) -> None:  # fmt: skip
    monkeypatch.delenv("SMTP_HOST", raising=False)
    assert run(monkeypatch, *arguments, "--home", str(tmp_path)) == code
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert says in line


@pytest.mark.parametrize("content", ["", "{", "[]", '{"jwt_secret": "x"}', '{"unknown": 1}'])
def test_damaged_secrets_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, content: str
) -> None:
    (tmp_path / "secrets.json").write_text(content)
    assert run(monkeypatch, "keys", "show", "--home", str(tmp_path)) == 1
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert line.startswith(f"muster: {tmp_path / 'secrets.json'} is damaged")
    assert (tmp_path / "secrets.json").read_text() == content


def test_what_the_system_refuses_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "secrets.json").mkdir()
    assert run(monkeypatch, "keys", "show", "--home", str(tmp_path)) == 1
    assert capsys.readouterr().err.strip() == f"muster: {tmp_path / 'secrets.json'}: Is a directory"


def test_the_version(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(monkeypatch, "--version") == 0
    assert capsys.readouterr().out.strip() == f"muster {muster_version()}"
