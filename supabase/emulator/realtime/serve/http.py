"""The HTTP side as a plain ASGI application: broadcasts over REST, pings, health. Raw ASGI, no framework."""

import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import parse_qs, unquote

from emulator.errors import ApiError
from emulator.realtime import errors
from emulator.realtime.service import RealtimeService
from emulator.realtime.wire.broadcasts import Broadcast
from emulator.realtime.wire.frames import dump, parse_json
from emulator.realtime.wire.payloads import broadcast
from emulator.realtime.wire.tokens import Member

log = logging.getLogger(__name__)
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
SendEvent = Callable[[MutableMapping[str, Any]], Awaitable[None]]

MAX_BODY_BYTES = 8 * 1024 * 1024
MAX_BATCH = 10_000
BLANK = "can't be blank"
_TRUE = (True, "true", "1")
CORS = (
    (b"access-control-allow-origin", b"*"),
    (b"access-control-allow-headers", b"authorization, apikey, content-type, x-client-info, x-supabase-api-version"),
    (b"access-control-allow-methods", b"GET, HEAD, POST, OPTIONS"),
)


class Http:
    """Requests in, answers out (paths /api..., /healthcheck, /metrics); and the lifespan of the service."""

    def __init__(self, service: RealtimeService) -> None:
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: SendEvent) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
            return
        try:
            status, body = await self._route(scope, receive)
        except ApiError as error:
            status, body = error.status, dump({"message": error.message})
        except errors.Refused as refused:
            status, body = 503, dump({"message": refused.text})
        await _answer(send, status, body, is_head=scope["method"] == "HEAD")

    async def _lifespan(self, receive: Receive, send: SendEvent) -> None:
        while True:
            event = await receive()
            if event["type"] == "lifespan.startup":
                await self._service.start()
                await send({"type": "lifespan.startup.complete"})
            elif event["type"] == "lifespan.shutdown":
                await self._service.stop()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def _route(self, scope: Scope, receive: Receive) -> tuple[int, str]:
        method, path = scope["method"], scope["path"].rstrip("/").removeprefix("/realtime/v1")
        raw = (scope.get("raw_path") or scope["path"].encode()).decode("ascii", "replace")
        if method == "OPTIONS":
            return 204, ""
        if method in ("GET", "HEAD"):
            return self._get(scope, path)
        if method != "POST":
            return 404, dump({"error": "Not found"})
        if path == "/api/broadcast":
            return await self._batch(scope, await _body(receive))
        parts = raw[raw.find("/api/broadcast/") :].split("?")[0].rstrip("/").split("/")
        if len(parts) == 6 and parts[:3] == ["", "api", "broadcast"] and parts[4] == "events":
            return await self._single(scope, await _body(receive), unquote(parts[3]), unquote(parts[5]))
        return 404, dump({"error": "Not found"})

    def _get(self, scope: Scope, path: str) -> tuple[int, str]:
        if path == "/api/ping":
            return 200, dump({"message": "Success"})
        if path == "/healthcheck":
            return 200, "ok"
        if path.startswith("/api/tenants/") and path.endswith("/health"):
            return (200, self._health()) if self._is_admin(scope) else (403, "")
        if path == "/metrics" or path.startswith("/metrics/"):
            return (200, self._service.metrics()) if self._is_admin(scope) else (403, "")
        return 404, dump({"error": "Not found"})

    def _health(self) -> str:
        is_live = self._service.changes.is_streaming.is_set()
        return dump(
            {
                "data": {
                    "healthy": is_live,
                    "db_connected": is_live,
                    "replication_connected": is_live,
                    "connected_cluster": len(self._service.sockets),
                    "region": None,
                    "node": self._service.hub.node,
                }
            }
        )

    def _is_admin(self, scope: Scope) -> bool:
        token = _header(scope, b"authorization").removeprefix("Bearer ").strip()
        return self._service.is_admin(token)

    # Broadcasts

    def _member(self, scope: Scope) -> Member:
        bearer = _header(scope, b"authorization")
        token = bearer.partition(" ")[2].strip() if bearer[:7].lower() == "bearer " else _header(scope, b"apikey")
        try:
            return self._service.member_of(token)
        except errors.Refused as refused:
            raise errors.unauthorized() from refused

    async def _batch(self, scope: Scope, body: bytes) -> tuple[int, str]:
        member = self._member(scope)
        document = _json(body)
        messages = document.get("messages") if isinstance(document, dict) else None
        if not isinstance(messages, list):
            return 422, dump({"errors": {"messages": [BLANK]}})
        limit = self._service.settings.limits.broadcast_bytes
        problems = [_problems(message, limit) for message in messages]
        if any(problems):
            return 422, dump({"errors": {"messages": problems}})
        if len(messages) > MAX_BATCH:
            raise errors.batch_too_large()
        allowed: dict[str, bool] = {}
        for message in messages:
            name, is_private = message["topic"], message.get("private") in _TRUE
            if is_private and name not in allowed:
                allowed[name] = await self._service.authorizer.may_write(member, name, _own(scope), "broadcast")
            if not is_private or allowed[name]:
                meta = dump({"id": message["id"]}) if isinstance(message.get("id"), str) else ""
                text = broadcast(message["event"], dump(message["payload"]), meta)
                self._send(Broadcast(name, is_private, text=text))
        return 202, ""

    async def _single(self, scope: Scope, body: bytes, topic: str, event: str) -> tuple[int, str]:
        member = self._member(scope)
        kind = _header(scope, b"content-type").partition(";")[0].strip().lower()
        if kind not in ("application/json", "application/octet-stream"):
            text = "Unsupported Media Type. Use application/json or application/octet-stream"
            return 415, dump({"error": text})
        query = parse_qs(scope["query_string"].decode("latin-1"))
        is_private = query.get("private", [""])[-1] == "true"
        persists = query.get("persist", [""])[-1] == "true" or "persist[ttl]" in query
        if len(body) > self._service.settings.limits.broadcast_bytes:
            return 413, dump({"error": "Payload size exceeded"})
        is_json = kind == "application/json"
        if is_json:
            document = _json(body)
            body = dump(document if isinstance(document, dict) else {"_json": document}).encode()
        if is_private and not await self._service.authorizer.may_write(member, topic, _own(scope), "broadcast"):
            raise errors.forbidden_topic()
        message = Broadcast(topic, is_private, event, body, is_json)
        if persists:
            await self._store(member, scope, message)
        else:
            self._send(message)
        return 202, ""

    async def _store(self, member: Member, scope: Scope, message: Broadcast) -> None:
        """Keep it in realtime.messages; the log brings it to everybody."""
        service = self._service
        if not message.is_private:
            raise errors.public_not_persisted()
        if not await service.authorizer.may_write(member, message.name, _own(scope), "persistence"):
            raise errors.forbidden_topic()
        if not service.count_messages(1):
            raise errors.rate_exceeded()
        if not await service.messages.store(service.new_message_id(), message):
            raise errors.not_persisted()

    def _send(self, message: Broadcast) -> None:
        if not self._service.count_messages(1):
            raise errors.rate_exceeded()
        self._service.count_messages(self._service.hub.broadcast(message))


