"""Faults that a test asks for: the n-th matching request is delayed, answered with a status, or its socket dropped.

Those of WebSockets are for the n-th that is opened (`new`), or for all that are open when they are asked for (`open`).
"""

import asyncio
import fnmatch
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from emulator.asgi.response import respond
from emulator.asgi.types import Receive, Scope, Send
from emulator.branches import errors

MOST = 100
LONGEST_DELAY_MS = 60_000
ABORT = "muster.abort"  # in a scope: closes the connection at once (asgi/limits.py)
NEW, OPEN = "new", "open"
# Of RFC 6455, as far as an endpoint may send them, and the application's own.
_CLOSE_CODES = frozenset({*range(1000, 1004), *range(1007, 1015), *range(3000, 5000)})
_KINDS: Mapping[str, type | tuple[type, ...]] = {
    "path": str, "method": str, "nth": int, "times": int, "delay_ms": int, "status": int, "drop": bool,
    "websocket": str, "close": int,
}  # fmt: skip


@dataclass
class Fault:
    """`path` may have stars. It is for the `nth` matching request from now on, and the `times - 1` after that.

    Delay first, then the status or the drop; with neither the request is served after the delay. A WebSocket may also
    be closed with a code; of one that is open the delay is for everything that the client sends.
    """

    path: str = "*"
    method: str = ""
    nth: int = 1
    times: int = 1
    delay_ms: int = 0
    status: int = 0
    body: Any = None
    drop: bool = False
    websocket: str = ""
    close: int = 0
    seen: int = 0

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> "Fault":
        """Of a request's body. Raises bad_request."""
        known = {**_KINDS, "body": object}
        for name, value in document.items():
            if name not in known or not isinstance(value, known[name]) or (known[name] is int and value is True):
                raise errors.bad_request(f"{name} is unknown, or not of its type")
        fault = cls(**document)
        if not (fault.nth >= 1 and fault.times >= 1 and 0 <= fault.delay_ms <= LONGEST_DELAY_MS):
            raise errors.bad_request(f"nth and times are at least 1, delay_ms at most {LONGEST_DELAY_MS}")
        if fault.status and not 200 <= fault.status <= 599:
            raise errors.bad_request("status is between 200 and 599")
        if not (fault.delay_ms or fault.status or fault.drop or fault.close):
            raise errors.bad_request("a fault has delay_ms, status, drop, or close for a WebSocket")
        fault._check_websocket()
        return fault

    def _check_websocket(self) -> None:
        if self.websocket not in ("", NEW, OPEN):
            raise errors.bad_request(f"websocket is {NEW} or {OPEN}")
        if self.close and not (self.websocket and self.close in _CLOSE_CODES):
            raise errors.bad_request("close is a code that a WebSocket may be closed with")
        if self.status and self.websocket and (self.websocket == OPEN or self.status < 400):
            raise errors.bad_request("status refuses a new WebSocket: it is between 400 and 599")

    def matches(self, method: str, path: str, websocket: str = "") -> bool:
        """Whether a request or a WebSocket is of those that are counted."""
        if self.websocket != websocket or not fnmatch.fnmatchcase(path, self.path):
            return False
        return not self.method or self.method.upper() == method

    @property
    def is_over(self) -> bool:
        """Whether it was for all of its requests."""
        return self.seen >= self.nth + self.times - 1


class Faults:
    """Those of one branch."""

    def __init__(self) -> None:
        self._all: list[Fault] = []

    def __bool__(self) -> bool:
        return bool(self._all)

    def add(self, fault: Fault) -> None:
        """Ask for one more. Raises bad_request when there are too many."""
        if len(self._all) >= MOST:
            raise errors.bad_request(f"there are {MOST} faults already")
        self._all.append(fault)

    def clear(self) -> None:
        """None any more."""
        self._all.clear()

    def take(self, method: str, path: str, websocket: str = "") -> Fault | None:
        """Count a request, or a WebSocket that is opened (NEW); the fault that it meets."""
        met = None
        for fault in list(self._all):
            if fault.matches(method, path, websocket):
                fault.seen += 1
                if fault.seen >= fault.nth and met is None:
                    met = fault
                if fault.is_over:
                    self._all.remove(fault)
        return met


async def meet(fault: Fault, scope: Scope, receive: Receive, send: Send) -> bool:
    """Do what the fault says; whether the request has been dealt with."""
    if fault.delay_ms:
        await asyncio.sleep(fault.delay_ms / 1000)
    if fault.drop:
        scope[ABORT]()
        while (await receive())["type"] != "http.disconnect":
            pass
        return True
    if fault.status:
        empty = fault.status in (204, 304)
        body = None if empty else json.dumps(fault.body if fault.body is not None else {"message": "fault"}).encode()
        await respond(send, fault.status, [] if empty else [(b"content-type", b"application/json")], body)
        return True
    return False
