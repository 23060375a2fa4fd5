"""The application's document, as whoever serves the built application gives it: over HTTP, or within this process."""

import asyncio
import logging
import time
import urllib.request
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

FRESH_S = 5.0
TIMEOUT_S = 3.0
# What belongs to the document's own answer, and not to ours.
LEFT_OUT = frozenset(
    {"content-type", "content-length", "content-encoding", "etag", "vary", "date", "server", "connection",
     "last-modified", "accept-ranges"}
)  # fmt: skip

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Shell:
    """app.html and the headers it is served with (policies, caching); their names are in lower case."""

    document: bytes
    headers: dict[str, str]


Source = Callable[[], Awaitable[Shell | None]]


async def no_shell() -> Shell | None:
    """There is no application to serve."""
    return None


class WebShell:
    """The document of the web container, asked for again after FRESH_S; the last one while nobody answers there."""

    def __init__(self, url: str) -> None:
        self._url = f"{url.rstrip('/')}/app.html"
        self._last: Shell | None = None
        self._asked_at = float("-inf")

    async def __call__(self) -> Shell | None:
        """The document; None when there never was an answer."""
        if time.monotonic() - self._asked_at > FRESH_S:
            try:
                self._last = await asyncio.to_thread(_fetch, self._url)
            except OSError as error:
                log.warning("no document from %s: %s", self._url, error)
            self._asked_at = time.monotonic()
        return self._last


def _fetch(url: str) -> Shell:
    with urllib.request.urlopen(url, timeout=TIMEOUT_S) as answer:
        return Shell(answer.read(), kept(dict(answer.headers.items())))


def kept(headers: dict[str, str]) -> dict[str, str]:
    """The headers that every answer with the document carries, whatever was written into it."""
    return {name.lower(): value for name, value in headers.items() if name.lower() not in LEFT_OUT}
