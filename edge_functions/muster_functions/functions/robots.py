"""What crawlers may visit, served as /robots.txt by the gateway. Open to everybody."""

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

VERIFY_JWT = False
# Here a visitor finds nothing. /rest/ is not among them: crawlers that run scripts draw articles from it.
CLOSED = ("/admin", "/mail")


async def handle(request: Request) -> Response:
    """Answer the rules, and where the map is."""
    site_url = request.app.state.services.settings.site_url
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in CLOSED), f"Sitemap: {site_url}/sitemap.xml", ""]
    return PlainTextResponse("\n".join(lines), headers={"cache-control": "public, max-age=300"})
