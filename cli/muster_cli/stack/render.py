"""The containers' files, rendered from supabase/config: the Caddyfiles whole, docker-compose.yml's environments.

What a Caddyfile has besides the tables is in its template, supabase/containers/<name>.jinja. Pure but for
reading those files.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from emulator.extension import load_extension as load_emulator_extension
from emulator.gateway.config import (
    cache_control,
    max_body_bytes,
    page_headers,
    preflight_methods,
    read_pages,
    read_rules,
    tls_headers,
    upstreams,
)
from emulator.gateway.pages import page_pattern
from emulator.gateway.routes import Rule
from emulator.paths import CHECKOUT, SUPABASE
from muster_cli.extension import load_extension
from muster_cli.stack.services import read_variables

CONTAINERS = SUPABASE / "containers"
COMPOSE = CHECKOUT / "docker-compose.yml"
NOTICE = "Rendered by ./muster config render from supabase/config: change it there, or in this file's .jinja."
# Without one of these the stack would start with nothing in its place: docker compose stops instead.
REQUIRED = (
    "POSTGRES_PASSWORD", "PUBLIC_URL", "JWT_SECRET", "ANON_KEY", "SERVICE_ROLE_KEY", "PUBLISHABLE_KEY", "SECRET_KEY",
    "SECRET_KEY_BASE", "REALTIME_DB_ENC_KEY", "SMTP_HOST", "SITE_ADDRESS",
)  # fmt: skip
_HINT = "run ./muster config init --stack containers"
_PLAIN = re.compile(r"(?!(?:true|false|yes|no|on|off|null|~)$)[A-Za-z/$][^#]*", re.IGNORECASE)


def render_all() -> dict[Path, str]:
    """Every rendered file with the text that it should have."""
    rules = product_rules()
    return {
        CONTAINERS / "Caddyfile": render_gateway(rules, product_pages()),
        CONTAINERS / "web.Caddyfile": render_web(product_pages()),
        COMPOSE: render_compose(COMPOSE.read_text("utf8"), read_variables("containers")),
        **load_extension().rendered_files(),
    }


def product_rules() -> list[Rule]:
    """The gateway's rules, with those of this project's product."""
    routes = _product_routes()
    return [*read_rules(), *(read_rules(routes) if routes else ())]


def product_pages() -> Sequence[str]:
    """The paths of the product's web application; none when every path is one."""
    routes = _product_routes()
    return read_pages(routes) if routes else ()


def _product_routes() -> Path | None:
    return load_emulator_extension(load_extension().environment.get("MUSTER_EXTENSION", "")).routes


@dataclass(frozen=True)
class Handler:
    """One `handle` block of Caddy: the paths, what the service sees instead, and where it is."""

    directive: str
    path: str
    rewrite: str
    upstream: Mapping[str, Any]
    options: Sequence[str]


def render_gateway(rules: Sequence[Rule], pages: Sequence[str]) -> str:
    """The gateway's Caddyfile."""
    rules = [rule for rule in rules if rule.only is None]
    keyed = [rule for rule in rules if rule.key == "any"]
    guarded = [rule.path for rule in keyed if not _is_within(rule, keyed)]
    rewrites = [rule for rule in rules if rule.service == "functions" and rule.target != rule.prefix]
    api = [rule for rule in rules if rule not in rewrites and not _is_within(rule, rules)]
    addresses = upstreams()
    return _template("Caddyfile").render(
        notice=NOTICE,
        max_body_bytes=max_body_bytes(),
        unlimited=[rule.path for rule in rules if rule.limits_bodies],
        tls_headers=tls_headers(),
        api=[rule.path for rule in api],
        preflights=[rule.path for rule in api if rule.service != "functions"],
        preflight_methods=preflight_methods(),
        closed=[rule.path for rule in rules if rule.service == "closed"],
        absent=[rule.path for rule in rules if rule.service == "absent"],
        guarded=guarded,
        open=[rule.path for rule in rules if rule.key == "none" and _is_within(rule, keyed) and not _is_closed(rule)],
        service_only=[rule.path for rule in rules if rule.key == "service"],
        # A WebSocket's token travels in its messages.
        authorized=[rule.path for rule in [*keyed, *_keyless(rules)] if rule.is_prefix and not _is_socket(rule)],
        rewrites=rewrites,
        pages={page_pattern(page): _numbered(page) for page in pages},
        handlers=list(_handlers([rule for rule in rules if rule not in rewrites], addresses)),
        fallbacks={rule.path: addresses[rule.fallback]["address"] for rule in rules if rule.fallback},
        web=addresses["web"],
    )


