"""What crawlers may visit, served as /robots.txt by the gateway. Open to everybody."""

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse

from muster_functions.runtime.function import Rules
from muster_functions.shared import Shared

rules = Rules(verify_jwt=False)
router = APIRouter(include_in_schema=False)
# Not for visitors. /rest/ is not among them: crawlers that run JavaScript load articles from it.
CLOSED = ("/admin", "/mail")


@router.api_route("", methods=["GET", "HEAD", "POST"])
async def robots(services: Shared) -> PlainTextResponse:
    """Answer the rules, and where the sitemap is."""
    site_url = services.settings.site_url
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in CLOSED), f"Sitemap: {site_url}/sitemap.xml", ""]
    return PlainTextResponse("\n".join(lines), headers={"cache-control": "public, max-age=300"})
