"""GET /admin/audit: the audit log, newest first."""

from starlette.responses import Response

from emulator.auth import errors
from emulator.auth.api.admin.pagination import page_headers, parse_page
from emulator.auth.api.auth import require_admin
from emulator.auth.api.responses import json_response
from emulator.auth.context import RequestContext
from emulator.auth.models import audit_log_entries
from emulator.auth.models.payloads import audit_payload


async def list_audit(ctx: RequestContext) -> Response:
    """A page of the log; `query` is author:x, action:x or type:x."""
    await require_admin(ctx)
    page, query = parse_page(ctx), ctx.query("query")
    name, _, text = query.partition(":")
    if query and (name not in ("author", "action", "type") or not text):
        raise errors.validation_failed(f"Invalid query scope: {name}")
    async with ctx.transaction() as db:
        entries, total = await audit_log_entries.list_audit(db, name, text, page.size, page.offset)
    return json_response([audit_payload(entry) for entry in entries], headers=page_headers(ctx, page, total))
