"""/blog/<slug> without JavaScript: the published articles' own heads, a 404 page for everything else."""

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx
import pytest

from muster_functions.blog import shell
from muster_functions.functions import article
from tests.contract.functions.conftest import SITE, People
from tests.support.postgres import free_port

DOCUMENT = (
    b"<!doctype html><head><!-- head --><title>Landing</title><!-- /head --></head>"
    b'<body><div id="root"></div>\n<noscript></noscript></body>'
)
MISSING = "<title>Blog post not found | Muster</title>"
PUBLISHED = {"is_blog_post": True, "is_public_blog": True, "content": "Ladders, and how to raise them."}


class Web:
    """The web container: one document, and how often it was asked for."""

    def __init__(self) -> None:
        self.document, self.asked = DOCUMENT, 0
        web = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                web.asked += 1
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Security-Policy", "script-src 'self'")
                self.send_header("Etag", '"the-document"')
                self.end_headers()
                self.wfile.write(web.document)

            def log_message(self, *_: object) -> None:
                """Quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"


@pytest.fixture
def web() -> Iterator[Web]:
    made = Web()
    thread = threading.Thread(target=made.server.serve_forever, args=(0.01,))
    thread.start()
    yield made
    made.server.shutdown()
    made.server.server_close()
    thread.join()


@pytest.fixture
def blog(people: People) -> People:
    """Nobody has written anything yet."""
    people.connection.execute("delete from public.posts")
    return people


async def get(client: httpx.AsyncClient, name: str, **headers: str) -> httpx.Response:
    return await client.get(f"article/blog/{name}", headers=headers)


async def test_an_article_has_its_own_head(serve: Callable[..., Any], blog: People, web: Web) -> None:
    author = blog.member("Ada Quinn")
    id = blog.add("posts", title="Ladders", slug="ladders", user_id=author, **PUBLISHED)
    client = await serve(web_url=web.url)
    by_slug = await get(client, "ladders")
    assert (by_slug.status_code, by_slug.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert by_slug.headers["content-security-policy"] == "script-src 'self'"
    assert "<title>Ladders | Muster</title>" in by_slug.text
    assert "Landing" not in by_slug.text
    assert f'<link rel="canonical" href="{SITE}/blog/ladders"' in by_slug.text
    assert '"name": "Ada Quinn"' in by_slug.text
    for name in (str(id), str(id).upper(), "LADDERS", "ladders/"):
        moved = await get(client, name)
        assert (moved.status_code, moved.headers["location"]) == (308, "/blog/ladders")
    moved = await get(client, "")
    assert (moved.status_code, moved.headers["location"]) == (308, "/blog")
    for name, status in (("share/blog/ladders.png", 200), ("share/site.png", 200), ("share/blog/none.png", 404)):
        picture = await client.get(f"share-picture/{name}")
        assert (picture.status_code, picture.content[1:4] == b"PNG") == (status, status == 200)
    again = await get(client, "ladders", **{"if-none-match": by_slug.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert by_slug.headers["etag"] != '"the-document"'
    head = await client.head("article/blog/ladders")
    assert (head.status_code, head.headers["content-length"]) == (200, by_slug.headers["content-length"])


async def test_a_page_is_compressed_for_who_accepts_it(serve: Callable[..., Any], blog: People, web: Web) -> None:
    """What everybody may read, from a certain length; the page of a link that is somebody's own never is."""
    blog.add("posts", title="Ladders", slug="ladders", **PUBLISHED)
    client = await serve(web_url=web.url)
    codings = {}
    for accepted in ("gzip, deflate, br", "*", "GZIP;q=0.5", "identity", "gzip;q=0", "gzipped", ""):
        got = await get(client, "ladders", **{"accept-encoding": accepted})
        codings[accepted] = got.headers.get("content-encoding")
        assert (got.headers["vary"], "how to raise them" in got.text) == ("Accept-Encoding", True)
    assert [accepted for accepted, coding in codings.items() if coding] == ["gzip, deflate, br", "*", "GZIP;q=0.5"]
    own = await client.get("unsubscribe?token=x", headers={"accept-encoding": "gzip"})
    assert "content-encoding" not in own.headers
    web.document = b"short"
    assert "content-encoding" not in (await (await serve(web_url=web.url)).get("article/blog")).headers


