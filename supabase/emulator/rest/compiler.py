"""From a request to its SQL: parse, plan and render run once per shape of request. Pure but for its cache.

The key of the cache holds everything a plan depends on: method, path, query string without its plain values, the
headers that matter, and the names in the body. Values that differ between requests of one shape are parameters.
"""

import binascii
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from emulator.db.statement import new_tuple
from emulator.errors import ApiError
from emulator.rest import errors
from emulator.rest.api_request.http_request import HttpRequest
from emulator.rest.api_request.payload import Payload, ReadBody, body_kind, read_payload
from emulator.rest.api_request.query_params import QueryForm, QueryShape, read_form, split_values
from emulator.rest.api_request.request import (
    ApiRequest,
    Resource,
    choose_action,
    choose_schema,
    parse_path,
    parse_request,
)
from emulator.rest.api_request.types import Placeholder, Value
from emulator.rest.plan.planner import Planner
from emulator.rest.plan.types import DbPlan
from emulator.rest.query.fragments import BODY
from emulator.rest.query.statements import Sql, Statements, render

_MAX_COMPILED = 2000
# Longer ones are rare and would let a client fill the memory.
_MAX_CACHED_BYTES = 4096
_METHODS_WITH_BODY = frozenset({"POST", "PATCH", "PUT"})


@dataclass(frozen=True, slots=True, eq=False)
class CompiledRequest:
    """What requests of one shape share: the parsed request, and for work in the database its plan and statements."""

    request: ApiRequest
    plan: DbPlan | None = None
    statements: Statements | None = None


class PreparedRequest(NamedTuple):
    """A compiled request with the values of one request."""

    compiled: CompiledRequest
    values: list[bytes]
    body: bytes

    def parameters(self, sql: Sql) -> list[bytes]:
        """Return a statement's parameters. Raises nul_character (22021)."""
        values, found = self.values, []
        for value in sql.values:
            if isinstance(value, str):
                text = value.encode("utf-8", "replace")
            elif value.index >= 0:
                text = values[value.index]
            else:
                text = self.body if value.index == BODY.index else b"\\x" + binascii.hexlify(self.body)
            if 0 in text:
                raise errors.nul_character()
            found.append(text)
        return found


class ShapedRequest(NamedTuple):
    """A request, its `key` in the cache, and its values apart from what is compiled.

    `field_names`: those of a form, whose values begin at `first_field`.
    """

    key: tuple[object, ...]
    http_request: HttpRequest
    form: QueryForm
    payload: Payload | None
    field_names: tuple[str, ...]
    first_field: int
    values: list[bytes]
    body: bytes


def cut_query(http_request: HttpRequest) -> tuple[QueryForm, list[bytes]]:
    """Cut the plain values out of a request's query string."""
    method, raw_path, query_string, _, _ = http_request
    is_call = method in ("GET", "HEAD") and raw_path.startswith(b"/rpc/")
    return split_values(query_string, is_call=is_call)


def ignore() -> None:
    """Nobody asks how long parsing took."""


def _size(payload: Payload | None) -> int:
    return sum(map(len, payload.keys)) if payload else 0


