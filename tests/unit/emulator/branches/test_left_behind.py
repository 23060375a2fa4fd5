"""What nobody uses is named; what the stack itself is dropping is not, however long that takes."""

import asyncio
import threading
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from emulator.branches.databases import Databases, Record
from emulator.branches.registry import Branches, LeftBehind, Main
from emulator.branches.settings import BranchSettings
from emulator.db.copies import StillInUse
from tests.support.patience import PATIENCE_S


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> dict[str, Record]:
    """The databases of a cluster that is not there."""
    found = {name: Record.of("base") for name in ("muster_branch_one", "muster_dropped_used")}

    def retire(_self: Databases, name: str, gone: str) -> bool:
        found[gone] = found.pop(name)
        return True

    monkeypatch.setattr(Databases, "listed", lambda _self: dict(found))
    monkeypatch.setattr(Databases, "drop_unused_slots", lambda _self: None)
    monkeypatch.setattr(Databases, "retire", retire)
    return found


async def test_what_is_being_dropped_is_not_left_behind(
    cluster: dict[str, Record], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    may_end = threading.Event()

    def drop(_self: Databases, name: str) -> None:
        assert may_end.wait(PATIENCE_S)
        if name == "muster_dropped_used":
            raise StillInUse("somebody is in it")
        del cluster[name]

    monkeypatch.setattr(Databases, "drop", drop)
    unused: Any = None
    (tmp_path / "one").mkdir()
    branches = Branches(BranchSettings(), tmp_path, unused, Main(tmp_path, nullcontext), unused)
    await branches.delete("one")
    assert {name[: len("muster_dropped")] for name in cluster} == {"muster_dropped"}
    assert await branches.left_behind() == LeftBehind([], [])
    may_end.set()
    left = LeftBehind([], [])
    async with asyncio.timeout(PATIENCE_S):
        while not left.databases:  # the drops have their turns; the one that fails is named again
            left = await branches.remove_left_behind()
    assert left == LeftBehind(["muster_dropped_used"], [])
    assert set(cluster) == {"muster_dropped_used"}
    await branches.close()
    assert not any(tmp_path.glob("*"))  # noqa: ASYNC240 (an empty folder)
