"""What branches start from: a database with migrations and seeds as the files are, and copies of it made in advance."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Protocol

import psycopg

from emulator.branches import errors, files
from emulator.branches.databases import Databases, Record, dropped_name, new_name
from emulator.branches.names import BASE
from emulator.db.copies import StillInUse

log = logging.getLogger(__name__)
NEW = "muster_base_new"
FOLDER = ".base"
FAILED_PAUSE_S = 2.0
QUIET_S = 0.3


class BaseFailed(Exception):
    """The base can't be made; the text is for a person."""


class Source(Protocol):
    """How the database of a project is made from its files. The methods block; they are called on threads."""

    def digest(self) -> str:
        """Of everything that decides what is made. It is asked for each branch, so it is cheap."""

    def make(self, database: str) -> None:
        """Make the database. Raises BaseFailed."""

    @property
    def fills_storage(self) -> bool:
        """Whether `fill` has anything to do."""

    def fill(self, api_url: str) -> None:
        """Do over the API what SQL can't: buckets and their objects. Raises BaseFailed."""


# Opens a stack over a database with a storage folder, and calls the function with the API's URL meanwhile.
WithApi = Callable[[str, Path, Callable[[str], None]], Awaitable[None]]


class Base:
    """The base of one cluster, and its copies that nobody has asked for yet."""

    def __init__(
        self,
        source: Source,
        databases: Databases,
        folder: Path,
        size: int,
        with_api: WithApi,
        one_at_a_time: asyncio.Lock,
        idle_s: float,
    ) -> None:
        """`one_at_a_time`: with what else works in the background, whose transactions a new slot would wait for.

        `idle_s`: when no branch was made for so long, the copies give up their slots.
        """
        self._idle_s = idle_s
        self._one_at_a_time = one_at_a_time
        self._source, self._databases, self._size, self._with_api = source, databases, size, with_api
        self.folder = folder / FOLDER
        self._digest = ""
        self._ready: list[str] = []
        self._next = ""  # being made
        self._last_taken = 0.0
        self._making = asyncio.Lock()
        self._refilling: asyncio.Task[None] | None = None
        self._resting: asyncio.Task[None] | None = None

    def load(self, listed: dict[str, Record]) -> None:
        """Take over the base of an earlier process. Its copies have no slot any more: they are made anew."""
        self._digest = listed[BASE].digest if BASE in listed else ""

    def owns(self, database: str) -> bool:
        """Whether a database is in use here."""
        return database == BASE or database in self.copies or self._making.locked()

    @property
    def copies(self) -> tuple[str, ...]:
        """The copies that nobody has asked for yet."""
        return (*self._ready, self._next)

    async def take(self) -> str:
        """A copy that nobody else gets, made in advance if there is one. Raises ApiError, psycopg.Error."""
        digest = await asyncio.to_thread(self._source.digest)
        if digest != self._digest or self._making.locked():
            async with self._making:
                if digest != self._digest:
                    await self._make(digest)
        self._last_taken = time.monotonic()
        self._refill()
        if self._ready:
            return self._ready.pop(0)
        name = new_name()
        await asyncio.to_thread(self._databases.make_copy, BASE, name, Record.of("base", digest))
        return name

    async def filled(self) -> None:
        """Wait until as many copies are ready as should be: what is not urgent comes after them."""
        while self._refilling is not None and not self._refilling.done():
            await asyncio.wait([self._refilling])

    async def close(self) -> None:
        """End what works in the background."""
        tasks = [task for task in (self._refilling, self._resting) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _make(self, digest: str) -> None:
        self._digest = ""  # ends the making of copies of the old one
        if self._refilling is not None:
            await asyncio.gather(self._refilling, return_exceptions=True)
        old, self._ready = self._ready, []
        storage = self.folder / "storage"
        for name in (*old, NEW, BASE):
            await asyncio.to_thread(self._databases.drop, name)
        await asyncio.to_thread(files.remove, self.folder)
        try:
            await asyncio.to_thread(self._source.make, NEW)
            if self._source.fills_storage:
                await self._with_api(NEW, self.folder, self._source.fill)
            await asyncio.to_thread(self._databases.settle, NEW)
            await asyncio.to_thread(self._databases.swap, NEW, BASE, Record.of("files", digest), dropped_name())
        except (BaseFailed, StillInUse) as error:
            raise errors.not_built(str(error)) from error
        await asyncio.to_thread(files.remove, self.folder / "mail")
        storage.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._digest = digest

    def _refill(self) -> None:
        if self._refilling is None or self._refilling.done():
            self._refilling = asyncio.create_task(self._make_ready())
        if self._resting is None or self._resting.done():
            self._resting = asyncio.create_task(self._rest())

    async def _rest(self) -> None:
        """Drop the slots of the copies once nobody asks for one: PostgreSQL keeps its log from the oldest slot on.

        Realtime makes the slot of a branch that comes without one.
        """
        taken = -1.0
        while taken != self._last_taken:
            taken = self._last_taken
            await asyncio.sleep(max(0.0, taken + self._idle_s - time.monotonic()))
            await self.filled()
            for name in list(self._ready) if taken == self._last_taken else ():
                try:
                    await asyncio.to_thread(self._databases.drop_slots, name)
                except psycopg.Error as error:
                    log.info("the slot of a copy could not be dropped: %s", str(error).strip())

    async def _make_ready(self) -> None:
        """Make copies one after the other, so that what is served meanwhile keeps most of the machine.

        As long as there are any, those that were just taken are opened first: tests begin many at once.
        """
        while self._digest and len(self._ready) < self._size:
            if self._ready and (left_s := self._last_taken + QUIET_S - time.monotonic()) > 0:
                await asyncio.sleep(left_s)
                continue
            self._next = new_name()
            record = Record.of("base", self._digest)
            try:
                async with self._one_at_a_time:
                    await asyncio.to_thread(self._databases.make_ready, BASE, self._next, record)
            except psycopg.Error as error:
                log.warning("no copy could be made in advance: %s", str(error).strip())
                await asyncio.sleep(FAILED_PAUSE_S)
                return
            self._ready.append(self._next)
