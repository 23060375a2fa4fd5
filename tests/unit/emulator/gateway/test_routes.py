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
        pytest.param("/rest/v1", Route("absent", "/rest/v1"), id="prefix-without-slash-is-no-api"),
        pytest.param("/storage/v1/object/a", Route("storage", "/object/a"), id="storage"),
        pytest.param("/graphql/v1", Route("absent", "/graphql/v1"), id="no-graphql"),
        pytest.param("/auth/v1/token", Route("auth", "/token", "any"), id="auth"),
        pytest.param("/auth/v1/verify", Route("auth", "/verify", "none"), id="links-in-mails-carry-no-key"),
        pytest.param("/auth/v1/verify/x", Route("auth", "/verify/x", "any"), id="only-the-exact-path-is-open"),
        pytest.param("/auth/v1/.well-known/jwks.json", Route("auth", "/.well-known/jwks.json"), id="jwks"),
        pytest.param(
            "/auth/v1/.well-known/openid-configuration",
            Route("auth", "/.well-known/openid-configuration"),
            id="discovery-is-public",
        ),
        pytest.param(
            "/.well-known/oauth-authorization-server/auth/v1",
            Route("auth", "/.well-known/oauth-authorization-server"),
            id="document of an issuer with a path",
        ),
        pytest.param("/auth/v1/oauth/token", Route("auth", "/oauth/token"), id="clients of the OAuth server"),
        pytest.param("/auth/v1/oauth/authorizations/x", Route("auth", "/oauth/authorizations/x", "any"), id="consent"),
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
        pytest.param("/blog", Route("functions", "/functions/v1/article/blog"), id="blog"),
        pytest.param("/mail", Route("mailbox", "/mail"), id="mailbox"),
        pytest.param("/mailing", Route("web", "/mailing"), id="mailbox-is-a-folder"),
        pytest.param("/config.js", Route("config", "/config.js"), id="configuration"),
        pytest.param("/healthz", Route("health", "/healthz"), id="health"),
        pytest.param("/feed", Route("web", "/feed"), id="page"),
        pytest.param("/", Route("functions", "/functions/v1/page/"), id="root"),
    ],
)
def test_a_path_finds_its_service(path: str, want: Route) -> None:
    assert ROUTES.find(path) == want


@pytest.mark.parametrize(
    ("path", "raw", "want"),
    [
        ("/rest/v1/posts/x", b"/rest/v1/posts%2Fx", b"/posts%2Fx"),
        ("/rest/v1/posts", b"/rest/v1%2Fposts", None),
        ("/rest/v1/", b"/rest/v1%2f", None),
        ("/rest/v1/posts", b"/rest%2Fv1/posts", None),
        ("/rest/v1/posts", b"/%72est/v1/posts", None),
        ("/auth/v1/verify", b"/auth/v1/%76erify", None),
        ("/functions/v1/hello", b"/functions/v1/hello", b"/functions/v1/hello"),
        ("/feed.xml", b"/feed.xml", b"/functions/v1/rss"),
        ("/blog/a/b", b"/blog/a%2Fb", b"/functions/v1/article/blog/a%2Fb"),
        ("/feed/x", b"/feed%2Fx", b"/feed%2Fx"),
    ],
)
def test_the_path_that_is_judged_is_the_one_that_is_handed_on(path: str, raw: bytes, want: bytes | None) -> None:
    assert ROUTES.find(path).rewrite(raw) == want


def test_without_a_product_its_addresses_are_pages() -> None:
    routes = Routes(read_rules())
    assert [routes.find(path).service for path in ("/feed.xml", "/blog/a-slug")] == ["web", "web"]
