"""The articles as HTML in the served document: read before, and without, its scripts. Pure.

The classes are those of the application's own pages (web/src/features/blog), which replaces this once it has loaded.
"""

from collections.abc import Iterable
from datetime import datetime
from html import escape

from muster_functions.blog.feeds import Article, clean
from muster_functions.blog.markdown import render_markdown

# What takes the application's place in web/index.html.
EMPTY_ROOT = b'<div id="root"></div>'


def fill_root(document: bytes, html: str) -> bytes:
    """The document with `html` where the application will be. One without its empty root stays as it is."""
    root = f'<div id="root" data-slot="served">{html}</div>'.encode()
    return document.replace(EMPTY_ROOT, root, 1)


def render_article(article: Article) -> str:
    """An article's title, summary, author and text."""
    lead = clean(article.summary or "").strip()
    summary = f'<p class="mt-4 max-w-[52ch] text-lead text-bar-muted">{escape(lead)}</p>' if lead else ""
    return (
        '<main id="main"><article class="pb-[clamp(3rem,6vw,5rem)] [overflow-wrap:anywhere]">'
        '<header class="on-bar"><div class="page pt-6 pb-10">'
        '<a class="mb-6 inline-flex py-1 text-small text-bar-muted" href="/blog">All articles</a>'
        '<h1 class="type-h1 text-[clamp(1.75rem,1.3rem+2vw,2.75rem)] leading-[1.08]">'
        f"{escape(clean(article.title))}</h1>{summary}</div></header>"
        f'<div class="page grid grid-cols-[minmax(0,1fr)] gap-8 pt-8">{_byline(article)}'
        f'<div class="prose">{render_markdown(clean(article.content))}</div></div></article></main>'
    )


def render_list(title: str, lead: str, articles: Iterable[Article]) -> str:
    """The list of the articles, newest first as given."""
    items = "".join(
        '<li class="grid content-start gap-2 [overflow-wrap:anywhere]">'
        '<h2 class="text-[1.1875rem] leading-tight font-[650]">'
        f'<a class="underline-offset-[0.2em]" href="/blog/{escape(article.slug)}">'
        f"{escape(clean(article.title))}</a></h2>"
        f'{_byline(article)}<p class="text-muted text-ui">{escape(clean(article.teaser))}</p></li>'
        for article in articles
    )
    return (
        '<main id="main"><div class="page py-[clamp(2rem,5vw,4rem)]">'
        '<h1 class="type-h1 text-[clamp(2rem,1.5rem+2.2vw,3rem)]">'
        f'{escape(title)}</h1><p class="mt-3 max-w-[52ch] text-lead text-muted">{escape(lead)}</p>'
        f'<ul class="grid gap-x-6 gap-y-10 mt-8 sm:grid-cols-2 lg:grid-cols-3">{items}</ul></div></main>'
    )


def _byline(article: Article) -> str:
    author = f"{escape(clean(article.author))}, " if article.author else ""
    return (
        f'<p class="text-small text-muted">{author}<time datetime="{article.created_at.isoformat(timespec="seconds")}">'
        f"{_date(article.created_at)}</time></p>"
    )


def _date(at: datetime) -> str:
    """§9.25: as in "Jan 5, 2025"."""
    return f"{at:%b} {at.day}, {at.year}"
