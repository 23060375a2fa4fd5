"""Read what both gateways share: the tables of supabase/config."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from emulator.gateway.routes import Rule
from emulator.paths import CONFIG


def read_rules(file: Path | None = None) -> tuple[Rule, ...]:
    """The rows of a routes.toml (ours), in their order. Raises TypeError for a column that is unknown."""
    return tuple(Rule(**row) for row in _table(file or CONFIG / "routes.toml")["routes"])


def read_pages(file: Path) -> tuple[str, ...]:
    """The paths of the web application's pages, of a product's routes.toml; a star is one part of a path."""
    return tuple(_table(file).get("pages", ()))


def max_body_bytes() -> int:
    """How large the body of a request may be."""
    limit: int = _table(CONFIG / "routes.toml")["max_body_bytes"]
    return limit


def page_headers() -> Mapping[str, str]:
    """The headers of every page and file, as they are sent: a table is a policy, its rows are directives."""
    return {
        name: declared if isinstance(declared, str) else "; ".join(f"{key} {value}" for key, value in declared.items())
        for name, declared in _table(CONFIG / "headers.toml")["page"].items()
    }


def preflight_methods() -> str:
    """What a preflight of the API's paths permits, as the header says it."""
    methods: str = _table(CONFIG / "headers.toml")["preflights"]["Access-Control-Allow-Methods"]
    return methods


def tls_headers() -> Mapping[str, str]:
    """What a gateway that ends TLS adds to every answer."""
    found: Mapping[str, str] = _table(CONFIG / "headers.toml")["tls"]
    return found


def cache_control() -> Mapping[str, str]:
    """Cache-Control of the site's `assets`, its `pages`, and its `config`."""
    found: Mapping[str, str] = _table(CONFIG / "headers.toml")["cache"]
    return found


def upstreams() -> Mapping[str, Mapping[str, Any]]:
    """Where the containers listen, by service."""
    found: Mapping[str, Mapping[str, Any]] = _table(CONFIG / "routes.toml")["upstreams"]
    return found


@cache
def _table(file: Path) -> Mapping[str, Any]:
    return tomllib.loads(file.read_text("utf8"))
