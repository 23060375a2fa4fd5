"""The gateway's table: which path goes where, and what key it asks for."""

import pytest

from emulator.gateway.config import read_rules
from emulator.gateway.routes import Route, Routes
from muster_functions.extension import EXTENSION

ROUTES = Routes([*read_rules(), *read_rules(EXTENSION.routes)])


@pytest.mark.parametrize(
    ("path", "want"),
    [
        pytest.param("/rest/v1/posts", Route("rest", "/posts", "any"), id="table"),
        pytest.param("/rest/v1/rpc/is_admin", Route("rest", "/rpc/is_admin", "any"), id="rpc"),
        pytest.param("/rest/v1/", Route("rest", "/", "service"), id="openapi-root-is-for-the-service-key"),
        pytest.param("/rest/v1", Route("web", "/rest/v1"), id="prefix-without-slash-is-no-api"),
        pytest.param("/auth/v1/token", Route("auth", "/token", "any"), id="auth"),
        pytest.param("/auth/v1/verify", Route("auth", "/verify", "none"), id="links-in-mails-carry-no-key"),
        pytest.param("/auth/v1/verify/x", Route("auth", "/verify/x", "any"), id="only-the-exact-path-is-open"),
        pytest.param("/auth/v1/.well-known/jwks.json", Route("auth", "/.well-known/jwks.json"), id="jwks"),
        pytest.param(
            "/auth/v1/.well-known/openid-configuration",
            Route("auth", "/.well-known/openid-configuration"),
            id="discovery-is-public",
        ),
        pytest.param("/auth/v1/.well-known/x", Route("auth", "/.well-known/x", "any"), id="well-known-by-name-only"),
        pytest.param("/realtime/v1/websocket", Route("realtime", "/socket/websocket", "any"), id="socket"),
        pytest.param("/realtime/v1/api/broadcast", Route("realtime", "/api/broadcast", "any"), id="broadcast"),
        pytest.param("/realtime/v1/api/tenants/x", Route("closed", "/api/tenants/x"), id="tenant-administration"),
        pytest.param("/functions/v1/hello", Route("functions", "/functions/v1/hello"), id="function-keeps-its-prefix"),
        pytest.param("/feed.xml", Route("functions", "/functions/v1/rss"), id="feed"),
        pytest.param("/sitemap.xml", Route("functions", "/functions/v1/sitemap"), id="sitemap"),
        pytest.param("/robots.txt", Route("functions", "/functions/v1/robots"), id="robots"),
        pytest.param("/blog/a-slug", Route("functions", "/functions/v1/article/blog/a-slug"), id="article"),
        pytest.param("/blog/a.js", Route("web", "/blog/a.js"), id="file-below-the-blog"),
        pytest.param("/blog", Route("web", "/blog"), id="blog"),
        pytest.param("/mail", Route("mailbox", "/mail"), id="mailbox"),
        pytest.param("/mailing", Route("web", "/mailing"), id="mailbox-is-a-folder"),
        pytest.param("/config.js", Route("config", "/config.js"), id="configuration"),
        pytest.param("/healthz", Route("health", "/healthz"), id="health"),
        pytest.param("/feed", Route("web", "/feed"), id="page"),
        pytest.param("/", Route("web", "/"), id="root"),
    ],
)
def test_a_path_finds_its_service(path: str, want: Route) -> None:
    assert ROUTES.find(path) == want


def test_without_a_product_its_addresses_are_pages() -> None:
    routes = Routes(read_rules())
    assert [routes.find(path).service for path in ("/feed.xml", "/blog/a-slug")] == ["web", "web"]
