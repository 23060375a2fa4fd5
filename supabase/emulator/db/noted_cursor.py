"""A cursor of psycopg whose statements the dashboard can show."""

import time
from collections.abc import Iterable
from typing import Any, Self

from psycopg import AsyncCursor, sql
from psycopg.abc import Params
from psycopg.rows import Row

from emulator.observe import recent


class NotedCursor(AsyncCursor[Row]):
    """Notes what it executes for a request that is recorded. In a pipeline the results come later: no time is known."""

    async def execute(self, query: Any, params: Params | None = None, **options: Any) -> Self:
        """As psycopg's."""
        if not recent.is_recorded():
            return await super().execute(query, params, **options)
        started = time.perf_counter()
        try:
            return await super().execute(query, params, **options)
        finally:
            text = query.as_string(self) if isinstance(query, sql.Composable) else str(query)
            recent.note(iter([(text, tuple(map(_shown, _values(params))))]), time.perf_counter() - started)


def _values(params: Params | None) -> Iterable[Any]:
    if params is None:
        return ()
    return params.values() if hasattr(params, "values") else params


def _shown(value: Any) -> str | None:
    return None if value is None else str(value)
