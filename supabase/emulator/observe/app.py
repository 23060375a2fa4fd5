"""The outermost application of a process: every HTTP request gets its id, is counted, timed, and may be logged."""

import logging
import time
from collections.abc import Awaitable, Callable

from emulator.asgi.types import ASGIApp, Message, Receive, Scope, Send
from emulator.observe import trace
from emulator.observe.logs import LogSettings, wants_line
from emulator.observe.metrics import Requests
from emulator.observe.recent import Recent

# Of every answer: a browser must not take data of a client's choosing for a page or a script.
NOSNIFF = (b"x-content-type-options", b"nosniff")
NOSNIFF_LENGTH = len(NOSNIFF[0])  # compared first: every answer pays for the loop
LOOKING = ("/_muster", "/healthz")  # what looks at the stack is none of the requests to be shown
CLIENT_CLOSED_REQUEST = 499  # nginx's code for a client that left before the answer

log = logging.getLogger("muster.requests")


class Observed:
    """An ASGI application, observed. One that serves several services names the one it called in `scope["service"]`.

    `after` is called when a request has been counted; `recent` keeps the last ones with their SQL.
    """

    def __init__(
        self,
        app: ASGIApp,
        service: str,
        logs: LogSettings,
        requests: Requests | None = None,
        after: Callable[[], None] | None = None,
        recent: Recent | None = None,
    ) -> None:
        self.requests = requests or Requests()
        self._after = after
        self._recent = recent
        self._app = app
        self._service = service
        self._logs = logs

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request; everything else passes."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = None
        for name, value in scope["headers"]:
            if name == trace.HEADER:
                given = value
                break
        found = (trace.read(given) if given is not None else None) or trace.make()
        trace.current.set(found)
        header = (trace.HEADER, found.id.encode("ascii"))
        status = CLIENT_CLOSED_REQUEST

        def sending(message: Message) -> Awaitable[None]:  # no coroutine of its own: every answer passes here
            nonlocal status
            if message["type"] == "http.response.start":
                status = int(message["status"])  # REST's may carry a phrase (asgi/status.py)
                headers = message.get("headers", ())
                if given is not None:  # a service may echo it
                    headers = [pair for pair in headers if pair[0].lower() != trace.HEADER]
                for name, _ in headers:
                    if len(name) == NOSNIFF_LENGTH and name.lower() == NOSNIFF[0]:
                        message["headers"] = [*headers, header]
                        break
                else:
                    message["headers"] = [*headers, NOSNIFF, header]
            return send(message)

        recorded = None
        if self._recent is not None and not scope["path"].startswith(LOOKING):
            recorded = self._recent.begin(
                found.id, time.time(), scope["method"], scope["path"], scope.get("query_string", b"")
            )
        requests = self.requests
        requests.in_flight += 1
        started = requests.began_at = time.perf_counter()
        try:
            await self._app(scope, receive, sending)
        except Exception:
            status = 500
            raise
        finally:
            duration_s = time.perf_counter() - started
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
