"""The gateway over HTTP, in front of a service that echoes its request."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from emulator.addresses import Networks
from emulator.asgi.response import respond
from emulator.gateway.apikey import ApiKeys
from emulator.gateway.app import MAX_BODY_BYTES, Gateway
from emulator.gateway.static import Site

KEYS = ApiKeys(anon="a.n.on", service_role="s.r.k", publishable="sb_publishable_x", secret="sb_secret_x")
ANON = {"apikey": "sb_publishable_x"}


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """A service that answers with the request as it saw it."""
    if scope["type"] == "lifespan":
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})
        return
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            await respond(send, 400, [], b"gone")
            return
        size, more = size + len(message.get("body", b"")), message.get("more_body", False)
    seen = {
        "path": scope["path"],
        "raw_path": scope["raw_path"].decode(),
        "query": scope["query_string"].decode(),
        "headers": {name.decode(): value.decode() for name, value in scope["headers"]},
        "size": size,
    }
    await respond(send, 200, [(b"content-type", b"application/json")], json.dumps(seen).encode())


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    (tmp_path / "app.html").write_text("<!doctype html><title>site</title>" + " " * 600)
    services = {"rest": echo, "auth": echo, "realtime": echo, "functions": echo, "mailbox": echo}
    config = {"supabaseUrl": "", "supabaseKey": "</script><script>alert(1)</script>"}
    proxies = Networks.parse("10.0.0.0/8")
    gateway = Gateway(
        services, KEYS, Site(tmp_path), config, {"rest": _well, "auth": _unwell}, trusted_proxies=proxies,
        own_names=frozenset({"muster.test"}),
    )  # fmt: skip
    async with httpx.AsyncClient(transport=httpx.ASGITransport(gateway), base_url="http://muster.test") as made:
        yield made


async def _well() -> bool:
    return True


async def _unwell() -> bool:
    raise ConnectionError("no database")


async def test_the_service_sees_its_own_path_and_the_roles_token(client: httpx.AsyncClient) -> None:
    seen = (await client.get("/rest/v1/posts%2Fx?select=id&a=b%20c", headers=ANON)).json()
    assert (seen["path"], seen["raw_path"], seen["query"]) == ("/posts/x", "/posts%2Fx", "select=id&a=b%20c")
    assert seen["headers"]["authorization"] == "Bearer a.n.on"
    assert seen["headers"]["apikey"] == "a.n.on"


async def test_a_function_keeps_its_prefix_and_needs_no_key(client: httpx.AsyncClient) -> None:
    assert (await client.post("/functions/v1/hello", content=b"x")).json()["path"] == "/functions/v1/hello"


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        pytest.param("/rest/v1/posts", {}, 401, id="no-key"),
        pytest.param("/rest/v1/posts", {"apikey": "sb_publishable_y"}, 401, id="strangers-key"),
        pytest.param("/rest/v1/posts?apikey=sb_publishable_x", {}, 200, id="key-in-the-query"),
        pytest.param("/rest/v1/", ANON, 403, id="openapi-with-the-anon-key"),
        pytest.param("/rest/v1/", {"apikey": "sb_secret_x"}, 200, id="openapi-with-the-service-key"),
        pytest.param("/auth/v1/verify?token=x", {}, 200, id="a-link-in-a-mail"),
        pytest.param("/auth/v1/signup", {}, 401, id="auth-wants-a-key"),
        pytest.param("/realtime/v1/api/tenants/x", {"apikey": "sb_secret_x"}, 403, id="tenant-administration"),
        pytest.param("/rest/v1%2Fx", ANON, 404, id="an-encoded-slash-in-the-prefix"),
        pytest.param("/rest%2Fv1%2F", ANON, 404, id="an-encoded-prefix"),
        pytest.param("/rest/v1", ANON, 404, id="a-prefix-alone"),
        pytest.param("/mail", {}, 200, id="the-mailbox-of-this-stack"),
        pytest.param("/mail", {"Host": "localhost:54321"}, 200, id="the-mailbox-on-loopback"),
        pytest.param("/mail", {"Host": "[::1]:54321"}, 200, id="the-mailbox-on-ipv6-loopback"),
        pytest.param("/mail/api/messages", {"Host": "evil.test"}, 421, id="a-name-that-points-here"),
        pytest.param("/mail/api/messages", {"Host": "muster.test.evil.test"}, 421, id="a-name-that-looks-like-ours"),
    ],
)
async def test_keys_grant_their_role(
    client: httpx.AsyncClient, path: str, headers: dict[str, str], status: int
) -> None:
    answer = await client.get(path, headers=headers)
    assert answer.status_code == status, answer.text


async def test_forwarding_headers_of_clients_are_ignored(client: httpx.AsyncClient) -> None:
    headers = {**ANON, "X-Forwarded-For": "6.6.6.6", "X-Forwarded-Host": "evil.example", "Forwarded": "for=6.6.6.6"}
    seen = (await client.get("/auth/v1/health", headers=headers)).json()["headers"]
    assert seen["x-forwarded-for"] == "127.0.0.1"
    assert "x-forwarded-host" not in seen
    assert "forwarded" not in seen


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
@pytest.mark.parametrize("path", ["/storage/v1/bucket", "/storage/v1", "/graphql/v1", "/pg/tables", "/rest/v1"])
async def test_a_service_that_is_not_there_is_no_page(client: httpx.AsyncClient, method: str, path: str) -> None:
    answer = await client.request(method, path, headers={**ANON, "Accept": "text/html,*/*"})
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/json; charset=utf-8")
    assert answer.json() == {"message": "no Route matched with those values"}


async def test_a_page_of_another_origin_reads_that_a_service_is_not_there(client: httpx.AsyncClient) -> None:
    origin = {"Origin": "https://elsewhere.example"}
    asked = {**origin, "Access-Control-Request-Method": "POST"}
    assert (await client.options("/graphql/v1", headers=asked)).status_code == 200
    answer = await client.post("/graphql/v1", headers={**ANON, **origin})
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (404, "*")
    assert "access-control-allow-origin" not in (await client.get("/config.js", headers=origin)).headers


@pytest.mark.parametrize(
    ("peer", "want"), [("10.0.0.7", "203.0.113.9"), ("192.0.2.1", "192.0.2.1")], ids=["trusted", "stranger"]
)
async def test_a_trusted_proxy_names_the_client(peer: str, want: str) -> None:
    gateway = Gateway({"auth": echo}, KEYS, Site(None), {}, trusted_proxies=Networks.parse("10.0.0.0/8"))
    transport = httpx.ASGITransport(gateway, client=(peer, 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://muster.test") as client:
        headers = {**ANON, "X-Forwarded-For": "6.6.6.6, 203.0.113.9"}
        seen = (await client.get("/auth/v1/health", headers=headers)).json()["headers"]
    assert seen["x-forwarded-for"] == want


async def test_another_process_of_the_stack_names_the_client() -> None:
    """What only the first process serves comes to it over a Unix socket, without a peer's address."""
    gateway, sent = Gateway({"functions": echo}, KEYS, Site(None), {}), []

    async def receive() -> Any:
        return {"type": "http.request", "body": b""}

    async def send(message: Any) -> None:
        sent.append(message.get("body", b""))

    path = "/functions/v1/hello"
    scope = {
        "type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": b"", "client": None,
        "scheme": "http", "headers": [(b"x-forwarded-for", b"203.0.113.9")],
    }  # fmt: skip
    await gateway(scope, receive, send)
    assert json.loads(b"".join(sent))["headers"]["x-forwarded-for"] == "203.0.113.9"


