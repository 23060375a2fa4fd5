"""Which path belongs to which service, and what key it asks for. Pure.

The rules are the rows of supabase/config/routes.toml, where the columns are explained.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

KeyRule = Literal["none", "any", "service"]


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of the table. `pages_only`: not for paths whose last part has a dot, which name files of the site.

    `fallback`: who answers while the service does not (the containers' gateway), or where it is not served (the
    emulator's). `limits_bodies`: the service takes bodies of any length and limits them itself.
    """

    path: str
    service: str
    to: str | None = None
    key: KeyRule = "none"
    only: Literal["emulator"] | None = None
    pages_only: bool = False
    fallback: str | None = None
    limits_bodies: bool = False

    @property
    def is_prefix(self) -> bool:
        """Whether the rule is for everything that begins with its path."""
        return self.path.endswith("*")

    @property
    def prefix(self) -> str:
        """The path up to the star."""
        return self.path.removesuffix("*")

    @property
    def target(self) -> str:
        """What the service sees in place of `prefix`."""
        return self.prefix if self.to is None else self.to


@dataclass(frozen=True, slots=True)
class Route:
    """Where a request goes: the service, the path it sees, the key it demands.

    `consumed` and `added`: what of the raw path is replaced by what. The raw path must begin with `consumed` as it is:
    an encoded character there (`/rest/v1%2F`) would be judged as one path and handed on as another.
    """

    service: str
    path: str
    key: KeyRule = "none"
    consumed: bytes = field(default=b"", compare=False)
    added: bytes = field(default=b"", compare=False)
    limits_bodies: bool = field(default=False, compare=False)
    fallback: str | None = field(default=None, compare=False)

    def rewrite(self, raw_path: bytes) -> bytes | None:
        """The raw path as the service sees it; None when it is spelled in another way than the rule."""
        return self.added + raw_path[len(self.consumed) :] if raw_path.startswith(self.consumed) else None


class Routes:
    """The table, ready to be asked. An exact path goes before those with a star, of which the first that fits wins."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        rules = list(rules)
        self._exact = {
            rule.path: Route(
                rule.service,
                rule.target,
                rule.key,
                rule.path.encode(),
                rule.target.encode(),
                rule.limits_bodies,
                rule.fallback,
            )  # fmt: skip
            for rule in rules
            if not rule.is_prefix
        }
        self._prefixes = [
            (rule.prefix, len(rule.prefix), rule, rule.prefix.encode(), rule.target.encode())
            for rule in rules
            if rule.is_prefix
        ]

    def find(self, path: str) -> Route:
        """The service for a request path (percent-decoded, as ASGI gives it); `web` when no rule is for it."""
        exact = self._exact.get(path)
        if exact is not None:
            return exact
        for prefix, length, rule, consumed, added in self._prefixes:
            if path.startswith(prefix) and not (rule.pages_only and "." in path.rsplit("/", 1)[-1]):
                return Route(
                    rule.service, rule.target + path[length:], rule.key, consumed, added, rule.limits_bodies,
                    rule.fallback,
                )  # fmt: skip
        return Route("web", path)
