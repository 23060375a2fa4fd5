"""Which branches are open at once."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from emulator.asgi.types import Receive, Scope, Send
from emulator.branches import registry
from emulator.branches.base import Source
from emulator.branches.databases import Databases, Record
from emulator.branches.names import BASE
from emulator.branches.registry import Branches, Main
from emulator.branches.settings import BranchSettings
from emulator.errors import ApiError

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


@pytest.fixture
async def branches(dropping: Dropping, tmp_path: Path) -> AsyncIterator[Branches]:
    """There is room for one of the two."""
    settings = BranchSettings(folder=tmp_path, max_open=1)
    made = Branches(settings, tmp_path, cast(Source, None), cast(Main, None), open_stack)
    async with asyncio.timeout(PATIENCE_S):
        yield made
        dropping.allowed.set()
        await made.close()


async def test_a_place_is_taken_from_what_idles_which_is_closed_later(
    branches: Branches, dropping: Dropping, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "GIVE_WAY_S", 0.01)
    async with branches.serving("one") as one, one.request():
        pass
    async with branches.serving("two") as two, two.request():
        assert (one.is_open, two.is_open) == (True, True)
        while one.takes_room:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        assert (two.is_open, dropping.of) == (True, [])
    dropping.allowed.set()
    while dropping.of != ["muster_branch_one"]:  # noqa: ASYNC110
        await asyncio.sleep(0.01)


async def test_what_is_asked_for_again_while_it_gives_way_takes_another_place(
    branches: Branches, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "GIVE_WAY_S", 0.05)
    async with branches.serving("one") as one, one.request() as stack:
        pass
    async with branches.serving("two") as two, two.request():
        pass
    async with branches.serving("one") as again, again.request() as same:
        assert same is stack
        while two.takes_room:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        assert one.is_open


async def test_a_place_that_is_used_is_nobody_elses(branches: Branches, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "ROOM_PATIENCE_S", 0.05)
    async with branches.serving("one") as one, one.request():
        with pytest.raises(ApiError, match="at once"):
            async with branches.serving("two"):
                pass
        assert one.is_open


async def test_copies_in_advance_wait_for_one_drop_at_most(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Branches are deleted, each of which writes a checkpoint, and then one is asked for."""
    names, order, allowed = ("one", "two", "three"), list[str](), threading.Event()

    def drop(*_: object) -> None:
        assert allowed.wait(PATIENCE_S)
        order.append("drop")

    found = {BASE: Record("files", "", "digest")} | {f"muster_branch_{name}": Record("base", "") for name in names}
    for method, work in {
        "listed": lambda _: found, "drop_unused_slots": lambda _: None, "make_copy": lambda *_: None,
        "make_ready": lambda *_: order.append("copy"), "retire": lambda *_: True, "swap": lambda *_: False,
        "drop": drop,
    }.items():  # fmt: skip
        monkeypatch.setattr(Databases, method, work)
    source = cast(Source, SimpleNamespace(digest=lambda: "digest"))
    branches = Branches(BranchSettings(folder=tmp_path, ready=1), tmp_path, source, cast(Main, None), open_stack)
    async with asyncio.timeout(PATIENCE_S):
        for name in names:
            await branches.delete(name)
        await branches.create("new")
        allowed.set()
        while len(order) < 4:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        await branches.close()
    assert order == ["drop", "copy", "drop", "drop"]
