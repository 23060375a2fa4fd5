"""Public objects by name: what several requests ask for while a question is under way is one question. I/O.

Nothing is kept: a question is sent after the requests that it answers have come, so it never says what was before them.
Questions and answers are callbacks and no tasks, because every request for a small file pays for them.
"""

import asyncio
from functools import partial

from emulator.db.statement import ConnectionLost, Row
from emulator.storage.database import objects
from emulator.storage.database.session import FAILURES, Database, Reader
from emulator.storage.errors import StorageError, from_database

_MOST = 100
_PATIENCE_S = 0.05  # then a question is sent beside those that take so long; the pool bounds how many
_Waiting = tuple[str, str, asyncio.Future[bytes | None]]
_Answer = asyncio.Future[list[list[Row]]]


class PublicLookups:
    """The questions of one service: one at a time while they are answered soon."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._waiting: list[_Waiting] = []
        self._under_way = 0  # questions, and connections that are opened for one
        self._next: asyncio.Handle | None = None  # what sends the next question
        self._opening: set[asyncio.Task[None]] = set()

    async def find(self, bucket: str, key: str) -> bytes | None:
        """The bucket's flag and its object, as the text that objects.find_public has. Raises StorageError."""
        if "\0" in bucket or "\0" in key:
            objects.find_public([(bucket, key)])  # raises, and spoils no other question
        answer: asyncio.Future[bytes | None] = asyncio.get_running_loop().create_future()
        self._waiting.append((bucket, key, answer))
        self._see_to_waiting()
        return await answer

    def _see_to_waiting(self) -> None:
        if self._next is None:
            loop = asyncio.get_running_loop()
            self._next = loop.call_later(_PATIENCE_S, self._begin) if self._under_way else loop.call_soon(self._begin)

    def _begin(self) -> None:
        """Ask on a connection that is asked nothing else."""
        self._next = None
        self._under_way += 1
        reader = self._db.idle_reader()
        if reader is not None:
            self._ask(reader)
            return
        task = asyncio.ensure_future(self._open())
        self._opening.add(task)
        task.add_done_callback(self._opening.discard)

    async def _open(self) -> None:
        try:
            reader = await self._db.reader()
        except StorageError as error:
            self._under_way -= 1
            _refuse(self._take(), error)
        else:
            self._ask(reader)

    def _ask(self, reader: Reader) -> None:
        """Ask for those who wait; without any the connection is free."""
        asked = self._take()
        if not asked:
            self._under_way -= 1
            reader.put_back()
            return
        try:
            answer = reader.ask(objects.find_public([(bucket, key) for bucket, key, _ in asked]))
        except ConnectionLost as error:
            self._give_up(reader, asked, error)
        else:
            answer.add_done_callback(partial(self._hand_out, reader, asked))

    def _take(self) -> list[_Waiting]:
        """Those who have waited for the longest time."""
        asked, self._waiting = self._waiting[:_MOST], self._waiting[_MOST:]
        if self._waiting:
            self._see_to_waiting()
        elif self._next is not None:
            self._next.cancel()
            self._next = None
        return asked

    def _hand_out(self, reader: Reader, asked: list[_Waiting], answer: _Answer) -> None:
        """Send the next question, then let those who asked work with this answer."""
        try:
            rows = answer.result()[-1]
        except FAILURES as error:
            self._give_up(reader, asked, error)
            return
        asyncio.get_running_loop().call_soon(self._ask, reader)  # with who came in this turn of the loop
        for (_, _, waiting), (row,) in zip(asked, rows, strict=True):
            if not waiting.done():
                waiting.set_result(row)

    def _give_up(self, reader: Reader, asked: list[_Waiting], error: Exception) -> None:
        """Tell those who asked; the others are asked for on another connection if this one is lost."""
        self._under_way -= 1
        reader.put_back()
        _refuse(asked, from_database(error))
        if self._waiting:
            self._see_to_waiting()


def _refuse(asked: list[_Waiting], error: StorageError) -> None:
    for _, _, answer in asked:  # who asked says what to do about it
        if not answer.done():
            answer.set_exception(error)
