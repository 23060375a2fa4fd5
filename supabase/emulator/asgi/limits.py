"""HTTP/1.1 as uvicorn speaks it, with limits on the head of a request: its size, and the time until it is complete.

Without them one client could send a head that never ends and fill the memory, or open connections and send nothing.
"""

import asyncio
from typing import Any

from httptools import HttpParserError
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MAX_HEAD_BYTES = 64 * 1024  # request line and headers
HEAD_S = 20.0  # from the connection, or from the first byte of a later request


class LimitedHttp(HttpToolsProtocol):
    """A connection. 431 for a head that is too large, 408 for one that comes too late; then it is closed."""

    _head_open = True
    _head_size = 0
    _is_too_large = False
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock for the first request."""
        super().connection_made(transport)
        self._deadline = self.loop.call_later(HEAD_S, self._too_slow)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        self._stop_clock()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse; a head that is not complete afterwards is measured and timed."""
        super().data_received(data)
        if not self._head_open or self.transport.is_closing():
            return
        self._head_size += len(data)
        if self._head_size > MAX_HEAD_BYTES:
            self._reject(b"431 Request Header Fields Too Large")
        elif self._deadline is None:
            self._deadline = self.loop.call_later(HEAD_S, self._too_slow)

    def on_message_begin(self) -> None:
        """A request begins."""
        self._head_open, self._head_size = True, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Its head is complete; one that came in a single piece is measured here."""
        self._head_open = False
        self._stop_clock()
        if len(self.url) + sum(len(name) + len(value) for name, value in self.headers) > MAX_HEAD_BYTES:
            self._is_too_large = True
            raise HttpParserError("the head is too large")
        super().on_headers_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer when the parser stops: 431 where we stopped it."""
        if self._is_too_large:
            self._reject(b"431 Request Header Fields Too Large")
        else:
            super().send_400_response(msg)

    def _too_slow(self) -> None:
        self._deadline = None
        if not self.transport.is_closing():
            self._reject(b"408 Request Timeout")

    def _reject(self, status: bytes) -> None:
        self._stop_clock()
        self._head_open = False
        head: list[Any] = [b"HTTP/1.1 ", status, b"\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"]
        self.transport.write(b"".join(head))
        self.transport.close()

    def _stop_clock(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
