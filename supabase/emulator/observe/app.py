"""What a server tells of every HTTP request: it gets an id, is counted, timed, and may be logged."""

import logging
import time
from collections.abc import Callable

from emulator.asgi.types import Header, Scope
from emulator.observe import trace
from emulator.observe.logs import LogSettings, wants_line
from emulator.observe.metrics import Requests
from emulator.observe.recent import Recent, Recorded

LOOKING = ("/_muster", "/healthz")  # what looks at the stack is none of the requests to be shown

log = logging.getLogger("muster.requests")

# When a request began (time.perf_counter), and where it is recorded.
Begun = tuple[float, Recorded | None]


class Observer:
    """The requests of one server. Where it serves several services, `scope["service"]` names the one that was called.

    `after` is called when a request has been counted; `recent` keeps the last ones with their SQL.
    """

    def __init__(
        self,
        service: str,
        logs: LogSettings,
        requests: Requests | None = None,
        after: Callable[[], None] | None = None,
        recent: Recent | None = None,
    ) -> None:
        self.requests = requests or Requests()
        self._after = after
        self._recent = recent
        self._service = service
        self._logs = logs

    def begin(self, scope: Scope) -> tuple[Header, Begun]:
        """Name the request, for its task and in its answer."""
        given = None
        for name, value in scope["headers"]:
            if name == trace.HEADER:
                given = value
                break
        found = (trace.read(given) if given is not None else None) or trace.make()
        trace.current.set(found)
        recorded = None
        if self._recent is not None and not scope["path"].startswith(LOOKING):
            recorded = self._recent.begin(
                found.id, time.time(), scope["method"], scope["path"], scope.get("query_string", b"")
            )
        requests = self.requests
        requests.in_flight += 1
        at = requests.began_at = time.perf_counter()
        return (trace.HEADER, found.id.encode("ascii")), (at, recorded)

    def end(self, scope: Scope, begun: Begun, status: int) -> None:
        """Count the request, and log it where that is asked for."""
        at, recorded = begun
        duration_s = time.perf_counter() - at
        requests = self.requests
        requests.in_flight -= 1
        service = scope.get("service") or self._service
        requests.add(service, scope["method"], status, duration_s)
        if recorded is not None and self._recent is not None:
            self._recent.end(recorded, service, status, duration_s)
        if wants_line(self._logs, status, duration_s):
            self._write(scope, service, status, duration_s)
        if self._after is not None:
            self._after()

    def _write(self, scope: Scope, service: str, status: int, duration_s: float) -> None:
        """Log one request. The path alone: a query string may hold a token or a name."""
        client = scope.get("client")
        facts = {
            "service": service, "method": scope["method"], "path": scope["path"][:500], "status": status,
            "duration_ms": round(duration_s * 1000, 1), "client": client[0] if client else None,
        }  # fmt: skip
        level = logging.ERROR if status >= 500 else logging.INFO
        log.log(level, "request", extra=facts)
