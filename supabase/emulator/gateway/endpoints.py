"""What the gateway answers itself: the application's configuration, health, metrics, and the files of the site."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping

from emulator.asgi.headers import bearer_token, chosen_coding, find_header
from emulator.asgi.response import respond
from emulator.asgi.types import Headers, Scope, Send
from emulator.gateway.apikey import KeyTable
from emulator.gateway.health import Health, HealthCheck, check_health
from emulator.gateway.routes import Route
from emulator.gateway.static import NO_STORE, PAGE_SECURITY, Site, headers_of
from emulator.observe.metrics import MEDIA_TYPE

NO_ROUTE = "no Route matched with those values"
JSON: Headers = [(b"content-type", b"application/json; charset=utf-8"), (b"x-content-type-options", b"nosniff")]


async def respond_message(send: Send, status: int, message: str, headers: Headers | None = None) -> None:
    """A refusal in the words of the hosted service's gateway."""
    body = json.dumps({"message": message}, separators=(",", ":")).encode()
    await respond(send, status, [*JSON, *(headers or [])], body)


class Endpoints:
    """`web_config` is what /config.js gives the application; `checks` ask each service; `metrics` gives their text."""

    def __init__(
        self,
        keys: KeyTable,
        site: Site,
        web_config: Mapping[str, str],
        checks: Mapping[str, HealthCheck],
        metrics: Callable[[], str],
    ) -> None:
        self._keys = keys
        self._site = site
        self._config = f"window.__MUSTER_CONFIG__ = {json.dumps(dict(web_config))};\n".replace("<", "\\u003c").encode()
        self._checks = dict(checks)
        self._asking: asyncio.Future[Health] | None = None
        self._metrics = metrics
        self._by_name: Mapping[str, Callable[[Route, Scope, Send], Awaitable[None]]] = {
            "config": self._answer_config,
            "health": self._answer_health,
            "metrics": self._answer_metrics,
            "web": self._answer_file,
        }

    def is_ours(self, service: str) -> bool:
        """Whether the gateway serves this itself."""
        return service in self._by_name

    async def answer(self, target: Route, scope: Scope, send: Send) -> None:
        """Answer a request whose route names no service."""
        if target.service == "closed":
            await respond_message(send, 403, "Forbidden")
        elif target.service not in self._by_name:
            await respond_message(send, 404, NO_ROUTE)
        elif scope["method"] not in ("GET", "HEAD"):
            await respond_message(send, 405, "Method not allowed", [(b"allow", b"GET, HEAD")])
        else:
            await self._by_name[target.service](target, scope, send)

    async def _answer_config(self, _target: Route, scope: Scope, send: Send) -> None:
        headers = [(b"content-type", b"application/javascript; charset=utf-8"), (b"cache-control", NO_STORE)]
        await respond(send, 200, [*headers, *PAGE_SECURITY], self._config, head=scope["method"] == "HEAD")

    async def _answer_health(self, _target: Route, _scope: Scope, send: Send) -> None:
        found = await self.health()
        body = json.dumps({"status": "ok" if found.is_healthy else "unavailable", "services": dict(found.services)})
        await respond(send, 200 if found.is_healthy else 503, [*JSON, (b"cache-control", NO_STORE)], body.encode())

    async def health(self) -> Health:
        """Ask every service."""
        if self._asking is None:  # a flood of questions is one: each opens a connection to the database
            self._asking = asyncio.ensure_future(check_health(self._checks))
            self._asking.add_done_callback(self._forget_health)
        return await asyncio.shield(self._asking)

    def _forget_health(self, _asked: "asyncio.Future[Health]") -> None:
        self._asking = None

    async def _answer_metrics(self, _target: Route, scope: Scope, send: Send) -> None:
        """Every service's metrics; the service_role key comes as apikey, or as Prometheus sends credentials."""
        headers = scope["headers"]
        key = bearer_token(find_header(headers, b"authorization")) or find_header(headers, b"apikey")
        if key is None or not self._keys.is_service(key):
            await respond_message(send, 401, "Metrics require the service_role key")
            return
        headers = [(b"content-type", MEDIA_TYPE.encode()), (b"cache-control", NO_STORE)]
        await respond(send, 200, headers, self._metrics().encode(), head=scope["method"] == "HEAD")

    async def _answer_file(self, target: Route, scope: Scope, send: Send) -> None:
        file, status = self._site.find(target.path), 200
        if file is None and (moved := self._site.other_address(target.path)) is not None:
            query = b"?" + scope["query_string"] if scope["query_string"] else b""
            await respond(send, 308, [(b"location", moved.encode() + query), *PAGE_SECURITY], b"")
            return
        if file is None and b"text/html" in (find_header(scope["headers"], b"accept") or b""):
            file, status = (
                self._site.find("/app.html"),
                404,
            )  # a person looks at it: the application has a page for that
        if file is None:
            headers = [(b"content-type", b"text/plain; charset=utf-8"), *PAGE_SECURITY]
            await respond(send, 404, headers, b"Not found\n", head=scope["method"] == "HEAD")
            return
        coding = chosen_coding(file.encoded, find_header(scope["headers"], b"accept-encoding") or b"")
        headers = headers_of(file, coding)
        if status == 200 and find_header(scope["headers"], b"if-none-match") == file.etag:
            await respond(send, 304, headers, None)
            return
        body = file.body if coding is None else file.encoded[coding]
        await respond(send, status, headers, body, head=scope["method"] == "HEAD")
