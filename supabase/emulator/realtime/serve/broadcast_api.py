"""Broadcasts over HTTP: a batch of messages, or one with its topic and event in the path."""

import asyncio
import time
from typing import Any
from urllib.parse import parse_qs, unquote
from uuid import uuid4

from starlette.requests import Request
from starlette.responses import Response

from emulator.asgi.body import BodyTooLarge, ClientDisconnected, read_body
from emulator.errors import ApiError
from emulator.principal import Principal
from emulator.realtime import errors
from emulator.realtime.context import Context
from emulator.realtime.serve.answers import answer
from emulator.realtime.wire.batches import TOO_LARGE, TRUE, batch_messages
from emulator.realtime.wire.broadcasts import Broadcast
from emulator.realtime.wire.frames import dump, parse_json
from emulator.realtime.wire.payloads import Extension, broadcast

MAX_BODY_BYTES = 8 * 1024 * 1024
MAX_BATCH = 10_000
TURN_S = 0.002  # of a batch, before others get the event loop


class BroadcastApi:
    """The endpoints below /api/broadcast."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._max_bytes = context.settings.limits.broadcast_bytes
        self._turn = asyncio.Lock()  # one batch at a time

    async def batch(self, request: Request) -> Response:
        """`{"messages": [{topic, event, payload, private?}]}`; private ones that policies deny are left out."""
        principal = self._authenticate(request)
        body = await _read(request)
        document = _parse(body) if _media_type(request) == "application/json" else None
        messages = batch_messages(document, self._max_bytes)
        if len(messages) > MAX_BATCH:
            raise errors.batch_too_large()
        allowed: dict[str, bool] = {}
        async with self._turn:
            started = time.perf_counter()
            for message in messages:
                name, is_private = message["topic"], message.get("private") in TRUE
                if is_private and name not in allowed:
                    allowed[name] = await self._may_write(principal, name, request, "broadcast")
                if not is_private or allowed[name]:
                    meta = dump({"id": message["id"]}) if isinstance(message.get("id"), str) else ""
                    text = broadcast(message["event"], dump(message["payload"]), meta)
                    self._send(Broadcast(name, is_private, text=text))
                if (spent := time.perf_counter() - started) > TURN_S:
                    await asyncio.sleep(
                        spent
                    )  # thousands of messages for many subscribers leave others half of the time
                    started = time.perf_counter()
        return answer(202)

    async def single(self, request: Request) -> Response:
        """The body is the payload, JSON or bytes. `private` and `persist` are in the query."""
        principal = self._authenticate(request)
        body = await _read(request)
        topic, event = unquote(request.path_params["topic"]), unquote(request.path_params["event"])
        kind = _media_type(request)
        if kind not in ("", "application/json", "application/octet-stream"):
            text = "Unsupported Media Type. Use application/json or application/octet-stream"
            return answer(415, dump({"error": text}))
        query = parse_qs(request.scope["query_string"].decode("latin-1"))
        is_private = query.get("private", [""])[-1] == "true"
        persists = query.get("persist", [""])[-1] == "true" or "persist[ttl]" in query
        if len(body) > self._max_bytes:
            raise errors.Invalid({"payload": [TOO_LARGE]})
        is_json = kind != "application/octet-stream"
        if is_json:
            document = _parse(body) if kind else {}  # without a type the body is not read
            body = dump(document if isinstance(document, dict) else {"_json": document}).encode()
        if is_private and not await self._may_write(principal, topic, request, "broadcast"):
            raise errors.forbidden_topic()
        message = Broadcast(topic, is_private, event, body, is_json)
        if persists:
            await self._store(principal, request, message)
        else:
            self._send(message)
        return answer(202)

    def _authenticate(self, request: Request) -> Principal:
        authorization = request.headers.get("authorization", "")
        if authorization[:7].lower() == "bearer ":
            token = authorization[7:].strip()
        else:
            token = request.headers.get("apikey", "")
        try:
            return self._context.tokens.verify(token)
        except errors.Refused as refused:
            raise errors.unauthorized() from refused

    async def _may_write(self, principal: Principal, topic: str, request: Request, extension: Extension) -> bool:
        own = {name: value for name, value in request.headers.items() if name.startswith("x-")}
        return await self._context.authorizer.may_write(principal, topic, own, extension)

    async def _store(self, principal: Principal, request: Request, message: Broadcast) -> None:
        """Store it in realtime.messages, from where the log delivers it to all subscribers."""
        if not message.is_private:
            raise errors.public_not_persisted()
        if not await self._may_write(principal, message.name, request, "persistence"):
            raise errors.forbidden_topic()
        if not self._context.count_messages(1):
            raise errors.rate_exceeded()
        if not await self._context.messages.store(str(uuid4()), message):
            raise errors.not_persisted()

    def _send(self, message: Broadcast) -> None:
        if not self._context.count_messages(1):
            raise errors.rate_exceeded()
        self._context.count_messages(self._context.hub.broadcast(message))


async def _read(request: Request) -> bytes:
    try:
        return await read_body(request.receive, MAX_BODY_BYTES)
    except ClientDisconnected as error:
        raise ApiError(400, "bad_request", "Bad Request") from error
    except BodyTooLarge as error:
        raise ApiError(413, "too_large", "Request Entity Too Large") from error


def _parse(body: bytes) -> Any:
    try:
        return parse_json(body) if body else {}
    except (ValueError, RecursionError) as error:
        raise ApiError(400, "bad_request", "Bad Request") from error


def _media_type(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()
