"""The rules around every function: CORS, token, body, time. A raw ASGI application; the function's own is inside.

request -> preflight answered | function found -> token verified -> body read -> function called -> answer, with CORS
"""

import asyncio
import logging
import time
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool

from emulator.asgi.body import BodyTooLarge, ClientDisconnected, read_body, wait_for_disconnect
from emulator.asgi.headers import content_length, find_header
from emulator.asgi.response import respond
from emulator.asgi.types import Message, Receive, Scope, Send
from emulator.errors import ApiError
from emulator.jwt import KeySet
from emulator.principal import Principal
from muster_functions.runtime import errors
from muster_functions.runtime.auth import read_principal
from muster_functions.runtime.cors import CORS
from muster_functions.runtime.function import Function, respond_error
from muster_functions.runtime.registry import BrokenFunction, Registry

PREFIX = "/functions/v1"
UPGRADES = (b"websocket", b"h2c")

log = logging.getLogger(__name__)


class Dispatcher:
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
        headers = scope["headers"]
        granted = CORS.preflight(headers) if scope["method"] == "OPTIONS" else None
        if granted is not None:
            await respond(send, 204, granted, None)
            return
        send = CORS.applied(send, find_header(headers, b"origin") or b"")
        try:
            await self._answer(scope, receive, send)
        except ApiError as error:
            await respond_error(error)(scope, receive, send)
        except ClientDisconnected:
            log.debug("the client left before the answer")

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        if (find_header(scope["headers"], b"upgrade") or b"").lower() in UPGRADES:
            raise errors.no_upgrade()
        name, path, raw_path = _split_path(scope)
        function = await self._find(name)
        caller = self._authenticate(function, scope)
        body = await _read_body(scope, receive, function.rules.max_body_bytes or self._max_body_bytes)
        inner = {
            **scope, "path": f"/{function.name}{path}", "raw_path": f"/{function.name}".encode() + raw_path,
            "root_path": "", "state": {**scope.get("state", {}), "caller": caller},
        }  # fmt: skip
        await self._call(function, inner, body, receive, send)

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

    def _authenticate(self, function: Function, scope: Scope) -> Principal | None:
        """The caller. A function that demands no token still learns who calls if the token is valid."""
        try:
            return read_principal(find_header(scope["headers"], b"authorization"), self._keys, time.time())
        except ApiError:
            if function.rules.verify_jwt and scope["method"] != "OPTIONS":
                raise
            return None

    async def _call(self, function: Function, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        """Run the function until it has answered or the client has left; it has `timeout_s` to begin its answer."""
        timeout_s, answered = function.rules.timeout_s or self._timeout_s, False
        gone = asyncio.ensure_future(wait_for_disconnect(receive))
        try:
            async with asyncio.timeout(timeout_s) as limit:

                async def sending(message: Message) -> None:
                    nonlocal answered
                    limit.reschedule(None)
                    answered = message["type"] == "http.response.body" and not message.get("more_body")
                    await send(message)

                call = asyncio.ensure_future(_run(function, scope, _replayed(body, gone), sending))
                try:
                    await asyncio.wait([call, gone], return_when=asyncio.FIRST_COMPLETED)
                    if answered:  # what is left are background tasks
                        await call
                finally:
                    await _cancel(call)
        except TimeoutError as error:
            log.warning("%s gave no answer in %g s", function.name, timeout_s)
            raise errors.timed_out() from error
        finally:
            await _cancel(gone)


async def _run(function: Function, scope: Scope, receive: Receive, send: Send) -> None:
    try:
        await function.app(scope, receive, send)
    except Exception:  # already answered: Starlette raises what it answered with 500, for servers to log
        log.exception("%s failed", function.name)


async def _cancel(task: "asyncio.Future[None]") -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def _read_body(scope: Scope, receive: Receive, limit: int) -> bytes:
    """The whole body. Raises body_too_large as soon as that is known."""
    if (content_length(scope["headers"]) or 0) > limit:
        raise errors.body_too_large(limit)
    try:
        return await read_body(receive, limit)
    except BodyTooLarge as error:
        raise errors.body_too_large(limit) from error


def _replayed(body: bytes, gone: "asyncio.Future[None]") -> Receive:
    """A `receive` that gives the body, and then waits for the client to leave: a streamed answer listens for that."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> Message:
        if messages:
            return messages.pop()
        await asyncio.wait([gone])
        return {"type": "http.disconnect"}

    return receive


def _split_path(scope: Scope) -> tuple[str, str, bytes]:
    """The function's name, and what follows it, decoded and raw. Gateways keep the prefix or strip it."""
    path: str = scope["path"]
    raw: bytes = scope.get("raw_path") or quote(path).encode()
    if path.startswith(f"{PREFIX}/"):
        path, raw = path.removeprefix(PREFIX), raw.removeprefix(PREFIX.encode())
    name, slash, rest = path.lstrip("/").partition("/")
    _, raw_slash, raw_rest = raw.lstrip(b"/").partition(b"/")
    return name, slash + rest, raw_slash + raw_rest
