"""A request's body that the answer does not wait for: an upload that is refused before it is read. I/O.

A connection with bytes of a body in it can't take another request, and one that is closed on a client that still sends
is reset before the client has read why.
"""

import asyncio

from emulator.asgi.headers import content_length, find_header
from emulator.asgi.types import Headers, Message, Receive

_SMALL = 64 * 1024
LINGER_S = 3.0


class Body:
    """The channel of a request, which knows whether the body was read to its end."""

    def __init__(self, receive: Receive, headers: Headers) -> None:
        self._receive = receive
        self._length = content_length(headers)
        self._is_over = self._length == 0 or (self._length is None and not _is_chunked(headers))
        self._waits = find_header(headers, b"expect") is not None
        self._has_begun = False

    async def receive(self) -> Message:
        """As ASGI's."""
        self._has_begun = True
        message = await self._receive()
        if message["type"] != "http.request" or not message.get("more_body"):
            self._is_over = True
        return message

    @property
    def is_unread(self) -> bool:
        """Whether there is more."""
        return not self._is_over

    async def skip_small(self) -> None:
        """Read what is left of a small body; not of one that the client holds back until it is asked for (RFC 9110)."""
        if self._waits and not self._has_begun:
            return
        if self._length is not None and self._length <= _SMALL:
            while self.is_unread:
                await self.receive()

    async def linger(self) -> None:
        """Read and drop what still comes, for LINGER_S at most."""
        if self._waits and not self._has_begun:
            return
        try:
            async with asyncio.timeout(LINGER_S):
                while self.is_unread:
                    await self.receive()
        except TimeoutError:
            pass


def _is_chunked(headers: Headers) -> bool:
    return find_header(headers, b"transfer-encoding") is not None
