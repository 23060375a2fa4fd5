"""All branches and snapshots of one stack: found, made, reset, restored, dropped; closed when they are idle. I/O."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Iterable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import psycopg

from emulator.branches import errors, files
from emulator.branches.base import FOLDER as BASE_FOLDER
from emulator.branches.base import NEW, Base, Source
from emulator.branches.branch import Branch, OpenStack
from emulator.branches.databases import Databases, Record, dropped_name, new_name
from emulator.branches.names import BASE, DROPPED, MAIN, READY, database_of, is_name, name_of
from emulator.branches.settings import BranchSettings
from emulator.branches.testing import settle
from emulator.db.copies import StillInUse
from emulator.errors import ApiError

log = logging.getLogger(__name__)

SNAPSHOTS = ".snapshots"
SWEEP_S = 5.0
ROOM_PATIENCE_S, ROOM_PAUSE_S = 10.0, 0.02
GIVE_WAY_S = 0.25  # how long a branch whose place is taken leaves the machine to whoever took it
MOST_GIVING_WAY = 8
FROM_BASE, FROM_MAIN = "base", "main"


@dataclass(frozen=True)
class Main:
    """The stack's own database: its files, and how its requests are made to wait while it is copied."""

    files: Path
    held: Callable[[], AbstractAsyncContextManager[None]]


@dataclass(frozen=True)
class Prepared:
    """A database, and the storage folder that belongs to it."""

    database: str
    storage: Path


@dataclass(frozen=True)
class LeftBehind:
    """Databases and folders that nobody uses."""

    databases: list[str]
    folders: list[Path]


