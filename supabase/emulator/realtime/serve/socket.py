"""A WebSocket under uvicorn: websockets' sans-I/O protocol reads, outbound frames are written as they are.

Frames that many receive are built once by the hub and written straight to the transport. A client that does not read
is disconnected when its write buffer passes the bound, or was left unread for UNREAD_S; no other client waits for it.
What a client sends is read and handled in turns (turns.py), and no more is read while much of it waits.
"""

import asyncio
import itertools
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
from emulator.realtime.serve.handshake import ClientOf, Refusal, Rewrite, raw_headers, read_handshake
from emulator.realtime.serve.session import Session
from emulator.realtime.serve.turns import Turns

log = logging.getLogger(__name__)
_wire_log = logging.getLogger(f"{__name__}.wire")
_wire_log.setLevel(logging.WARNING)  # websockets logs every connection otherwise
RESTART = 1012
GOING_AWAY = 1001
LINGER_S = 5.0
IDLE_S = 60.0  # clients send a heartbeat every 25 s
UNREAD_S = 30.0  # how long a client may leave everything unread
TURN_FRAMES = 50  # of one connection
MAX_INBOX_BYTES = 256 * 1024  # received and not read yet; then the connection is read no further
MIN_PIECE_BYTES, PIECE_BYTES, MAX_PIECE_BYTES = 64, 1024, 65_536  # are parsed at once
PIECE_FRAMES = 10  # about, in a piece
MAX_FRAGMENTS = 10_000  # of one message
MESSAGE_TOO_BIG = 1009
_numbers = itertools.count(1)


class _Protocol(ServerProtocol):
    """Closes without a reason text, as Cowboy does."""

    def fail(self, code: int, reason: str = "") -> None:  # noqa: ARG002 (of the base)
        super().fail(code)


