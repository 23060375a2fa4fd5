"""The site's own public pages with their heads (title, canonical address, share picture). Open to everybody."""

from fastapi import APIRouter, Request, Response

from muster_functions.blog.page_heads import PAGES, write_head
from muster_functions.blog.respond import no_document, respond_page
from muster_functions.runtime.function import Rules
from muster_functions.shared import Shared

rules = Rules(verify_jwt=False, max_body_bytes=1024)
router = APIRouter(include_in_schema=False)


@router.api_route("/{name:path}", methods=["GET", "HEAD"])
async def page(name: str, request: Request, services: Shared) -> Response:
    """A page of PAGES, each of which is a document of its own."""
    path = f"/{name}"
    if path not in PAGES or path == "/blog":
        return no_document()
    shell = await services.shell("/" if path == "/" else f"{path}.html") or await services.shell("/app.html")
    if shell is None:
        return no_document()
    return respond_page(request, shell, write_head(shell.document, path, services.settings.site_url))