def _problems(message: object, limit: int) -> dict[str, list[str]]:
    if not isinstance(message, dict):
        return {"topic": [BLANK], "event": [BLANK], "payload": [BLANK]}
    found: dict[str, list[str]] = {}
    for name in ("topic", "event"):
        value = message.get(name)
        if value is None or value == "":
            found[name] = [BLANK]
        elif not isinstance(value, str):
            found[name] = ["is invalid"]
    if message.get("payload") is None:
        found["payload"] = [BLANK]
    elif not isinstance(message["payload"], dict):
        found["payload"] = ["is invalid"]
    elif len(dump(message["payload"]).encode()) > limit:
        found["payload"] = ["Payload size exceeds tenant limit"]
    return found


def _json(body: bytes) -> Any:
    try:
        return parse_json(body) if body else {}
    except (ValueError, RecursionError) as error:
        raise ApiError(400, "bad_request", "Bad Request") from error


def _header(scope: Scope, name: bytes) -> str:
    for key, value in scope["headers"]:
        if key == name:
            return str(value.decode("latin-1"))
    return ""


def _own(scope: Scope) -> dict[str, str]:
    return {k.decode("latin-1"): v.decode("latin-1") for k, v in scope["headers"] if k.startswith(b"x-")}


async def _body(receive: Receive) -> bytes:
    parts, size = [], 0
    while True:
        event = await receive()
        if event["type"] == "http.disconnect":
            raise ApiError(400, "bad_request", "Bad Request")
        part = event.get("body", b"")
        size += len(part)
        if size > MAX_BODY_BYTES:
            raise ApiError(413, "too_large", "Request Entity Too Large")
        parts.append(part)
        if not event.get("more_body"):
            return b"".join(parts)


async def _answer(send: SendEvent, status: int, body: str, *, is_head: bool) -> None:
    data = body.encode()
    kind = b"application/json; charset=utf-8" if body[:1] in "{[" and body else b"text/plain; charset=utf-8"
    headers = [*CORS, (b"content-type", kind)]
    if status != 204:
        headers.append((b"content-length", str(len(data)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if is_head else data})
