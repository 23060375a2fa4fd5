"""The published articles, read for feeds. Drafts and members' posts are never among them."""

from edge_functions.feeds import Article
from edge_functions.services import Services

NEWEST = """
select p.slug, p.title, p.summary, p.content, p.category, a.full_name, p.created_at, p.updated_at
from public.posts p left join public.profiles a on a.id = p.user_id
where p.is_blog_post and p.is_public_blog and not p.is_command_post and p.slug is not null
order by p.created_at desc limit %s
"""


async def newest_articles(services: Services, limit: int) -> list[Article]:
    """Up to `limit` articles, newest first. Raises the refusal for a database that is away."""
    async with services.transaction() as connection:
        rows = await (await connection.execute(NEWEST, (limit,))).fetchall()
    return [Article(slug, title or slug, *rest) for slug, title, *rest in rows]