async def test_a_preflight_is_answered_for_any_origin(client: httpx.AsyncClient) -> None:
    asked = {
        "Origin": "https://elsewhere.example",
        "Access-Control-Request-Method": "PATCH",
        "Access-Control-Request-Headers": "apikey,authorization,x-client-info",
    }
    answer = await client.options("/rest/v1/posts", headers=asked)
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "PATCH" in answer.headers["access-control-allow-methods"]
    assert answer.headers["access-control-allow-headers"] == "apikey,authorization,x-client-info"


async def test_a_refusal_can_be_read_across_origins(client: httpx.AsyncClient) -> None:
    answer = await client.get("/rest/v1/posts", headers={"Origin": "https://elsewhere.example"})
    assert answer.status_code == 401
    assert answer.headers["access-control-allow-origin"] == "*"


async def test_a_body_beyond_the_limit_is_refused(client: httpx.AsyncClient) -> None:
    answer = await client.post("/rest/v1/posts", headers=ANON, content=b"x" * (MAX_BODY_BYTES + 1))
    assert answer.status_code == 413


async def test_a_body_of_unknown_length_is_cut_off(client: httpx.AsyncClient) -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(12):
            yield b"x" * 1024 * 1024

    answer = await client.post("/rest/v1/posts", headers=ANON, content=endless())
    assert (answer.status_code, answer.json()) == (413, {"message": "Request body too large"})


