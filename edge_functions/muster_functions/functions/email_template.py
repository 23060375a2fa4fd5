"""The templates of auth's mails, as GoTrue fetches them (GOTRUE_MAILER_TEMPLATES_*). Open to everybody."""

from fastapi import APIRouter, HTTPException
from fastapi.responses import HTMLResponse

from muster_functions.emails.auth import AUTH_MAILS, render_template
from muster_functions.runtime.function import Rules

rules = Rules(verify_jwt=False, max_body_bytes=1024)
router = APIRouter(include_in_schema=False)


@router.api_route("/{kind}", methods=["GET", "HEAD"])
async def email_template(kind: str) -> HTMLResponse:
    """Answer the template of one kind of mail."""
    if kind not in AUTH_MAILS:
        raise HTTPException(404, "There is no mail of this kind")
    return HTMLResponse(render_template(kind), headers={"cache-control": "public, max-age=300"})
