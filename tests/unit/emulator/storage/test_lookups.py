"""Lookups of public objects: one question for what comes together, none for what came before."""

import asyncio
import json
from typing import Any

import pytest

from emulator.db.statement import Statement
from emulator.storage.database.session import Database
from emulator.storage.errors import StorageError, database_timeout
from emulator.storage.lookups import PublicLookups


class Answering(Database):
    """Says which bucket and name it was asked for, or fails."""

    def __init__(self) -> None:
        self.questions: list[list[str]] = []
        self.failure: Exception | None = None
        self.asked = asyncio.Event()

    async def look_up(self, *statements: Statement) -> list[list[tuple[bytes | None, ...]]]:
        buckets, names = (str(value, "utf8").strip("{}").split(",") for value in statements[0].parameters if value)
        self.questions.append(names)
        self.asked.set()
        await asyncio.sleep(0)
        if self.failure is not None:
            raise self.failure
        rows = [json.dumps([bucket.strip('"'), name.strip('"')]) for bucket, name in zip(buckets, names, strict=True)]
        return [[(None if "none" in row else row.encode(),) for row in rows]]


class Stuck(Answering):
    """Does not answer a question for one name."""

    async def look_up(self, *statements: Statement) -> list[list[tuple[bytes | None, ...]]]:
        rows = await super().look_up(*statements)
        if '"stuck"' in self.questions[-1]:
            await asyncio.Event().wait()
        return rows


def ask(database: Answering, *wanted: tuple[str, str]) -> list[Any]:
    async def run() -> list[Any]:
        lookups = PublicLookups(database)
        return await asyncio.gather(*(lookups.find(*one) for one in wanted), return_exceptions=True)

    return [json.loads(found) if isinstance(found, bytes) else found for found in asyncio.run(run())]


def test_what_comes_together_is_one_question() -> None:
    database = Answering()
    assert ask(database, ("a", "1"), ("none", "2"), ("a", "3")) == [["a", "1"], None, ["a", "3"]]
    assert len(database.questions) == 1
    ask(database, *[("a", "1")] * 250)
    assert [len(names) for names in database.questions[1:]] == [100, 100, 50]


def test_a_failure_reaches_all_who_asked_and_no_other() -> None:
    database = Answering()
    database.failure = database_timeout()
    assert ask(database, ("a", "1"), ("a", "2")) == [database.failure] * 2
    database.failure = None
    refused, found = ask(database, ("a\0", "1"), ("a", "2"))
    assert (type(refused), found) == (StorageError, ["a", "2"])


def test_what_comes_later_is_asked_later() -> None:
    """A question that is under way may be of before a removal that the later one knows of."""

    async def run() -> None:
        database = Answering()
        lookups = PublicLookups(database)
        first = asyncio.create_task(lookups.find("a", "1"))
        await asyncio.wait_for(database.asked.wait(), 10)
        await asyncio.gather(first, lookups.find("a", "1"))
        assert len(database.questions) == 2

    asyncio.run(run())


def test_who_gives_up_takes_nothing_from_the_others() -> None:
    async def run() -> None:
        lookups = PublicLookups(Answering())
        tasks = [asyncio.create_task(lookups.find("a", name)) for name in ("1", "2")]
        await asyncio.sleep(0)
        tasks[0].cancel()
        with pytest.raises(asyncio.CancelledError):
            await tasks[0]
        assert await tasks[1] == b'["a", "2"]'

    asyncio.run(run())


def test_who_comes_while_questions_are_under_way_waits_for_one_of_them() -> None:
    """Two at once; what came meanwhile is one question more."""

    async def run() -> None:
        database = Answering()
        lookups = PublicLookups(database)
        tasks = []
        for name in ("1", "2", "3", "4"):
            tasks.append(asyncio.create_task(lookups.find("a", name)))
            if name < "3":
                await asyncio.wait_for(database.asked.wait(), 10)
                database.asked.clear()
        assert await asyncio.gather(*tasks) == [json.dumps(["a", name]).encode() for name in ("1", "2", "3", "4")]
        assert database.questions == [['"1"'], ['"2"'], ['"3"', '"4"']]

    asyncio.run(run())


def test_a_question_without_an_answer_holds_up_no_other() -> None:
    async def run() -> None:
        database = Stuck()
        lookups = PublicLookups(database)
        tasks = [asyncio.create_task(lookups.find("a", "stuck"))]
        await asyncio.wait_for(database.asked.wait(), 10)
        database.asked.clear()
        tasks.append(asyncio.create_task(lookups.find("a", "stuck")))
        await asyncio.wait_for(database.asked.wait(), 10)
        assert await asyncio.wait_for(lookups.find("a", "1"), 10) == b'["a", "1"]'
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(run())