def render_web(pages: Sequence[str]) -> str:
    """The Caddyfile of the web application's container."""
    return _template("web.Caddyfile").render(
        notice=NOTICE,
        page_headers=page_headers(),
        cache=cache_control(),
        pages=[page_pattern(page) for page in pages],
    )


def render_compose(text: str, variables: Mapping[str, Mapping[str, str]]) -> str:
    """docker-compose.yml with every `environment:` block as services.toml has it; all other lines stay."""
    required = set(REQUIRED)
    lines: list[str] = []
    service, is_replaced = "", False
    for line in text.splitlines():
        if match := re.fullmatch(r"  (\w+):(?: #.*)?", line):
            service = match[1]
        if is_replaced and line.startswith("      "):
            continue
        is_replaced = line == "    environment:"
        lines.append(line)
        if is_replaced:
            lines += [
                f"      {name}: {_scalar(_hinted(value, required))}" for name, value in variables[service].items()
            ]
    return "\n".join(lines) + "\n"


def _hinted(value: str, required: set[str]) -> str:
    """A value whose required variables, where they come first in the file, stop compose with a hint when empty."""

    def hint(match: re.Match[str]) -> str:
        if match[1] not in required:
            return match[0]
        required.remove(match[1])
        return f"${{{match[1]}:?{_HINT}}}"

    return re.sub(r"\$\{([A-Z_]+)\}", hint, value)


def _scalar(value: str) -> str:
    return value if _PLAIN.fullmatch(value) and ": " not in value else json.dumps(value)


def _handlers(rules: Sequence[Rule], addresses: Mapping[str, Mapping[str, Any]]) -> Iterator[Handler]:
    for rule in rules:
        if rule.service not in addresses or any(_covers(other, rule) for other in rules):
            continue
        upstream = addresses[rule.service]
        options = [f"header_up Host {upstream['host']}"] if "host" in upstream else []
        if _is_socket(rule):
            options.append("header_up X-Api-Key {http.request.header.apikey}")
        if "answer_within_s" in upstream:
            options += ["transport http {", f"\tresponse_header_timeout {upstream['answer_within_s']}s", "}"]
        keeps = rule.target == rule.prefix
        rewrite = "" if keeps or rule.target == "/" else rule.target.rstrip("/") + ("{uri}" if rule.is_prefix else "")
        yield Handler("handle" if keeps else "handle_path", rule.path, rewrite, upstream, options)


def _covers(general: Rule, rule: Rule) -> bool:
    """Whether another rule sends the same paths to the same place, so that only the key differs."""
    return (
        general is not rule
        and general.is_prefix
        and general.service == rule.service
        and rule.path.startswith(general.prefix)
        and rule.target == general.target + rule.prefix.removeprefix(general.prefix)
    )


def _is_within(rule: Rule, others: Sequence[Rule]) -> bool:
    return any(other is not rule and other.is_prefix and rule.path.startswith(other.prefix) for other in others)


def _keyless(rules: Sequence[Rule]) -> list[Rule]:
    """Those that ask for no key and take the one that is there for the caller's: storage."""
    return [rule for rule in rules if rule.limits_bodies]


def _is_socket(rule: Rule) -> bool:
    return rule.target == "/socket/"


def _is_closed(rule: Rule) -> bool:
    return rule.service == "closed"


def _numbered(page: str) -> str:
    """What Caddy's map makes of a page's pattern: its groups in place of the stars, and the query as the last."""
    numbers = count(1)
    return re.sub(r"\*|$", lambda _: f"${{{next(numbers)}}}", page)


def _template(name: str) -> Template:
    loader = FileSystemLoader(CONTAINERS)
    environment = Environment(loader=loader, undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False)
    return environment.get_template(f"{name}.jinja")
