"""The application's document with an article's own head, for clients without JavaScript: crawlers, previews. Pure.

What an author wrote is hostile until it is escaped: as HTML text and attributes here, as JSON in the one data block.
Sources: https://ogp.me, https://developer.x.com/en/docs/x-for-websites/cards, https://schema.org/BlogPosting
"""

import json
import re
from collections.abc import Sequence
from html import escape

from muster_functions.blog.feeds import Article, clean
from muster_functions.blog.served_page import fill_root, render_article, render_list

# The words of the application's own list (web/src/features/blog/copy.ts).
BLOG_TITLE = "From the field"
BLOG_LEAD = "Lessons, drills and careers, written by people who were there."
# Longer Markdown than anybody writes is left to the reader's browser.
MAX_SERVED_CHARACTERS = 60_000

# The landing page's own tags, between the two comments of web/index.html.
_HEAD = re.compile(rb"<!-- head -->.*?<!-- /head -->", re.DOTALL)


def write_page(document: bytes, article: Article, site_url: str, path: str) -> bytes:
    """The document for an article: its head replaces the landing page's, and its text is where the application will be.

    Without the two comments, or the empty root, that part stays as it is.
    """
    page = _with_head(document, render_head(article, site_url, path))
    return page if len(article.content) > MAX_SERVED_CHARACTERS else fill_root(page, render_article(article))


def write_list(document: bytes, articles: Sequence[Article], site_url: str) -> bytes:
    """The document for the list of the articles."""
    here = ' data-served="/blog"'
    url = f"{site_url}/blog"
    head = [
        f"<title>{BLOG_TITLE} | Muster</title>",
        _meta("name", "description", BLOG_LEAD),
        _meta("property", "og:site_name", "Muster"),
        _meta("property", "og:title", BLOG_TITLE),
        _meta("property", "og:description", BLOG_LEAD),
        _meta("property", "og:type", "website"),
        _meta("property", "og:url", url),
        f'<link rel="canonical" href="{escape(url)}"{here} />',
    ]
    return fill_root(_with_head(document, "\n    ".join(head)), render_list(BLOG_TITLE, BLOG_LEAD, articles))


def _with_head(document: bytes, head: str) -> bytes:
    # The application finds what was served by the two comments, and replaces it by its own.
    tags = f"<!-- head -->\n    {head}\n    <!-- /head -->".encode()
    return _HEAD.sub(lambda _: tags, document, count=1)


def render_head(article: Article, site_url: str, path: str) -> str:
    """The tags of an article. `path` is the requested path: tags that hold for this page alone are marked with it."""
    url = f"{site_url}/blog/{article.slug}"
    picture = _picture(article.picture, site_url)
    title, teaser = clean(article.title), clean(article.teaser)
    lines = [
        f"<title>{escape(title)} | Muster</title>",
        _meta("name", "description", teaser),
        _meta("property", "og:site_name", "Muster"),
        _meta("property", "og:title", title),
        _meta("property", "og:description", teaser),
        _meta("property", "og:type", "article"),
        _meta("property", "og:url", url),
        *([_meta("property", "og:image", picture)] if picture else []),
    ]
    # The application updates the tags above on every page, and removes these when another page is shown.
    here = f' data-served="{escape(path)}"'
    lines += [
        f'<link rel="canonical" href="{escape(url)}"{here} />',
        _meta("property", "article:published_time", article.created_at.isoformat(timespec="seconds"), here),
        _meta("property", "article:modified_time", article.updated_at.isoformat(timespec="seconds"), here),
        _meta("property", "article:section", clean(article.category), here),
        _meta("name", "twitter:card", "summary_large_image" if picture else "summary", here),
        f'<script type="application/ld+json"{here}>{_data(article, url, picture)}</script>',
    ]
    return "\n    ".join(lines)


def _meta(kind: str, key: str, content: str, more: str = "") -> str:
    return f'<meta {kind}="{key}" content="{escape(content)}"{more} />'


def _picture(address: str | None, site_url: str) -> str | None:
    """Where a crawler can fetch the picture; one that lies in the row itself has no address."""
    if address is None or address.startswith("data:"):
        return None
    return site_url + address if address.startswith("/") else address


def _data(article: Article, url: str, picture: str | None) -> str:
    """The article as schema.org data. No character of it can end the element that it stands in."""
    facts = {
        "@context": "https://schema.org",
        "@type": "BlogPosting",
        "headline": article.title,
        "description": article.teaser,
        "datePublished": article.created_at.isoformat(timespec="seconds"),
        "dateModified": article.updated_at.isoformat(timespec="seconds"),
        "mainEntityOfPage": url,
        "articleSection": article.category,
        "publisher": {"@type": "Organization", "name": "Muster"},
        **({"author": {"@type": "Person", "name": article.author}} if article.author else {}),
        **({"image": [picture]} if picture else {}),
    }
    text = json.dumps(facts, ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
