"""The whole emulator as one ASGI application. The only module that knows all the parts."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import psycopg

from emulator.asgi.client import get_status
from emulator.asgi.on_demand import OnDemand
from emulator.asgi.tunnel import Upstream, choose_by_prefix, tunnel_protocol
from emulator.asgi.types import ASGIApp, Headers
from emulator.auth.app import AuthApp
from emulator.auth.app import create_app as create_auth
from emulator.auth.conf.settings import AuthSettings
from emulator.branches.app import BranchApp
from emulator.branches.base import Source
from emulator.branches.control import Control
from emulator.branches.environment import Place, api_url, branch_environment, describe_branch
from emulator.branches.registry import Branches, Main
from emulator.branches.settings import BranchSettings
from emulator.branches.sockets import branch_protocol
from emulator.clock import MACHINE, Clock
from emulator.extension import Host, Page, load_extension
from emulator.functions.app import PREFIX, Functions
from emulator.functions.app import create_app as create_functions
from emulator.functions.settings import FunctionsSettings
from emulator.gateway.apikey import WithServiceKey
from emulator.gateway.app import Gateway
from emulator.gateway.config import read_pages, read_rules
from emulator.gateway.health import Health, HealthCheck, wait_until_healthy
from emulator.gateway.routes import Routes
from emulator.gateway.settings import GatewaySettings
from emulator.gateway.static import Site, headers_of
from emulator.observe.app import Observer
from emulator.observe.logs import LogSettings
from emulator.observe.metrics import Requests, process_text, to_text
from emulator.observe.recent import Recent
from emulator.observe.shared import SharedMetrics
from emulator.platform.app import Platform
from emulator.platform.settings import PlatformSettings
from emulator.realtime.app import RealtimeApp
from emulator.realtime.app import create_app as create_realtime
from emulator.realtime.settings import RealtimeSettings
from emulator.rest.admin import metrics_text
from emulator.rest.app import create_app as create_rest
from emulator.rest.introspect import Catalogs
from emulator.rest.settings import RestSettings
from emulator.storage.app import StorageApp
from emulator.storage.app import create_app as create_storage
from emulator.storage.settings import StorageSettings

log = logging.getLogger(__name__)

ChannelList = Callable[[], list[dict[str, Any]]]  # the channels of Realtime, described

START_PATIENCE_S = 15.0  # how long a start waits for its services: some begin in the background, and try again
WORKERS_AFTER_S = 0.2
STREAM_PATIENCE_S = 3.0  # how long the first WebSocket of a branch waits for the stream of changes
HELD_PATIENCE_S, HELD_PAUSE_S = 0.5, 0.005  # for requests that are being answered when a database is copied
HEALTH_PATHS = {"auth": "/health", "realtime": "/ready", "storage": "/status"}


@dataclass(frozen=True)
class Emulator:
    """What a server needs: the application, who observes it, and the protocol class for WebSocket upgrades.

    `control` has branches made, for whoever may reach it; None: this stack has no branches.
    """

    settings: GatewaySettings
    app: Gateway
    observer: Observer
    ws_protocol: type[asyncio.Protocol]
    health: Callable[[], Awaitable[Health]]
    control: ASGIApp | None = None

    async def wait_until_healthy(self) -> tuple[str, ...]:
        """Wait until every service answers as healthy, but START_PATIENCE_S at most; the names of those that do not."""
        return await wait_until_healthy(self.health, START_PATIENCE_S)


@dataclass(frozen=True)
class Stack:
    """The services over one database, behind a gateway.

    `workers` are applications that have work without being asked; only where services are started on demand.
    """

    settings: GatewaySettings
    gateway: Gateway
    ws_protocol: type[asyncio.Protocol]
    after: Callable[[], None] | None = None  # to be called after each request
    api_url: str = ""
    workers: tuple[OnDemand, ...] = ()
    realtime: tuple[OnDemand, RealtimeApp] | None = None
    auth: OnDemand | None = None
    channels: ChannelList = list
    functions: Functions | None = None
    queues: Mapping[str, str] = field(default_factory=dict)

    async def start_workers(self) -> None:
        """Start what works without being asked, but after the first request."""
        await asyncio.sleep(WORKERS_AFTER_S)
        for worker in self.workers:
            try:
                await worker.start()
            except Exception:
                log.exception("a worker of a branch could not be started")

    async def serve_sockets(self) -> None:
        """Start what serves WebSockets, and wait until it does."""
        if self.realtime is not None:
            started, app = self.realtime
            await started.start()
            await app.streaming(STREAM_PATIENCE_S)

    async def sent_mails(self) -> None:
        """Wait until every mail that was to be sent after an answer is sent."""
        if self.auth is not None and isinstance(self.auth.app, AuthApp):
            await self.auth.app.settled()

    async def is_working(self) -> bool:
        """Whether a function answers, or goes on after its answer."""
        return self.functions is not None and await self.functions.is_working()

    async def delivered(self, lsn: int) -> bool:
        """Whether Realtime has delivered everything up to a place in the log; it need not run."""
        return self.realtime is None or self.realtime[1].has_delivered(lsn)


def build(env: Mapping[str, str], branch_source: Source | None = None) -> Emulator:
    """Put the services behind the gateway, as the variables say. Raises SettingsError.

    `branch_source` makes the database that branches start from; without it there are none.
    """
    requests = Requests()
    stack = assemble(env, requests)
    recent = Recent() if stack.settings.dashboard else None
    observer = Observer("gateway", LogSettings.from_env(env), requests, stack.after, recent)
    settings = BranchSettings.from_env(env)
    control, ws_protocol, branches = None, stack.ws_protocol, None
    if settings.folder is not None and branch_source is not None:
        control, ws_protocol, branches = _add_branches(stack, settings, settings.folder, env, branch_source, requests)
    if recent is not None:
        stack.gateway.add_service("dashboard", OnDemand(partial(_dashboard, env, recent, stack.channels, branches)))
    return Emulator(stack.settings, stack.gateway, observer, ws_protocol, stack.gateway.health, control)


def _dashboard(env: Mapping[str, str], recent: Recent, channels: ChannelList, branches: Branches | None) -> ASGIApp:
    from emulator.dashboard.app import Sources, create_app  # few stacks are looked at

    async def listed() -> list[dict[str, Any]] | None:
        if branches is None:
            return None
        found, _ = await branches.listed()
        return [
            {
                "name": one.name, "from": one.record.source, "created_at": one.record.created_at,
                "is_open": one.is_open, "url": api_url(env, one.name),
            }
            for one in found
        ]  # fmt: skip

    conninfo = PlatformSettings.from_env(env).conninfo("muster dashboard", "postgres")
    return create_app(Sources(conninfo, recent, channels, listed))


def _at_once(create: Callable[[], ASGIApp]) -> ASGIApp:
    return create()


def _metrics(app: Any, text: Callable[[Any], str]) -> str:
    """The metrics of a service; none of one that was not started yet."""
    started = app.app if isinstance(app, OnDemand) else app
    return text(started) if started is not None else ""


def assemble(
    env: Mapping[str, str],
    requests: Requests,
    catalogs: Catalogs | None = None,
    clock: Clock = MACHINE,
    *,
    on_demand: bool = False,
) -> Stack:
    """The services of one database, not started yet. Raises SettingsError.

    With `on_demand` each is made and started by its first request, and there is no endpoint for health.
    """
    settings = GatewaySettings.from_env(env)
    later: Callable[[Callable[[], ASGIApp]], Any] = OnDemand if on_demand else _at_once
    realtime = create_realtime(RealtimeSettings.from_env(env), requests.is_busy, clock)
    rest = later(lambda: create_rest(RestSettings.from_env(env), catalogs, clock.time))
    auth = later(lambda: create_auth(AuthSettings.from_env(env), clock))
    storage = later(lambda: create_storage(StorageSettings.from_env(env), clock))
    extension = load_extension(settings.extension)
    pages = read_pages(extension.routes) if extension.routes else ()
    site = _site(settings.web_root, pages)
    realtime_app = later(lambda: realtime.asgi)
    first_process = _proxy(settings.mailbox_socket) if settings.mailbox_socket is not None else None
    services: dict[str, Any] = {}
    # They end in reverse order: the mailbox last, when nothing sends mails any more. A branch's port of it stays open:
    # who sends a mail to a mailbox that ended waits for its greeting.
    if settings.mailbox_dir is not None:
        services["mailbox"] = _mailbox(env)
    elif first_process is not None:
        services["mailbox"] = first_process
    services |= {
        "rest": rest,
        "auth": auth,
        "realtime": realtime_app,
        "storage": storage,
        "platform": later(lambda: Platform(PlatformSettings.from_env(env), clock)),
    }
    host = Host(env, lambda path: _page(site, path))
    added = {name: later(partial(create, host)) for name, create in extension.services.items()}
    services |= added
    functions = None
    if (of_functions := FunctionsSettings.from_env(env)).directory is not None:
        served = _proxy(of_functions.serve_socket) if of_functions.serve_socket is not None else None
        functions = create_functions(of_functions, services.get("functions"), first_process, served, clock)
        services["functions"] = later(lambda: functions)
    if on_demand:  # what stands before them may never be started, and end nothing
        services |= {f"{name} of the extension": app for name, app in added.items()}
    web_config = {"supabaseUrl": "", "supabaseKey": settings.keys.publishable, "siteUrl": settings.site_url}
    if settings.vapid_public_key:
        web_config["pushKey"] = settings.vapid_public_key

    def own_metrics() -> str:
        of_services = (
            _metrics(rest, lambda app: metrics_text(app.service)), _metrics(auth, AuthApp.metrics), realtime.metrics(),
            _metrics(storage, StorageApp.metrics),
        )  # fmt: skip
        return "".join((to_text(requests.collect()), *of_services, process_text()))

    shared = SharedMetrics(settings.metrics_dir, own_metrics) if settings.metrics_dir is not None else None
    for name in settings.without:
        services.pop(name, None)
    checks = {} if on_demand else _checks(services, rest.service.settings.db_uri, extension.health_paths)
    rules = [*read_rules(), *(read_rules(extension.routes) if extension.routes else ())]
    routes = Routes(rules if settings.checks_keys else [replace(rule, key="none") for rule in rules])
    gateway = Gateway(
        services, settings.keys, site, web_config, checks, shared.text if shared is not None else own_metrics, routes,
        settings.trusted_proxies, settings.own_names,
    )  # fmt: skip
    ws_protocol = realtime.ws_protocol(gateway.websocket_target, gateway.websocket_client)
    if functions is not None:
        ws_protocol = _with_functions(ws_protocol, gateway, functions, settings.mailbox_socket)
    if not on_demand:
        after = shared.publish if shared is not None else None
        return Stack(settings, gateway, ws_protocol, after, channels=realtime.channels)
    return Stack(
        settings, gateway, ws_protocol, workers=(services["platform"], *added.values()),
        realtime=(realtime_app, realtime), auth=auth, functions=functions, queues=extension.queues,
    )  # fmt: skip


def _add_branches(
    main: Stack, settings: BranchSettings, folder: Path, env: Mapping[str, str], source: Source, requests: Requests
) -> tuple[ASGIApp, type[asyncio.Protocol], Branches]:
    """Serve branches beside a stack: what has them made, the class for WebSockets of both, and the branches."""
    catalogs = Catalogs()

    def open_stack(place: Place, clock: Clock) -> Stack:
        of_branch = branch_environment(env, place)
        stack = assemble(of_branch, requests, catalogs, clock, on_demand=True)
        return replace(stack, api_url=api_url(env, place.name))

    @asynccontextmanager
    async def held() -> AsyncIterator[None]:
        async with main.gateway.held():
            deadline = time.monotonic() + HELD_PATIENCE_S
            while requests.in_flight > main.gateway.waiting + 1 and time.monotonic() < deadline:  # noqa: ASYNC110
                await asyncio.sleep(HELD_PAUSE_S)
            yield

    files = StorageSettings.from_env(env).root
    branches = Branches(settings, folder, source, Main(files, held), open_stack)
    served = BranchApp(branches)
    main.gateway.add_beside("branches", served)
    control = Control(branches, partial(describe_branch, env))
    if settings.test_control:
        main.gateway.add_service("control", WithServiceKey(control, main.settings.keys))
    return control, branch_protocol(served.takes_socket, served.protocol, main.ws_protocol), branches


def _with_functions(
    others: type[asyncio.Protocol], gateway: Gateway, functions: Functions, first_process: Path | None
) -> type[asyncio.Protocol]:
    """The class for WebSockets, with those below /functions/v1 handed to the functions' processes."""

    async def accept(target: bytes, headers: Headers) -> Upstream:
        if first_process is not None:
            return Upstream(first_process, target, headers, lambda: None)
        return await functions.upgrade(target, gateway.upgrade_headers(target.partition(b"?")[2], headers))

    return choose_by_prefix(f"{PREFIX}/".encode(), tunnel_protocol(accept), others)


