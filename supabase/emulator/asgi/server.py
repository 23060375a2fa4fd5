"""How every service is served: one ASGI application under uvicorn, the same way in all of them."""

import asyncio
import logging
import os
import signal
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import uvicorn
from uvicorn.lifespan.on import LifespanOn

from emulator.addresses import Networks
from emulator.asgi.body import MAX_BODY_BYTES, BodyLimit
from emulator.asgi.connections import LOOPBACK, ConnectionLimits, raise_descriptor_limit
from emulator.asgi.limits import limited
from emulator.asgi.types import Observer

DRAIN_S = 10
# Of every answer: a browser must not take data of a client's choosing for a page or a script.
NOSNIFF = ("x-content-type-options", "nosniff")

Until = Callable[[], Awaitable[object]]


class AddressInUse(Exception):
    """The port is taken; the text is one line for a person."""


def bind(host: str, port: int, *, reuse_port: bool = False) -> socket.socket:
    """A listening TCP socket; raises AddressInUse. Port 0 takes any free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol by number: asyncio switches Nagle's delay off only where it is named.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if reuse_port:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        listener.bind((host, port))
        listener.listen(2048)
    except OSError as error:
        listener.close()
        raise AddressInUse(f"{host}:{port} can't be listened on ({os.strerror(error.errno or 0)})") from error
    listener.setblocking(False)
    return listener


@dataclass(frozen=True)
class SecondPort:
    """Another port of the same process, such as the one for its metrics."""

    app: Any
    host: str
    port: int


class Lifespan(LifespanOn):
    """Remembers why the application could not start."""

    reason = ""

    async def send(self, message: Any) -> None:
        """Take the application's answer."""
        if message["type"] == "lifespan.startup.failed":
            self.reason = message.get("message") or "no reason is known"
        await super().send(message)


class Server(uvicorn.Server):
    """uvicorn without its signal handlers: the caller decides what a signal means."""

    @property
    def failure(self) -> str:
        """Why the application could not start; "" where it could, or said nothing."""
        return getattr(getattr(self, "lifespan", None), "reason", "")

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, or end with `failure`: uvicorn would end the process, and the caller could not say why."""
        try:
            await super().startup(sockets)
        except SystemExit:
            self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop. In a hurry (`force_exit`), requests in flight are canceled, and the application still ends in order.

        uvicorn would leave both to the end of the event loop, where each prints a trace.
        """
        await super().shutdown(sockets)
        if self.force_exit:
            tasks = list(self.server_state.tasks)
            for task in tasks:
                task.cancel()
            log = logging.getLogger("uvicorn.error")
            log.disabled = True  # it takes a canceled request for a failed one
            await asyncio.gather(*tasks, return_exceptions=True)
            log.disabled = False
            await self.lifespan.shutdown()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals alone."""
        yield


def make_server(
    app: Any,
    *,
    ws_protocol: type[asyncio.Protocol] | None = None,
    lifespan: Literal["on", "off"] = "on",
    max_body_bytes: int | None = MAX_BODY_BYTES,
    proxies: Networks | None = None,
    observer: Observer | None = None,
    is_abortable: bool = False,
) -> Server:
    """A uvicorn server for an ASGI app. `ws_protocol` takes over WebSocket upgrades, else they are refused.

    `max_body_bytes` None: the application limits bodies itself. `proxies`, like loopback, may have any number of
    connections. `observer` sees every request. `is_abortable`: the application may close a request's connection, by
    "muster.abort" in its scope.
    """
    config = uvicorn.Config(
        app if max_body_bytes is None else BodyLimit(app, max_body_bytes),
        interface="asgi3",
        http=limited(ConnectionLimits(LOOPBACK | (proxies or Networks())), observer, is_abortable=is_abortable),
        ws=ws_protocol if ws_protocol is not None else "none",
        loop="uvloop",
        lifespan=lifespan,
        access_log=False,
        server_header=False,
        headers=[NOSNIFF],
        proxy_headers=False,
        log_config=None,
        timeout_graceful_shutdown=DRAIN_S,
        h11_max_incomplete_event_size=None,
    )
    config.load()
    if lifespan == "on":
        config.lifespan_class = Lifespan
    return Server(config)


def bind_unix(path: Path, mode: int = 0o600) -> socket.socket:
    """A listening Unix socket with these permissions: by default only this user may reach it. Raises AddressInUse."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        path.unlink(missing_ok=True)
        listener.bind(str(path))
        path.chmod(mode)
    except OSError as error:
        listener.close()
        raise AddressInUse(f"{path} can't be listened on ({error.strerror or error})") from error
    listener.listen(128)
    listener.setblocking(False)
    return listener


