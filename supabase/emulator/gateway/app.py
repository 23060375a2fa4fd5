"""The gateway: one origin for the web application and every service. I/O only; the rules are in the other modules.

Services are ASGI applications in this process. A request's path decides the service, its key is checked, opaque keys
are replaced, forwarding headers are set by us alone, and the body is capped.
"""

import json
from collections.abc import Callable, Mapping
from urllib.parse import unquote, unquote_to_bytes

from emulator.asgi.body import capped
from emulator.asgi.headers import bearer_token, find_header
from emulator.asgi.lifespan import all_running
from emulator.asgi.response import respond
from emulator.asgi.types import ASGIApp, Headers, Receive, Scope, Send
from emulator.gateway.apikey import ApiKeys, KeyTable
from emulator.gateway.config import max_body_bytes, read_rules
from emulator.gateway.cors import CORS
from emulator.gateway.health import HealthCheck, check_health
from emulator.gateway.routes import Route, Routes
from emulator.gateway.static import NO_STORE, PAGE_SECURITY, Site, headers_of
from emulator.observe import trace
from emulator.observe.metrics import MEDIA_TYPE

MAX_BODY_BYTES = max_body_bytes()
JSON = [(b"content-type", b"application/json; charset=utf-8"), (b"x-content-type-options", b"nosniff")]
# What only we tell a service, whatever a client sends.
_OURS = frozenset(
    {
        b"x-forwarded-for", b"x-forwarded-proto", b"x-forwarded-host", b"x-forwarded-port", b"forwarded", trace.HEADER,
    }
)  # fmt: skip


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
    ) -> None:
        self._routes = routes or Routes(read_rules())
        self._services = dict(services)
        self._checks = dict(checks or {})
        self._metrics = metrics
        self._keys = KeyTable(keys)
        self._site = site
        self._config = f"window.__MUSTER_CONFIG__ = {json.dumps(dict(web_config))};\n".replace("<", "\\u003c").encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or the lifespan of all services."""
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)

    def websocket_target(self, path: str, query: bytes, headers: Headers) -> "tuple[str, bytes, Headers] | int":
        """Path, query and headers as Realtime shall see a WebSocket upgrade; or the status that refuses it."""
        target = self._routes.find(path)
        if target.service != "realtime":
            return 404
        key = find_header(headers, b"apikey") or find_header(headers, b"x-api-key") or _query_value(query, b"apikey")
        if key is None or not self._keys.known(key):
            return 401
        kept = [pair for pair in query.split(b"&") if pair and not pair.startswith(b"apikey=")]
        jwt = self._keys.rewrite([(b"apikey", key)], None)[0][1]
        return target.path, b"&".join([b"apikey=" + jwt, *kept]), [
            (name, value) for name, value in headers if name not in (b"apikey", b"x-api-key")
        ]  # fmt: skip

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        target = self._routes.find(scope["path"])
        scope["service"] = target.service  # for observe, which counts requests by service
        app = self._services.get(target.service)
        if app is None:
            await self._own(target, scope, send)
            return
        headers: Headers = scope["headers"]
        origin = apikey = length = None
        for name, value in headers:
            if name == b"apikey":
                apikey = value
            elif name == b"origin":
                origin = value
            elif name == b"content-length":
                length = value
        if origin is not None and target.service != "mailbox":
            if scope["method"] == "OPTIONS" and target.service != "functions":
                preflight = CORS.preflight(headers)
                if preflight is not None:
                    await respond(send, 200, preflight, b"")
                    return
            send = CORS.applied(send, origin)
        if target.key != "none" and scope["method"] != "OPTIONS":
            refusal = self._refusal(target, apikey, scope)
            if refusal is not None:
                await respond(send, refusal[0], list(JSON), json.dumps({"message": refusal[1]}).encode())
                return
        if length is not None and length.isdigit() and int(length) > MAX_BODY_BYTES:
            await respond(send, 413, list(JSON), b'{"message":"Request body too large"}')
            return
        if length is None:
            receive = capped(receive, MAX_BODY_BYTES)
        await app(self._forwarded(scope, target, apikey), receive, send)

    def _refusal(self, target: Route, apikey: bytes | None, scope: Scope) -> tuple[int, str] | None:
        key = apikey or _query_value(scope["query_string"], b"apikey")
        if key is None:
            return 401, "No API key found in request"
        if not self._keys.known(key):
            return 401, "Invalid API key"
        if target.key == "service" and not self._keys.is_service(key):
            return 403, "Only the service role may read the API description"
        return None

    def _forwarded(self, scope: Scope, target: Route, apikey: bytes | None) -> Scope:
        """The scope as the service sees it: path without prefix, our own forwarding headers, opaque keys replaced."""
        if target.key != "none" and apikey is None:
            apikey = _query_value(scope["query_string"], b"apikey")
        headers = [pair for pair in self._keys.rewrite(scope["headers"], apikey) if pair[0] not in _OURS]
        request = trace.current.get()
        # An id that we made stays out of REST's headers: header sets are remembered there, and each would be new.
        if request.is_given or (target.service != "rest" and request is not trace.NO_REQUEST):
            headers.append((trace.HEADER, request.id.encode("ascii")))
        client = scope.get("client")
        if client:
            headers.append((b"x-forwarded-for", client[0].encode()))
        headers.append((b"x-forwarded-proto", scope["scheme"].encode()))
        raw_path: bytes = scope.get("raw_path") or scope["path"].encode()
        prefix = len(scope["path"]) - len(target.path) if scope["path"].endswith(target.path) else None
        forwarded = dict(scope)
        forwarded["path"] = target.path
        forwarded["raw_path"] = target.path.encode() if prefix is None else raw_path[prefix:]
        forwarded["headers"] = headers
        return forwarded

    async def _own(self, target: Route, scope: Scope, send: Send) -> None:
        """Answer what belongs to no service: configuration, health, and the web application's files."""
        if target.service == "closed":
            await respond(send, 403, list(JSON), b'{"message":"Forbidden"}')
        elif scope["method"] not in ("GET", "HEAD"):
            await respond(send, 405, [*JSON, (b"allow", b"GET, HEAD")], b'{"message":"Method not allowed"}')
        elif target.service == "config":
            headers = [(b"content-type", b"application/javascript; charset=utf-8"), (b"cache-control", NO_STORE)]
            await respond(send, 200, [*headers, *PAGE_SECURITY], self._config, head=scope["method"] == "HEAD")
        elif target.service == "health":
            await self._health(send)
        elif target.service == "metrics":
            await self._metrics_text(scope, send)
        elif target.service == "web":
            await self._file(target.path, scope, send)
        else:
            await respond(send, 404, list(JSON), b'{"message":"no Route matched with those values"}')

    async def _health(self, send: Send) -> None:
        found = await check_health(self._checks)
        body = json.dumps({"status": "ok" if found.is_healthy else "unavailable", "services": dict(found.services)})
        await respond(send, 200 if found.is_healthy else 503, [*JSON, (b"cache-control", b"no-store")], body.encode())

    async def _metrics_text(self, scope: Scope, send: Send) -> None:
        """Every service's metrics; the service_role key comes as apikey, or as Prometheus sends credentials."""
        headers = scope["headers"]
        key = bearer_token(find_header(headers, b"authorization")) or find_header(headers, b"apikey")
        if key is None or not self._keys.is_service(key):
            await respond(send, 401, list(JSON), b'{"message":"Metrics require the service_role key"}')
            return
        headers = [(b"content-type", MEDIA_TYPE.encode()), (b"cache-control", b"no-store")]
        await respond(send, 200, headers, self._metrics().encode(), head=scope["method"] == "HEAD")

    async def _file(self, path: str, scope: Scope, send: Send) -> None:
        file, status = self._site.find(path), 200
        if file is None and b"text/html" in (find_header(scope["headers"], b"accept") or b""):
            file, status = self._site.find("/404"), 404  # a person looks at it: the application has a page for that
        if file is None:
            headers = [(b"content-type", b"text/plain; charset=utf-8"), *PAGE_SECURITY]
            await respond(send, 404, headers, b"Not found\n", head=scope["method"] == "HEAD")
            return
        gzipped = file.gzipped is not None and b"gzip" in (find_header(scope["headers"], b"accept-encoding") or b"")
        headers = headers_of(file, gzipped=gzipped)
        if status == 200 and find_header(scope["headers"], b"if-none-match") == file.etag:
            await respond(send, 304, headers, None)
            return
        body = file.gzipped if gzipped and file.gzipped is not None else file.body
        await respond(send, status, headers, body, head=scope["method"] == "HEAD")

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        try:
            async with all_running(list(self._services.values())):
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
