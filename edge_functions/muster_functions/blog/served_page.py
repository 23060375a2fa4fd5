"""The articles as HTML in the served document: read before, and without, its scripts. Pure.

The classes are those of the application's own pages (web/src/features/blog), which replaces this once it has
loaded: what is read stays in its place then.
"""

import json
from datetime import datetime
from html import escape
from math import ceil

from muster_functions.blog.feeds import Article, Listing, clean
from muster_functions.blog.markdown import render_markdown, renders_alike

# What takes the application's place: in the documents that the build makes for the blog, within the site's frame.
EMPTY_MAIN = b"<!-- text -->"
EMPTY_ROOT = b'<div id="root"></div>'
WORDS_PER_MINUTE = 200
# What the application shows of the list at first (limits.articlesPerPage), and how much text of articles comes with it.
ROWS = 13
MAX_LISTED_CHARACTERS = 40_000
TITLE = "From the field"


def fill_root(document: bytes, html: str) -> bytes:
    """The document with `html` where the application will be. One without a place for it stays as it is."""
    if EMPTY_MAIN in document:
        return document.replace(EMPTY_MAIN, html.encode(), 1)
    root = f'<div id="root" data-slot="served"><main id="main">{html}</main></div>'.encode()
    return document.replace(EMPTY_ROOT, root, 1)


def render_article(article: Article) -> str:
    """An article's title, author, summary and text; and its row, which the application then needs not ask for."""
    lead = clean(article.teaser)
    summary = f'<p class="mt-3 text-lead">{escape(lead)}</p>' if lead else ""
    category, title = escape(clean(article.category)), escape(clean(article.title))
    whole = ' data-slot="whole"' if renders_alike(article.content) else ""
    return (
        '<article class="pb-[clamp(3rem,6vw,5rem)] [overflow-wrap:anywhere]">'
        '<div class="page article-columns"><div class="article-column">'
        '<p class="mb-2 flex flex-wrap items-center gap-x-2 text-small font-semibold text-muted">'
        '<a class="py-1 text-ember-text" href="/blog">Blog</a>'
        f'<span aria-hidden="true">/</span><span>{category}</span></p>'
        f'<h1 class="type-h1 text-[clamp(1.75rem,1.3rem+1.6vw,2.5rem)] leading-[1.08]">{title}</h1>'
        f'<div class="mt-3 flex min-h-11 items-center gap-3">{_byline(article)}</div>{summary}'
        '<div class="mt-5 aspect-[21/9] w-full rounded-card bg-sunken"></div>'
        f'<div class="mt-7 prose"{whole}>{render_markdown(clean(article.content))}</div></div></div></article>'
        f'<script type="application/json" id="served-article">{_rows(article)}</script>'
    )


def render_list(lead: str, listing: Listing) -> str:
    """The list of the articles, newest first as given; and the rows, which the application then needs not ask for."""
    items = "".join(
        '<li class="grid content-start gap-2 border-b border-line py-5 [overflow-wrap:anywhere]">'
        f'<p class="type-mark text-muted">{escape(clean(article.category))}</p>'
        '<h2 class="type-h3">'
        f'<a class="underline-offset-[0.2em]" href="/blog/{escape(article.slug)}">'
        f"{escape(clean(article.title))}</a></h2>"
        f'<p class="text-ui">{escape(clean(article.teaser))}</p>{_byline(article)}</li>'
        for article in listing.articles
    )
    return (
        '<div class="page pt-[clamp(1.5rem,3vw,2.5rem)] pb-[clamp(2.5rem,5vw,4rem)]">'
        '<p class="mb-2 type-mark text-muted">The Muster blog</p>'
        '<h1 class="type-h1 text-[clamp(2rem,1.5rem+2.2vw,3rem)]">'
        f'{TITLE}</h1><p class="mt-2 max-w-[52ch] text-lead text-muted">{escape(lead)}</p>'
        f'<ul class="mt-4 grid gap-x-8 lg:grid-cols-2">{items}</ul></div>'
        f'<script type="application/json" id="served-list">{_list_rows(listing)}</script>'
    )


def render_missing() -> str:
    """What is read where there is no article."""
    return (
        '<div class="page pt-[clamp(1.5rem,3vw,2.5rem)] pb-[clamp(2.5rem,5vw,4rem)]">'
        '<h1 class="type-h1 text-[clamp(2rem,1.5rem+2.2vw,3rem)]">Blog post not found</h1>'
        '<p class="mt-2 max-w-[52ch] text-lead text-muted">This article doesn’t exist or isn’t public anymore.</p>'
        '<p class="mt-6"><a class="text-ember-text underline" href="/blog">See all articles</a></p></div>'
    )


def reading_minutes(content: str) -> int:
    """§9.23: 200 words a minute, rounded up, at least 1."""
    return max(1, ceil(len(content.split()) / WORDS_PER_MINUTE))


def as_data(value: object) -> str:
    """JSON of which no character can end the element that it stands in."""
    text = json.dumps(value, ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _rows(article: Article) -> str:
    """The rows of the article and its author, as the REST service answers them."""
    return as_data({"post": _post(article), "author": _author(article)})


def _list_rows(listing: Listing) -> str:
    """The rows of the first page and their authors; without texts that are too long to come along (null)."""
    posts, left = [], MAX_LISTED_CHARACTERS
    for article in listing.articles[:ROWS]:
        left -= len(article.content)
        text = {} if left >= 0 else {"content": None, "summary": article.teaser}
        posts.append({**_post(article), **text, "reading_minutes": reading_minutes(article.content)})
    authors = {one.writer.id: _author(one) for one in listing.articles[:ROWS] if one.writer}
    return as_data(
        {"posts": posts, "authors": [*authors.values()], "total": listing.total, "topics": [*listing.topics]}
    )


def _post(article: Article) -> dict[str, object]:
    return {
        "id": article.id,
        "user_id": article.writer.id if article.writer else None,
        "title": article.title,
        "summary": article.summary,
        "content": article.content,
        "category": article.category,
        "featured_image": article.featured_image,
        "slug": article.slug,
        "tags": list(article.tags),
        "created_at": article.created_at.isoformat(),
    }


def _author(article: Article) -> dict[str, object] | None:
    writer = article.writer
    if writer is None:
        return None
    return {
        "id": writer.id,
        "full_name": article.author,
        "avatar_url": writer.avatar_url,
        "position": writer.position,
        "department": writer.department,
    }


def _byline(article: Article) -> str:
    author = f"<b>{escape(clean(article.author))}</b>, " if article.author else ""
    return (
        f'<p class="text-small text-muted">{author}<time datetime="{article.created_at.isoformat(timespec="seconds")}">'
        f"{_date(article.created_at)}</time>, {reading_minutes(article.content)} min read</p>"
    )


def _date(at: datetime) -> str:
    """§9.25: as in "Jan 5, 2025"."""
    return f"{at:%b} {at.day}, {at.year}"
