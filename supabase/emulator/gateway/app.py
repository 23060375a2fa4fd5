"""The gateway: one origin for the web application and every service. I/O only; the rules are in the other modules.

Services are ASGI applications in this process. A request's path decides the service, its key is checked, opaque keys
are replaced, forwarding headers are set by us alone, and the body is capped.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Protocol
from urllib.parse import unquote, unquote_to_bytes

from emulator.addresses import Networks, client_address, client_key, host_name, is_loopback
from emulator.asgi.body import BODY_HEADERS, call_capped, respond_too_large
from emulator.asgi.headers import find_header
from emulator.asgi.lifespan import all_running
from emulator.asgi.response import respond
from emulator.asgi.types import ASGIApp, Headers, Receive, Scope, Send
from emulator.gateway.apikey import ApiKeys, KeyTable
from emulator.gateway.config import max_body_bytes, read_rules
from emulator.gateway.cors import CORS
from emulator.gateway.endpoints import NO_ROUTE, Endpoints, respond_message
from emulator.gateway.health import HealthCheck
from emulator.gateway.routes import Route, Routes
from emulator.gateway.static import Site
from emulator.observe import trace

MAX_BODY_BYTES = max_body_bytes()
# What only we tell a service, whatever a client sends.
_OURS = frozenset(
    {
        b"x-forwarded-for", b"x-forwarded-proto", b"x-forwarded-host", b"x-forwarded-port", b"forwarded", trace.HEADER,
    }
)  # fmt: skip


# Pages of their own, which are to be read by no other site: by no CORS, and by no name that points here.
_LOCAL = frozenset({"mailbox", "dashboard"})


class Beside(Protocol):
    """Other stacks that this one's port serves, with gateways of their own."""

    def takes(self, path: str, headers: Headers) -> bool:
        """Whether a request is for one of them."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve it."""


