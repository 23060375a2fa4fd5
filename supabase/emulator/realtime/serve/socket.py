"""A WebSocket under uvicorn: websockets' sans-I/O protocol reads, outbound frames are written as they are.

Frames that many receive are built once by the hub and written straight to the transport. A client that does not read
is disconnected when its write buffer passes the bound; no other client waits for it.
"""

import asyncio
import logging
import time
from typing import Any, cast

from websockets.exceptions import WebSocketException
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol

from emulator.realtime import errors
from emulator.realtime.context import Context
from emulator.realtime.serve.connections import Connections
from emulator.realtime.serve.handshake import Refusal, Rewrite, read_handshake
from emulator.realtime.serve.session import Session

log = logging.getLogger(__name__)
_wire_log = logging.getLogger(f"{__name__}.wire")
_wire_log.setLevel(logging.WARNING)  # websockets logs every connection otherwise
RESTART = 1012
GOING_AWAY = 1001
LINGER_S = 5.0
IDLE_S = 60.0  # clients send a heartbeat every 25 s
WITHOUT_CHANNEL_S = 600.0


class Socket(asyncio.Protocol):
    """One connection, constructed by uvicorn when a request asks for an upgrade.

    uvicorn takes a class, so app.py binds the service's parts by subclassing.
    """

    context: Context
    connections: Connections
    rewrite: Rewrite

    def __init__(self, config: Any, server_state: Any, app_state: Any, _loop: Any = None) -> None:  # noqa: ARG002
        self._uvicorn_connections: set[Any] = server_state.connections
        self._protocol = ServerProtocol(max_size=self.context.settings.limits.frame_bytes, logger=_wire_log)
        self._transport: asyncio.Transport
        self._session: Session | None = None
        self._fragments: list[bytes] = []
        self._pending: list[bytes] = []
        self._opcode = Opcode.TEXT
        self._is_full = False
        self._is_gone = False
        self._is_writable = True  # until a close frame went out, or the connection is lost
        self._max_buffer = self.context.settings.limits.socket_buffer_bytes
        self.last_seen = time.monotonic()

    # asyncio

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's transports are no subclass of it
        self._uvicorn_connections.add(self)

    def data_received(self, data: bytes) -> None:
        self.last_seen = time.monotonic()
        try:
            self._protocol.receive_data(data)
        except (WebSocketException, AssertionError) as error:
            log.info("a connection was dropped: %s", error)
            self._transport.abort()
            return
        for event in self._protocol.events_received():
            if isinstance(event, Request):
                self._on_handshake(event)
            elif isinstance(event, Frame):
                self._receive(event)
        self._flush()

    def eof_received(self) -> None:
        self._protocol.receive_eof()
        self._flush()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._is_gone, self._is_writable = True, False
        self._uvicorn_connections.discard(self)
        self.connections.remove(self)
        if self._session is not None:
            self._session.end()
            self._session = None

    def pause_writing(self) -> None:
        self._is_full = True

    def resume_writing(self) -> None:
        self._is_full = False

    def shutdown(self) -> None:
        """uvicorn stops: tell the client, and close."""
        if self._session is not None:
            self._session.announce_shutdown()
            self.close(RESTART)
        else:
            self._transport.close()

    # Handshake

    def _on_handshake(self, request: Request) -> None:
        response = self._protocol.accept(request)
        if response.status_code == 101:
            refusal = self._open(request)
            if refusal is not None:
                pause = self.context.settings.refusal_pause_s
                asyncio.get_running_loop().call_later(pause, self._refuse, refusal)
                return
        self._protocol.send_response(response)
        self._flush()

    def _open(self, request: Request) -> Refusal | None:
        """Admit the client, or say why not."""
        handshake = read_handshake(request, type(self).rewrite)
        if isinstance(handshake, Refusal):
            return handshake
        try:
            principal = self.context.tokens.verify(handshake.token)
        except errors.Refused as refused:
            return Refusal(401, refused.handshake)
        try:
            self.connections.admit(self)
        except errors.Refused as refused:
            return Refusal(429, refused.handshake)
        self._session = Session(self.context, self, principal, handshake)
        return None

    def _refuse(self, refusal: Refusal) -> None:
        self._protocol.send_response(refusal.response())
        self._flush()
        self._transport.close()

    # Frames

    def _receive(self, frame: Frame) -> None:
        if frame.opcode not in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            return  # ping, pong and close are answered by the protocol
        if frame.opcode is not Opcode.CONT:
            self._opcode = frame.opcode
        if not frame.fin:
            self._fragments.append(bytes(frame.data))
            return
        data = bytes(frame.data)
        if self._fragments:
            data = b"".join((*self._fragments, data))
            self._fragments = []
        if self._session is None:
            return
        if self._opcode is Opcode.TEXT:
            self._session.receive_text(data)
        else:
            self._session.receive_binary(data)

    def _flush(self) -> None:
        self.write_pending()
        if self._is_gone:
            return
        self._is_writable = self._protocol.state is State.OPEN
        for data in self._protocol.data_to_send():
            if data:
                self._transport.write(data)
        if self._protocol.close_expected() or self._protocol.state is State.CLOSED:
            self._transport.close()

    # Writing

    def write(self, frame: bytes) -> None:
        """Send a frame as it is, together with others of this turn of the event loop: a burst is one system call."""
        if self._is_writable:
            if not self._pending:
                self.connections.write_soon(self)
            self._pending.append(frame)

    def write_pending(self) -> None:
        """Hand the held frames to the transport; a client that does not read is disconnected."""
        if self._is_gone or not self._pending:
            return
        self._transport.write(self._pending[0] if len(self._pending) == 1 else b"".join(self._pending))
        self._pending = []
        if self._is_full and self._transport.get_write_buffer_size() > self._max_buffer:
            size = self._transport.get_write_buffer_size()
            log.warning("disconnected a client that does not read, with %d bytes unsent", size)
            self._is_gone, self._is_writable = True, False
            self._transport.abort()

    def close(self, code: int) -> None:
        """Send a close frame; a client that does not answer it is disconnected after LINGER_S."""
        if self._is_gone or self._protocol.state is not State.OPEN:
            return
        self.write_pending()
        self._protocol.send_close(code)
        self._flush()
        asyncio.get_running_loop().call_later(LINGER_S, self._abort)

    def _abort(self) -> None:
        if not self._is_gone:
            self._transport.abort()

    def check_idle(self, now: float) -> None:
        """Close when silent too long, or long without a channel."""
        session = self._session
        if now - self.last_seen > IDLE_S:
            self.close(GOING_AWAY)
        elif session is not None and not session.channels and now - session.without_channel_since > WITHOUT_CHANNEL_S:
            self.close(1000)
