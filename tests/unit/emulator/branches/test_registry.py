"""Which branches are open at once."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from emulator.asgi.types import Receive, Scope, Send
from emulator.branches.base import Source
from emulator.branches.databases import Databases, Record
from emulator.branches.registry import Branches, Main
from emulator.branches.settings import BranchSettings

PATIENCE_S = 10


class Dropping:
    """The dropping of slots, which lasts until `allowed` is set."""

    def __init__(self) -> None:
        self.allowed, self.of = threading.Event(), list[str]()

    def __call__(self, name: str) -> None:
        assert self.allowed.wait(PATIENCE_S)
        self.of.append(name)


@pytest.fixture
def dropping(monkeypatch: pytest.MonkeyPatch) -> Iterator[Dropping]:
    """Two branches in a cluster that is not there."""
    found = {"muster_branch_one": Record("base", ""), "muster_branch_two": Record("base", "")}
    made = Dropping()
    monkeypatch.setattr(Databases, "listed", lambda _: found)
    monkeypatch.setattr(Databases, "drop_unused_slots", lambda _: None)
    monkeypatch.setattr(Databases, "drop_slots", lambda _, name: made(name))
    yield made
    made.allowed.set()


async def lifespan(_scope: Scope, receive: Receive, send: Send) -> None:
    for phase in ("startup", "shutdown"):
        await receive()
        await send({"type": f"lifespan.{phase}.complete"})


def open_stack(*_: object) -> Any:
    async def start_workers() -> None:
        pass

    return SimpleNamespace(gateway=lifespan, start_workers=start_workers)


async def test_who_needs_room_waits_until_another_is_closed_and_not_for_its_slot(
    dropping: Dropping, tmp_path: Path
) -> None:
    settings = BranchSettings(folder=tmp_path, max_open=1)
    branches = Branches(settings, tmp_path, cast(Source, None), cast(Main, None), open_stack)
    async with branches.serving("one") as one, one.request():
        pass
    assert one.is_open
    async with asyncio.timeout(PATIENCE_S), branches.serving("two") as two, two.request():
        assert (one.is_open, one.takes_room, two.is_open, dropping.of) == (False, False, True, [])
    dropping.allowed.set()
    async with asyncio.timeout(PATIENCE_S):
        while dropping.of != ["muster_branch_one"]:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    await branches.close()
    assert not two.is_open
