"""Resumable uploads on the disk: what is known of their content after a request failed."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import uuid4

import pytest

from emulator.storage.files.backend import TooLarge
from emulator.storage.files.disk import PIECE, Disk
from emulator.storage.files.partial import UploadState, UploadStore

VERSION = str(uuid4())


async def pieces(*content: bytes, ends_early: bool = False) -> AsyncIterator[bytes]:
    for piece in content:
        yield piece
    if ends_early:
        raise ConnectionResetError


async def started(root: Path) -> tuple[UploadStore, UploadState]:
    disk = Disk(root)
    await disk.start()
    store = UploadStore(disk)
    state = UploadState("bucket", "key", VERSION, None, 0, {}, 0.0)
    await store.create(state)
    return store, state


def test_what_was_too_large_is_not_in_the_digest(tmp_path: Path) -> None:
    async def run() -> None:
        store, state = await started(tmp_path)
        with pytest.raises(TooLarge):
            await store.append(state, pieces(b"a" * PIECE, b"b" * PIECE), PIECE + 1)
        after = await store.append(state, pieces(b"c" * 10), 100)
        assert store.data(VERSION).read_bytes() == b"c" * 10
        assert store.digest(after) is None, "a digest of other bytes"

    asyncio.run(run())


def test_a_broken_connection_leaves_what_came_and_its_digest(tmp_path: Path) -> None:
    async def run() -> None:
        store, state = await started(tmp_path)
        with pytest.raises(ConnectionResetError):
            await store.append(state, pieces(b"a" * PIECE, b"b", ends_early=True), 2 * PIECE)
        kept = await store.read(VERSION)
        assert kept.offset == PIECE + 1
        after = await store.append(kept, pieces(b"c"), 2 * PIECE)
        whole = b"a" * PIECE + b"bc"
        assert store.data(VERSION).read_bytes() == whole
        assert store.digest(after) == hashlib.md5(whole, usedforsecurity=False).hexdigest()

    asyncio.run(run())
