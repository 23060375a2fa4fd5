"""The blog's feed, served as /feed.xml by the gateway. Open to everybody."""

from fastapi import APIRouter, Response

from muster_functions.blog.articles import newest_articles
from muster_functions.blog.feeds import render_rss
from muster_functions.runtime.dependencies import Database
from muster_functions.runtime.function import Rules
from muster_functions.services import Shared

rules = Rules(verify_jwt=False)
router = APIRouter(include_in_schema=False)
ITEMS = 30


@router.api_route("", methods=["GET", "HEAD", "POST"])
async def rss(services: Shared, database: Database) -> Response:
    """Answer the newest articles as RSS 2.0."""
    body = render_rss(services.settings.site_url, await newest_articles(database, ITEMS))
    return Response(body, media_type="application/rss+xml", headers={"cache-control": "public, max-age=300"})
