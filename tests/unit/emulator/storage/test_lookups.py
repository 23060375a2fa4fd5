"""Lookups of public objects: one question for what comes together, none for what came before."""

import asyncio
import json
from typing import Any

import pytest

from emulator.db.statement import ConnectionLost, Row, Statement, StatementError
from emulator.storage.database.session import Database, Reader
from emulator.storage.errors import StorageError, database_timeout
from emulator.storage.lookups import PublicLookups


class Connection(Reader):
    """One connection: says which bucket and name it was asked for, or fails."""

    def __init__(self, database: "Answering") -> None:
        self.database = database

    def ask(self, question: Statement) -> asyncio.Future[list[list[Row]]]:
        database = self.database
        buckets, names = (str(value, "utf8").strip("{}").split(",") for value in question.parameters if value)
        database.questions.append(names)
        database.asked.set()
        if database.is_lost:
            raise ConnectionLost("gone")
        answer: asyncio.Future[list[list[Row]]] = asyncio.get_running_loop().create_future()
        if database.failure is not None:
            answer.set_exception(database.failure)
        elif '"stuck"' not in names:
            rows = [
                json.dumps([bucket.strip('"'), name.strip('"')]) for bucket, name in zip(buckets, names, strict=True)
            ]
            answer.set_result([[], [(None if "none" in row else row.encode(),) for row in rows]])
        return answer

    def put_back(self) -> None:
        self.database.idle.append(self)


class Answering(Database):
    """Any number of connections. `questions`: the names that each asked for; one for "stuck" is not answered."""

    def __init__(self) -> None:
        self.questions: list[list[str]] = []
        self.failure: Exception | None = None
        self.refusal: StorageError | None = None
        self.is_lost = False
        self.asked = asyncio.Event()
        self.idle: list[Reader] = []

    def idle_reader(self) -> Reader | None:
        return self.idle.pop() if self.idle else None

    async def reader(self) -> Reader:
        if self.refusal is not None:
            raise self.refusal
        return Connection(self)


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
    database.failure = StatementError({"sqlstate": "57014", "message_primary": "canceled"})
    assert [error.code for error in ask(database, ("a", "1"), ("a", "2"))] == ["DatabaseTimeout"] * 2
    database.failure = None
    refused, found = ask(database, ("a\0", "1"), ("a", "2"))
    assert (type(refused), found) == (StorageError, ["a", "2"])


def test_without_a_connection_all_who_asked_are_told() -> None:
    database = Answering()
    database.refusal = database_timeout()
    assert ask(database, ("a", "1"), ("a", "2")) == [database.refusal] * 2
    database.refusal, database.is_lost = None, True
    assert {type(error) for error in ask(database, *[("a", "1")] * 101)} == {StorageError}
    database.is_lost = False
    assert ask(database, ("a", "1")) == [["a", "1"]]


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


def test_who_comes_while_a_question_is_under_way_shares_the_next_one() -> None:
    async def run() -> None:
        database = Answering()
        lookups = PublicLookups(database)
        tasks = [asyncio.create_task(lookups.find("a", "1"))]
        await asyncio.wait_for(database.asked.wait(), 10)
        tasks += [asyncio.create_task(lookups.find("a", name)) for name in ("2", "3")]
        assert await asyncio.gather(*tasks) == [json.dumps(["a", name]).encode() for name in ("1", "2", "3")]
        assert database.questions == [['"1"'], ['"2"', '"3"']]
        await asyncio.sleep(0)
        assert len(database.idle) == 1  # nobody waits, so the connection is free for others

    asyncio.run(run())


def test_a_question_without_an_answer_holds_up_no_other() -> None:
    async def run() -> None:
        database = Answering()
        lookups = PublicLookups(database)
        tasks = [asyncio.create_task(lookups.find("a", "stuck"))]
        await asyncio.wait_for(database.asked.wait(), 10)
        database.asked.clear()
        tasks.append(asyncio.create_task(lookups.find("a", "stuck")))
        await asyncio.wait_for(database.asked.wait(), 10)
        assert await asyncio.wait_for(lookups.find("a", "1"), 10) == b'["a", "1"]'
        many = [asyncio.create_task(lookups.find("a", "stuck")) for _ in range(100)]
        assert await asyncio.wait_for(lookups.find("a", "2"), 10) == b'["a", "2"]'
        tasks += many
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(run())
