"""The application's page for /blog/<slug>, with the article's head; served there by the gateway. Open to everybody."""

import asyncio
import logging
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse

from emulator.errors import ApiError
from muster_functions.blog.article_page import write_list, write_missing, write_page
from muster_functions.blog.articles import list_articles, published_article
from muster_functions.blog.respond import no_document, respond_page
from muster_functions.runtime.dependencies import Database
from muster_functions.runtime.function import Rules
from muster_functions.shared import Shared

rules = Rules(verify_jwt=False, timeout_s=15.0, max_body_bytes=1024)
router = APIRouter(include_in_schema=False)
LISTED = 30
DATABASE_TIMEOUT_S = 1.0  # then the page comes without its head, as it does while there is no database

log = logging.getLogger(__name__)


@router.api_route("/blog", methods=["GET", "HEAD"])
async def articles(request: Request, services: Shared, database: Database) -> Response:
    """The list of the articles; as it was built while there is no database."""
    return await _answer(request, services, database, "")


@router.api_route("/blog/{name:path}", methods=["GET", "HEAD"])
async def article(name: str, request: Request, services: Shared, database: Database) -> Response:
    """The page; with status 404 where there is no such article, and without a head while there is no database."""
    if not name or name.endswith("/"):  # one address per article, and none with a slash at its end
        return RedirectResponse(f"/blog/{quote(name.strip('/'))}".rstrip("/"), 308)
    return await _answer(request, services, database, name)


async def _answer(request: Request, services: Shared, database: Database, name: str) -> Response:
    shell = await services.shell("/article.html" if name else "/blog.html") or await services.shell("/app.html")
    if shell is None:
        return no_document()
    status, body = await _write(database, services.settings.site_url, shell.document, name)
    if isinstance(body, str):
        return RedirectResponse(f"/blog/{quote(body)}", status)
    return respond_page(request, shell, body, status)


async def _write(database: Database, site_url: str, document: bytes, name: str) -> tuple[int, bytes | str]:
    """Status and page; or the slug to redirect to, for an article that was named by its id or in capitals."""
    try:
        async with asyncio.timeout(DATABASE_TIMEOUT_S):
            if not name:
                listed = await list_articles(database, LISTED)
                return 200, await asyncio.to_thread(write_list, document, listed, site_url)
            found = await published_article(database, name.lower())
    except (ApiError, TimeoutError) as error:
        log.warning("an article's page without its head: %s", error or "the database takes too long")
        return 200, document
    if found is None:
        return 404, write_missing(document)
    if found.slug != name:
        return 308, found.slug
    return 200, await asyncio.to_thread(write_page, document, found, site_url, f"/blog/{name}")
