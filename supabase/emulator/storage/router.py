"""Which handler a request belongs to, and what policies may know of it. Paths are decoded once, part by part."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
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

    @property
    def parts(self) -> tuple[str, ...]:
        return tuple(self.path.split("/")[1:])


class Match(NamedTuple):
    """A route, and the parts of the path that it names."""

    route: Route
    params: Mapping[str, str]


class Router:
    """Routes by method; a fixed part goes before a named one."""

    def __init__(self, routes: Sequence[Route]) -> None:
        self._routes: dict[str, list[tuple[tuple[str, ...], Route]]] = {}
        for route in routes:
            self._routes.setdefault(route.method, []).append((route.parts, route))
        for listed in self._routes.values():
            listed.sort(key=lambda item: [_rank(part) for part in item[0]])

    def find(self, method: str, path: str) -> Match | None:
        """The route of a raw path. Raises BadUrl for one that can't be decoded."""
        given = [decode_component(part) for part in path.split("/")[1:]]
        for parts, route in self._routes.get(method, ()):
            params = _match(parts, given)
            if params is not None:
                return Match(route, params)
        return self.find("GET", path) if method == "HEAD" else None


def _rank(part: str) -> int:
    return 2 if part.endswith("...}") else 1 if part.startswith("{") else 0


def _match(parts: tuple[str, ...], given: list[str]) -> dict[str, str] | None:
    params: dict[str, str] = {}
    for index, part in enumerate(parts):
        if part.endswith("...}"):
            if index >= len(given):
                return None
            params[part[1:-4]] = "/".join(given[index:])
            return params
        if index >= len(given):
            return None
        if part.startswith("{"):
            if len(given[index]) > _MAX_PARAM:
                return None
            params[part[1:-1]] = given[index]
        elif part != given[index]:
            return None
    return params if len(parts) == len(given) else None
