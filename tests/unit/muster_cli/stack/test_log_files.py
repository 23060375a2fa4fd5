"""Logs have a bound, whoever writes them, and never lose their newest lines."""

from pathlib import Path

import pytest

from muster_cli.stack import log_files
from muster_cli.stack.log_files import KEPT, rotate_all


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(log_files, "MAX_BYTES", 100)
    return tmp_path / "muster.log"


def test_a_writer_goes_on_in_the_emptied_file(log: Path) -> None:
    with log.open("ab", buffering=0) as writing:
        for turn in range(KEPT + 3):
            writing.write(b"%d" % turn + b"x" * 100 + b"\n")
            rotate_all(log.parent)
        writing.write(b"the last word\n")
    assert log.read_text() == "the last word\n"
    older = sorted(log.parent.glob("muster.log.*"))
    assert [file.name for file in older] == [f"muster.log.{number}" for number in range(1, KEPT + 1)]
    assert [file.read_text()[0] for file in older] == [str(KEPT + 2 - number) for number in range(KEPT)]


def test_a_small_log_stays(log: Path) -> None:
    log.write_text("x" * 100)
    rotate_all(log.parent)
    assert [file.name for file in log.parent.iterdir()] == ["muster.log"]


def test_without_room_for_the_copy_the_log_is_emptied(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_source: Path, target: Path) -> None:
        target.write_text("half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shutil.copyfile", full)
    log.write_text("x" * 101)
    rotate_all(log.parent)
    assert [(file.name, file.stat().st_size) for file in log.parent.iterdir()] == [("muster.log", 0)]