class Branches:
    """The branches of one stack. Methods raise ApiError."""

    def __init__(
        self, settings: BranchSettings, folder: Path, source: Source, main: Main, open_stack: OpenStack
    ) -> None:
        self._settings, self._folder, self._main, self._open_stack = settings, folder, main, open_stack
        self._databases = Databases(settings)
        self._background, self._drops = asyncio.Lock(), asyncio.Lock()
        self._base = Base(
            source, self._databases, folder, settings.ready, self._with_api, self._background, settings.idle_s
        )
        self._branches: dict[str, Branch] = {}
        self._snapshots: dict[str, Record] = {}
        self._loading: asyncio.Task[None] | None = None
        self._sweeping: asyncio.Task[None] | None = None
        self._beside: set[asyncio.Task[Any]] = set()
        self._copying = asyncio.Lock()
        self._in_hand: set[str] = set()
        self._giving_way: set[Branch] = set()  # open yet, but their places are others'
        self._dropping: set[str | Path] = set()  # on their way out: nobody has left them behind

    # Finding

    def is_known(self, name: str) -> bool:
        """Whether there is a branch, as far as one was asked for."""
        return name in self._branches

    def any_known(self) -> bool:
        """Whether there is any."""
        return bool(self._branches)

    async def load(self) -> None:
        """Find what there is, once. Raises ApiError when the database does not answer."""
        if self._loading is None or (self._loading.done() and self._loading.exception() is not None):
            self._loading = asyncio.create_task(self._load())
        with _translated():
            await asyncio.shield(self._loading)

    async def _load(self) -> None:
        await asyncio.to_thread(self._databases.drop_unused_slots)
        listed = await asyncio.to_thread(self._databases.listed)
        for name, record in listed.items():
            if (branch := name_of("branch", name)) is not None:
                self._branches[branch] = self._branch(branch, record)
            elif (snapshot := name_of("snapshot", name)) is not None:
                self._snapshots[snapshot] = record
        self._base.load(listed)
        left = await self._left_behind(listed)
        self._drop_later(*left.databases, *left.folders)

    async def begin(self) -> None:
        """Clean up behind an earlier process, if it had branches."""
        if self._folder.is_dir():
            self._later(self._load_quietly())

    async def _load_quietly(self) -> None:
        try:
            await self.load()
        except ApiError as error:
            log.info("branches can't be looked for yet: %s", error.message)

    async def left_behind(self) -> LeftBehind:
        """What a process that was killed left: databases and folders that belong to no branch and no snapshot."""
        await self.load()
        spared = {*self._in_hand, *self._dropping, *self._base.copies}  # as they may be renamed or gone after the look
        with _translated():
            return await self._left_behind(await asyncio.to_thread(self._databases.listed), spared)

    async def remove_left_behind(self) -> LeftBehind:
        """Remove it; what was there."""
        left = await self.left_behind()
        await self._drop_later(*left.databases, *left.folders)
        return left

    async def _left_behind(self, listed: Iterable[str], spared: Collection[str | Path] = ()) -> LeftBehind:
        unowned = (READY, DROPPED, NEW)
        databases = [name for name in listed if name.startswith(unowned) and not self._owns(name)]
        known = {BASE_FOLDER, SNAPSHOTS, *self._branches}
        folders = await asyncio.to_thread(files.strangers, self._folder, known)
        folders += await asyncio.to_thread(files.strangers, self._folder / SNAPSHOTS, self._snapshots.keys())
        spared = self._dropping.union(spared)
        return LeftBehind(
            [name for name in databases if name not in spared], [folder for folder in folders if folder not in spared]
        )

    def _owns(self, database: str) -> bool:
        return database in self._in_hand or self._base.owns(database)

    async def find(self, name: str) -> Branch:
        """A branch."""
        await self.load()
        if name not in self._branches:
            raise errors.no_branch(name)
        return self._branches[name]

    @asynccontextmanager
    async def serving(self, name: str) -> AsyncIterator[Branch]:
        """A branch that may open, because there is room for one more."""
        branch = await self.find(name)
        if not branch.takes_room or branch in self._giving_way:
            await self._make_room(branch)
            self._giving_way.discard(branch)
        branch.may_have_slot = True
        self._begin_to_sweep()
        yield branch

    async def listed(self) -> tuple[list[Branch], dict[str, Record]]:
        """The branches and the snapshots."""
        await self.load()
        return [self._branches[name] for name in sorted(self._branches)], dict(sorted(self._snapshots.items()))

    # Branches

    async def create(self, name: str, source: str = FROM_BASE) -> Branch:
        """Make a branch: of `base`, of `main`, of `branch:<name>` or `snapshot:<name>`."""
        _check(name)
        await self.load()
        if name in self._branches:
            raise errors.is_taken("branch", name)
        async with self._one_of_branches(source):
            branch = self._branches[name] = self._branch(name, Record.of(source))
            try:
                async with branch.closed(), self._prepared(source) as prepared:
                    await self._put(prepared, branch.database, branch.folder, branch.record)
                    self._begin_to_sweep()
            except BaseException:
                self._branches.pop(name, None)
                branch.is_gone = True
                raise
        return branch

    async def reset(self, name: str, source: str | None = None) -> Branch:
        """Make a branch again from what it was made from, as that is now, or from something else.

        When that can't be had, the branch is as it was.
        """
        branch = await self.find(name)
        source = source or branch.record.source
        async with self._one_of_branches(source), self._changed(branch), self._prepared(source) as prepared:
            record = Record.of(source)
            await self._take_files_away(branch.folder)
            await self._put(prepared, branch.database, branch.folder, record)
            branch.record, branch.may_have_slot, branch.last_used = record, True, time.monotonic()
            self._begin_to_sweep()
        return branch

    async def delete(self, name: str) -> None:
        """Drop a branch. Its name is free when this returns."""
        branch = await self.find(name)
        async with self._changed(branch):
            await self._replace(partial(self._databases.retire, branch.database))
            await self._take_files_away(branch.folder)
            branch.is_gone = True
            self._branches.pop(name, None)

    async def settle(self, branch: Branch, timeout_s: float) -> list[str]:
        """Wait until nothing is under way in a branch; what still is when the time is over."""
        with _translated():
            return await settle(branch, self._databases, timeout_s)

    # Snapshots

    async def snapshot(self, name: str, source: str = FROM_MAIN) -> Record:
        """Keep a copy of what a branch or the stack's own database has now."""
        _check(name)
        if source == FROM_BASE:
            raise errors.bad_request("a snapshot is of main or of a branch")
        await self.load()
        if name in self._snapshots:
            raise errors.is_taken("snapshot", name)
        record = self._snapshots[name] = Record.of(source)
        try:
            async with self._prepared(source) as prepared:
                await self._put(prepared, database_of("snapshot", name), self._snapshot_folder(name), record)
        except BaseException:
            self._snapshots.pop(name, None)
            raise
        return record

    async def restore(self, name: str, target: str) -> None:
        """Put a snapshot in the place of a branch, or of the stack's own database with `main`."""
        await self._find_snapshot(name)
        source = f"snapshot:{name}"
        if target != MAIN:
            await self.reset(target, source)
            return
        async with self._prepared(source) as prepared, self._main.held():
            await self._replace(partial(self._databases.swap, prepared.database, self._settings.database, None))
            await asyncio.to_thread(files.copy_files, prepared.storage, self._main.files)

    async def delete_snapshot(self, name: str) -> None:
        """Drop a snapshot. What was made of it stays."""
        await self._find_snapshot(name)
        await self._replace(partial(self._databases.retire, database_of("snapshot", name)))
        await self._take_files_away(self._snapshot_folder(name))
        self._snapshots.pop(name, None)

    # Ending

    async def close(self) -> None:
        """Close every stack; what was being dropped is dropped at the next start."""
        tasks = [task for task in (self._sweeping, *self._beside) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._base.close()
        await asyncio.gather(*(branch.close() for branch in self._branches.values()), return_exceptions=True)
        if self._loading is not None:
            try:
                await asyncio.to_thread(self._databases.drop_unused_slots)
            except psycopg.Error as error:
                log.info("the slots of branches could not be dropped: %s", str(error).strip())

    # Parts

    def _branch(self, name: str, record: Record) -> Branch:
        return Branch(name, record, database_of("branch", name), self._folder / name, self._open_stack)

    @asynccontextmanager
    async def _changed(self, branch: Branch) -> AsyncIterator[None]:
        """A branch while it is changed; requests wait. Raises no_branch when another change removed it."""
        async with branch.closed():
            if branch.is_gone:
                raise errors.no_branch(branch.name)
            yield

    async def _take_files_away(self, folder: Path) -> None:
        gone = files.dropped_path(folder)
        self._dropping.add(gone)
        if await asyncio.to_thread(files.set_aside, folder, gone):
            self._drop_later(gone)
        else:
            self._dropping.discard(gone)

    async def _replace(self, work: Callable[[str], bool]) -> None:
        """Rename a database, and drop it in the background; `work` gets its new name, and says whether it was there."""
        gone = dropped_name()
        self._dropping.add(gone)  # before others see it
        is_there = False
        try:
            with _translated():
                is_there = await asyncio.to_thread(work, gone)
        finally:
            if is_there:
                self._drop_later(gone)
            else:
                self._dropping.discard(gone)

    async def _put(self, prepared: Prepared, database: str, folder: Path, record: Record) -> None:
        """Give a copy its name, in the place of what has that now, and its files."""
        await self._replace(partial(self._databases.swap, prepared.database, database, record))
        await asyncio.to_thread(files.copy_files, prepared.storage, folder / "storage")

    @asynccontextmanager
    async def _prepared(self, source: str) -> AsyncIterator[Prepared]:
        """A copy of what `source` names; nobody changes that through this process during the block."""
        if source == FROM_BASE:
            with _translated():
                made = await self._base.take()
            with self._holding(made):
                yield Prepared(made, self._base.folder / "storage")
            return
        async with self._origin(source) as origin:
            made = new_name()
            with self._holding(made):
                with _translated():
                    await asyncio.to_thread(self._databases.copy_used, origin.database, made, Record.of(source))
                yield Prepared(made, origin.storage)

    @contextmanager
    def _holding(self, database: str) -> Iterator[None]:
        """A copy is not left behind while it waits for its name; when it gets none, it is dropped."""
        self._in_hand.add(database)
        try:
            yield
        except BaseException:
            self._drop_later(database)
            raise
        finally:
            self._in_hand.discard(database)

    @asynccontextmanager
    async def _one_of_branches(self, source: str) -> AsyncIterator[None]:
        """One at a time, where a branch is made from a branch: two that are made of each other would wait for ever."""
        async with self._copying if source.startswith("branch:") else nullcontext():
            yield

    @asynccontextmanager
    async def _origin(self, source: str) -> AsyncIterator[Prepared]:
        """The database and the files that `source` names, while nobody changes them through this process."""
        kind, _, name = source.partition(":")
        if source == FROM_MAIN:
            async with self._main.held():
                yield Prepared(self._settings.database, self._main.files)
        elif kind == "branch":
            branch = await self.find(name)
            async with self._changed(branch):
                yield Prepared(branch.database, branch.folder / "storage")
        elif kind == "snapshot":
            await self._find_snapshot(name)
            yield Prepared(database_of("snapshot", name), self._snapshot_folder(name) / "storage")
        else:
            raise errors.bad_request("a source is base, main, branch:<name> or snapshot:<name>")

    async def _find_snapshot(self, name: str) -> Record:
        await self.load()
        if name not in self._snapshots:
            raise errors.no_snapshot(name)
        return self._snapshots[name]

    def _snapshot_folder(self, name: str) -> Path:
        return self._folder / SNAPSHOTS / name

    async def _with_api(self, database: str, folder: Path, work: Callable[[str], None]) -> None:
        """Serve a database for as long as `work` needs its API."""
        name = "base-being-filled"
        branch = Branch(name, Record.of(BASE), database, folder, self._open_stack)
        self._branches[name] = branch
        try:
            async with branch.request() as stack:
                await asyncio.to_thread(work, stack.api_url)
        finally:
            self._branches.pop(name, None)
            await branch.close()

    # Housekeeping

    async def _make_room(self, wanted: Branch) -> None:
        """Give the place of whatever idles longest when all are taken; wait for one that idles if none does."""
        deadline = time.monotonic() + ROOM_PATIENCE_S
        while True:
            others = [
                branch for branch in self._branches.values()
                if branch.takes_room and branch is not wanted and branch not in self._giving_way
            ]  # fmt: skip
            if len(others) < self._settings.max_open:
                return
            idle = [branch for branch in others if not branch.is_used]
            if idle and len(self._giving_way) < MOST_GIVING_WAY:
                least_used = min(idle, key=lambda branch: branch.last_used)
                self._giving_way.add(least_used)
                self._later(self._give_way(least_used))
            elif time.monotonic() > deadline:
                raise errors.too_many_open(self._settings.max_open)
            else:
                await asyncio.sleep(ROOM_PAUSE_S)

    async def _give_way(self, branch: Branch) -> None:
        """Close a branch whose place is taken, unless it is asked for again: then it took another's.

        Later, as its connections and slots take as much of the machine to end as what opens instead.
        """
        await asyncio.sleep(GIVE_WAY_S)
        try:
            if branch not in self._giving_way:
                return
            async with branch.closed():
                pass
        finally:
            self._giving_way.discard(branch)
        await self._drop_slots_of_closed(branch)

    def _begin_to_sweep(self) -> None:
        if self._sweeping is None or self._sweeping.done():
            self._sweeping = asyncio.create_task(self._sweep())

    async def _sweep(self) -> None:
        """Close what nobody uses, for as long as anything is open or has a slot, for which PostgreSQL keeps its log."""
        while True:
            await asyncio.sleep(min(SWEEP_S, self._settings.idle_s / 2))
            latest = time.monotonic() - self._settings.idle_s
            for branch in list(self._branches.values()):
                if branch.may_have_slot and not branch.is_used and branch.last_used < latest:
                    await self._close_idle(branch)
            if not any(branch.may_have_slot for branch in self._branches.values()):
                return

    async def _close_idle(self, branch: Branch) -> None:
        async with branch.closed():
            await self._drop_slots(branch)

    async def _drop_slots_of_closed(self, branch: Branch) -> None:
        # Opened again, Realtime may read from it; it makes one that is missing. Deleted, another may have its name.
        if not branch.takes_room and not branch.is_gone:
            await self._drop_slots(branch)

    async def _drop_slots(self, branch: Branch) -> None:
        branch.may_have_slot = False
        try:
            await asyncio.to_thread(self._databases.drop_slots, branch.database)
        except psycopg.Error as error:
            log.info("the slots of branch %s could not be dropped: %s", branch.name, str(error).strip())

    def _later(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)
        return task

    def _drop_later(self, *gone: str | Path) -> asyncio.Task[None]:
        """Drop databases and remove folders; what can't be dropped is left behind."""
        self._dropping.update(gone)
        return self._later(self._drop(gone))

    async def _drop(self, gone: tuple[str | Path, ...]) -> None:
        try:
            for one in sorted(gone, key=lambda each: isinstance(each, str)):  # the folders first, which are quick
                if isinstance(one, Path):
                    await asyncio.to_thread(files.remove, one)
                else:
                    await self._drop_database(one)
                self._dropping.discard(one)
        finally:
            self._dropping.difference_update(gone)

    async def _drop_database(self, name: str) -> None:
        try:
            async with self._drops:  # one waits for the background, so that copies wait for one drop and not for all
                await self._base.filled()
                async with self._background:
                    await asyncio.to_thread(self._databases.drop, name)
        except (psycopg.Error, StillInUse) as error:
            log.warning("database %s could not be dropped: %s", name, str(error).strip())


@contextmanager
def _translated() -> Iterator[None]:
    """Errors of the database as answers."""
    try:
        yield
    except StillInUse as error:
        raise errors.still_in_use(str(error)) from error
    except psycopg.Error as error:
        raise errors.unavailable(str(error).strip().splitlines()[-1]) from error


def _check(name: str) -> None:
    if not is_name(name):
        raise errors.bad_name(name)
