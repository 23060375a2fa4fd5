"""The service alone, in one or several worker processes on one port; the first also serves the admin port. I/O."""

import asyncio
import os
import signal
from collections.abc import MutableMapping
from typing import Any

from emulator.asgi.server import Server, bind, bind_unix, make_server, run_server
from emulator.asgi.types import Receive, Scope, Send
from emulator.observe.app import Observer
from emulator.observe.logs import LogSettings
from emulator.rest.admin import answer_admin
from emulator.rest.app import RestApp, create_app, send_response
from emulator.rest.settings import RestSettings


class AdminApp:
    """The admin port of a service in the same process."""

    def __init__(self, rest: RestApp) -> None:
        self._rest = rest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _follow_lifespan(receive, send)
        elif scope["type"] == "http":
            await send_response(send, scope["method"], answer_admin(self._rest.service, scope["method"], scope["path"]))


async def _follow_lifespan(receive: Receive, send: Send) -> None:
    while True:
        message: MutableMapping[str, Any] = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return


def serve_all(settings: RestSettings, workers: int) -> None:
    """Serve until SIGINT or SIGTERM. Raises AddressInUse."""
    children: list[int] = []
    path = settings.server_unix_socket
    reuse_port = workers > 1 or settings.server_reuseport
    if path is not None:
        listener = bind_unix(path, settings.server_unix_socket_mode)
    else:
        listener = bind(settings.server_host, settings.server_port, reuse_port=reuse_port)
    for _ in range(workers - 1):
        pid = os.fork()
        if pid == 0:
            own = listener
            if path is None:
                listener.close()
                own = bind(settings.server_host, settings.server_port, reuse_port=True)
            _run(settings, own, with_admin=False)
            os._exit(0)
        children.append(pid)
    try:
        _run(settings, listener, with_admin=True)
    finally:
        for pid in children:
            os.kill(pid, signal.SIGTERM)
        for pid in children:
            os.waitpid(pid, 0)


def _run(settings: RestSettings, listener: Any, *, with_admin: bool) -> None:
    app = create_app(settings)
    server = make_server(app, observer=Observer("rest", LogSettings.from_env(os.environ)))

    async def main() -> None:
        has_admin = settings.admin_server_port or settings.admin_server_unix_socket
        admin = _start_admin(app, settings) if with_admin and has_admin else None
        _install_reload_signals(app)
        try:
            await run_server(server, listener)
        finally:
            if admin is not None:
                admin[0].should_exit = True
                await admin[1]

    with asyncio.Runner(loop_factory=server.config.get_loop_factory()) as runner:
        runner.run(main())
    if not server.started:
        raise SystemExit(3)


def _start_admin(app: RestApp, settings: RestSettings) -> "tuple[Server, asyncio.Task[None]]":
    if settings.admin_server_unix_socket is not None:
        listener = bind_unix(settings.admin_server_unix_socket, settings.admin_server_unix_socket_mode)
    else:
        listener = bind(settings.admin_server_host, settings.admin_server_port or 0)
    server = make_server(AdminApp(app))
    return server, asyncio.create_task(server.serve(sockets=[listener]))


def _install_reload_signals(app: RestApp) -> None:
    """SIGUSR1 reloads the schema, SIGUSR2 the configuration."""
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGUSR1, app.listener.request, True)
    loop.add_signal_handler(signal.SIGUSR2, app.listener.request, False)
