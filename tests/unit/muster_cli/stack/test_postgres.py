"""PostgreSQL is started again when it dies: given up when it keeps dying, but never for want of space."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from emulator.db.binaries import Binaries
from emulator.db.cluster import Cluster, ClusterError
from muster_cli.stack import postgres
from muster_cli.stack.postgres import RESTARTS, keep_running


class Process:
    """A server that has ended."""

    returncode = 1

    def poll(self) -> int:
        return self.returncode


class Dying(Cluster):
    """A cluster whose starts go as a script says: None works, a text is the failure."""

    def play(self, script: list[str | None], *, has_space: Iterator[bool]) -> None:
        self.script, self.has_space, self.starts = script, has_space, 0
        self.process = Process()  # type: ignore[assignment]

    def start(self, timeout_s: float = 60.0) -> None:  # noqa: ARG002
        self.starts += 1
        outcome = self.script.pop(0)
        if outcome is not None:
            raise ClusterError(outcome)
        self.process = None  # as if it had been stopped on purpose: the loop ends

    def ended_for_space(self) -> bool:
        return not next(self.has_space)


@pytest.fixture
def cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Dying:
    monkeypatch.setattr(postgres, "PAUSE_S", 0.0)
    monkeypatch.setattr(postgres, "SPACE_PAUSE_S", 0.0)
    return Dying(Binaries(tmp_path, "17.1"), tmp_path / "data", tmp_path, 1, "", tmp_path / "postgres.log")


async def test_who_keeps_dying_is_given_up(cluster: Dying) -> None:
    cluster.play(["broken"] * RESTARTS, has_space=iter([True] * 99))
    with pytest.raises(ClusterError, match=f"died {RESTARTS} times"):
        await keep_running(cluster)
    assert cluster.starts == RESTARTS - 1


async def test_a_full_disk_is_waited_for(cluster: Dying) -> None:
    """However long it takes; then it goes on as if nothing had been."""
    cluster.play(["the disk is full"] * 40 + [None], has_space=iter([False] * 41 + [True] * 9))
    await keep_running(cluster)
    assert cluster.starts == 41


@pytest.mark.parametrize(
    ("log", "free", "want"),
    [
        ("PANIC:  could not write to file: No space left on device", 10**9, True),
        ("LOG:  terminated by signal 9", 10**9, False),
        ("LOG:  terminated by signal 9", 10**6, True),
    ],
)
def test_want_of_space_is_told_by_the_log_or_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, log: str, free: int, want: bool
) -> None:
    """The log may be on the full disk itself."""
    monkeypatch.setattr("shutil.disk_usage", lambda _: (10**10, 10**10 - free, free))
    made = Cluster(Binaries(tmp_path, "17.1"), tmp_path, tmp_path, 1, "", tmp_path / "postgres.log")
    made.log.write_text(f"an older line: No space left on device\n{log}\n")
    made.log_offset = len("an older line: No space left on device\n")
    assert made.ended_for_space() is want
