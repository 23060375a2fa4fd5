"""Files for crawlers and feed readers on a running stack."""

import re
import struct
from collections.abc import Callable
from html import escape, unescape
from xml.etree import ElementTree as Xml

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.support.patience import PATIENCE_S
from tests.support.public_pages import open_page
from tests.support.stack import RunningStack

NewPage = Callable[..., Page]

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize(
    ("path", "media_type", "tag"),
    [("/feed.xml", "application/rss+xml", "guid"), ("/sitemap.xml", "application/xml", "loc")],
)
def test_published_articles_are_listed_and_no_other_post(
    stack: RunningStack, path: str, media_type: str, tag: str
) -> None:
    answer = httpx.get(stack.url + path, timeout=PATIENCE_S)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(media_type)
    found = {element.text for element in Xml.fromstring(answer.content).iter() if element.tag.endswith(tag)}
    with stack.connect() as connection:
        rows = connection.execute("select slug, is_public_blog from public.posts where is_blog_post").fetchall()
    listed = {slug for slug, _ in rows if f"{stack.url}/blog/{slug}" in found}
    assert listed == {slug for slug, public in rows if public}
    assert listed


def test_the_application_can_be_installed(stack: RunningStack) -> None:
    """§17.1: what browsers and Lighthouse ask of the manifest, the icons and the document."""

    def fetch(path: str) -> httpx.Response:
        answer = httpx.get(stack.url + path, timeout=PATIENCE_S)
        assert answer.status_code == 200, path
        return answer

    document = fetch("/").text
    links = dict(re.findall(r'<link rel="(manifest|apple-touch-icon)" href="([^"]+)"', document))
    served = fetch(links["manifest"])
    assert served.headers["content-type"] == "application/manifest+json"
    manifest = served.json()
    assert manifest["name"] == manifest["short_name"] == "Muster"
    assert (manifest["id"], manifest["scope"], manifest["start_url"]) == ("/", "/", "/feed")
    assert manifest["display"] == "standalone"
    colors = re.findall(r'<meta name="theme-color" media="\(prefers-color-scheme: (\w+)\)" content="([^"]+)"', document)
    assert [scheme for scheme, _ in colors] == ["light", "dark"]
    assert manifest["theme_color"] == manifest["background_color"] == dict(colors)["light"]
    assert {(icon["sizes"], icon["purpose"]) for icon in manifest["icons"] if icon["type"] == "image/png"} == {
        (f"{px}x{px}", purpose) for px in (192, 512) for purpose in ("any", "maskable")
    }
    sizes = [(icon["src"], icon["sizes"]) for icon in manifest["icons"] if icon["type"] == "image/png"]
    for path, size in [*sizes, (links["apple-touch-icon"], "180x180")]:
        width, height = struct.unpack(">II", fetch(path).content[16:24])
        assert f"{width}x{height}" == size, path
    for shortcut in manifest["shortcuts"]:
        fetch(shortcut["url"])


def test_an_article_has_its_own_head_with_and_without_scripts(stack: RunningStack, new_page: NewPage) -> None:
    """§2.8: the served document has the article's own head; its tags are removed with it; no CSP violation."""
    with stack.connect() as connection:
        row = connection.execute("select slug, title from public.posts where is_public_blog limit 1").fetchone()
    assert row is not None
    slug, title = row
    source = httpx.get(f"{stack.url}/blog/{slug}", timeout=PATIENCE_S).text
    assert f"<title>{escape(title)} | Muster</title>" in source
    assert 'data-slot="prerendered"' not in source
    assert f"{escape(title)}</h1>" in source
    assert f'href="/blog/{slug}"' in httpx.get(f"{stack.url}/blog", timeout=PATIENCE_S).text
    moved = httpx.get(f"{stack.url}/blog/{slug}/", timeout=PATIENCE_S)
    assert (moved.status_code, moved.headers["location"]) == (308, f"/blog/{slug}")
    page, refused, scripts = new_page(), [], []
    page.on("console", lambda line: refused.append(line.text) if line.type == "error" else None)
    page.on("request", lambda request: scripts.append(request.url) if request.resource_type == "script" else None)
    open_page(page, f"{stack.url}/blog/{slug}")
    expect(page.get_by_role("heading", level=1, name=title)).to_be_visible()
    expect(page).to_have_title(f"{title} | Muster")
    canonical, json_ld = page.locator("link[rel=canonical]"), page.locator("script[type='application/ld+json']")
    expect(canonical).to_have_attribute("href", f"{stack.url}/blog/{slug}")
    expect(json_ld).to_have_count(1)
    expect(page.locator(".prose > p").first).to_be_visible()  # as it was served: nothing renders Markdown for it
    assert [script for script in scripts if "/article-body" in script] == []
    page.get_by_role("navigation", name="Breadcrumb").get_by_role("link", name="Blog").click()
    page.wait_for_url("**/blog")
    expect(page.locator("[data-served]")).to_have_count(0)
    expect(page).to_have_title("Blog: From the field | Muster")
    expect(page.locator("head > title")).to_have_count(1)
    expect(page.locator("main")).to_have_count(1)
    assert refused == []


