"""The metrics of the auth service, by GoTrue's names, and the application of the port where Prometheus reads them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from emulator.asgi.response import respond
from emulator.asgi.types import Receive, Scope, Send
from emulator.observe.metrics import MEDIA_TYPE, counter, counters, gauge, process_text, to_text

NO_ROUTE = "noroute"


@dataclass
class Counters:
    """Responses by route pattern and status; nothing that a client sends becomes a label."""

    responses: dict[tuple[str, int], int] = field(default_factory=dict)

    def add(self, route: str, status: int) -> None:
        """Count one response."""
        self.responses[route, status] = self.responses.get((route, status), 0) + 1


def text(totals: Counters, pool: AsyncConnectionPool[AsyncConnection[Any]], dropped_mails: int) -> str:
    """The metrics in Prometheus' text format: GoTrue's http_status_codes and gotrue_running, and the pool's."""
    stats: Mapping[str, int] = pool.get_stats()
    responses = (((str(status), route), number) for (route, status), number in sorted(totals.responses.items()))
    labels, timeouts = ("code", "http_route"), stats.get("requests_errors", 0)
    return to_text(
        [
            counters("http_status_codes_total", "Number of returned HTTP status codes", labels, responses),
            gauge("gotrue_running", "Whether GoTrue is running (always 1)", 1),
            gauge("auth_db_pool_size", "Connections of the pool", stats.get("pool_size", 0)),
            gauge("auth_db_pool_available", "Connections that are free", stats.get("pool_available", 0)),
            gauge("auth_db_pool_waiting", "Requests waiting for a connection", stats.get("requests_waiting", 0)),
            counter("auth_db_pool_timeouts_total", "Requests that got no connection in time", timeouts),
            counter("auth_mails_dropped_total", "Mails not sent because the hour's are used up", dropped_mails),
        ]
    )


class MetricsApp:
    """The metrics port: any path, without a key, as GoTrue's exporter has it."""

    def __init__(self, read: Callable[[], str]) -> None:
        self._read = read

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """Respond with the metrics."""
        body = (self._read() + process_text()).encode()
        headers = [(b"content-type", MEDIA_TYPE.encode())]
        await respond(send, 200, headers, body, head=scope["method"] == "HEAD")
