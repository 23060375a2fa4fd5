"""The application's page for /blog/<slug>, with the article's head; served there by the gateway. Open to everybody."""

import asyncio
import hashlib
import logging

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from emulator.errors import ApiError
from muster_functions.blog.article_page import write_page
from muster_functions.blog.articles import published_article
from muster_functions.runtime import errors
from muster_functions.services import Services

VERIFY_JWT = False
TIMEOUT_S = 15.0
MAX_BODY_BYTES = 1024
PREFIX = "/article"
PATIENCE_S = 1.0  # then the page comes without its head, as it does while there is no database

log = logging.getLogger("muster.functions")


async def handle(request: Request) -> Response:
    """The page; with status 404 where there is no such article, and without a head while there is no database."""
    if request.method not in ("GET", "HEAD"):
        raise errors.method_not_allowed("GET, HEAD")
    services = request.app.state.services
    shell = await services.shell()
    if shell is None:
        return PlainTextResponse("Not found\n", 404, {"x-content-type-options": "nosniff"})
    path = request.scope["path"].removeprefix(PREFIX)
    status, body = await _written(services, shell.document, path)
    etag = f'W/"{hashlib.sha256(body).hexdigest()[:20]}"'
    headers = {**shell.headers, "etag": etag}
    if status == 200 and request.headers.get("if-none-match") == etag:
        return Response(status_code=304, headers=headers)
    return Response(body, status, headers, media_type="text/html")


async def _written(services: Services, document: bytes, path: str) -> tuple[int, bytes]:
    name = path.removeprefix("/blog/")
    if not name:
        return 200, document
    try:
        async with asyncio.timeout(PATIENCE_S):
            article = await published_article(services, name)
    except (ApiError, TimeoutError) as error:
        log.warning("an article's page without its head: %s", error or "the database takes too long")
        return 200, document
    if article is None:
        return 404, document
    return 200, write_page(document, article, services.settings.site_url, path)
