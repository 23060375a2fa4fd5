"""Distributes tests over xdist workers: files stay whole, tests that share stacks together, the longest first."""

import gc
import sys
from collections.abc import Generator
from contextlib import nullcontext
from importlib.util import cache_from_source
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.shared import first_alone

if TYPE_CHECKING:
    from xdist.scheduler import LoadFileScheduling

ROOT = Path(__file__).parents[2]
# Folders that start expensive stacks once for all of their files.
TOGETHER = ("tests/contract/wire/", "tests/contract/deno/")
# The longest start first, so that no worker is left with one at the end.
FIRST = (
    "tests/contract/projects/test_branches", "tests/contract/cli/test_operations", "tests/docs/test_docs",
    "tests/contract/wire/",
    "tests/contract/cli/", "tests/contract/realtime/", "tests/contract/", "tests/sql/",
    "tests/e2e/test_member_pages", "tests/e2e/test_member_settings", "tests/e2e/test_public_screens",
)  # fmt: skip


def _rank(item: pytest.Item) -> int:
    path = item.path.relative_to(ROOT).as_posix()
    return next((rank for rank, beginning in enumerate(FIRST) if path.startswith(beginning)), len(FIRST))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest first; the order is otherwise kept."""
    items.sort(key=_rank)


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Collect no garbage while tests are collected: there is next to none. In a new checkout one worker goes first."""
    gc.disable()
    with first_alone("collected") if _nothing_is_compiled(session.config) else nullcontext():
        return (yield)


def _nothing_is_compiled(config: pytest.Config) -> bool:
    """Whether each worker would compile every test, which takes longer than all else that it does to collect them."""
    compiled = Path(cache_from_source(str(ROOT / "tests" / "unit" / "test_architecture.py"))).parent
    return hasattr(config, "workerinput") and not sys.dont_write_bytecode and not any(compiled.glob("*-pytest-*"))


def pytest_collection_finish() -> None:
    """Leave what was collected out of garbage collections: it stays to the end, and is most of what they look at."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> "LoadFileScheduling | None":
    """Distribute files, or folders of TOGETHER, when the mode is `loadfile`."""
    from xdist.scheduler import LoadFileScheduling

    class Shares(LoadFileScheduling):  # type: ignore[misc]  # xdist has no types
        def _split_scope(self, nodeid: str) -> str:
            return next((folder for folder in TOGETHER if nodeid.startswith(folder)), super()._split_scope(nodeid))

    return Shares(config, log) if config.getvalue("dist") == "loadfile" else None
