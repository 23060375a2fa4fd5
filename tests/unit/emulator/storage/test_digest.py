"""The MD5 of an upload on its own thread: order, cancellation, and reading it between two parts."""

import asyncio
import hashlib
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from emulator.storage.files.digest import SMALL, Digest

LARGE = b"x" * (SMALL + 1)


def md5(data: bytes) -> str:
    return hashlib.md5(data, usedforsecurity=False).hexdigest()


@pytest.mark.parametrize("parts", [[], [b""], [b"small"], [LARGE, b"small"], [b"small", LARGE, LARGE, b"end"]], ids=len)
def test_a_digest_is_of_its_parts_in_order(parts: list[bytes]) -> None:
    async def run() -> str:
        with ThreadPoolExecutor(1) as hasher:
            digest = Digest(hasher)
            for part in parts:
                digest.add(part)
            await digest.until(0)
            return digest.hexdigest()

    assert asyncio.run(run()) == md5(b"".join(parts))


def test_a_digest_goes_on_after_it_was_read() -> None:
    async def run() -> list[str]:
        with ThreadPoolExecutor(1) as hasher:
            digest, found = Digest(hasher), []
            for part in (LARGE, b"more", LARGE):
                digest.add(part)
                await digest.until(0)
                found.append(digest.hexdigest())
            return found

    assert asyncio.run(run()) == [md5(LARGE), md5(LARGE + b"more"), md5(LARGE + b"more" + LARGE)]


def test_who_is_canceled_takes_nothing_out_of_the_digest() -> None:
    async def run() -> str:
        with ThreadPoolExecutor(1) as hasher:
            gate = threading.Event()
            hasher.submit(gate.wait, 10)
            digest = Digest(hasher)
            digest.add(LARGE)
            waiting = asyncio.create_task(digest.until(0))
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            gate.set()
            await digest.until(0)
            return digest.hexdigest()

    assert asyncio.run(run()) == md5(LARGE)


def test_what_waits_is_let_go_of() -> None:
    with ThreadPoolExecutor(1) as hasher:
        gate = threading.Event()
        hasher.submit(gate.wait, 10)
        digest = Digest(hasher)
        digest.add(LARGE)
        digest.cancel()
        left = hasher.submit(lambda: None)
        gate.set()
        left.result(10)
    with pytest.raises(AssertionError):
        digest.hexdigest()
