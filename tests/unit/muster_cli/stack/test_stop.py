"""Ending a home's processes and deleting it: only what is a stack's, and everything of it."""

import subprocess
import sys
from pathlib import Path

import pytest

from muster_cli.output import UserError
from muster_cli.stack.home import Home
from muster_cli.stack.stop import destroy, folders, stop

HOLD = """
import sys
from pathlib import Path
from muster_cli.stack.home import Home
with Home(Path(sys.argv[1])).locked():
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "home")
    made.prepare()
    return made


@pytest.mark.parametrize("state", ["", "{", '{"pid": 1}'])
def test_a_stack_with_a_damaged_state_file_is_found_by_its_lock(home: Home, state: str) -> None:
    holding = subprocess.Popen(
        [sys.executable, "-c", HOLD, home.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with holding:
        assert holding.stdout is not None
        assert holding.stdout.readline() == "held\n"
        home.state_file.write_text(state)
        assert home.running() is None
        assert home.holder() == holding.pid
        assert stop(home) is True
    assert home.holder() is None
    assert stop(home) is False


def test_what_is_no_home_is_never_deleted(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    for foreign in (tmp_path, tmp_path / "missing"):
        with pytest.raises(UserError, match="not a stack's state folder"):
            destroy(Home(foreign))
    assert (tmp_path / "thesis.tex").exists()


def test_all_of_a_home_goes(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("muster_cli.stack.stop.ROOT_HOMES", tmp_path / "var")
    outside = tmp_path / "var" / "home-1a2b"
    (outside / "data").mkdir(parents=True)
    (home.path / "postgres-lies-in").write_text(f"{outside}\n")
    assert folders(home) == [home.path, outside]
    destroy(home)
    assert not home.path.exists()
    assert not outside.exists()


def test_a_note_that_points_elsewhere_deletes_nothing_there(home: Home, tmp_path: Path) -> None:
    (tmp_path / "photos" / "data").mkdir(parents=True)
    (home.path / "postgres-lies-in").write_text(f"{tmp_path / 'photos'}\n")
    destroy(home)
    assert (tmp_path / "photos" / "data").exists()
