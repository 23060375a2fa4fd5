"""What crawlers and feed readers fetch, behind each gateway: articles' own heads, the feed, the sitemap, robots.txt."""

from collections.abc import Iterator
from uuid import uuid4

import pytest

from tests.support.wire import Backend

HOSTILE = '"><script>alert(1)</script></title>{{httpInclude `/`}}{$SECRET_KEY}{http.request.uri}'
LOOKING = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture
def slugs(backend: Backend) -> Iterator[tuple[str, str]]:
    """A published article with a hostile title, and a draft."""
    made = uuid4().hex[:12]
    rows = [
        {
            "slug": f"{made}-{number}",
            "title": HOSTILE,
            "content": "Ladders.",
            "is_blog_post": True,
            "is_public_blog": public,
        }
        for number, public in enumerate((True, False))
    ]
    answer = backend.ask("POST", "/rest/v1/posts", "SECRET_KEY", json=rows)
    assert answer.status_code == 201, answer.text
    yield f"{made}-0", f"{made}-1"
    backend.ask("DELETE", f"/rest/v1/posts?slug=like.{made}-*", "SECRET_KEY")


def document(backend: Backend) -> str:
    """The application's document as every page has it; skips where there is none."""
    page = backend.get("/feed", headers=LOOKING)
    if page.status_code == 404:
        pytest.skip("this backend serves no web application")
    return page.text


def test_an_article_has_its_own_head_and_its_words_stay_text(backend: Backend, slugs: tuple[str, str]) -> None:
    plain, page = document(backend), backend.get(f"/blog/{slugs[0]}", headers=LOOKING)
    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;/title&gt;{{httpInclude `/`}}{$SECRET_KEY}" in page.text
    assert "<script>alert" not in page.text
    assert plain not in page.text
    assert f'/blog/{slugs[0]}" data-served=' in page.text
    assert backend.ask("HEAD", f"/blog/{slugs[0]}").status_code == 200
    policies = {"content-security-policy", "x-frame-options", "referrer-policy", "cache-control"}
    other = backend.get("/feed", headers=LOOKING).headers
    assert {name: page.headers.get_list(name) for name in policies} == {name: other.get_list(name) for name in policies}


def test_a_draft_and_what_was_never_written_are_404_pages(backend: Backend, slugs: tuple[str, str]) -> None:
    """One page for all of them, so that nobody learns of a draft."""
    document(backend)
    paths = (f"/blog/{slugs[1]}", "/blog/never-written", "/blog/%7B%7Benv%7D%7D", f"/blog/{slugs[0]}/more")
    pages = {(page.status_code, page.text) for page in (backend.get(path, headers=LOOKING) for path in paths)}
    assert [status for status, _ in pages] == [404]
    assert backend.get(f"/blog/{slugs[0]}", headers=LOOKING).text not in {text for _, text in pages}


def test_a_query_changes_nothing_and_a_page_is_only_read(backend: Backend, slugs: tuple[str, str]) -> None:
    document(backend)
    assert backend.get(f"/blog/{slugs[0]}?utm=x&%22%3E", headers=LOOKING).status_code == 200
    assert backend.ask("POST", f"/blog/{slugs[0]}", json={}).status_code == 405


def test_feed_sitemap_and_robots_are_at_their_addresses(backend: Backend, slugs: tuple[str, str]) -> None:
    feed, sitemap, robots = (backend.get(path) for path in ("/feed.xml", "/sitemap.xml", "/robots.txt"))
    for answer, media_type in ((feed, "application/rss+xml"), (sitemap, "application/xml")):
        assert answer.headers["content-type"].startswith(media_type)
        assert f"/blog/{slugs[0]}<" in answer.text
        assert slugs[1] not in answer.text
    assert "/sitemap.xml" in robots.text
