"""uvicorn's HTTP/1.1, with the head of an answer and the first of its body in one write.

uvicorn writes them one after the other, and with Nagle's delay off that is two system calls and two packets for every
answer: a tenth of what a small one costs. Here the head waits for the body until the event loop's next turn at most.
"""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

# Copying more than this costs more than a second write.
_WORTH_JOINING = 65_536


class OneWriteProtocol(HttpToolsProtocol):
    """uvicorn's protocol; what one exchange writes goes through a `HeldHead`."""

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        cycle.transport = HeldHead(cycle.transport, self.loop)  # type: ignore[assignment]
        super()._start_asgi_task(cycle, app)


class HeldHead:
    """As much of a transport as an exchange uses. The first write is the head, unless it only says to go on."""

    __slots__ = ("_head", "_loop", "_transport")

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._head: bytes | None = None

    def write(self, data: bytes) -> None:
        """Hold a head back; send anything else, with the head before it if there is one."""
        if self._head is not None:
            head, self._head = self._head, None
            if len(data) > _WORTH_JOINING:
                self._transport.write(head)
                self._transport.write(data)
            else:
                self._transport.write(head + data)
        elif data.startswith(b"HTTP/1.1 ") and not data.startswith(b"HTTP/1.1 1"):
            self._head = data
            self._loop.call_soon(self._send_head)
        else:
            self._transport.write(data)

    def _send_head(self) -> None:
        if self._head is not None:
            head, self._head = self._head, None
            self._transport.write(head)

    def close(self) -> None:
        """Close the connection behind what was written."""
        self._send_head()
        self._transport.close()

    def is_closing(self) -> bool:
        """Whether the connection is closed or about to be."""
        return self._transport.is_closing()
