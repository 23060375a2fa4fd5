"""From a request's shape to its statements: parse, plan and render run once per shape. Pure but for its cache.

The key holds everything a plan depends on: method, path, query string without its plain values, the headers that
matter, and the names in the body.
"""

import re
from collections import OrderedDict
from dataclasses import dataclass, replace
from urllib.parse import quote

from emulator.errors import ApiError
from emulator.rest import errors
from emulator.rest.api_request.payload import Payload, read_payload
from emulator.rest.api_request.query_params import Shape, cut, decode_pairs
from emulator.rest.api_request.request import (
    ApiRequest,
    Headers,
    Resource,
    choose_action,
    choose_schema,
    parse_path,
    parse_request,
)
from emulator.rest.api_request.types import Hole, Value
from emulator.rest.auth.authenticator import Caller
from emulator.rest.plan.planner import Planner
from emulator.rest.plan.types import DbPlan
from emulator.rest.query.statements import Sql, Statements, render
from emulator.rest.query.transaction import Layout

_MAX_COMPILED = 2000
# Longer ones are rare and would let a stranger fill the memory.
_MAX_REMEMBERED_QUERY = 4096
_WITH_BODY = frozenset({"POST", "PATCH", "PUT"})


@dataclass(frozen=True, slots=True)
class Incoming:
    """A request as it arrived: the path still encoded, the body complete."""

    method: str
    raw_path: bytes
    query_string: bytes
    headers: Headers
    body: bytes = b""


@dataclass(frozen=True, slots=True, eq=False)
class Compiled:
    """A shape's request, and for work in the database its plan and statements."""

    request: ApiRequest
    plan: DbPlan | None = None
    statements: Statements | None = None


@dataclass(frozen=True, slots=True)
class Bound:
    """A compiled shape and the values of one request, the body last; `pairs` is the decoded query string."""

    compiled: Compiled
    values: list[str]
    body: bytes
    pairs: list[tuple[str, str]]

    def parameters(self, sql: Sql) -> list[bytes]:
        """Return a statement's parameters. Raises nul_character (22021)."""
        values, found = self.values, []
        for value in sql.values:
            if isinstance(value, str):
                text = value.encode("utf-8", "replace")
            else:
                text = self.body if value.index < 0 else values[value.index].encode("utf-8", "replace")
            if b"\0" in text:
                raise errors.nul_character()
            found.append(text)
        return found


class Compiler:
    """Compiles requests against one schema cache; a reload makes a new one."""

    def __init__(
        self, planner: Planner, schemas: tuple[str, ...], max_rows: int | None = None, root_function: str | None = None
    ) -> None:
        self._planner = planner
        self._schemas = schemas
        self._max_rows = max_rows
        self._root_function = root_function
        self.layouts: dict[tuple[Compiled, Headers, Caller], Layout] = {}
        self._compiled: OrderedDict[tuple[object, ...], Compiled] = OrderedDict()

    def compile(self, incoming: Incoming) -> Bound:
        """Return the statements for a request and their values. Raises every refusal up to the plan."""
        pairs = decode_pairs(incoming.query_string) if incoming.query_string else []
        method = incoming.method
        is_call = incoming.raw_path.startswith(b"/rpc/")
        shape, values = cut(pairs, is_call=is_call and method != "POST")
        payload, body = None, b""
        fields: tuple[tuple[str, str], ...] = ()
        if method in _WITH_BODY:
            try:
                payload, body, fields = read_payload(
                    incoming.headers.content_type,
                    incoming.body,
                    is_call=is_call,
                    has_columns=method != "PUT" and any(parameter.key == "columns" for parameter in shape),
                )
            except ApiError:
                self._parse(incoming, shape, None, ())  # what is wrong with the URL is said first
                raise
        names = tuple(name for name, _ in fields)
        key = (method, incoming.raw_path, shape, incoming.headers.shape, payload, names)
        compiled = self._compiled.get(key)
        if compiled is None:
            compiled = self._compile(incoming, shape, payload, names, len(values))
            if len(incoming.query_string) <= _MAX_REMEMBERED_QUERY:
                self._compiled[key] = compiled
            if len(self._compiled) > _MAX_COMPILED:
                self._compiled.popitem(last=False)
        else:
            self._compiled.move_to_end(key)
        if fields:
            values = [*values, *(value for _, value in fields)]
        return Bound(compiled, values, body, pairs)

    def _compile(
        self, incoming: Incoming, shape: Shape, payload: Payload | None, fields: tuple[str, ...], first_hole: int
    ) -> Compiled:
        arguments = tuple((name, Hole(first_hole + place)) for place, name in enumerate(fields))
        request = self._parse(incoming, shape, payload, arguments if payload and payload.kind == "arguments" else ())
        if request.action.verb in ("inspect", "info"):
            return Compiled(request)
        plan = self._planner.plan(request)
        statements = render(plan, self._max_rows if plan.mutation is None else None)
        if "\0" in statements.main.text:
            raise errors.nul_character()
        return Compiled(request, plan, statements)

    def _parse(
        self, incoming: Incoming, shape: Shape, payload: Payload | None, arguments: tuple[tuple[str, Value], ...]
    ) -> ApiRequest:
        resource = parse_path(incoming.raw_path)
        if resource.kind == "root" and self._root_function and incoming.method != "OPTIONS":
            resource = Resource("call", self._root_function)
        schema = choose_schema(incoming.method, incoming.headers, self._schemas)
        action = choose_action(incoming.method, resource)
        request = parse_request(incoming.method, resource, action, schema, shape, incoming.headers)
        if arguments:
            request = replace(request, query=replace(request.query, arguments=arguments))
        return replace(request, payload=payload)


_CANONICAL = re.compile(rb"[A-Za-z0-9_.~-]+=[A-Za-z0-9_.~-]*")


def content_location(raw_path: bytes, pairs: list[tuple[str, str]], query_string: bytes) -> str:
    """Return the canonical address of a read: parameters sorted by key, repeated keys joined, encoded again."""
    path = raw_path.decode("latin-1")
    if not query_string:
        return path
    if _CANONICAL.fullmatch(query_string):
        return f"{path}?{query_string.decode('ascii')}"
    merged: dict[str, str] = {}
    for part in query_string.replace(b";", b"&").split(b"&"):
        if part and b"=" not in part:
            pairs = [*pairs, *decode_pairs(part + b"=")]
    for key, value in pairs:
        merged[key] = f"{merged[key]},{value}" if key in merged else value
    if not merged:
        return path
    return f"{path}?" + "&".join(f"{_encode(key)}={_encode(merged[key])}" for key in sorted(merged))


def _encode(text: str) -> str:
    return text if text.isalnum() and text.isascii() else quote(text, safe="")
