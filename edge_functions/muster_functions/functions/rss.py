"""The blog's feed, served as /feed.xml by the gateway. Open to everybody."""

import asyncio

from fastapi import APIRouter, Request, Response

from muster_functions.blog.articles import newest_articles
from muster_functions.blog.feeds import render_rss
from muster_functions.blog.respond import respond_text
from muster_functions.runtime.dependencies import Database
from muster_functions.runtime.function import Rules
from muster_functions.shared import Shared

rules = Rules(verify_jwt=False)
router = APIRouter(include_in_schema=False)
ITEMS = 30


@router.api_route("", methods=["GET", "HEAD", "POST"])
async def rss(request: Request, services: Shared, database: Database) -> Response:
    """Answer the newest articles as RSS 2.0."""
    articles = await newest_articles(database, ITEMS)
    body = await asyncio.to_thread(render_rss, services.settings.site_url, articles)
    return respond_text(request, body, "application/rss+xml", {"cache-control": "public, max-age=300"})
