"""The published articles, read for feeds and pages. Drafts and members' posts are never among them."""

import re
from dataclasses import replace

from muster_functions.blog.feeds import Article, Writer
from muster_functions.runtime.database import Database

NEWEST = """
select p.slug, p.title, p.summary, p.content, p.category, a.full_name, p.created_at, p.updated_at
from public.posts p left join public.profiles a on a.id = p.user_id
where p.is_blog_post and p.is_public_blog and not p.is_command_post and p.slug is not null
order by p.created_at desc limit %s
"""


async def newest_articles(database: Database, limit: int) -> list[Article]:
    """Up to `limit` articles, newest first. Raises the refusal for a database that is away."""
    async with database.transaction() as connection:
        rows = await (await connection.execute(NEWEST, (limit,))).fetchall()
    return [Article(slug, title or slug, *rest) for slug, title, *rest in rows]


# A slug as the table has them, or an id: what a link names (§7.55). Anything else is no article's.
NAMED = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)
ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII | re.IGNORECASE)
NAME_LENGTH = 120
ONE = """
select p.slug, p.title, p.summary, p.content, p.category, a.full_name, p.created_at, p.updated_at,
  p.id::text, p.tags, p.featured_image, a.id::text, a.avatar_url, a.position, a.department
from public.posts p left join public.profiles a on a.id = p.user_id
where p.is_blog_post and p.is_public_blog and not p.is_command_post and {column} = %s
"""


async def published_article(database: Database, name: str) -> Article | None:
    """The article of that slug or id, as a visitor may read it: PostgreSQL is asked as `anon`.

    Raises the refusal for a database that is away.
    """
    if len(name) > NAME_LENGTH or not (NAMED.fullmatch(name) or ID.fullmatch(name)):
        return None
    statement = ONE.format(column="p.id" if ID.fullmatch(name) else "p.slug")
    async with database.transaction() as connection, connection.pipeline():
        await connection.execute("set local role anon")
        row = await (await connection.execute(statement, (name,))).fetchone()
    if row is None:
        return None
    slug, title, *rest = row[:11]
    article = Article(slug, title or slug, *rest)
    return replace(article, writer=Writer(*row[11:])) if row[11] else article
