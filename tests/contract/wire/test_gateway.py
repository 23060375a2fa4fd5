"""The gateway's part of the contract: paths, keys, limits, CORS, request ids. The same questions to every backend."""

import socket
from urllib.parse import urlsplit

import pytest

from tests.support.wire import Backend


@pytest.mark.parametrize(
    ("path", "key", "status"),
    [
        pytest.param("/healthz", None, 200, id="health"),
        pytest.param("/rest/v1/posts?limit=1", None, 401, id="no-key"),
        pytest.param("/rest/v1/posts?limit=1", "ANON_KEY", 200, id="anon"),
        pytest.param("/rest/v1/posts?limit=1", "PUBLISHABLE_KEY", 200, id="publishable"),
        pytest.param("/rest/v1/posts?limit=1", "SERVICE_ROLE_KEY", 200, id="service"),
        pytest.param("/rest/v1/posts?limit=1", "SECRET_KEY", 200, id="secret"),
        pytest.param("/rest/v1/messages?limit=1", "PUBLISHABLE_KEY", 401, id="visitors-read-no-messages"),
        pytest.param("/rest/v1/messages?limit=1", "SECRET_KEY", 200, id="the-service-reads-messages"),
        pytest.param("/rest/v1/", "PUBLISHABLE_KEY", 403, id="description-for-visitors"),
        pytest.param("/rest/v1/", "SECRET_KEY", 200, id="description-for-the-service"),
        pytest.param("/rest/v1/no_such_table", "PUBLISHABLE_KEY", 404, id="no-such-table"),
        pytest.param("/auth/v1/settings", None, 401, id="auth-no-key"),
        pytest.param("/auth/v1/settings", "PUBLISHABLE_KEY", 200, id="auth-settings"),
        pytest.param("/auth/v1/verify", None, 400, id="links-carry-no-key"),
        pytest.param("/auth/v1/admin/users", "PUBLISHABLE_KEY", 403, id="visitors-administer-nobody"),
        pytest.param("/auth/v1/admin/users", "SECRET_KEY", 200, id="the-service-administers"),
        pytest.param("/realtime/v1/api/tenants/realtime-dev", "SECRET_KEY", 403, id="tenants-are-closed"),
        pytest.param("/realtime/v1/websocket", None, 401, id="socket-no-key"),
        pytest.param("/functions/v1/no-such-function", "PUBLISHABLE_KEY", 404, id="no-such-function"),
        pytest.param("/rest/v1%2F", "PUBLISHABLE_KEY", 404, id="description-by-an-encoded-slash"),
        pytest.param("/rest%2Fv1%2Fx", "PUBLISHABLE_KEY", 404, id="an-encoded-prefix"),
    ],
)
def test_the_gateway_knows_paths_and_keys(backend: Backend, path: str, key: str | None, status: int) -> None:
    assert backend.get(path, key).status_code == status


def test_a_service_that_is_not_there_is_no_page(backend: Backend) -> None:
    answer = backend.get("/graphql/v1", "PUBLISHABLE_KEY", headers={"Accept": "text/html"})
    assert (answer.status_code, answer.json()) == (404, {"message": "no Route matched with those values"})


@pytest.mark.parametrize(
    "path", ["/rest/v1/posts?limit=1", "/auth/v1/settings", "/functions/v1/none", "/feed", "/rest/v1/none"]
)
def test_no_answer_may_be_taken_for_another_type(backend: Backend, path: str) -> None:
    assert backend.get(path, "PUBLISHABLE_KEY").headers.get_list("x-content-type-options") == ["nosniff"]


def test_refusals_are_json_and_tell_missing_from_wrong(backend: Backend) -> None:
    missing = backend.get("/rest/v1/posts")
    wrong = backend.get("/rest/v1/posts", headers={"apikey": "sb_publishable_of_somebody_else"})
    assert (missing.status_code, wrong.status_code) == (401, 401)
    assert (missing.json(), wrong.json()) == (
        {"message": "No API key found in request"}, {"message": "Invalid API key"},
    )  # fmt: skip


def test_a_key_may_stand_in_the_query(backend: Backend) -> None:
    assert backend.get(f"/auth/v1/settings?apikey={backend.keys['PUBLISHABLE_KEY']}").status_code == 200
    assert backend.get("/auth/v1/settings?apikey=wrong").status_code == 401


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("/REST/v1/posts", id="upper-case"), pytest.param("/rest/v1", id="no-slash"),
        pytest.param("/rest/v2/posts", id="other-version"), pytest.param("/rest/posts", id="no-version"),
    ],
)  # fmt: skip
def test_a_path_written_otherwise_gives_nothing_without_a_key(backend: Backend, path: str) -> None:
    """Caddy's paths know no case: then the key is asked for as well. Else it is a page of the web application."""
    answer = backend.get(path)
    assert answer.status_code in (401, 404) or "json" not in answer.headers["content-type"]


