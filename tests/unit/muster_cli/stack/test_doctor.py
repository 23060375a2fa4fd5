"""What the doctor sees of a home without starting anything."""

import os
from pathlib import Path

import pytest

from emulator.db.binaries import embedded_binaries
from muster_cli.findings import Finding
from muster_cli.stack import doctor
from muster_cli.stack.home import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "home")
    made.prepare()
    return made


def found(home: Home) -> dict[str, Finding]:
    return {finding.what: finding for finding in doctor.examine(home, 1)}


@pytest.mark.parametrize("content", ["", "{", '{"jwt_secret": "x"}'])
def test_damaged_secrets_are_a_problem(home: Home, content: str) -> None:
    (home.path / "secrets.json").write_text(content)
    finding = found(home)["Secrets"]
    assert finding.level == "problem"
    assert str(home.path / "secrets.json") in finding.said


def test_a_folder_that_can_not_be_made_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    finding = found(Home(tmp_path / "file" / "home"))["State folder"]
    assert finding.level == "problem"
    assert found(Home(tmp_path / "later"))["State folder"].level == "ok"


def test_data_of_another_version_are_a_problem(home: Home) -> None:
    data = home.path / "postgres" / "data"
    data.mkdir(parents=True)
    (data / "PG_VERSION").write_text("99\n")
    finding = found(home)["Data"]
    assert finding.level == "problem"
    assert "belongs to PostgreSQL 99" in finding.said


def test_a_server_that_was_left_behind_is_named(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    data = home.path / "postgres" / "data"
    data.mkdir(parents=True)
    (data / "PG_VERSION").write_text(f"{embedded_binaries().major}\n")
    monkeypatch.setattr(doctor, "find_server", lambda _: os.getpid())
    finding = found(home)["Data"]
    assert (finding.level, finding.remedy[:13]) == ("warning", "./muster down")


def test_a_home_that_a_process_holds_without_a_state_is_named(home: Home) -> None:
    home.state_file.write_text("{")
    with home.locked():
        assert f"process {os.getpid()} has it" in found(home)["Stack"].said
