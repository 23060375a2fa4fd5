"""One home is one stack: a second start is refused, a dead one leaves no claim."""

import os
from pathlib import Path

import pytest

from muster_cli.output import UserError
from muster_cli.stack.home import LONGEST_SOCKET_PATH, Home, RunState

STATE = RunState(os.getpid(), 1, 2, 3, "http://127.0.0.1:1", "embedded", "2026-01-01T00:00:00+00:00")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "a home")
    made.prepare()
    return made


def test_a_stack_is_running_while_its_lock_is_held(home: Home) -> None:
    with home.locked():
        home.write_state(STATE)
        assert home.running() == STATE
    assert home.running() is None, "a state file without its process is stale"


def test_a_second_start_is_refused(home: Home) -> None:
    with home.locked(), pytest.raises(UserError, match="already running"), Home(home.path).locked():
        pass


@pytest.mark.parametrize("text", ["", "{", "[]", '{"pid": 1}', "null"])
def test_a_broken_state_file_is_no_stack(home: Home, text: str) -> None:
    home.state_file.write_text(text)
    with home.locked():
        assert home.running() is None


def test_the_socket_folder_is_short_enough_for_the_kernel(tmp_path: Path) -> None:
    deep = tmp_path / ("x" * 60) / ("y" * 60)
    assert len(os.fsencode(Home(deep).socket_folder(deep))) <= LONGEST_SOCKET_PATH


def test_the_home_is_for_us_alone(home: Home) -> None:
    assert home.path.stat().st_mode & 0o077 == 0