class Socket(asyncio.Protocol):
    """One connection, constructed by uvicorn when a request asks for an upgrade.

    uvicorn takes a class, so app.py binds the service's parts by subclassing.
    """

    context: Context
    connections: Connections
    turns: Turns
    rewrite: Rewrite
    client_of: ClientOf

    def __init__(self, config: Any, server_state: Any, app_state: Any, _loop: Any = None) -> None:  # noqa: ARG002
        self._uvicorn_connections: set[Any] = server_state.connections
        self._protocol = _Protocol(max_size=self.context.settings.limits.frame_bytes, logger=_wire_log)
        self._transport: asyncio.Transport
        self._session: Session | None = None
        self._fragments: list[bytes] = []
        self._pending: list[bytes] = []
        self._opcode = Opcode.TEXT
        self._is_full = False
        self._is_gone = False
        self._is_writable = True  # until a close frame went out, or the connection is lost
        self._max_buffer = self.context.settings.limits.socket_buffer_bytes
        self._inbox: list[bytes] = []  # short; a process has thousands of sockets, and an empty deque weighs 760 bytes
        self._inbox_bytes = 0
        self._partial_bytes = 0  # of a message that is not complete
        self._piece, self._piece_from = PIECE_BYTES, 0
        self._frames: list[Frame] = []  # parsed, to be handled
        self._next_frame = 0
        self._is_held = False  # until it may send again
        self._stalled_since = 0.0
        self._stalled_bytes = 0
        self._is_reading = True
        self.used_s = self.used_from = 0.0
        self.rate_key = str(next(_numbers))  # what this connection's rates are counted by
        self.address = self.counted_as = ""
        self.held = 0
        self.last_seen = time.monotonic()

    # asyncio

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's transports are no subclass of it
        self._uvicorn_connections.add(self)

    def data_received(self, data: bytes) -> None:
        self.last_seen = time.monotonic()
        self._inbox.append(data)
        self._inbox_bytes += len(data)
        if self._inbox_bytes > MAX_INBOX_BYTES and self._is_reading:
            self._is_reading = False
            self._transport.pause_reading()
        if not self._is_held:
            self.turns.take(self)

    def eof_received(self) -> None:
        self._protocol.receive_eof()
        self._flush()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._is_gone, self._is_writable = True, False
        self._inbox, self._frames = [], []
        self._uvicorn_connections.discard(self)
        self.turns.forget(self)
        # When many are lost at once, none of them is written to any more when the first leaves its topics.
        asyncio.get_running_loop().call_soon(self._end)

    def check_tokens(self) -> None:
        """The clock was turned."""
        if self._session is not None:
            self._session.check_tokens()

    def _end(self) -> None:
        self.connections.remove(self)
        if self._session is not None:
            self._session.end()
            self._session = None

    def pause_writing(self) -> None:
        self._is_full = True

    def resume_writing(self) -> None:
        self._is_full = False
        self._note_held()

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
                pause = self.context.settings.connect_error_backoff_ms / 1000
                asyncio.get_running_loop().call_later(pause, self._refuse, refusal)
                return
        self._protocol.send_response(response)
        self._flush()

    def _open(self, request: Request) -> Refusal | None:
        """Admit the client, or say why not."""
        handshake = read_handshake(request, type(self).rewrite)
        if isinstance(handshake, Refusal):
            return handshake
        peer = self._transport.get_extra_info("peername")
        host = peer[0] if isinstance(peer, tuple) else ""
        self.address = type(self).client_of(host, list(raw_headers(request)))
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

    # Reading

    def handle_some(self, until: float) -> bool:
        """Handle up to TURN_FRAMES frames, stopping at a moment of time.perf_counter; whether more wait.

        A client that sends more than it may is held until it may again.
        """
        for _ in range(TURN_FRAMES):
            if not self._read_frame():
                break
            wait = self.context.client_rates.frames.take(self.rate_key, time.monotonic())
            if wait:
                self._is_held = True
                asyncio.get_running_loop().call_later(wait, self._release)
                break
            frame = self._frames[self._next_frame]
            self._next_frame += 1
            if self._next_frame == len(self._frames):
                self._frames, self._next_frame = [], 0
            self._receive(frame)
            if time.perf_counter() >= until or self.connections.has_much_to_write():
                break
        if self._is_gone:
            return False
        self._flush()
        if not self._is_reading and self._inbox_bytes <= MAX_INBOX_BYTES and not self._is_gone:
            self._is_reading = True
            self._transport.resume_reading()
        self._note_held()
        return not self._is_held and bool(self._frames or self._inbox)

    def _release(self) -> None:
        self._is_held = False
        if not self._is_gone:
            self.turns.take(self)

    def _read_frame(self) -> bool:
        """Parse what came, piece by piece, until there is a frame; False when there is none yet."""
        while not self._frames:
            if self._is_gone or not self._inbox:
                return False
            data = self._next_piece()
            self._inbox_bytes -= len(data)
            self._partial_bytes += len(data)
            try:
                self._protocol.receive_data(data)
            except (WebSocketException, AssertionError) as error:
                log.info("a connection was dropped: %s", error)
                self.cut()
                return False
            found = self._protocol.events_received()
            # A message of megabytes need not be parsed in small pieces; many frames of a few bytes must be.
            if found:
                self._piece = max(MIN_PIECE_BYTES, min(PIECE_BYTES, len(data) * PIECE_FRAMES // len(found)))
            else:
                self._piece = min(self._piece * 2, MAX_PIECE_BYTES)
            for event in found:
                if isinstance(event, Request):
                    self._on_handshake(event)
                elif isinstance(event, Frame):
                    self._frames.append(event)
        return True

    def _next_piece(self) -> bytes:
        data, start = self._inbox[0], self._piece_from
        end = start + self._piece
        if end < len(data):
            self._piece_from = end
            return data[start:end]
        del self._inbox[0]  # a few at most: beyond MAX_INBOX_BYTES nothing is read
        self._piece_from = 0
        return data[start:] if start else data

    def _note_held(self) -> None:
        if self._is_gone:
            return
        held = self._inbox_bytes + self._partial_bytes
        if self._session is not None:
            held += self._session.held_bytes
        if self._is_full:
            held += self._transport.get_write_buffer_size()
        if held > MAX_PIECE_BYTES or self.held:
            self.connections.note(self, held)

    # Frames

    def _receive(self, frame: Frame) -> None:
        if frame.opcode not in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            return  # ping, pong and close are answered by the protocol
        if frame.opcode is not Opcode.CONT:
            self._opcode = frame.opcode
        if not frame.fin:
            if frame.data:
                self._fragments.append(bytes(frame.data))
            if len(self._fragments) > MAX_FRAGMENTS:
                self.close(MESSAGE_TOO_BIG)
            return
        self._partial_bytes = 0
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
                self.connections.write_to(self)
            self._pending.append(frame)
            self.connections.pending_bytes += len(frame)

    def write_pending(self) -> None:
        """Hand the held frames to the transport; a client that does not read is disconnected."""
        if self._is_gone or not self._pending:
            return
        data = self._pending[0] if len(self._pending) == 1 else b"".join(self._pending)
        self._pending = []
        self.connections.pending_bytes -= len(data)
        self._transport.write(data)
        if self._is_full and self._transport.get_write_buffer_size() > self._max_buffer:
            size = self._transport.get_write_buffer_size()
            log.warning("disconnected a client that does not read, with %d bytes unsent", size)
            self.cut()
        elif self._is_full:
            self._note_held()

    def close(self, code: int) -> None:
        """Send a close frame; a client that does not answer it is disconnected after LINGER_S."""
        if self._is_gone or self._protocol.state is not State.OPEN:
            return
        self.write_pending()
        self._protocol.send_close(code)
        self._flush()
        asyncio.get_running_loop().call_later(LINGER_S, self.cut)

    def cut(self) -> None:
        """Disconnect at once."""
        if not self._is_gone:
            self._is_gone, self._is_writable = True, False
            self._inbox, self._frames = [], []
            self._fragments = []
            self._protocol.reader.discard()
            self._transport.abort()

    def check_idle(self, now: float) -> None:
        """Close when silent too long, or long without a channel."""
        session, idle_s = self._session, self.context.settings.no_channel_timeout_ms / 1000
        unsent = self._transport.get_write_buffer_size() if self._is_full else 0
        if not unsent or unsent < self._stalled_bytes or not self._stalled_bytes:
            self._stalled_since, self._stalled_bytes = now, unsent
        if unsent and now - self._stalled_since > UNREAD_S:
            log.warning("disconnected a client that reads nothing, with %d bytes unsent", unsent)
            self.cut()
        elif now - self.last_seen > IDLE_S:
            self.close(GOING_AWAY)
        elif session is not None and not session.channels and now - session.without_channel_since > idle_s:
            self.close(1000)
