"""The application's documents (app.html, and / for the landing page): of the web container, or of the same process."""

import asyncio
import logging
import time
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
    """A document and the headers it is served with (policies, caching); their names are in lower case."""

    document: bytes
    headers: dict[str, str]


ShellSource = Callable[[str], Awaitable[Shell | None]]


async def no_shell(_path: str) -> Shell | None:
    """No application is served."""
    return None


class WebShell:
    """The documents of the web container, fetched again after MAX_AGE_S; the last ones while that fails."""

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")
        self._last: dict[str, tuple[float, Shell | None]] = {}

    async def __call__(self, path: str) -> Shell | None:
        """The document at one of the few paths that functions ask for; None when there never was an answer."""
        fetched_at, shell = self._last.get(path, (float("-inf"), None))
        if time.monotonic() - fetched_at > MAX_AGE_S:
            try:
                shell = await asyncio.to_thread(_fetch, self._url + path)
            except OSError as error:
                log.warning("no document from %s%s: %s", self._url, path, error)
            self._last[path] = time.monotonic(), shell
        return shell


def _fetch(url: str) -> Shell:
    from urllib.request import urlopen  # with the first page: half a MiB

    with urlopen(url, timeout=TIMEOUT_S) as answer:
        return Shell(answer.read(), forwarded_headers(dict(answer.headers.items())))


def forwarded_headers(headers: dict[str, str]) -> dict[str, str]:
    """The headers that every response with the document carries, whatever its head."""
    return {name.lower(): value for name, value in headers.items() if name.lower() not in NOT_FORWARDED}