def _checks(
    services: Mapping[str, Any], database_uri: str, added_paths: Mapping[str, str]
) -> Mapping[str, HealthCheck]:
    """How to ask each service for its health: by its own endpoint."""

    def probe(name: str, path: str) -> HealthCheck:
        async def check() -> bool:
            return await get_status(services[name], path) == 200

        return check

    async def rest() -> bool:
        return await get_status(services["rest"], "/-/-") == 404  # 503 while there is no schema cache

    async def database() -> bool:
        async with await psycopg.AsyncConnection.connect(database_uri, connect_timeout=2) as connection:
            return await (await connection.execute("select true")).fetchone() == (True,)

    paths = {**HEALTH_PATHS, **added_paths}
    probes = {"rest": rest, **{name: probe(name, path) for name, path in paths.items()}}
    return {"database": database, **{name: check for name, check in probes.items() if name in services}}


@cache
def _site(root: Path | None, pages: tuple[str, ...]) -> Site:
    """The files of the web application, which all stacks of a process share."""
    return Site(root, pages)


def _page(site: Site, path: str) -> Page | None:
    file = site.find(path)
    return None if file is None else Page(file.body, headers_of(file))


def _mailbox(env: Mapping[str, str]) -> Any:
    from emulator.mailbox.app import create_app
    from emulator.mailbox.settings import MailboxSettings

    return create_app(MailboxSettings.from_env(env))


def _proxy(socket: Path) -> Any:
    from emulator.gateway.proxy import Proxy

    return Proxy(socket)