def test_what_the_server_writes_is_styled(stack: RunningStack) -> None:
    """§2.7 §2.8: the build makes the styles of its own sources: a class that only the server has would have none."""
    articles = httpx.get(f"{stack.url}/blog", timeout=PATIENCE_S).text
    found = re.search('href="(/blog/[^"]+)"', articles)
    assert found is not None
    for path in ("/blog", found[1], "/blog/none"):
        page = httpx.get(stack.url + path, timeout=PATIENCE_S).text
        sheets = re.findall(r'href="(/assets/[^"]+\.css)"', page)
        styles = "".join(httpx.get(stack.url + sheet, timeout=PATIENCE_S).text for sheet in sheets)
        used = {name for names in re.findall('class="([^"]*)"', page) for name in unescape(names).split()}
        assert [name for name in used if "." + re.sub(r"([^\w-])", r"\\\1", name) not in styles] == []


def test_what_is_served_of_a_page_is_what_the_application_says(stack: RunningStack, new_page: NewPage) -> None:
    """Title, description and address of every public page, before and after its scripts; one picture for all."""
    page = new_page()
    for path in ("/", "/quiz", "/login", "/register", "/blog"):
        served = httpx.get(stack.url + path, timeout=PATIENCE_S, headers={"accept-encoding": "gzip"})
        assert served.headers["content-encoding"] == "gzip"
        assert f'<link rel="canonical" href="{stack.url}{path}"' in served.text
        assert "<h1" in served.text  # seen before its scripts, and without controls that would lose what is typed
        assert path in ("/", "/blog") or not re.search("<(input|button|form|label)", served.text)
        open_page(page, stack.url + path)
        title = re.search("<title>(.*?)</title>", served.text)
        assert title is not None
        expect(page).to_have_title(unescape(title[1]))
        for tag in ("meta[name=description]", "meta[property='og:title']", "meta[property='og:url']"):
            expect(page.locator(f"head {tag}")).to_have_count(1)
            assert escape(page.locator(f"head {tag}").get_attribute("content") or "?") in served.text
        picture = page.locator("head meta[property='og:image']").get_attribute("content") or ""
        assert httpx.get(picture, timeout=PATIENCE_S).content[:4] == b"\x89PNG"


@pytest.mark.parametrize("path", ["/no-such-place", "/feed/x", "/admin/nope", "/post/a/b", "/blog/none"])
def test_what_is_no_page_is_not_found(stack: RunningStack, path: str) -> None:
    """§2.55: the application's page says so to people, the status to all others."""
    answer = httpx.get(stack.url + path, headers={"accept": "text/html"}, timeout=PATIENCE_S)
    assert (answer.status_code, '<div id="root"' in answer.text) == (404, True)


@pytest.mark.parametrize(
    ("path", "address"),
    [("/BLOG?q=roof", "/blog?q=roof"), ("/Quiz", "/quiz"), ("/login/", "/login"), ("/POST/aB/", "/post/aB")],
)
def test_a_page_has_one_address(stack: RunningStack, path: str, address: str) -> None:
    """§2.53: in another case, or with a slash at its end, it is moved for good."""
    answer = httpx.get(stack.url + path, headers={"accept": "text/html"}, timeout=PATIENCE_S)
    assert (answer.status_code, answer.headers["location"]) == (308, address)


def test_files_are_compressed_and_kept(stack: RunningStack) -> None:
    page = httpx.get(f"{stack.url}/feed", timeout=PATIENCE_S).text
    found = re.findall(r'(?:href|src)="(/assets/[^"]+)"', page)
    for path in {path for path in found if path.endswith((".js", ".css", ".woff2"))}:
        answer = httpx.get(stack.url + path, headers={"accept-encoding": "br"}, timeout=PATIENCE_S)
        assert answer.headers["cache-control"].endswith("immutable")
        assert answer.headers.get("content-encoding") == (None if path.endswith("woff2") else "br")
    assert [path for path in found if path.endswith("woff2")]


def test_pages_carry_the_security_headers(stack: RunningStack) -> None:
    for path in ("/", "/feed", "/blog/anything", "/config.js"):
        headers = httpx.get(stack.url + path, timeout=PATIENCE_S).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "http" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"


def test_only_the_landing_page_is_prerendered(stack: RunningStack) -> None:
    """Every other page is served with a bar and a spinner, with preload links for its scripts, and is small."""
    landing, page = (httpx.get(stack.url + path, timeout=PATIENCE_S).text for path in ("/", "/feed"))
    assert 'data-slot="prerendered"' in landing
    assert '<script type="module"' not in landing
    assert '<div id="root"><div data-slot="spinner"' in page
    assert "#root { display: none }" in page.split("<noscript>")[1]
    assert '<script type="module"' in page
    assert len(page) < 4_000
