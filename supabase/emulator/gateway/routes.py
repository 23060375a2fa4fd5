"""Which path belongs to which service, and what key it asks for. Pure.

The table is that of the containers' gateway: prefixes are stripped, links in mails carry no key, the OpenAPI root is
for the service key alone, tenant administration is closed.
"""

from dataclasses import dataclass
from typing import Literal

Service = Literal["auth", "rest", "realtime", "functions", "mailbox", "web", "health", "config", "closed", "metrics"]
KeyRule = Literal["none", "any", "service"]

OPEN_AUTH_PATHS = frozenset(
    {
        "/verify", "/callback", "/authorize", "/.well-known/jwks.json", "/.well-known/oauth-authorization-server",
        "/sso/saml/acs", "/sso/saml/metadata",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Route:
    """Where a request goes: the service, the path it sees, the key it demands."""

    service: Service
    path: str
    key: KeyRule = "none"


def route(path: str) -> Route:
    """Find the service for a request path (percent-decoded, as ASGI gives it)."""
    if path.startswith("/rest/v1/"):
        inner = path[8:]
        return Route("rest", inner, "service" if inner == "/" else "any")
    if path.startswith("/auth/v1/"):
        inner = path[8:]
        return Route("auth", inner, "none" if inner in OPEN_AUTH_PATHS else "any")
    if path.startswith("/realtime/v1/"):
        return _realtime(path[12:])
    if path.startswith("/functions/v1/"):
        return Route("functions", path)
    return _own(path)


def _realtime(inner: str) -> Route:
    if inner.startswith(("/api/tenants", "/api/openapi")):
        return Route("closed", inner)
    if inner.startswith("/api/"):
        return Route("realtime", inner, "any")
    if inner == "/healthcheck":
        return Route("realtime", inner)
    return Route("realtime", f"/socket{inner}", "any")


# Files of the site that a function makes; crawlers and feed readers expect them at these addresses.
FUNCTION_FILES = {
    "/feed.xml": "/functions/v1/rss", "/robots.txt": "/functions/v1/robots", "/sitemap.xml": "/functions/v1/sitemap",
}  # fmt: skip
ARTICLES = "/blog/"


def _own(path: str) -> Route:
    if path in FUNCTION_FILES:
        return Route("functions", FUNCTION_FILES[path])
    if path.startswith(ARTICLES) and "." not in path.rsplit("/", 1)[-1]:  # the page, with the article's own head
        return Route("functions", f"/functions/v1/article{path}")
    if path == "/config.js":
        return Route("config", path)
    if path == "/healthz":
        return Route("health", path)
    if path == "/metrics":
        return Route("metrics", path, "service")
    if path == "/mail" or path.startswith("/mail/"):
        return Route("mailbox", path)
    return Route("web", path)
