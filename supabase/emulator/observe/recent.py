"""The last requests with their SQL, for the dashboard of a development stack. In memory, bounded, of this process.

A request that is recorded has a list for what it executes; without one nothing is kept, and noting costs a lookup.
"""

import re
from collections import deque
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import NamedTuple

MOST_REQUESTS, MOST_BATCHES = 200, 20
LONGEST_STATEMENT, LONGEST_PARAMETER, LONGEST_PATH = 20_000, 300, 2_000
_SECRET = re.compile(r"((?:api_?key|token|token_hash|code|access_token|refresh_token)=)[^&]*", re.IGNORECASE)


class Batch(NamedTuple):
    """Statements that were sent together, each with its parameters, and how long their results took."""

    statements: tuple[tuple[str, tuple[str | None, ...]], ...]
    duration_ms: float


@dataclass(slots=True)
class Recorded:
    """One request; `at` in seconds of the epoch. Secrets in its query are left out."""

    number: int
    id: str
    at: float
    method: str
    path: str
    service: str = ""
    status: int = 0
    duration_ms: float = 0.0
    batches: list[Batch] = field(default_factory=list)


_executed: ContextVar[list[Batch] | None] = ContextVar("executed", default=None)


def is_recorded() -> bool:
    """Whether what is executed now belongs to a request that is recorded."""
    return _executed.get() is not None


def note(statements: Iterator[tuple[str, tuple[str | None, ...]]], duration_s: float) -> None:
    """Keep what was executed for the request being served."""
    batches = _executed.get()
    if batches is not None and len(batches) < MOST_BATCHES:
        cut = tuple(
            (text[:LONGEST_STATEMENT], tuple(None if one is None else one[:LONGEST_PARAMETER] for one in parameters))
            for text, parameters in statements
        )
        batches.append(Batch(cut, round(duration_s * 1000, 2)))


class Recent:
    """The last requests of this process, oldest first."""

    def __init__(self) -> None:
        self._requests: deque[Recorded] = deque(maxlen=MOST_REQUESTS)
        self._number = 0

    def begin(self, request_id: str, at: float, method: str, path: str, query: bytes) -> Recorded:
        """Record a request; what its task executes from now on is its own."""
        self._number += 1
        asked = _SECRET.sub(r"\1…", query.decode("latin-1"))
        recorded = Recorded(self._number, request_id, at, method, f"{path}?{asked}"[:LONGEST_PATH] if asked else path)
        _executed.set(recorded.batches)
        return recorded

    def end(self, recorded: Recorded, service: str, status: int, duration_s: float) -> None:
        """It has been answered."""
        recorded.service, recorded.status = service, status
        recorded.duration_ms = round(duration_s * 1000, 2)
        _executed.set(None)
        self._requests.append(recorded)

    def since(self, number: int) -> list[Recorded]:
        """Those that began after the one of that number."""
        return [one for one in self._requests if one.number > number]
