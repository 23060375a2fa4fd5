"""A function's process that ends: what it said last is in the log, however late the log is read."""

import asyncio
import logging
from pathlib import Path

import pytest

from emulator.functions.discovery import find_function
from emulator.functions.errors import FunctionError
from emulator.functions.settings import FunctionsSettings
from emulator.functions.worker import Worker


class LateReader(Worker):
    """Reads what the process said only once it is being stopped, as on a machine that is busy."""

    stopping: asyncio.Event

    async def stop(self, reason: str) -> None:
        self.stopping.set()
        await super().stop(reason)

    async def _log(self, stream: asyncio.StreamReader, level: int) -> None:
        await self.stopping.wait()
        await super()._log(stream, level)


async def test_the_last_words_of_a_process_are_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "main.py").write_text("answer = 42")
    settings = FunctionsSettings.from_env({"FUNCTIONS_DIR": str(tmp_path)})
    function = find_function(settings, "empty")
    assert function is not None
    worker = LateReader(settings, function)
    worker.stopping = asyncio.Event()
    with caplog.at_level(logging.ERROR), pytest.raises(FunctionError):
        await worker.start(None)
    assert any("must define `app`" in message for message in caplog.messages)
