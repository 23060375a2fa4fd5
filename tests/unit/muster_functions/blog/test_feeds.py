"""Feeds are XML that a reader can read, whatever an author wrote."""

from datetime import UTC, datetime
from xml.etree import ElementTree as Xml

import pytest

from muster_functions.blog.feeds import PAGES, Article, render_rss, render_sitemap

WHEN = datetime(2026, 1, 5, 12, 30, tzinfo=UTC)


def article(**changes: object) -> Article:
    """A published article; `changes` replace what a test is about."""
    values = {
        "slug": "a-slug", "title": "A title", "summary": None, "content": "Words. " * 100, "category": "Tactics",
        "author": "Ada Quinn", "created_at": WHEN, "updated_at": WHEN, **changes,
    }  # fmt: skip
    return Article(**values)  # type: ignore[arg-type]


def test_the_feed_names_each_article_once_with_its_address() -> None:
    """§5.23: without a summary, the first 150 characters of the content, and an ellipsis."""
    channel = Xml.fromstring(render_rss("https://muster.test", [article(), article(slug="b", summary="Short.")]))[0]
    items = channel.findall("item")
    assert [item.findtext("link") for item in items] == [
        "https://muster.test/blog/a-slug",
        "https://muster.test/blog/b",
    ]
    assert [len(item.findtext("description") or "") for item in items] == [len("Words. " * 21) + len("Wor\u2026"), 6]
    assert items[0].findtext("pubDate") == "Mon, 05 Jan 2026 12:30:00 +0000"


@pytest.mark.parametrize(
    "text", ["</title><script>alert(1)</script>", "a & b < c", "nul\0 bell\a", "\u202edlrow", "🔥"]
)
def test_hostile_text_stays_text(text: str) -> None:
    document = render_rss("https://muster.test", [article(title=text, content=text, author=text)])
    (item,) = Xml.fromstring(document).iter("item")
    assert item.findtext("title") == text.replace("\0", "").replace("\a", "")
    assert b"<script>" not in document


def test_the_sitemap_has_the_pages_and_the_articles() -> None:
    root = Xml.fromstring(render_sitemap("https://muster.test", [article()]))
    addresses = [found.text for found in root.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")]
    assert addresses == [*(f"https://muster.test{page}" for page in PAGES), "https://muster.test/blog/a-slug"]
