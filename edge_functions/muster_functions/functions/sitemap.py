"""The map of the public pages, served as /sitemap.xml by the gateway. Open to everybody."""

from fastapi import APIRouter, Request, Response

from muster_functions.blog.articles import newest_articles
from muster_functions.blog.feeds import render_sitemap
from muster_functions.blog.respond import respond_text
from muster_functions.runtime.dependencies import Database
from muster_functions.runtime.function import Rules
from muster_functions.shared import Shared

rules = Rules(verify_jwt=False)
router = APIRouter(include_in_schema=False)
LIMIT = 10_000  # the protocol allows 50,000 addresses a file


@router.api_route("", methods=["GET", "HEAD", "POST"])
async def sitemap(request: Request, services: Shared, database: Database) -> Response:
    """Answer every public page and article."""
    body = render_sitemap(services.settings.site_url, await newest_articles(database, LIMIT))
    return respond_text(request, body, "application/xml", {"cache-control": "public, max-age=300"})
