"""The whole emulator as one ASGI application. The only module that knows all the parts."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from emulator.asgi.client import ask
from emulator.auth.app import create_app as create_auth
from emulator.auth.conf.settings_from_env import read_settings
from emulator.gateway.app import Gateway
from emulator.gateway.health import Check
from emulator.gateway.settings import GatewaySettings
from emulator.gateway.static import Site, headers_of
from emulator.observe.app import Observed
from emulator.observe.logs import LogSettings
from emulator.observe.metrics import Requests, process_text
from emulator.observe.shared import SharedMetrics
from emulator.realtime.app import create_app as create_realtime
from emulator.realtime.settings import RealtimeSettings
from emulator.rest.admin import metrics_text
from emulator.rest.app import create_app as create_rest
from emulator.rest.settings import RestSettings


@dataclass(frozen=True)
class Emulator:
    """What a server needs: the application, and the protocol class for WebSocket upgrades."""

    settings: GatewaySettings
    app: Any
    ws_protocol: type[asyncio.Protocol]


def build(env: Mapping[str, str]) -> Emulator:
    """Put the services behind the gateway, as the variables say. Raises SettingsError."""
    settings = GatewaySettings.from_env(env)
    realtime = create_realtime(RealtimeSettings.from_env(env))
    rest, auth = create_rest(RestSettings.from_env(env)), create_auth(read_settings(env))
    site = Site(settings.web_root)
    services: dict[str, Any] = {
        "rest": rest,
        "auth": auth,
        "realtime": realtime.asgi,
        "functions": _functions(env, site),
    }
    if settings.mailbox_dir is not None:
        services["mailbox"] = _mailbox(env)
    elif settings.mailbox_socket is not None:
        services["mailbox"] = _proxy(settings.mailbox_socket)
    web_config = {"supabaseUrl": "", "supabaseKey": settings.keys.publishable, "siteUrl": settings.site_url}
    requests = Requests()

    def own_metrics() -> str:
        parts = [requests.text(), metrics_text(rest.service), auth.metrics(), realtime.metrics(), process_text()]
        return "".join(parts)

    shared = SharedMetrics(settings.metrics_dir, own_metrics) if settings.metrics_dir is not None else None
    metrics, after = (shared.text, shared.note) if shared is not None else (own_metrics, None)
    checks = _checks(services, rest.service.settings.db_uri)
    gateway = Gateway(services, settings.keys, site, web_config, checks, metrics)
    app = Observed(gateway, "gateway", LogSettings.from_env(env), requests, after)
    return Emulator(settings, app, realtime.ws_protocol(gateway.websocket_target))


def _checks(services: Mapping[str, Any], database_uri: str) -> Mapping[str, Check]:
    """How to ask each service whether it is well: by its own health endpoint."""
    doors = {"auth": "/health", "realtime": "/healthcheck", "functions": "/functions/v1/healthz"}

    def knock(name: str) -> Check:
        async def check() -> bool:
            return (await ask(services[name], doors[name]))[0] == 200

        return check

    async def rest() -> bool:
        return (await ask(services["rest"], "/-/-"))[0] == 404  # 503 while there is no schema cache

    async def database() -> bool:
        async with await psycopg.AsyncConnection.connect(database_uri, connect_timeout=2) as connection:
            return await (await connection.execute("select true")).fetchone() == (True,)

    return {"database": database, "rest": rest, **{name: knock(name) for name in doors}}


def _functions(env: Mapping[str, str], site: Site) -> Any:
    from muster_functions.app import create_app
    from muster_functions.blog.shell import Shell, kept
    from muster_functions.settings import FunctionsSettings

    async def shell() -> Shell | None:
        file = site.find("/app.html")
        if file is None:
            return None
        headers = headers_of(file, gzipped=False)
        return Shell(file.body, kept({name.decode(): value.decode() for name, value in headers}))

    return create_app(FunctionsSettings.from_env(env), shell)


def _mailbox(env: Mapping[str, str]) -> Any:
    from emulator.mailbox.app import create_app
    from emulator.mailbox.settings import MailboxSettings

    return create_app(MailboxSettings.from_env(env))


def _proxy(socket: Path) -> Any:
    from emulator.gateway.proxy import Proxy

    return Proxy(socket)
