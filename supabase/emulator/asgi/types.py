"""ASGI's own vocabulary as types: https://asgi.readthedocs.io/en/latest/specs/main.html"""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Protocol

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
ASGIApp = Callable[[Scope, Receive, Send], Awaitable[None]]
Header = tuple[bytes, bytes]
Headers = list[Header]  # as in a scope: names in lower case, in the order of the wire


class Observer(Protocol):
    """Sees every HTTP request of a server."""

    def begin(self, scope: Scope) -> tuple[Header, Any]:
        """A request begins, in the task that serves it: a header of its answer, and what `end` is to be given."""

    def end(self, scope: Scope, begun: Any, status: int) -> None:
        """It ended with this status, or with CLIENT_CLOSED_REQUEST."""


CLIENT_CLOSED_REQUEST = 499  # nginx's code for a client that left before the answer

# An extension: "http.response.start" may bring the whole body, as "body" (asgi/answer.py).
WHOLE = "muster.response.whole"