class Gateway:
    """An ASGI application over the services; `services` maps a route's service name to its application."""

    def __init__(
        self,
        services: Mapping[str, ASGIApp],
        keys: ApiKeys,
        site: Site,
        web_config: Mapping[str, str],
        checks: Mapping[str, HealthCheck] | None = None,
        metrics: Callable[[], str] = lambda: "",
        routes: Routes | None = None,
        trusted_proxies: Networks | None = None,
        own_names: frozenset[str] = frozenset(),
    ) -> None:
        """`own_names`: the hosts that people reach this stack by, beside loopback; others see none of _LOCAL."""
        self._beside: Beside | None = None
        self._held: asyncio.Event | None = None
        self.waiting = 0  # requests that wait because of `held`
        self._trusted = trusted_proxies or Networks()
        self._own_names = own_names
        self._routes = routes or Routes(read_rules())
        self._services = dict(services)
        self._keys = KeyTable(keys)
        self._endpoints = Endpoints(self._keys, site, web_config, checks or {}, metrics)
        self.health = self._endpoints.health

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or the lifespan of all services."""
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)

    def websocket_target(self, path: str, query: bytes, headers: Headers) -> "tuple[str, bytes, Headers] | int":
        """Path, query and headers as Realtime shall see a WebSocket upgrade; or the status that refuses it."""
        target = self._routes.find(path)
        if target.service != "realtime" or "realtime" not in self._services:
            return 404
        key = find_header(headers, b"apikey") or find_header(headers, b"x-api-key") or _query_value(query, b"apikey")
        if key is None or not self._keys.known(key):
            return 401
        kept = [pair for pair in query.split(b"&") if pair and not pair.startswith(b"apikey=")]
        jwt = self._keys.rewrite([(b"apikey", key)], None)[0][1]
        return target.path, b"&".join([b"apikey=" + jwt, *kept]), [
            (name, value) for name, value in headers if name not in (b"apikey", b"x-api-key")
        ]  # fmt: skip

    def upgrade_headers(self, query: bytes, headers: Headers) -> Headers:
        """The headers of a WebSocket upgrade as a function sees them: opaque keys replaced, none of ours forged."""
        apikey = find_header(headers, b"apikey") or _query_value(query, b"apikey")
        return [pair for pair in self._keys.rewrite(headers, apikey) if pair[0] not in _OURS]

    def websocket_client(self, peer: str, headers: Headers) -> str:
        """What limits count a WebSocket's client by: its address, behind trusted proxies too."""
        return client_key(self._client_address(peer, headers))

    def _client_address(self, peer: str, headers: Headers) -> str:
        forwarded = [value.decode("latin-1") for name, value in headers if name == b"x-forwarded-for"]
        return client_address(peer, forwarded, self._trusted)

    def add_service(self, name: str, app: ASGIApp) -> None:
        """Serve one more, before the lifespan begins."""
        self._services[name] = app

    def add_beside(self, name: str, others: Beside) -> None:
        """Serve other stacks, too, which end with this one's services."""
        self._beside = others
        self.add_service(name, others)

    @asynccontextmanager
    async def held(self) -> AsyncIterator[None]:
        """Let requests wait during a block, but those for other stacks."""
        while self._held is not None:
            await self._held.wait()
        self._held = asyncio.Event()
        try:
            yield
        finally:
            held, self._held = self._held, None
            held.set()

    async def _wait(self) -> None:
        self.waiting += 1
        try:
            while self._held is not None:
                await self._held.wait()
        finally:
            self.waiting -= 1

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._beside is not None:
            if self._beside.takes(scope["path"], scope["headers"]):
                scope["service"] = "branches"
                await self._beside(scope, receive, send)
                return
            if self._held is not None:
                await self._wait()
        target = self._routes.find(scope["path"])
        scope["service"] = target.service  # for observe, which counts requests by service
        if self._trusted or not scope.get("client"):
            self._name_client(scope)
        app = self._services.get(target.service)
        if app is None and target.fallback is not None:
            target = Route(target.fallback, scope["path"])
        if app is None:
            await self._answer_itself(target, scope, send)
            return
        raw_path = target.rewrite(scope.get("raw_path") or scope["path"].encode())
        if raw_path is None:
            await respond_message(send, 404, NO_ROUTE)
            return
        headers: Headers = scope["headers"]
        if target.service in _LOCAL and not self._is_own_name(headers):
            await respond_message(send, 421, "This name does not belong to this stack")
            return
        origin = apikey = None
        has_body = False
        for name, value in headers:
            if name == b"apikey":
                apikey = value
            elif name == b"origin":
                origin = value
            elif name in BODY_HEADERS:
                has_body = True
        is_function = target.service == "functions"
        # A function that answers an address of the site answers as a page.
        if origin is not None and target.service not in _LOCAL and not (is_function and target.path != scope["path"]):
            if scope["method"] == "OPTIONS" and not is_function:
                preflight = CORS.preflight(headers)
                if preflight is not None:
                    await respond(send, 200, preflight, b"")
                    return
            send = CORS.applied(send, origin)
        if target.key != "none" and scope["method"] != "OPTIONS":
            refusal = self._refusal(target, apikey, scope)
            if refusal is not None:
                await respond_message(send, *refusal)
                return
        forwarded = self._forwarded(scope, target, raw_path, apikey)
        if target.limits_bodies or not has_body:
            await app(forwarded, receive, send)
        else:
            await call_capped(app, forwarded, receive, send, MAX_BODY_BYTES, respond_too_large)

    async def _answer_itself(self, target: Route, scope: Scope, send: Send) -> None:
        """Answer for a service that is not there, or a page; a page of another origin may read the former only."""
        headers: Headers = scope["headers"]
        origin = find_header(headers, b"origin")
        if origin is not None and not self._endpoints.is_ours(target.service):
            preflight = CORS.preflight(headers) if scope["method"] == "OPTIONS" else None
            if preflight is not None:
                await respond(send, 200, preflight, b"")
                return
            send = CORS.applied(send, origin)
        await self._endpoints.answer(target, scope, send)

    def _name_client(self, scope: Scope) -> None:
        """Put the client's address in the place of a trusted proxy's."""
        peer = scope.get("client")
        if peer:
            scope["client"] = (self._client_address(peer[0], scope["headers"]), peer[1])
            return
        # Over a Unix socket: another process of this stack, whose gateway has named the client.
        named = find_header(scope["headers"], b"x-forwarded-for")
        if named is not None:
            scope["client"] = (named.decode("latin-1"), 0)

    def _is_own_name(self, headers: Headers) -> bool:
        """Whether a request names this stack, and not a name that somebody let point to it (DNS rebinding)."""
        name = host_name((find_header(headers, b"host") or b"").decode("latin-1"))
        return is_loopback(name) or name in self._own_names

    def _refusal(self, target: Route, apikey: bytes | None, scope: Scope) -> tuple[int, str] | None:
        key = apikey or _query_value(scope["query_string"], b"apikey")
        if key is None:
            return 401, "No API key found in request"
        if not self._keys.known(key):
            return 401, "Invalid API key"
        if target.key == "service" and not self._keys.is_service(key):
            return 403, "Only the service role may read the API description"
        return None

    def _forwarded(self, scope: Scope, target: Route, raw_path: bytes, apikey: bytes | None) -> Scope:
        """The scope as the service sees it: path without prefix, our own forwarding headers, opaque keys replaced."""
        if target.key != "none" and apikey is None:
            apikey = _query_value(scope["query_string"], b"apikey")
        headers = [pair for pair in self._keys.rewrite(scope["headers"], apikey) if pair[0] not in _OURS]
        if target.service == "storage" and find_header(headers, b"authorization") is None:
            headers.append((b"authorization", b""))  # as Kong does: clients know the error that this gives
        request = trace.current.get()
        # An id that we made stays out of REST's headers: header sets are remembered there, and each would be new.
        if request.is_given or (target.service != "rest" and request is not trace.NO_REQUEST):
            headers.append((trace.HEADER, request.id.encode("ascii")))
        client = scope.get("client")
        if client:
            headers.append((b"x-forwarded-for", client[0].encode()))
        headers.append((b"x-forwarded-proto", scope["scheme"].encode()))
        forwarded = dict(scope)
        forwarded["path"] = target.path
        forwarded["raw_path"] = raw_path
        forwarded["headers"] = headers
        return forwarded

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        try:
            async with all_running(self._services):
                await send({"type": "lifespan.startup.complete"})
                await receive()
        except Exception as error:
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            raise
        await send({"type": "lifespan.shutdown.complete"})


def _query_value(query: bytes, wanted: bytes) -> bytes | None:
    for pair in query.split(b"&"):
        name, _, value = pair.partition(b"=")
        if name == wanted:
            return unquote_to_bytes(unquote(value.decode("latin-1").replace("+", " ")))
    return None