def serve(
    app: Any,
    *,
    host: str,
    port: int,
    ws_protocol: type[asyncio.Protocol] | None = None,
    on_ready: Callable[[int], None] | None = None,
    second: SecondPort | None = None,
    max_body_bytes: int | None = MAX_BODY_BYTES,
    proxies: Networks | None = None,
    observer: Observer | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM; requests in flight get DRAIN_S seconds. Raises AddressInUse."""
    listener = bind(host, port)
    second_listener = bind(second.host, second.port) if second is not None else None
    server = make_server(
        app, ws_protocol=ws_protocol, max_body_bytes=max_body_bytes, proxies=proxies, observer=observer
    )

    async def main() -> None:
        if second is None or second_listener is None:
            await run_server(server, listener, on_ready)
            return
        inner = make_server(second.app, lifespan="off")
        task = asyncio.ensure_future(inner.serve(sockets=[second_listener]))
        try:
            await run_server(server, listener, on_ready)
        finally:
            inner.should_exit = True
            await task

    with asyncio.Runner(loop_factory=server.config.get_loop_factory()) as runner:
        runner.run(main())
    if not server.started:
        raise SystemExit(3)


def serve_on(
    listener: socket.socket,
    app: Any,
    *,
    ws_protocol: type[asyncio.Protocol] | None,
    lifeline: int | None,
    proxies: Networks | None = None,
    observer: Observer | None = None,
    on_ready: Callable[[int], None] | None = None,
    until: Until | None = None,
) -> None:
    """Serve on a socket that another process bound, until a signal comes or `lifeline`'s other end is closed.

    The application limits bodies itself. `on_ready` and `until` are those of run_server.
    """
    server = make_server(app, ws_protocol=ws_protocol, max_body_bytes=None, proxies=proxies, observer=observer)

    async def main() -> None:
        if lifeline is not None:
            asyncio.get_running_loop().add_reader(lifeline, _end, server)
        await run_server(server, listener, on_ready, until=until)

    with asyncio.Runner(loop_factory=server.config.get_loop_factory()) as runner:
        runner.run(main())
    if not server.started:
        raise SystemExit(3)


async def run_server(
    server: Server,
    listener: socket.socket,
    on_ready: Callable[[int], None] | None = None,
    on_end: Callable[[], None] | None = None,
    until: Until | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM (then `on_end`, at once); a second signal does not wait for requests in flight.

    `on_ready` is called with the port when it serves, and what `until` makes has ended.
    """
    loop = asyncio.get_running_loop()
    raise_descriptor_limit()

    def end() -> None:
        _end(server)
        if on_end is not None:
            on_end()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, end)
    task = asyncio.ensure_future(server.serve(sockets=[listener]))
    while not server.started and not task.done():  # noqa: ASYNC110 (uvicorn offers no event for it)
        await asyncio.sleep(0.005)
    if server.started and on_ready is not None:
        if until is not None:
            waiting = asyncio.ensure_future(until())
            await asyncio.wait([task, waiting], return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                waiting.cancel()
            else:
                waiting.result()
        if not task.done():
            on_ready(listener.getsockname()[1])
    await task


def _end(server: Server) -> None:
    server.force_exit = server.should_exit
    server.should_exit = True
