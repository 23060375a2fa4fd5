"""Public objects by name: what several requests ask for while a question is under way is one question. I/O.

Nothing is kept: a question is sent after the requests that it answers have come, so it never says what was before them.
"""

import asyncio

from emulator.storage.database import objects
from emulator.storage.database.session import Database

_MOST = 100
_AT_ONCE = 2  # questions under way, while they are answered soon
_PATIENCE_S = 0.05  # then a question is sent beside those that take so long; the pool bounds how many
_Waiting = tuple[str, str, asyncio.Future[bytes | None]]


class PublicLookups:
    """The questions of one service."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._waiting: list[_Waiting] = []
        self._next: asyncio.Handle | None = None  # what begins to ask for who waits
        self._tasks: set[asyncio.Task[None]] = set()

    async def find(self, bucket: str, key: str) -> bytes | None:
        """The bucket's flag and its object, as the text that objects.find_public has. Raises StorageError."""
        if "\0" in bucket + key:
            objects.find_public([(bucket, key)])  # raises, and spoils no other question
        answer: asyncio.Future[bytes | None] = asyncio.get_running_loop().create_future()
        self._waiting.append((bucket, key, answer))
        self._see_to_waiting()
        return await answer

    def _see_to_waiting(self) -> None:
        if self._next is None and self._waiting:
            loop = asyncio.get_running_loop()
            if len(self._tasks) < _AT_ONCE:
                self._next = loop.call_soon(self._begin)
            else:
                self._next = loop.call_later(_PATIENCE_S, self._begin)

    def _begin(self) -> None:
        task = asyncio.ensure_future(self._ask())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _take(self) -> list[_Waiting]:
        """Those who waited for the longest time."""
        if self._next is not None:
            self._next.cancel()
            self._next = None
        taken, self._waiting = self._waiting[:_MOST], self._waiting[_MOST:]
        self._see_to_waiting()
        return taken

    async def _ask(self) -> None:
        """Ask as long as somebody waits: the next question is sent before the answers to the last are worked with."""
        while asked := self._take():
            try:
                (rows,) = await self._db.look_up(objects.find_public([(bucket, key) for bucket, key, _ in asked]))
            except Exception as error:  # who asked says what to do about it
                for _, _, answer in asked:
                    if not answer.done():
                        answer.set_exception(error)
                continue
            for (_, _, answer), (row,) in zip(asked, rows, strict=True):
                if not answer.done():
                    answer.set_result(row)
