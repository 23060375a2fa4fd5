"""An HTTP request as PostgREST understands it: action, schema, query, preferences, page. Pure.

Authentication comes before (auth/), reading the body apart (payload.py).
"""

from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import unquote_to_bytes

from emulator.rest import errors
from emulator.rest.api_request.http_request import Headers
from emulator.rest.api_request.media_types import MediaType
from emulator.rest.api_request.payload import Payload
from emulator.rest.api_request.preferences import Preferences
from emulator.rest.api_request.query_params import QueryShape, parse
from emulator.rest.api_request.types import QueryParams, Range

ResourceKind = Literal["root", "relation", "call"]
Mutation = Literal["insert", "upsert", "update", "delete"]
_MUTATIONS: dict[str, Mutation] = {"POST": "insert", "PUT": "upsert", "PATCH": "update", "DELETE": "delete"}


@dataclass(frozen=True, slots=True)
class Resource:
    """What a path names: the root, a relation (table or view), or a function to call."""

    kind: ResourceKind
    name: str = ""


def parse_path(raw_path: bytes) -> Resource:
    """Parse a path. Raises invalid_path (PGRST125)."""
    segments = [unquote_to_bytes(part).decode("utf-8", "replace") for part in raw_path.split(b"/")[1:]]
    if segments in ([], [""]):
        return Resource("root")
    if len(segments) == 1:
        return Resource("relation", segments[0])
    if len(segments) == 2 and segments[0] == "rpc":
        return Resource("call", segments[1])
    raise errors.invalid_path()


@dataclass(frozen=True, slots=True)
class Action:
    """What to do: `read`, one of the mutations, `call`, `inspect` (the OpenAPI document) or `info` (OPTIONS)."""

    verb: Literal["read", "insert", "upsert", "update", "delete", "call", "inspect", "info"]
    is_headers_only: bool = False
    is_post: bool = False


def choose_action(method: str, resource: Resource) -> Action:
    """Return what a method means on a resource. Raises PGRST101 or PGRST117."""
    if method == "OPTIONS":
        return Action("info")
    if resource.kind == "call":
        if method in ("GET", "HEAD", "POST"):
            return Action("call", method == "HEAD", method == "POST")
        raise errors.method_not_allowed_on_rpc(method)
    if resource.kind == "root":
        if method in ("GET", "HEAD"):
            return Action("inspect", method == "HEAD")
        raise errors.unsupported_method(method)
    if method in ("GET", "HEAD"):
        return Action("read", method == "HEAD")
    if method in _MUTATIONS:
        return Action(_MUTATIONS[method])
    raise errors.unsupported_method(method)


def choose_schema(method: str, headers: Headers, exposed: tuple[str, ...]) -> tuple[str, bool]:
    """Return the schema and whether a header named it. Raises PGRST106."""
    profile = headers.content_profile if method in _MUTATIONS else headers.accept_profile
    if profile is None:
        return exposed[0], False
    if profile not in exposed:
        raise errors.schema_not_exposed(profile, exposed)
    return profile, True


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """A request as PostgREST understands it. Values that differ between requests of one shape are placeholders."""

    method: str
    resource: Resource
    action: Action
    schema: str
    is_schema_named: bool
    query: QueryParams
    preferences: Preferences
    accept: tuple[MediaType, ...]
    content_type: str
    payload: Payload | None = None
    page: Range = field(default=Range())

    @property
    def columns(self) -> tuple[str, ...]:
        """The target columns of a mutation, or argument names of a call: those of `columns`, or the body's keys."""
        if self.payload and self.payload.is_unparsed and self.query.columns is not None:
            return tuple(sorted(set(self.query.columns)))
        return self.payload.keys if self.payload else ()


def parse_request(
    method: str,
    resource: Resource,
    action: Action,
    schema: tuple[str, bool],
    shape: QueryShape,
    headers: Headers,
) -> ApiRequest:
    """Parse the query string and put the parts together. Raises PGRST100, PGRST103, PGRST114."""
    is_call = action.verb == "call" and not action.is_post
    query = parse(shape, is_call=is_call)
    return ApiRequest(
        method=method,
        resource=resource,
        action=action,
        schema=schema[0],
        is_schema_named=schema[1],
        query=query,
        preferences=headers.preferences,
        accept=headers.accept,
        content_type=headers.content_type,
        page=_choose_page(method, query.root_range, headers.range),
    )


def _choose_page(method: str, query: Range, header: Range | None) -> Range:
    """Intersect limit and offset of the query string with the Range header. Raises PGRST103, PGRST114.

    Pages are spans of row numbers from `first` up to `end`, which is not in it; None is no end.
    """
    window = header if method == "GET" and header else Range()
    end = None if query.limit is None else query.offset + query.limit
    first: int = 0
    last: int | None = 0
    if end != 0:  # limit=0 is allowed, and turns off every other check
        ends = [one for one in (end, None if window.limit is None else window.offset + window.limit) if one is not None]
        first, last = max(query.offset, window.offset, 0), min(ends, default=None)
        if window.limit is not None and window.limit <= 0:
            raise errors.reversed_range()
        if last is not None and last <= first or query.limit is not None and query.limit <= 0:
            raise errors.negative_limit()
    page = Range(first, None if last is None else last - first)
    if method == "PUT" and not page.is_all:
        raise errors.put_limits()
    return page
