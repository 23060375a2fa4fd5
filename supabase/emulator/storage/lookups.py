"""Public objects by name: what several requests ask for in one turn of the event loop is one question. I/O.

Nothing is kept: a question is sent after the requests that it answers have come, so it never says what was before them.
"""

import asyncio
from typing import Any

from emulator.storage.database import objects
from emulator.storage.database.session import Database, documents

_MOST = 100
Row = dict[str, Any]


class PublicLookups:
    """The questions of one service."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._waiting: list[tuple[str, str, asyncio.Future[Row | None]]] = []
        self._tasks: set[asyncio.Task[None]] = set()

    async def find(self, bucket: str, key: str) -> Row | None:
        """The bucket's flag and its object, as objects.find_public has them. Raises StorageError."""
        if "\0" in bucket + key:
            objects.find_public([(bucket, key)])  # raises, and spoils no other question
        loop = asyncio.get_running_loop()
        if not self._waiting:
            loop.call_soon(self._send)
        answer: asyncio.Future[Row | None] = loop.create_future()
        self._waiting.append((bucket, key, answer))
        return await answer

    def _send(self) -> None:
        asked, self._waiting = self._waiting, []
        for start in range(0, len(asked), _MOST):
            task = asyncio.ensure_future(self._ask(asked[start : start + _MOST]))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _ask(self, asked: list[tuple[str, str, asyncio.Future[Row | None]]]) -> None:
        try:
            (rows,) = await self._db.look_up(objects.find_public([(bucket, key) for bucket, key, _ in asked]))
            found = documents(rows)
        except Exception as error:  # who asked says what to do about it
            for _, _, answer in asked:
                if not answer.done():
                    answer.set_exception(error)
            return
        for (_, _, answer), row in zip(asked, found, strict=True):
            if not answer.done():
                answer.set_result(row)
