"""`muster functions serve`: a project's functions in this process, in the place of the running stack's own."""

import asyncio
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from emulator.asgi.server import bind_unix, make_server, run_server
from emulator.asgi.tunnel import tunnel_protocol
from emulator.functions.app import SERVE_SOCKET, create_app
from emulator.functions.discovery import list_functions
from emulator.functions.settings import FunctionsSettings
from emulator.observe.logs import LogSettings, configure
from muster_cli.output import EXIT_NOT_RUNNING, UserError, out, talk
from muster_cli.project.read import Loaded
from muster_cli.stack.environment import Addresses
from muster_cli.stack.home import Home
from muster_cli.stack.install import ensure_deno
from muster_cli.stack.project_environment import project_service_environment

_SHOWN = 5


@dataclass(frozen=True)
class ServeOptions:
    """What differs from how the stack itself serves them. `inspect`: host:port, "" for no inspector."""

    env_file: Path | None = None
    import_map: Path | None = None
    verify_jwt: bool = True
    inspect: str = ""


def serve_functions(loaded: Loaded, home: Home, options: ServeOptions) -> None:
    """Serve until a signal comes; the stack hands every call of a function here meanwhile. Raises UserError."""
    state = home.running()
    if state is None:
        raise UserError(f"no stack is running in {home.path}: ./muster up starts it", EXIT_NOT_RUNNING)
    for file in (options.env_file, options.import_map):
        if file is not None and not file.is_file():
            raise UserError(f"{file} is not a file")
    ensure_deno()
    addresses = Addresses(
        "127.0.0.1", state.port, state.smtp_port, "127.0.0.1", state.database_port, public_url=state.url
    )
    env = project_service_environment(loaded, addresses, home.secrets(), home, os.environ)
    settings = _changed(FunctionsSettings.from_env(env), options)
    path = home.run_folder() / SERVE_SOCKET
    if _is_served(path):
        raise UserError("another `functions serve` of this stack is running")
    configure(LogSettings.from_env(os.environ))
    try:
        asyncio.run(_serve(settings, path, lambda: _announce(settings, state.api)))
    finally:
        path.unlink(missing_ok=True)


def _changed(settings: FunctionsSettings, options: ServeOptions) -> FunctionsSettings:
    rules = {function.slug: function.rules for function in list_functions(settings)}
    if not options.verify_jwt:
        rules = {slug: rule.model_copy(update={"verify_jwt": False}) for slug, rule in rules.items()}
    if options.import_map is not None:
        path = options.import_map.resolve()
        rules = {slug: rule.model_copy(update={"import_map_path": path}) for slug, rule in rules.items()}
    env_file = options.env_file.resolve() if options.env_file is not None else settings.env_file
    # Someone who looks at a breakpoint needs longer than any limit.
    unlimited = {"wall_clock_s": 86_400.0, "cpu_s": 86_400.0, "idle_s": 86_400.0} if options.inspect else {}
    return settings.model_copy(
        update={"rules": {**settings.rules, **rules}, "env_file": env_file, "inspect": options.inspect, **unlimited}
    )


def _announce(settings: FunctionsSettings, api: str) -> None:
    talk.print(f"  Serving functions on {api}/functions/v1/<function-name>", markup=False)
    functions = list_functions(settings)
    for function in functions[:_SHOWN]:
        out.print(f" - {api}/functions/v1/{function.slug}", markup=False, soft_wrap=True)
    if len(functions) > _SHOWN:
        out.print(f"... and {len(functions) - _SHOWN} more functions", markup=False)


async def _serve(settings: FunctionsSettings, path: Path, announce: Callable[[], None]) -> None:
    app = create_app(settings)
    server = make_server(app, ws_protocol=tunnel_protocol(app.upgrade))
    await run_server(server, bind_unix(path), lambda _: announce())


def _is_served(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
    return True