def test_the_landing_page_is_a_document_of_its_own(backend: Backend) -> None:
    landing, page, other = (backend.get(path, headers={"Accept": "text/html"}) for path in ("/", "/feed", "/network"))
    if page.status_code == 404:
        pytest.skip("this backend serves no web application")
    assert (landing.status_code, page.status_code, other.status_code) == (200, 200, 200)
    assert landing.content != page.content == other.content
    assert landing.headers["cache-control"] == page.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("path", ["/gone.php", "/assets/gone.js", "/blog/a.b"])
def test_a_missing_file_is_a_page_only_for_who_looks_at_it(backend: Backend, path: str) -> None:
    page = backend.get("/feed", headers={"Accept": "text/html"})
    if page.status_code == 404:
        pytest.skip("this backend serves no web application")
    seen = backend.get(path, headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    fetched = backend.get(path, headers={"Accept": "*/*"})
    assert (page.status_code, seen.status_code, fetched.status_code) == (200, 404, 404)
    assert seen.content == page.content
    assert "html" not in fetched.headers.get("content-type", "")
    assert "immutable" not in seen.headers["cache-control"] + fetched.headers.get("cache-control", "")


@pytest.mark.parametrize("path", ["/rest/v1/../../auth/v1/admin/users", "/rest/v1/%2e%2e/%2e%2e/auth/v1/admin/users"])
def test_dot_segments_bypass_no_key(backend: Backend, path: str) -> None:
    """Sent as they are, by hand: a client library would tidy them up."""
    origin = urlsplit(backend.url)
    with socket.create_connection((str(origin.hostname), int(origin.port or 80)), timeout=10) as raw:
        raw.sendall(f"GET {path} HTTP/1.1\r\nHost: {origin.netloc}\r\nConnection: close\r\n\r\n".encode())
        status = raw.makefile("rb").readline().split()[1]
    assert status in (b"401", b"400", b"404")


def test_a_users_token_is_never_replaced(backend: Backend) -> None:
    refused = backend.get("/rest/v1/posts", "SECRET_KEY", headers={"Authorization": "Bearer not.a.token"})
    assert refused.status_code == 401


def test_a_body_beyond_the_limit_is_refused(backend: Backend) -> None:
    answer = backend.ask("POST", "/rest/v1/posts", "SECRET_KEY", content=b"x" * (10 * 1024 * 1024 + 1))
    assert answer.status_code == 413


def test_a_preflight_needs_no_key(backend: Backend) -> None:
    asked = {
        "Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "apikey,authorization,content-type",
    }  # fmt: skip
    for path in (
        "/rest/v1/posts",
        "/auth/v1/user",
        "/storage/v1/object/a/b",
        "/realtime/v1/api/broadcast",
        "/graphql/v1",
    ):
        answer = backend.ask("OPTIONS", path, headers=asked)
        assert (answer.status_code, answer.text) == (200, "")
        cors = {name.removeprefix("access-control-allow-"): value for name, value in answer.headers.items()}
        assert (cors["origin"], cors["headers"]) == ("*", "apikey,authorization,content-type")
        assert cors["methods"] == "GET,HEAD,PUT,PATCH,POST,DELETE,OPTIONS,TRACE,CONNECT"
        assert not [name for name in answer.headers if name == "access-control-max-age"]


@pytest.mark.parametrize("path", ["/rest/v1/posts", "/auth/v1/settings", "/storage/v1/bucket", "/graphql/v1"])
def test_pages_of_every_origin_may_read_the_api(backend: Backend, path: str) -> None:
    elsewhere = {"Origin": "https://elsewhere.example"}
    for key in (None, "PUBLISHABLE_KEY"):
        assert backend.get(path, key, headers=elsewhere).headers.get_list("access-control-allow-origin") == ["*"]


def test_answers_expose_to_pages_what_their_service_exposes(backend: Backend) -> None:
    elsewhere = {"Origin": "https://elsewhere.example"}
    rest = backend.get("/rest/v1/posts", "PUBLISHABLE_KEY", headers=elsewhere)
    assert "Content-Range" in rest.headers["access-control-expose-headers"]
    auth = backend.get("/auth/v1/settings", "PUBLISHABLE_KEY", headers=elsewhere)
    assert auth.headers["access-control-expose-headers"] == "X-Total-Count, Link, X-Supabase-Api-Version"
    assert auth.headers["access-control-allow-credentials"] == "true"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        pytest.param("ticket-4711", True, id="ours to keep"),
        pytest.param("a" * 129, False, id="too long"),
        pytest.param('a"b c', False, id="not safe in a log"),
    ],
)
@pytest.mark.parametrize("path", ["/rest/v1/posts?limit=1", "/auth/v1/settings", "/functions/v1/nobody", "/healthz"])
def test_every_answer_names_its_request(backend: Backend, path: str, given: str, kept: bool) -> None:
    answers = [backend.get(path, "PUBLISHABLE_KEY", headers={"X-Request-Id": given}) for _ in range(2)]
    ids = [answer.headers.get_list("x-request-id") for answer in answers]
    assert all(len(one) == 1 and one[0] for one in ids), ids
    assert (ids[0] == [given]) is kept
    assert (ids[0] == ids[1]) is kept
