"""The application's document (app.html): fetched from the web container, or given by the same process."""

import asyncio
import logging
import time
import urllib.request
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

MAX_AGE_S = 5.0
TIMEOUT_S = 3.0
# Headers of the document's own response, which ours must not repeat.
NOT_FORWARDED = frozenset(
    {"content-type", "content-length", "content-encoding", "etag", "vary", "date", "server", "connection",
     "last-modified", "accept-ranges"}
)  # fmt: skip

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Shell:
    """app.html and the headers it is served with (policies, caching); their names are in lower case."""

    document: bytes
    headers: dict[str, str]


ShellSource = Callable[[], Awaitable[Shell | None]]


async def no_shell() -> Shell | None:
    """No application is served."""
    return None


class WebShell:
    """The document of the web container, fetched again after MAX_AGE_S; the last one while that fails."""

    def __init__(self, url: str) -> None:
        self._url = f"{url.rstrip('/')}/app.html"
        self._last: Shell | None = None
        self._fetched_at = float("-inf")

    async def __call__(self) -> Shell | None:
        """The document; None when there never was an answer."""
        if time.monotonic() - self._fetched_at > MAX_AGE_S:
            try:
                self._last = await asyncio.to_thread(_fetch, self._url)
            except OSError as error:
                log.warning("no document from %s: %s", self._url, error)
            self._fetched_at = time.monotonic()
        return self._last


def _fetch(url: str) -> Shell:
    with urllib.request.urlopen(url, timeout=TIMEOUT_S) as answer:
        return Shell(answer.read(), forwarded_headers(dict(answer.headers.items())))


def forwarded_headers(headers: dict[str, str]) -> dict[str, str]:
    """The headers that every response with the document carries, whatever its head."""
    return {name.lower(): value for name, value in headers.items() if name.lower() not in NOT_FORWARDED}
