"""The blog's feed, served as /feed.xml by the gateway. Open to everybody."""

from starlette.requests import Request
from starlette.responses import Response

from muster_functions.blog.articles import newest_articles
from muster_functions.blog.feeds import render_rss

VERIFY_JWT = False
ITEMS = 30


async def handle(request: Request) -> Response:
    """Answer the newest articles as RSS 2.0."""
    services = request.app.state.services
    articles = await newest_articles(services, ITEMS)
    body = render_rss(services.settings.site_url, articles)
    return Response(body, media_type="application/rss+xml", headers={"cache-control": "public, max-age=300"})
