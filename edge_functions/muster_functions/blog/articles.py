"""The published articles, read for feeds and pages. Drafts and members' posts are never among them."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from muster_functions.blog.feeds import Article, Listing, Writer
from muster_functions.runtime.database import Database

SELECTED = """
select p.slug, p.title, p.summary, p.content, p.category, a.full_name, p.created_at, p.updated_at,
  p.id::text, p.tags, p.featured_image, a.id::text, a.avatar_url, a.position, a.department
from public.posts p left join public.profiles a on a.id = p.user_id
where p.is_blog_post and p.is_public_blog and not p.is_command_post and p.slug is not null
"""
NEWEST = SELECTED + " order by p.created_at desc limit %s"
TOTAL = "select count(*) from public.posts p where p.is_blog_post and p.is_public_blog and not p.is_command_post"
TOPICS = "select category from public.article_topics()"


async def newest_articles(database: Database, limit: int) -> list[Article]:
    """Up to `limit` articles, newest first. Raises the refusal for a database that is away."""
    async with database.transaction() as connection:
        rows = await (await connection.execute(NEWEST, (limit,))).fetchall()
    return [_to_article(row) for row in rows]


async def list_articles(database: Database, limit: int) -> Listing:
    """Up to `limit` articles, newest first, and what the page of the list says of all; asked as `anon`.

    Raises the refusal for a database that is away.
    """
    async with database.transaction() as connection, connection.pipeline():
        await connection.execute("set local role anon")
        newest = await connection.execute(NEWEST, (limit,))
        counted = await connection.execute(TOTAL)
        topics = await connection.execute(TOPICS)
        articles = [_to_article(row) for row in await newest.fetchall()]
        row = await counted.fetchone()
        return Listing(articles, row[0] if row else 0, [topic for (topic,) in await topics.fetchall()])


# A slug as the table has them, or an id: what a link names (§7.55). Anything else is no article's.
NAMED = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)
ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII | re.IGNORECASE)
NAME_LENGTH = 120


async def published_article(database: Database, name: str) -> Article | None:
    """The article of that slug or id, as a visitor may read it: PostgreSQL is asked as `anon`.

    Raises the refusal for a database that is away.
    """
    if len(name) > NAME_LENGTH or not (NAMED.fullmatch(name) or ID.fullmatch(name)):
        return None
    statement = SELECTED + (" and p.id = %s" if ID.fullmatch(name) else " and p.slug = %s")
    async with database.transaction() as connection, connection.pipeline():
        await connection.execute("set local role anon")
        row = await (await connection.execute(statement, (name,))).fetchone()
    return _to_article(row) if row is not None else None


def _to_article(row: Sequence[Any]) -> Article:
    slug, title, *rest = row[:11]
    article = Article(slug, title or slug, *rest)
    return replace(article, writer=Writer(*row[11:])) if row[11] else article
