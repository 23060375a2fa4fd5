"""ASGI's own vocabulary as types: https://asgi.readthedocs.io/en/latest/specs/main.html"""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
ASGIApp = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]  # as in a scope: names in lower case, in the order of the wire

# An extension: "http.response.start" may bring the whole body, as "body" (asgi/answer.py).
WHOLE = "muster.response.whole"