async def test_pages_and_configuration(client: httpx.AsyncClient) -> None:
    page = await client.get("/feed", headers={"Accept-Encoding": "gzip"})
    assert page.headers["content-encoding"] == "gzip"
    assert "<title>site</title>" in page.text
    assert (await client.get("/feed", headers={"If-None-Match": page.headers["etag"]})).status_code == 304
    config = await client.get("/config.js")
    assert config.headers["cache-control"] == "no-store"
    assert "</script>" not in config.text
    assert (await client.post("/feed")).status_code == 405


@pytest.mark.parametrize("path", ["/gone.png", "/assets/gone.js", "/blog/a.b"])
async def test_a_missing_file_is_a_page_only_for_who_looks_at_it(client: httpx.AsyncClient, path: str) -> None:
    page = await client.get("/feed")
    seen = await client.get(path, headers={"Accept": "text/html,*/*;q=0.8", "If-None-Match": page.headers["etag"]})
    fetched = await client.get(path)
    assert (seen.status_code, seen.text, seen.headers["cache-control"]) == (404, page.text, "no-cache")
    assert (fetched.status_code, fetched.text) == (404, "Not found\n")


async def test_health_names_the_unhealthy_service(client: httpx.AsyncClient) -> None:
    answer = await client.get("/healthz")
    assert answer.status_code == 503
    assert answer.json()["services"] == {"rest": True, "auth": False}


async def test_a_flood_of_questions_for_health_is_one() -> None:
    """Each would open a connection to the database."""
    asked, begun, release, statuses = 0, asyncio.Event(), asyncio.Event(), []

    async def slow() -> bool:
        nonlocal asked
        asked += 1
        begun.set()
        await release.wait()
        return True

    async def ask() -> None:
        async def send(message: Any) -> None:
            statuses.append(message.get("status"))

        await gateway({"type": "http", "method": "GET", "path": "/healthz", "headers": []}, _nothing, send)

    gateway = Gateway({}, KEYS, Site(None), {}, {"database": slow})
    questions = [asyncio.create_task(ask()) for _ in range(30)]
    await begun.wait()
    release.set()
    await asyncio.gather(*questions)
    assert (asked, statuses.count(200)) == (1, 30)
    await ask()
    assert asked == 2


async def _nothing() -> Any:
    raise AssertionError("a question has no body")


@pytest.mark.parametrize(
    ("path", "query", "headers", "want"),
    [
        pytest.param(
            "/realtime/v1/websocket", b"apikey=sb_publishable_x&vsn=2.0.0", [],
            ("/socket/websocket", b"apikey=a.n.on&vsn=2.0.0", []), id="key-in-the-query",
        ),
        pytest.param(
            "/realtime/v1/websocket", b"vsn=1.0.0", [(b"x-api-key", b"s.r.k"), (b"origin", b"https://a")],
            ("/socket/websocket", b"apikey=s.r.k&vsn=1.0.0", [(b"origin", b"https://a")]), id="key-in-a-header",
        ),
        pytest.param("/realtime/v1/websocket", b"vsn=1.0.0", [], 401, id="no-key"),
        pytest.param("/realtime/v1/websocket", b"apikey=zz", [], 401, id="strangers-key"),
        pytest.param("/chat", b"apikey=a.n.on", [], 404, id="no-socket-there"),
    ],
)  # fmt: skip
def test_an_upgrade_is_mapped_or_refused(
    path: str, query: bytes, headers: list[tuple[bytes, bytes]], want: object
) -> None:
    assert Gateway({"realtime": echo}, KEYS, Site(None), {}).websocket_target(path, query, headers) == want


def test_without_realtime_nothing_is_upgraded() -> None:
    gateway = Gateway({"rest": echo}, KEYS, Site(None), {})
    assert gateway.websocket_target("/realtime/v1/websocket", b"apikey=a.n.on", []) == 404
