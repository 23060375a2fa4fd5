"""The map of the public pages, served as /sitemap.xml by the gateway. Open to everybody."""

from starlette.requests import Request
from starlette.responses import Response

from muster_functions.blog.articles import newest_articles
from muster_functions.blog.feeds import render_sitemap

VERIFY_JWT = False
LIMIT = 10_000  # the protocol allows 50,000 addresses a file


async def handle(request: Request) -> Response:
    """Answer every public page and article."""
    services = request.app.state.services
    articles = await newest_articles(services, LIMIT)
    body = render_sitemap(services.settings.site_url, articles)
    return Response(body, media_type="application/xml", headers={"cache-control": "public, max-age=300"})
