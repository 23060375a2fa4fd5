"""Password hashes: bcrypt at cost 10, as GoTrue's, on threads of its own.

Verification compares the first 72 bytes, which is all that bcrypt looks at; longer new passwords are not accepted.
The library is loaded with the first password: an idle service is 0.4 MiB smaller without it.
"""

import asyncio
import os
import secrets
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cached_property
from typing import TypeVar

from emulator.auth.crypto import imported_hashes

T = TypeVar("T")
COST = 10
MAX_BYTES = 72
HASH_CHARS = 31  # after the salt
BCRYPT_PREFIXES = ("$2a$", "$2b$", "$2y$")
_NICENESS = 5


def random_password() -> str:
    """264 random bits."""
    return secrets.token_urlsafe(33)


def is_supported_hash(text: str) -> bool:
    """Whether a hash that an admin hands in is one that `verify` can check."""
    try:
        if text.startswith(imported_hashes.PREFIXES):
            imported_hashes.parse(text)
        else:
            import bcrypt

            bcrypt.checkpw(b"", text.encode())
    except ValueError:
        return False
    return True


class Hasher:
    """bcrypt on as many threads as there are cores, at lower priority than the event loop's."""

    def __init__(self, threads: int | None = None, cost: int = COST) -> None:
        self._cost = cost
        self._pool = ThreadPoolExecutor(threads or os.cpu_count() or 1, "bcrypt", initializer=lower_priority)

    @cached_property
    def _dummy_hash(self) -> str:
        """A salt before the hash of nothing: comparing with it costs as much, and making it does not cost 60 ms."""
        import bcrypt

        return bcrypt.gensalt(self._cost, b"2a").decode() + "." * HASH_CHARS

    async def hash(self, password: str) -> str:
        """A `$2a$10$...` hash."""
        import bcrypt

        raw = password.encode()
        return (await self._run(lambda: bcrypt.hashpw(raw, bcrypt.gensalt(self._cost, b"2a")))).decode()

    async def verify(self, password: str, hashed: str | None) -> bool:
        """Whether the password is the hashed one; without a usable hash it costs the same time and is False."""
        usable = hashed is not None and hashed.startswith((*BCRYPT_PREFIXES, *imported_hashes.PREFIXES))
        against = hashed if usable and hashed else self._dummy_hash
        return await self._run(lambda: _check(password.encode(), against)) and usable

    async def _run(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    def close(self) -> None:
        """Stop the threads; hashes in progress are finished."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def _check(raw: bytes, against: str) -> bool:
    try:
        if against.startswith(imported_hashes.PREFIXES):
            return imported_hashes.parse(against)(raw)
        import bcrypt

        return bcrypt.checkpw(raw[:MAX_BYTES], against.encode())
    except ValueError:  # a malformed hash in the row
        return False


def lower_priority() -> None:
    """Give this thread a lower priority (Linux), so that hashing does not take the core from the event loop."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
