"""The journal of requests that began to be sent: what is believed of it after a crash."""

from pathlib import Path

import pytest

from emulator.platform.net import journal
from emulator.platform.net.journal import Journal


@pytest.fixture(autouse=True)
def boot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The machine's boot, in a file that a test may change."""
    file = tmp_path / "boot"
    file.write_text("first\n")
    monkeypatch.setattr(journal, "_BOOT", file)
    return file


def noted(path: Path, *numbers: int) -> None:
    """What a process leaves that was killed."""
    writing = Journal(path)
    writing.reset()
    for number in numbers:
        writing.note(number)
    writing.close()


def test_what_was_noted_is_read_by_the_next_process(tmp_path: Path) -> None:
    noted(tmp_path / "j", 1, 2**40, 3)
    assert Journal(tmp_path / "j").read() == frozenset({1, 2**40, 3})


def test_nothing_is_known_without_a_file_or_a_place(tmp_path: Path) -> None:
    assert Journal(tmp_path / "none").read() is None
    nowhere = Journal(None)
    nowhere.reset()
    nowhere.note(1)
    assert nowhere.read() is None


def test_nothing_is_known_after_the_machine_was_started_again(tmp_path: Path, boot: Path) -> None:
    noted(tmp_path / "j", 1)
    boot.write_text("second\n")
    assert Journal(tmp_path / "j").read() is None


def test_a_number_that_was_cut_off_is_left_out(tmp_path: Path) -> None:
    noted(tmp_path / "j", 1, 2)
    content = (tmp_path / "j").read_bytes()
    (tmp_path / "j").write_bytes(content[:-3])
    assert Journal(tmp_path / "j").read() == frozenset({1})


def test_the_file_is_ours_alone(tmp_path: Path) -> None:
    noted(tmp_path / "j", 1)
    assert (tmp_path / "j").stat().st_mode & 0o077 == 0
