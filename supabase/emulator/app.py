"""The whole emulator as one ASGI application. The only module that knows all the parts."""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import psycopg

from emulator.asgi.client import get_status
from emulator.asgi.tunnel import Upstream, choose_by_prefix, tunnel_protocol
from emulator.asgi.types import Headers
from emulator.auth.app import create_app as create_auth
from emulator.auth.conf.settings import AuthSettings
from emulator.extension import Host, Page, load_extension
from emulator.functions.app import PREFIX, Functions
from emulator.functions.app import create_app as create_functions
from emulator.functions.settings import FunctionsSettings
from emulator.gateway.app import Gateway
from emulator.gateway.config import read_pages, read_rules
from emulator.gateway.health import HealthCheck
from emulator.gateway.routes import Routes, pages_pattern
from emulator.gateway.settings import GatewaySettings
from emulator.gateway.static import Site, headers_of
from emulator.observe.app import Observed
from emulator.observe.logs import LogSettings
from emulator.observe.metrics import Requests, process_text, to_text
from emulator.observe.shared import SharedMetrics
from emulator.platform.app import Platform
from emulator.platform.settings import PlatformSettings
from emulator.realtime.app import create_app as create_realtime
from emulator.realtime.settings import RealtimeSettings
from emulator.rest.admin import metrics_text
from emulator.rest.app import create_app as create_rest
from emulator.rest.settings import RestSettings
from emulator.storage.app import create_app as create_storage
from emulator.storage.settings import StorageSettings

HEALTH_PATHS = {"auth": "/health", "realtime": "/healthcheck", "storage": "/status"}


@dataclass(frozen=True)
class Emulator:
    """What a server needs: the application, and the protocol class for WebSocket upgrades."""

    settings: GatewaySettings
    app: Any
    ws_protocol: type[asyncio.Protocol]


def build(env: Mapping[str, str]) -> Emulator:
    """Put the services behind the gateway, as the variables say. Raises SettingsError."""
    settings = GatewaySettings.from_env(env)
    requests = Requests()
    realtime = create_realtime(RealtimeSettings.from_env(env), requests.is_busy)
    rest, auth = create_rest(RestSettings.from_env(env)), create_auth(AuthSettings.from_env(env))
    storage = create_storage(StorageSettings.from_env(env))
    extension = load_extension(settings.extension)
    pages = read_pages(extension.routes) if extension.routes else ()
    site = Site(settings.web_root, re.compile(pages_pattern(pages)) if pages else None)
    services: dict[str, Any] = {
        "rest": rest,
        "auth": auth,
        "realtime": realtime.asgi,
        "storage": storage,
        "platform": Platform(PlatformSettings.from_env(env)),
    }
    host = Host(env, lambda path: _page(site, path))
    services |= {name: create(host) for name, create in extension.services.items()}
    first_process = _proxy(settings.mailbox_socket) if settings.mailbox_socket is not None else None
    functions = None
    if (of_functions := FunctionsSettings.from_env(env)).directory is not None:
        served = _proxy(of_functions.serve_socket) if of_functions.serve_socket is not None else None
        functions = create_functions(of_functions, services.get("functions"), first_process, served)
        services["functions"] = functions
    if settings.mailbox_dir is not None:
        services["mailbox"] = _mailbox(env)
    elif first_process is not None:
        services["mailbox"] = first_process
    web_config = {"supabaseUrl": "", "supabaseKey": settings.keys.publishable, "siteUrl": settings.site_url}

    def own_metrics() -> str:
        of_services = (metrics_text(rest.service), auth.metrics(), realtime.metrics(), storage.metrics())
        return "".join((to_text(requests.collect()), *of_services, process_text()))

    shared = SharedMetrics(settings.metrics_dir, own_metrics) if settings.metrics_dir is not None else None
    metrics, after = (shared.text, shared.publish) if shared is not None else (own_metrics, None)
    for name in settings.without:
        services.pop(name, None)
    checks = _checks(services, rest.service.settings.db_uri, extension.health_paths)
    rules = [*read_rules(), *(read_rules(extension.routes) if extension.routes else ())]
    routes = Routes(rules if settings.checks_keys else [replace(rule, key="none") for rule in rules])
    gateway = Gateway(
        services, settings.keys, site, web_config, checks, metrics, routes, settings.trusted_proxies, settings.own_names
    )
    app = Observed(gateway, "gateway", LogSettings.from_env(env), requests, after)
    ws_protocol = realtime.ws_protocol(gateway.websocket_target, gateway.websocket_client)
    if functions is not None:
        ws_protocol = _with_functions(ws_protocol, gateway, functions, settings.mailbox_socket)
    return Emulator(settings, app, ws_protocol)


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
