"""The rules around every function: permission, token, body, time. A raw ASGI application; the function is inside.

bytes -> preflight answered | function found -> caller judged -> body read -> function called -> answer, with CORS
"""

import asyncio
import inspect
import json
import logging
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from emulator.errors import ApiError
from emulator.jwt import KeySet
from muster_functions.runtime import cors, errors
from muster_functions.runtime.caller import Caller, read_caller
from muster_functions.runtime.registry import BrokenFunction, Function, Registry

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

PREFIX = "/functions/v1"
UPGRADED = ("websocket", "h2c")

log = logging.getLogger("muster.functions")


class Runner:
    """Calls the functions of a registry. `timeout_s` and `max_body_bytes` hold where a function has none of its own."""

    def __init__(self, registry: Registry, keys: KeySet, *, timeout_s: float, max_body_bytes: int) -> None:
        self._registry = registry
        self._keys = keys
        self._timeout_s = timeout_s
        self._max_body_bytes = max_body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; WebSockets are refused."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        headers: cors.Headers = scope["headers"]
        send = _with_permission(send)
        if cors.is_preflight(scope["method"], headers):
            await _respond(send, 204, cors.preflight(headers), b"")
            return
        try:
            await self._answer(scope, receive, send)
        except ApiError as error:
            await _respond_error(send, error)
        except ClientDisconnect:
            log.debug("the client left before the answer")

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        if any(name == b"upgrade" and value.decode("latin-1").lower() in UPGRADED for name, value in scope["headers"]):
            raise errors.no_upgrade()
        path = _without_prefix(scope["path"])
        function = await self._find(path.lstrip("/").partition("/")[0])
        caller = self._judge(function, scope)
        body = await _read_body(scope, receive, function.max_body_bytes or self._max_body_bytes)
        seen = _seen(scope, path, caller)
        response = await self._call(function, Request(seen, _replay(body)), receive)
        await response(seen, receive, send)

    async def _find(self, name: str) -> Function:
        """A known function at once, a new one off the event loop (an import may take a while)."""
        function = self._registry.cached(name)
        if function is not None:
            return function
        try:
            found = await run_in_threadpool(self._registry.find, name)
        except BrokenFunction as error:
            log.error("%s", error, exc_info=error.__cause__)
            raise errors.broken_function() from error
        if found is None:
            raise errors.unknown_function()
        return found

    def _judge(self, function: Function, scope: Scope) -> Caller | None:
        """The caller. A function that demands no token still learns who calls if the token holds."""
        authorization = _header(scope["headers"], b"authorization")
        try:
            return read_caller(authorization, self._keys, time.time())
        except ApiError:
            if function.verify_jwt and scope["method"] != "OPTIONS":
                raise
            return None

    async def _call(self, function: Function, request: Request, receive: Receive) -> Response:
        """Run the handler until it answers, its time is up, or the client has gone."""
        handler = asyncio.ensure_future(_handled(function, request))
        gone = asyncio.ensure_future(_disconnected(receive))
        timeout_s = function.timeout_s or self._timeout_s
        try:
            await asyncio.wait([handler, gone], timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
            if handler.done():
                return _result(function, handler)
            if gone.done():
                raise ClientDisconnect
            log.warning("%s gave no answer in %g s", function.name, timeout_s)
            raise errors.timed_out()
        finally:
            await _cancelled(handler, gone)


async def _handled(function: Function, request: Request) -> Response:
    if inspect.iscoroutinefunction(function.handle):
        answer: Response = await function.handle(request)
        return answer
    plain: Any = function.handle
    threaded: Response = await run_in_threadpool(plain, request)
    return threaded


def _result(function: Function, handler: "asyncio.Future[Response]") -> Response:
    failure = handler.exception()
    if isinstance(failure, ApiError):
        raise failure
    if failure is not None:
        log.error("%s failed", function.name, exc_info=failure)
        raise errors.failed_function() from failure
    response = handler.result()
    if not isinstance(response, Response):
        log.error("%s answered with %s, not a Response", function.name, type(response).__name__)
        raise errors.failed_function()
    return response


async def _cancelled(*tasks: "asyncio.Future[Any]") -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _read_body(scope: Scope, receive: Receive, limit: int) -> bytes:
    """The whole body. Raises body_too_large as soon as that is known, ClientDisconnect."""
    declared = _header(scope["headers"], b"content-length") or ""
    if declared.isdecimal() and int(declared) > limit:
        raise errors.body_too_large(limit)
    parts, size, more = [], 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        part: bytes = message.get("body", b"")
        more = message.get("more_body", False)
        size += len(part)
        if size > limit:
            raise errors.body_too_large(limit)
        parts.append(part)
    return b"".join(parts)


def _replay(body: bytes) -> Receive:
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        return messages.pop() if messages else {"type": "http.disconnect"}

    return receive


def _seen(scope: Scope, path: str, caller: Caller | None) -> Scope:
    """The scope as the function sees it: its path begins with its own name, its state knows the caller."""
    raw: bytes = scope.get("raw_path") or quote(scope["path"]).encode()
    raw = raw.removeprefix(PREFIX.encode()) if len(path) < len(scope["path"]) else raw
    state = {**scope.get("state", {}), "caller": caller}
    return {**scope, "path": path, "raw_path": raw, "root_path": "", "state": state}


def _without_prefix(path: str) -> str:
    """Our gateway keeps the prefix, others strip it: both are understood."""
    return path[len(PREFIX) :] if path.startswith(f"{PREFIX}/") else path


def _header(headers: cors.Headers, wanted: bytes) -> str | None:
    for name, value in headers:
        if name == wanted:
            return value.decode("latin-1")
    return None


def _with_permission(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": cors.with_permission(list(message.get("headers", [])))}
        await send(message)

    return sending


async def _respond_error(send: Send, error: ApiError) -> None:
    headers = [(name.encode(), value.encode()) for name, value in error.headers]
    body = json.dumps({"code": error.code, "message": error.message}).encode()
    await _respond(send, error.status, [(b"content-type", b"application/json"), *headers], body)


async def _respond(send: Send, status: int, headers: cors.Headers, body: bytes) -> None:
    if status != 204:
        headers = [*headers, (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
