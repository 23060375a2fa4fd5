"""Branches as a service of the stack's gateway: requests for `/branches/<name>/...` and `<name>.localhost`."""

import json
from collections.abc import Mapping
from typing import Any

from emulator.asgi.cors import CorsPolicy, requested_or
from emulator.asgi.headers import find_header
from emulator.asgi.response import respond
from emulator.asgi.types import Headers, Receive, Scope, Send
from emulator.branches import errors
from emulator.branches.faults import meet
from emulator.branches.names import PREFIX, name_in_host, split_path
from emulator.branches.registry import Branches
from emulator.errors import ApiError

_PREFIX = PREFIX.encode()
_CORS = CorsPolicy(methods=b"GET", allowed_headers=requested_or(b""))
JSON: Headers = [(b"content-type", b"application/json; charset=utf-8"), (b"cache-control", b"no-store")]


class BranchApp:
    """An ASGI application that hands requests to the stacks of branches, and ends them with its lifespan."""

    def __init__(self, branches: Branches) -> None:
        self._branches = branches

    def takes(self, path: str, headers: Headers) -> bool:
        """Whether a request is for a branch: by its path, or by a host that is one's."""
        if path.startswith(PREFIX):
            return True
        return self._branches.any_known() and self._name_in(headers) is not None

    def takes_socket(self, target: bytes, headers: Headers) -> bool:
        """The same of a WebSocket, by the target of its handshake."""
        return self.takes(target.decode("latin-1"), headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or the lifespan."""
        if scope["type"] == "lifespan":
            await receive()
            await self._branches.begin()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            await self._branches.close()
            await send({"type": "lifespan.shutdown.complete"})
            return
        try:
            name, path = self._split(scope["path"], scope["headers"])
            raw_path: bytes = scope.get("raw_path") or scope["path"].encode()
            async with self._branches.serving(name) as branch, branch.request() as stack:
                fault = branch.faults.take(scope["method"], path) if branch.faults else None
                if fault is not None and await meet(fault, scope, receive, _readable(scope, send)):
                    return
                inner = {**scope, "path": path, "raw_path": _stripped(raw_path, name, scope["path"])}
                await stack.gateway(inner, receive, send)
        except ApiError as error:
            await respond_error(_readable(scope, send), error)

    async def protocol(self, target: bytes, headers: Headers) -> tuple[type[Any], bytes]:
        """The protocol class of a WebSocket, and the target as its branch sees it. Raises ApiError."""
        path = target.partition(b"?")[0].decode("latin-1")
        name, _ = self._split(path, headers)
        target = _stripped(target, name, path)
        async with self._branches.serving(name) as branch:
            return await branch.socket_class(target, headers), target

    def _split(self, path: str, headers: Headers) -> tuple[str, str]:
        if path.startswith(PREFIX):
            found = split_path(path)
            if found is None:
                raise errors.bad_name(path.removeprefix(PREFIX).partition("/")[0])
            return found
        return self._name_in(headers) or "", path

    def _name_in(self, headers: Headers) -> str | None:
        name = name_in_host(find_header(headers, b"host") or b"")
        return name if name is not None and self._branches.is_known(name) else None


def _stripped(raw: bytes, name: str, path: str) -> bytes:
    """A raw path or target without the branch's prefix. Raises ApiError for one that is spelled in another way."""
    if not path.startswith(PREFIX):
        return raw
    prefix = _PREFIX + name.encode()
    rest = raw[len(prefix) :]
    if not raw.startswith(prefix) or not (rest == b"" or rest[:1] in b"/?"):
        raise errors.bad_name(raw.decode("latin-1"))
    return rest if rest.startswith(b"/") else b"/" + rest


def _readable(scope: Scope, send: Send) -> Send:
    """A page of another origin may read why."""
    origin = find_header(scope["headers"], b"origin")
    return send if origin is None else _CORS.applied(send, origin)


async def respond_error(send: Send, error: ApiError) -> None:
    """Answer with an error."""
    await respond_json(send, error.status, {"code": error.code, "message": error.message})


async def respond_json(send: Send, status: int, document: Mapping[str, Any] | None) -> None:
    """Answer with a document, or with no content."""
    if document is None:
        await respond(send, status, [], None)
    else:
        await respond(send, status, JSON, json.dumps(document).encode())