@pytest.mark.parametrize(
    "flags",
    [
        pytest.param({"is_blog_post": True, "is_public_blog": False}, id="draft"),
        pytest.param({"is_blog_post": False, "is_public_blog": False}, id="post-of-the-feed"),
        pytest.param({"is_blog_post": True, "is_public_blog": True, "is_command_post": True}, id="announcement"),
    ],
)
async def test_what_visitors_may_not_read_is_a_404_page(
    serve: Callable[..., Any], blog: People, web: Web, flags: dict[str, bool]
) -> None:
    id = blog.add("posts", title="Secret plans", slug="secret-plans", content="x", **flags)
    client = await serve(web_url=web.url)
    for name in ("secret-plans", str(id)):
        got = await get(client, name)
        assert (got.status_code, MISSING in got.text, "Secret" in got.text) == (404, True, False)


@pytest.mark.parametrize(
    "name",
    ["no-such-article", "00000000-0000-4000-8000-000000000000", "a" * 5000, "%00", "%ff%fe", "a'b;--",
     "..%2f..%2fadmin", "UPPER", "a/b", "a%2Fb", "%22%3E%3Cscript%3E", "{{.Env}}"],
)  # fmt: skip
async def test_what_is_no_article_is_a_404_page(serve: Callable[..., Any], web: Web, name: str) -> None:
    got = await get(await serve(web_url=web.url), name)
    assert (got.status_code, MISSING in got.text) == (404, True)
    assert '<meta name="robots" content="noindex" />' in got.text
    assert "This article doesn’t exist or isn’t public anymore." in got.text


async def test_an_article_that_is_withdrawn_is_gone_at_once(serve: Callable[..., Any], blog: People, web: Web) -> None:
    blog.add("posts", title="Ladders", slug="ladders", **PUBLISHED)
    client = await serve(web_url=web.url)
    assert (await get(client, "ladders")).status_code == 200
    blog.connection.execute("update public.posts set is_public_blog = false")
    got = await get(client, "ladders")
    assert (got.status_code, "Ladders" in got.text) == (404, False)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("state", ["away", "slow"])
async def test_without_the_database_the_page_comes_without_its_head(
    serve: Callable[..., Any], blog: People, web: Web, state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(article, "DATABASE_TIMEOUT_S", 0.2)
    if state == "away":
        client = await serve(web_url=web.url, database_url=f"host=127.0.0.1 port={free_port()} user=postgres")
        got = await get(client, "ladders")
    else:
        client = await serve(web_url=web.url)
        with blog.connection.transaction():
            blog.connection.execute("lock table public.posts in access exclusive mode")
            got = await get(client, "ladders")
    assert (got.status_code, got.content) == (200, DOCUMENT)


async def test_the_document_is_asked_for_now_and_then_and_outlives_its_server(
    serve: Callable[..., Any], web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = await serve(web_url=web.url)
    assert [(await get(client, "none")).status_code for _ in range(3)] == [404] * 3
    assert web.asked == 1
    monkeypatch.setattr(shell, "MAX_AGE_S", -1.0)
    web.document = DOCUMENT.replace(b"</noscript>", b"Built anew</noscript>")
    assert "Built anew" in (await get(client, "none")).text
    web.server.shutdown()
    web.server.server_close()
    assert "Built anew" in (await get(client, "none")).text


@pytest.mark.parametrize("where", ["", f"http://127.0.0.1:{free_port()}"], ids=["none", "nobody-answers"])
async def test_without_a_document_there_is_no_page(serve: Callable[..., Any], where: str) -> None:
    got = await get(await serve(web_url=where), "ladders")
    assert (got.status_code, got.text) == (404, "Not found\n")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
async def test_a_page_is_only_read(serve: Callable[..., Any], web: Web, method: str) -> None:
    got = await (await serve(web_url=web.url)).request(method, "article/blog/ladders")
    assert (got.status_code, got.json()["code"], got.headers["allow"]) == (405, "METHOD_NOT_ALLOWED", "GET, HEAD")


@pytest.mark.parametrize(
    ("name", "status"), [("", 200), ("quiz", 200), ("invitation", 200), ("feed", 404), ("a/b", 404)]
)
async def test_the_sites_own_pages_have_heads(serve: Callable[..., Any], web: Web, name: str, status: int) -> None:
    got = await (await serve(web_url=web.url)).get(f"page/{name}")
    assert got.status_code == status
    assert (f'<link rel="canonical" href="{SITE}/{name}"' in got.text) == (status == 200)


async def test_crawlers_are_told_where_the_map_is(serve: Callable[..., Any]) -> None:
    got = await (await serve()).get("robots")
    assert got.headers["content-type"].startswith("text/plain")
    assert got.text.splitlines() == [
        "User-agent: *",
        "Disallow: /admin",
        "Disallow: /mail",
        f"Sitemap: {SITE}/sitemap.xml",
    ]
