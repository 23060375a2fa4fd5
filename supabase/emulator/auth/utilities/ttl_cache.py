"""Documents that were fetched, kept for a while."""

from typing import Generic, TypeVar

T = TypeVar("T")


class TtlCache(Generic[T]):
    """Values by URL, each for `ttl_s` seconds. Only for URLs from the settings: nothing else bounds its size."""

    def __init__(self, ttl_s: float) -> None:
        self._ttl_s = ttl_s
        self._entries: dict[str, tuple[float, T]] = {}

    def get(self, url: str, now: float) -> T | None:
        """The value while it is fresh."""
        expires_at, value = self._entries.get(url, (0.0, None))
        return value if now < expires_at else None

    def put(self, url: str, value: T, now: float) -> None:
        """Keep a value from now on."""
        self._entries[url] = (now + self._ttl_s, value)