class Compiler:
    """Compiles requests against one schema cache; a reload makes a new one."""

    def __init__(
        self,
        planner: Planner,
        schemas: tuple[str, ...],
        max_rows: int | None = None,
        root_function: str | None = None,
        *,
        has_root: bool = True,
    ) -> None:
        self._planner = planner
        self._schemas = schemas
        self._max_rows = max_rows
        self._root_function = root_function
        self._has_root = has_root
        self._cache: OrderedDict[tuple[object, ...], CompiledRequest] = OrderedDict()

    def prepare(self, http_request: HttpRequest, on_parsed: Callable[[], None] = ignore) -> PreparedRequest:
        """Return a request's statements and values. Raises every error that comes before the database.

        Calls `on_parsed` when the request is parsed, before the plan is made or found.
        """
        try:
            shaped = self.shape(http_request)
        except ApiError:
            self.check_url(http_request)  # an error there is reported before one in the body
            raise
        compiled = self.find(shaped)
        if compiled is None:
            compiled = self.compile(shaped, on_parsed)
            self.keep(shaped, compiled)
        else:
            on_parsed()
        return new_tuple(PreparedRequest, (compiled, shaped.values, shaped.body))

    def shape(self, http_request: HttpRequest, read: ReadBody | None = None) -> ShapedRequest:
        """Return what a request's plan depends on, and its values; `read` is its body if that was read elsewhere.

        Raises what is wrong with the body; what check_url raises is reported before that.
        """
        method, raw_path, _, headers, _ = http_request
        form, values = cut_query(http_request)
        payload, body = None, b""
        names: tuple[str, ...] = ()
        count = len(values)
        if method in _METHODS_WITH_BODY:
            payload, body, fields = read or read_payload(body_kind(http_request), http_request.body)
            if fields:
                names = tuple(name for name, _ in fields)
                values += [value.encode("utf-8", "replace") for _, value in fields]
        key = (method, raw_path, form, headers.plan_key, payload, names)
        return new_tuple(ShapedRequest, (key, http_request, form, payload, names, count, values, body))

    def find(self, shaped: ShapedRequest) -> CompiledRequest | None:
        """Return what is known of requests of this shape."""
        compiled = self._cache.get(shaped.key)
        if compiled is not None:
            self._cache.move_to_end(shaped.key)
        return compiled

    def keep(self, shaped: ShapedRequest, compiled: CompiledRequest) -> None:
        """Remember what was compiled, unless it is long."""
        if len(shaped.http_request.query_string) + _size(shaped.payload) <= _MAX_CACHED_BYTES:
            self._cache[shaped.key] = compiled
        if len(self._cache) > _MAX_COMPILED:
            self._cache.popitem(last=False)

    def compile(self, shaped: ShapedRequest, on_parsed: Callable[[], None] = ignore) -> CompiledRequest:
        """Parse, plan and render. Changes nothing, so that a thread may do it: long query strings take some 50 ms.

        Raises every error that comes before the database.
        """
        # The values of a form's fields come after those of the query string.
        arguments = tuple((name, Placeholder(shaped.first_field + n)) for n, name in enumerate(shaped.field_names))
        is_form_call = shaped.payload is not None and shaped.payload.kind == "arguments"
        shape = read_form(shaped.form)
        request = self._parse(shaped.http_request, shape, shaped.payload, arguments if is_form_call else ())
        on_parsed()
        if request.action.verb in ("inspect", "info"):
            return CompiledRequest(request)
        plan = self._planner.plan(request)
        statements = render(plan, self._max_rows if plan.mutation is None else None)
        if "\0" in statements.main.text:
            raise errors.nul_character()
        return CompiledRequest(request, plan, statements)

    def check_url(self, http_request: HttpRequest) -> ApiRequest:
        """Parse a request without its body. Raises what is wrong with path, query string and headers."""
        form, _ = split_values(http_request.query_string, is_call=False)
        return self._parse(http_request, read_form(form), None, ())

    def check(self, http_request: HttpRequest) -> None:
        """Raise what is wrong with a request whose body is still to come, in the URL or with what that names."""
        request = self.check_url(http_request)
        body_kind(http_request).check()
        self._planner.check_target(request)

    def _parse(
        self,
        http_request: HttpRequest,
        shape: QueryShape,
        payload: Payload | None,
        arguments: tuple[tuple[str, Value], ...],
    ) -> ApiRequest:
        resource = parse_path(http_request.raw_path)
        if resource.kind == "root":
            if not self._has_root:
                raise errors.root_disabled()
            if self._root_function:
                resource = Resource("call", self._root_function)
        schema = choose_schema(http_request.method, http_request.headers, self._schemas)
        action = choose_action(http_request.method, resource)
        request = parse_request(http_request.method, resource, action, schema, shape, http_request.headers)
        if arguments:
            request = replace(request, query=replace(request.query, arguments=arguments))
        return replace(request, payload=payload)
