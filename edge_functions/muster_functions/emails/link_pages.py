"""The pages behind the links in mails: no scripts, nothing that a cache keeps or a frame shows."""

from fastapi.responses import HTMLResponse

from muster_functions.emails import render

SECURITY = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-robots-tag": "noindex",
}

render.load()  # imported off the event loop


def respond(template: str, status: int = 200, *, site_url: str, **values: str) -> HTMLResponse:
    """A page with these values, and the link to the settings."""
    page = render.load().get_template(template)
    html = page.render(settings_link=site_url + render.SETTINGS_PATH, **values)
    return HTMLResponse(html, status, headers=SECURITY)
