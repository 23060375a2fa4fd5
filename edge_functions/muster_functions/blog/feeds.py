"""The blog as RSS 2.0, and the public pages as a sitemap. Pure: rows in, XML out.

Sources: https://www.rssboard.org/rss-specification and https://www.sitemaps.org/protocol.html
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime
from xml.etree import ElementTree as Xml

from muster_functions.blog.markdown import render_markdown

CONTENT = "http://purl.org/rss/1.0/modules/content/"
DUBLIN_CORE = "http://purl.org/dc/elements/1.1/"
ATOM = "http://www.w3.org/2005/Atom"
SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
SUMMARY_CHARACTERS = 150
# Longer Markdown than anybody writes is left to the reader's browser.
MAX_RENDERED_CHARACTERS = 60_000
PAGES = ("/", "/blog", "/quiz", "/login", "/register", "/guidelines")


@dataclass(frozen=True)
class Article:
    """One published post: what a feed shows of it, and behind it what its own page shows, too. Times are aware."""

    slug: str
    title: str
    summary: str | None
    content: str
    category: str
    author: str | None
    created_at: datetime
    updated_at: datetime
    id: str = ""
    tags: Sequence[str] = ()
    featured_image: str | None = None
    writer: "Writer | None" = None

    @property
    def teaser(self) -> str:
        """The summary, or the beginning of the content as plain text (§5.23)."""
        return (self.summary or "").strip() or shorten(_plain(self.content))


@dataclass(frozen=True)
class Writer:
    """Who wrote an article, as far as a visitor may know; the name is the article's `author`."""

    id: str
    avatar_url: str | None
    position: str | None
    department: str | None


@dataclass(frozen=True)
class Listing:
    """The newest articles, how many there are of all, and the topics that most are about."""

    articles: Sequence[Article]
    total: int
    topics: Sequence[str]


def shorten(text: str) -> str:
    """The first 150 characters (§9.24), and an ellipsis where something is left out."""
    return text if len(text) <= SUMMARY_CHARACTERS else text[:SUMMARY_CHARACTERS].rstrip() + "\u2026"


def render_rss(site_url: str, articles: Iterable[Article]) -> bytes:
    """The feed, newest first as given, with the whole text of each article."""
    articles = list(articles)
    for prefix, namespace in (("atom", ATOM), ("content", CONTENT), ("dc", DUBLIN_CORE)):
        Xml.register_namespace(prefix, namespace)
    rss = Xml.Element("rss", version="2.0")
    channel = Xml.SubElement(rss, "channel")
    _texts(
        channel,
        title="Muster: From the field",
        link=f"{site_url}/blog",
        description="Lessons, drills and careers, written by people who were there.",
        language="en-us",
        **({"lastBuildDate": format_datetime(max(one.updated_at for one in articles))} if articles else {}),
    )
    Xml.SubElement(channel, f"{{{ATOM}}}link", href=f"{site_url}/feed.xml", rel="self", type="application/rss+xml")
    for article in articles:
        link = f"{site_url}/blog/{article.slug}"
        item = Xml.SubElement(channel, "item")
        _texts(item, title=article.title, link=link, description=article.teaser, category=article.category)
        Xml.SubElement(item, "guid", isPermaLink="true").text = link
        Xml.SubElement(item, "pubDate").text = format_datetime(article.created_at)
        if article.author:  # RSS wants an e-mail in <author>; names are Dublin Core's
            Xml.SubElement(item, f"{{{DUBLIN_CORE}}}creator").text = clean(article.author)
        if len(article.content) <= MAX_RENDERED_CHARACTERS:
            html = render_markdown(clean(article.content)).replace('="/', f'="{site_url}/')
            Xml.SubElement(item, f"{{{CONTENT}}}encoded").text = html
    return _bytes(rss)


def render_sitemap(site_url: str, articles: Iterable[Article]) -> bytes:
    """Every page that a visitor may read."""
    Xml.register_namespace("", SITEMAP)
    urls = Xml.Element(f"{{{SITEMAP}}}urlset")
    for page in PAGES:
        Xml.SubElement(Xml.SubElement(urls, f"{{{SITEMAP}}}url"), f"{{{SITEMAP}}}loc").text = site_url + page
    for article in articles:
        url = Xml.SubElement(urls, f"{{{SITEMAP}}}url")
        Xml.SubElement(url, f"{{{SITEMAP}}}loc").text = f"{site_url}/blog/{article.slug}"
        Xml.SubElement(url, f"{{{SITEMAP}}}lastmod").text = article.updated_at.isoformat(timespec="seconds")
    return _bytes(urls)


def _texts(parent: Xml.Element, **values: str) -> None:
    for name, value in values.items():
        Xml.SubElement(parent, name).text = clean(value)


def clean(text: str) -> str:
    """Without the control characters that XML 1.0 can't carry."""
    return "".join(letter for letter in text if letter >= " " or letter in "\t\n\r")


# Markdown to plain text for summaries; the same rules as in the web application's model.ts of the blog.
_MARKUP = tuple(
    (re.compile(pattern, re.MULTILINE), replacement)
    for pattern, replacement in (
        (r"^(```|~~~)[\s\S]*?^\1.*$", ""),
        (r"^\s*\|.*$", ""),
        (r"<[^>]*>", ""),
        (r"!\[[^\]]*\]\([^)]*\)", ""),
        (r"\[([^\]]*)\]\([^)]*\)", r"\1"),
        (r"^[#>\-*\s]+", ""),
        (r"[*_`~]", ""),
        (r"\s+", " "),
    )
)


def _plain(markdown: str) -> str:
    for pattern, replacement in _MARKUP:
        markdown = pattern.sub(replacement, markdown)
    return markdown.strip()


def _bytes(root: Xml.Element) -> bytes:
    document: bytes = Xml.tostring(root, encoding="utf-8", xml_declaration=True)
    return document
