"""The application's document with an article's own head, for clients without JavaScript: crawlers, previews. Pure.

What an author wrote is hostile until it is escaped: as HTML text and attributes here, as JSON in the one data block.
Sources: https://ogp.me, https://developer.x.com/en/docs/x-for-websites/cards, https://schema.org/BlogPosting
"""

from html import escape

from muster_functions.blog.feeds import MAX_RENDERED_CHARACTERS, Article, Listing, clean
from muster_functions.blog.page_heads import (
    PAGES,
    marked_tags,
    meta,
    replace_head,
    served_on,
    write_head,
    write_missing_head,
)
from muster_functions.blog.served_page import as_data, fill_root, render_article, render_list, render_missing

# The build's document for articles loads the application once it is seen, at this path (web/public/boot.js).
LATE_PATH = b'data-path="/blog/"'


def write_page(document: bytes, article: Article, site_url: str, path: str) -> bytes:
    """The document for an article: its head replaces the landing page's, and its text is where the application will be.

    Without the two comments, or the empty root, that part stays as it is.
    """
    page = replace_head(document, head_tags(article, site_url, path))
    page = page.replace(LATE_PATH, f'data-path="{escape(path)}"'.encode(), 1)
    return page if len(article.content) > MAX_RENDERED_CHARACTERS else fill_root(page, render_article(article))


def write_list(document: bytes, listing: Listing, site_url: str) -> bytes:
    """The document for the list of the articles."""
    page = PAGES["/blog"]
    return fill_root(write_head(document, "/blog", site_url), render_list(page.description, listing))


def write_missing(document: bytes) -> bytes:
    """The document for an address without an article."""
    return fill_root(write_missing_head(document), render_missing())


def head_tags(article: Article, site_url: str, path: str) -> list[str]:
    """The tags of an article. `path` is the requested path: tags that hold for this page alone are marked with it."""
    url = f"{site_url}/blog/{article.slug}"
    picture = f"{site_url}/share/blog/{article.slug}.png"
    title, teaser, here = clean(article.title), clean(article.teaser), served_on(path)
    return [
        f"<title>{escape(title)} | Muster</title>",
        meta("name", "description", teaser),
        meta("property", "og:site_name", "Muster"),
        meta("property", "og:title", title),
        meta("property", "og:description", teaser),
        meta("property", "og:type", "article"),
        meta("property", "og:url", url),
        *marked_tags(path, url, picture, title),
        meta("property", "article:published_time", article.created_at.isoformat(timespec="seconds"), here),
        meta("property", "article:modified_time", article.updated_at.isoformat(timespec="seconds"), here),
        meta("property", "article:section", clean(article.category), here),
        f'<script type="application/ld+json"{here}>{_data(article, url, picture)}</script>',
    ]


def _data(article: Article, url: str, picture: str) -> str:
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
        "image": [picture],
    }
    return as_data(facts)
