"""The MD5 of a body, computed on a thread of its own: it takes longer than everything else of an upload."""

import asyncio
import hashlib
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Protocol

SMALL = 64 * 1024  # computed sooner than handed over


class _Md5(Protocol):
    def update(self, data: bytes, /) -> None: ...

    def hexdigest(self) -> str: ...


class Digest:
    """Feed it by `add`, in order, and let it catch up by `until`. `hasher` has one thread, which keeps the order."""

    def __init__(self, hasher: ThreadPoolExecutor) -> None:
        self._hasher = hasher
        self._waiting: deque[Future[None]] = deque()
        self._md5: _Md5 | None = None

    def add(self, data: bytes) -> None:
        """Add bytes, on any thread, one call at a time."""
        if self._waiting or len(data) > SMALL:
            self._waiting.append(self._hasher.submit(self._update, data))
        else:
            self._update(data)

    async def until(self, most: int) -> None:
        """Wait until at most so many calls of `add` have not been worked on."""
        while len(self._waiting) > most:
            # Shielded: who is canceled would else take the bytes out of the digest.
            await asyncio.shield(asyncio.wrap_future(self._waiting[0]))
            self._waiting.popleft()

    def cancel(self) -> None:
        """Let go of what waits; the digest is of no use then."""
        for future in self._waiting:
            future.cancel()

    def hexdigest(self) -> str:
        """The digest, after `until(0)`; more may be added later."""
        assert not self._waiting
        return (self._md5 or _md5()).hexdigest()

    def _update(self, data: bytes) -> None:
        if self._md5 is None:
            self._md5 = _md5() if len(data) <= SMALL else _LargeMd5()
        self._md5.update(data)


class _LargeMd5:
    """MD5 by the OpenSSL that comes with cryptography, 5 % faster than many a Python's; loading it takes 7 MiB."""

    def __init__(self) -> None:
        from cryptography.hazmat.primitives.hashes import MD5, Hash  # a stack at rest has no use for it

        self._hash = Hash(MD5())
        self.update = self._hash.update

    def hexdigest(self) -> str:
        """As hashlib's."""
        return self._hash.copy().finalize().hex()


def _md5() -> _Md5:
    return hashlib.md5(usedforsecurity=False)
