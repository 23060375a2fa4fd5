"""Work on the disk's threads: what a cancellation may not leave behind, and what a failure does."""

import asyncio
import hashlib
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from emulator.storage.files.backend import TooLarge
from emulator.storage.files.disk import Disk, bounds


async def started(root: Path) -> Disk:
    disk = Disk(root)
    await disk.start()
    return disk


async def pieces(*content: bytes) -> AsyncIterator[bytes]:
    for piece in content:
        yield piece


def test_who_is_canceled_waits_for_the_thread(tmp_path: Path) -> None:
    async def run() -> list[str]:
        disk, order, gate, working = await started(tmp_path), list[str](), threading.Event(), threading.Event()

        def work() -> None:
            working.set()
            gate.wait(10)
            order.append("the thread")

        task = asyncio.create_task(disk.run(work))
        await asyncio.to_thread(working.wait, 10)
        task.cancel()
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.sleep(0)
        assert not task.done()
        gate.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        order.append("who waited")
        await disk.close()
        return order

    assert asyncio.run(run()) == ["the thread", "who waited"]


def test_a_file_has_its_pieces_in_order_and_their_digest(tmp_path: Path) -> None:
    content = [bytes([number]) * 300_000 for number in range(9)] + [b"end"]

    async def run() -> None:
        disk = await started(tmp_path)
        written = await disk.write(pieces(*content))
        whole = b"".join(content)
        assert disk.path(written.version).read_bytes() == whole
        assert (written.size, written.md5) == (len(whole), hashlib.md5(whole, usedforsecurity=False).hexdigest())
        empty = await disk.write(pieces())
        assert (disk.path(empty.version).read_bytes(), empty.size) == (b"", 0)
        with pytest.raises(TooLarge):
            await disk.write(pieces(*content), limit=1_000_000)
        assert [path.name for path in (tmp_path / "writing").glob("*/*")] == ["lock"]
        await disk.close()

    asyncio.run(run())


def test_the_more_uploads_the_less_of_each_is_in_memory() -> None:
    assert bounds(1) == (1 << 20, 7)
    for uploads in (1, 2, 3, 8, 63, 64, 65, 1000):
        batch, undigested = bounds(uploads)
        assert undigested >= 0
        assert batch * (undigested + 1) <= max(8 << 20, uploads << 17) // uploads
    assert bounds(1000) == (128 << 10, 0)


def test_a_write_that_fails_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_descriptor: int, _data: bytes) -> None:
        raise OSError(5, "the disk is broken")

    async def run() -> None:
        disk = await started(tmp_path)
        monkeypatch.setattr("emulator.storage.files.staged.write_all", full)
        with pytest.raises(OSError, match="broken"):
            await disk.write(pieces(b"x" * 2_000_000, b"y" * 2_000_000))
        assert [path.name for path in (tmp_path / "writing").glob("*/*")] == ["lock"]
        await disk.close()

    asyncio.run(run())
