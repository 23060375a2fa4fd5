"""One branch: its stack, opened by the first request and closed when nobody uses it. I/O."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from emulator.asgi.lifespan import running
from emulator.asgi.server import bind
from emulator.asgi.types import ASGIApp, Headers
from emulator.branches.databases import Record
from emulator.branches.environment import Place
from emulator.branches.faults import NEW, OPEN, Fault, Faults
from emulator.branches.sockets import Dropped, closing_at_once, counted
from emulator.clock import Clock, TurnedClock
from emulator.errors import ApiError

log = logging.getLogger(__name__)
DRAIN_S = 2.0


class Stack(Protocol):
    """The services over one database, behind a gateway."""

    @property
    def gateway(self) -> ASGIApp: ...

    @property
    def ws_protocol(self) -> type[asyncio.Protocol]: ...

    @property
    def api_url(self) -> str: ...

    @property
    def queues(self) -> Mapping[str, str]:
        """Statements that find what the extension's services have not finished, by its name."""
        ...

    async def start_workers(self) -> None:
        """Start what works without being asked."""

    async def serve_sockets(self) -> None:
        """Start what serves WebSockets, and wait until it does."""

    async def sent_mails(self) -> None:
        """Wait until every mail that was to be sent after an answer is sent."""

    async def is_working(self) -> bool:
        """Whether a function answers, or goes on after its answer."""

    async def delivered(self, lsn: int) -> bool:
        """Whether Realtime has delivered everything up to a place in the log; it need not run."""


OpenStack = Callable[[Place, Clock], Stack]


@dataclass(eq=False)
class OpenBranch:
    """A stack that runs."""

    stack: Stack
    exits: AsyncExitStack


class Branch:
    """A branch. While it is changed (`closed`), requests for it wait."""

    def __init__(self, name: str, record: Record, database: str, folder: Path, open_stack: OpenStack) -> None:
        self.name, self.record, self.database, self.folder = name, record, database, folder
        self.last_used = time.monotonic()
        self.is_gone = False
        self.may_have_slot = True  # of its making, or of Realtime
        self.clock, self.faults = TurnedClock(), Faults()
        self._open_stack = open_stack
        self._open: OpenBranch | None = None
        self._changing = asyncio.Lock()
        self._requests = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._sockets: set[Any] = set()

    @property
    def is_open(self) -> bool:
        """Whether it has connections to its database."""
        return self._open is not None

    @property
    def takes_room(self) -> bool:
        """Whether it is open, or may be opening."""
        return self._open is not None or self._changing.locked()

    @property
    def requests(self) -> int:
        """How many are being answered."""
        return self._requests

    @property
    def is_used(self) -> bool:
        """Whether there is a request or a WebSocket."""
        return self._requests > 0 or bool(self._sockets) or self._changing.locked()

    @asynccontextmanager
    async def request(self) -> AsyncIterator[Stack]:
        """The stack, for one request."""
        while self._open is None or self._changing.locked():
            async with self._changing:
                if self._open is None:
                    self._open = await self._opened()
        self._begin()
        try:
            yield self._open.stack
        finally:
            self._end()

    async def socket_class(self, target: bytes, headers: Headers) -> type[Any]:
        """The protocol for a WebSocket of this branch. uvicorn makes the instance. Raises Dropped, ApiError."""
        path = target.partition(b"?")[0].decode("latin-1")
        fault = self.faults.take("GET", path, NEW) if self.faults else None
        if fault is not None:
            await asyncio.sleep(fault.delay_ms / 1000)
            if fault.drop:
                raise Dropped
            if fault.status:
                raise ApiError(fault.status, "fault", "fault")
            if fault.close:
                return closing_at_once(fault.close)
        async with self.request() as stack:
            await stack.serve_sockets()
            choose = getattr(stack.ws_protocol, "choose", None)
            return counted(stack.ws_protocol if choose is None else choose(target, headers), self._sockets, path)

    def add_fault(self, fault: Fault) -> None:
        """Ask for a fault; the WebSockets that are open meet theirs at once. Raises ApiError."""
        if fault.websocket != OPEN:
            self.faults.add(fault)
            return
        for socket in list(self._sockets):
            socket.meet(fault)

    @asynccontextmanager
    async def closed(self) -> AsyncIterator[None]:
        """Close the stack, and let requests wait during a block; what is being answered gets DRAIN_S."""
        async with self._changing:
            await self.close()
            yield

    async def close(self) -> None:
        """Let go of everything: connections, processes, sockets. WebSockets are told to come again."""
        open_branch, self._open = self._open, None
        if open_branch is None:
            return
        for socket in list(self._sockets):
            socket.shutdown()
        try:
            await asyncio.wait_for(self._idle.wait(), DRAIN_S)
        except TimeoutError:
            log.warning("branch %s is closed while it answers requests", self.name)
        await open_branch.exits.aclose()

    async def _opened(self) -> OpenBranch:
        async with AsyncExitStack() as exits:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            listener = exits.enter_context(bind("127.0.0.1", 0))  # bound here, so that every service can be told
            port = listener.getsockname()[1]
            stack = self._open_stack(
                Place(self.name, self.database, str(self.folder), listener.fileno(), port), self.clock
            )
            await exits.enter_async_context(running(stack.gateway))
            starting = asyncio.create_task(stack.start_workers())
            exits.push_async_callback(_ended, starting)
            return OpenBranch(stack, exits.pop_all())

    def _begin(self) -> None:
        self._requests += 1
        self._idle.clear()

    def _end(self) -> None:
        self.last_used = time.monotonic()
        self._requests -= 1
        if self._requests == 0:
            self._idle.set()


async def _ended(task: "asyncio.Task[None]") -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
