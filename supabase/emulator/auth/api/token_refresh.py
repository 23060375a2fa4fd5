"""POST /token?grant_type=refresh_token."""

from dataclasses import dataclass

from starlette.responses import Response

from emulator.auth.api.responses import grant_headers, grant_response
from emulator.auth.context import RequestContext
from emulator.auth.tokens.refresh import refresh_session


@dataclass(frozen=True)
class RefreshTokenGrantParams:
    """The body."""

    refresh_token: str = ""


async def refresh_token_grant(ctx: RequestContext) -> Response:
    """New tokens for the session."""
    refreshed = await refresh_session(ctx, ctx.params(RefreshTokenGrantParams).refresh_token)
    headers = grant_headers(refreshed.grant)
    if refreshed.reuse_cause != "fail-to-save":
        headers["sb-auth-refresh-token-reuse"] = "false"
    return grant_response(refreshed.grant, headers=headers)
