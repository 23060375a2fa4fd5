"""Which handler a request belongs to, and what policies may know of it. Paths are decoded once, part by part."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from emulator.storage.service import Context
from emulator.storage.wire.request import decode_component
from emulator.storage.wire.response import Response

Handler = Callable[[Context], Awaitable[Response]]
_MAX_PARAM = 2500  # characters of a named part


@dataclass(frozen=True)
class Route:
    """`path` is of fixed parts, `{name}` for one part and `{name...}` for all that is left.

    `operation` is what storage.operation() returns. A GET route answers HEAD, too, unless another one does.
    """

    method: str
    path: str
    handler: Handler
    operation: str

    @cached_property
    def parts(self) -> tuple[str, ...]:
        return tuple(self.path.split("/")[1:])


class Match(NamedTuple):
    """A route, and the parts of the path that it names."""

    route: Route
    params: Mapping[str, str]


class _Node:
    """A place in the tree of paths: what may follow it, and the route that ends here or takes all that is left."""

    def __init__(self) -> None:
        self.fixed: dict[str, _Node] = {}
        self.named: _Node | None = None
        self.ending: Route | None = None
        self.taking_rest: Route | None = None


class Router:
    """Routes by method; a fixed part goes before a named one, and that before all that is left."""

    def __init__(self, routes: Sequence[Route]) -> None:
        self._roots: dict[str, _Node] = {}
        for route in routes:
            node = self._roots.setdefault(route.method, _Node())
            for part in route.parts:
                if part.endswith("...}"):
                    node.taking_rest = route
                    break
                if part.startswith("{"):
                    node.named = node = node.named or _Node()
                else:
                    node = node.fixed.setdefault(part, _Node())
            else:
                node.ending = route

    def find(self, method: str, path: str) -> Match | None:
        """The route of a raw path. Raises BadUrl for one that can't be decoded."""
        given = path.split("/")[1:]
        if "%" in path:
            given = [decode_component(part) for part in given]
        root = self._roots.get(method)
        route = _find(root, given, 0) if root is not None else None
        if route is not None:
            return Match(route, _params(route, given))
        return self.find("GET", path) if method == "HEAD" else None


def _find(node: _Node, given: list[str], index: int) -> Route | None:
    if index == len(given):
        return node.ending
    part = given[index]
    following = node.fixed.get(part)
    found = _find(following, given, index + 1) if following is not None else None
    if found is None and node.named is not None and len(part) <= _MAX_PARAM:
        found = _find(node.named, given, index + 1)
    return found or node.taking_rest


def _params(route: Route, given: list[str]) -> dict[str, str]:
    params: dict[str, str] = {}
    for index, part in enumerate(route.parts):
        if part.endswith("...}"):
            params[part[1:-4]] = "/".join(given[index:])
        elif part.startswith("{"):
            params[part[1:-1]] = given[index]
    return params
