"""What the auth service counts, by GoTrue's names, and the port where Prometheus reads it when the service is alone."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool
from starlette.types import Receive, Scope, Send

from emulator.auth.conf.env import Env
from emulator.observe.metrics import MEDIA_TYPE, counter, counters, gauge, process_text, to_text
from emulator.settings import SettingsError

NO_ROUTE = "noroute"


@dataclass
class Counters:
    """Answers by route pattern and status; nothing that a client sends is a label."""

    answers: dict[tuple[str, int], int] = field(default_factory=dict)

    def add(self, route: str, status: int) -> None:
        """Count one answer."""
        self.answers[route, status] = self.answers.get((route, status), 0) + 1


def text(totals: Counters, pool: AsyncConnectionPool[AsyncConnection[Any]]) -> str:
    """The metrics in Prometheus' text format: GoTrue's http_status_codes and gotrue_running, and the pool's."""
    stats: Mapping[str, int] = pool.get_stats()
    answers = (((str(status), route), number) for (route, status), number in sorted(totals.answers.items()))
    labels, timeouts = ("code", "http_route"), stats.get("requests_errors", 0)
    return to_text(
        [
            counters("http_status_codes_total", "Number of returned HTTP status codes", labels, answers),
            gauge("gotrue_running", "Whether GoTrue is running (always 1)", 1),
            gauge("auth_db_pool_size", "Connections of the pool", stats.get("pool_size", 0)),
            gauge("auth_db_pool_available", "Connections that are free", stats.get("pool_available", 0)),
            gauge("auth_db_pool_waiting", "Requests waiting for a connection", stats.get("requests_waiting", 0)),
            counter("auth_db_pool_timeouts_total", "Requests that got no connection in time", timeouts),
        ]
    )


def metrics_address(environ: Mapping[str, str]) -> tuple[str, int] | None:
    """Host and port of the metrics, by GoTrue's variables; None unless GOTRUE_METRICS_ENABLED. Raises SettingsError."""
    env = Env(environ)
    if not env.flag("METRICS_ENABLED"):
        return None
    if env.text("METRICS_EXPORTER", "opentelemetry") != "prometheus":
        raise SettingsError("GOTRUE_METRICS_EXPORTER must be prometheus: no other exporter is there")
    port = environ.get("OTEL_EXPORTER_PROMETHEUS_PORT") or "9100"
    if not port.isdecimal() or int(port) > 65535:
        raise SettingsError("OTEL_EXPORTER_PROMETHEUS_PORT must be a port number")
    return environ.get("OTEL_EXPORTER_PROMETHEUS_HOST") or "0.0.0.0", int(port)


class MetricsApp:
    """The metrics port: any path, for everybody who can reach it, as GoTrue's exporter has it."""

    def __init__(self, read: Callable[[], str]) -> None:
        self._read = read

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """Answer with the metrics."""
        body = (self._read() + process_text()).encode()
        headers = [(b"content-type", MEDIA_TYPE.encode()), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})
