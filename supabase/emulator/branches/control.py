"""The HTTP API for whoever has branches made: the command line, and test runners. A request is one call, in JSON.

GET    /branches                 POST /branches  {"name": ..., "from": ...}
DELETE /branches/<name>          POST /branches/<name>/reset
GET    /snapshots                POST /snapshots  {"name": ..., "of": ...}
DELETE /snapshots/<name>         POST /snapshots/<name>/restore  {"to": ...}
What else a test asks of a branch is in testing.py.
GET    /leftovers                DELETE /leftovers: what a process that was killed left behind
"""

import json
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl

from emulator.asgi.types import Receive, Scope, Send
from emulator.branches import errors, testing
from emulator.branches.app import respond_error, respond_json
from emulator.branches.branch import Branch
from emulator.branches.registry import FROM_BASE, FROM_MAIN, Branches, LeftBehind
from emulator.errors import ApiError

log = logging.getLogger(__name__)

MAX_BODY_BYTES = 64 * 1024
_UNSETTLED = {"code": "not_settled", "message": "the branch did not settle in time"}
Document = Mapping[str, Any]
Answer = tuple[int, Document | None]
# The addresses of a branch, by its name and its database.
Describe = Callable[[str, str], Document]


class Control:
    """An ASGI application without a lifespan of its own."""

    def __init__(self, branches: Branches, describe: Describe) -> None:
        self._branches, self._describe = branches, describe
        self._routes: dict[tuple[str, ...], Callable[[str, Document], Awaitable[Answer]]] = {
            ("GET", "branches"): self._list,
            ("POST", "branches"): self._create,
            ("DELETE", "branches", "*"): self._delete,
            ("POST", "branches", "*", "reset"): self._reset,
            ("GET", "snapshots"): self._list,
            ("POST", "snapshots"): self._snapshot,
            ("DELETE", "snapshots", "*"): self._delete_snapshot,
            ("POST", "snapshots", "*", "restore"): self._restore,
            ("POST", "branches", "*", "settle"): self._settle,
            ("GET", "branches", "*", "mails"): self._mails,
            ("GET", "branches", "*", "clock"): self._clock,
            ("POST", "branches", "*", "clock"): self._turn_clock,
            ("DELETE", "branches", "*", "clock"): self._reset_clock,
            ("POST", "branches", "*", "faults"): self._add_fault,
            ("DELETE", "branches", "*", "faults"): self._clear_faults,
            ("GET", "leftovers"): self._leftovers,
            ("DELETE", "leftovers"): self._remove_leftovers,
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        try:
            status, document = await self._answer(scope, receive)
        except ApiError as error:
            await respond_error(send, error)
        except Exception:
            log.exception("unexpected failure in %s %s", scope["method"], scope["path"])
            await respond_json(send, 500, {"code": "unexpected_failure", "message": "unexpected failure, see the log"})
        else:
            await respond_json(send, status, document)

    async def _answer(self, scope: Scope, receive: Receive) -> Answer:
        parts = scope["path"].strip("/").split("/")
        pattern = tuple("*" if place == 1 else part for place, part in enumerate(parts))
        handler = self._routes.get((scope["method"], *pattern))
        if handler is None:
            raise errors.no_route()
        query = dict(parse_qsl(scope["query_string"].decode("latin-1")))
        return await handler(parts[1] if len(parts) > 1 else "", {**await _read(receive), **query})

    async def _list(self, _name: str, _body: Document) -> Answer:
        branches, snapshots = await self._branches.listed()
        return 200, {
            "branches": [self._described(branch) for branch in branches],
            "snapshots": [
                {"name": name, "of": record.source, "created_at": record.created_at}
                for name, record in snapshots.items()
            ],
        }

    async def _create(self, _name: str, body: Document) -> Answer:
        name = _text(body, "name", "") or f"b-{secrets.token_hex(4)}"
        return 201, self._described(await self._branches.create(name, _text(body, "from", FROM_BASE)))

    async def _delete(self, name: str, _body: Document) -> Answer:
        await self._branches.delete(name)
        return 204, None

    async def _reset(self, name: str, _body: Document) -> Answer:
        return 200, self._described(await self._branches.reset(name))

    async def _snapshot(self, _name: str, body: Document) -> Answer:
        name = _text(body, "name", "") or f"s-{secrets.token_hex(4)}"
        record = await self._branches.snapshot(name, _text(body, "of", FROM_MAIN))
        return 201, {"name": name, "of": record.source, "created_at": record.created_at}

    async def _delete_snapshot(self, name: str, _body: Document) -> Answer:
        await self._branches.delete_snapshot(name)
        return 204, None

    async def _restore(self, name: str, body: Document) -> Answer:
        target = _text(body, "to", FROM_MAIN)
        await self._branches.restore(name, target)
        return 200, {"restored": name, "to": target}

    async def _settle(self, name: str, body: Document) -> Answer:
        branch = await self._branches.find(name)
        patience_s = testing.seconds(body.get("timeout_s"), testing.SETTLE_S)
        async with self._branches.serving(name):
            pending = await self._branches.settle(branch, patience_s)
        return (200, {"settled": True}) if not pending else (504, {**_UNSETTLED, "pending": pending})

    async def _mails(self, name: str, body: Document) -> Answer:
        branch = await self._branches.find(name)
        patience_s = testing.seconds(body.get("timeout_s"), 0.0)
        return 200, await testing.find_mails(branch, _text(body, "to", ""), _text(body, "query", ""), patience_s)

    async def _clock(self, name: str, _body: Document) -> Answer:
        return 200, testing.shown_clock(await self._branches.find(name))

    async def _turn_clock(self, name: str, body: Document) -> Answer:
        return 200, testing.turn_clock(await self._branches.find(name), body)

    async def _reset_clock(self, name: str, _body: Document) -> Answer:
        (await self._branches.find(name)).clock.reset()
        return 204, None

    async def _add_fault(self, name: str, body: Document) -> Answer:
        testing.add_fault(await self._branches.find(name), body)
        return 201, {}

    async def _clear_faults(self, name: str, _body: Document) -> Answer:
        (await self._branches.find(name)).faults.clear()
        return 204, None

    async def _leftovers(self, _name: str, _body: Document) -> Answer:
        return 200, _listed(await self._branches.left_behind())

    async def _remove_leftovers(self, _name: str, _body: Document) -> Answer:
        return 200, _listed(await self._branches.remove_left_behind())

    def _described(self, branch: Branch) -> Document:
        record = branch.record
        return {
            "name": branch.name, "from": record.source, "created_at": record.created_at, "is_open": branch.is_open,
            **self._describe(branch.name, branch.database),
        }  # fmt: skip


def _listed(left: LeftBehind) -> Document:
    return {"databases": left.databases, "folders": [str(folder) for folder in left.folders]}


async def _read(receive: Receive) -> Document:
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > MAX_BODY_BYTES:
            raise errors.bad_request("the body is too large")
    try:
        document = json.loads(body) if body else {}
    except ValueError as error:
        raise errors.bad_request("the body must be JSON") from error
    if not isinstance(document, dict):
        raise errors.bad_request("the body must be an object")
    return document


def _text(body: Document, name: str, default: str) -> str:
    value = body.get(name, default)
    if value is None:
        return default
    if not isinstance(value, str):
        raise errors.bad_request(f"{name} must be a text")
    return value
