"""POST /token?grant_type=refresh_token."""

from dataclasses import dataclass

from starlette.responses import Response

from emulator.auth.api.responses import grant_response
from emulator.auth.context import RequestContext
from emulator.auth.tokens.refresh import refresh_session


@dataclass(frozen=True)
class RefreshTokenGrantParams:
    """The body."""

    refresh_token: str = ""


async def refresh_token_grant(ctx: RequestContext) -> Response:
    """New tokens for the session; headers say whether the refresh token had been used before."""
    refreshed = await refresh_session(ctx, ctx.params(RefreshTokenGrantParams).refresh_token)
    if refreshed.reuse_cause:
        headers = {
            "sb-auth-refresh-token-reuse": "true", "sb-auth-refresh-token-reuse-cause": refreshed.reuse_cause,
        }  # fmt: skip
    else:
        headers = {"sb-auth-refresh-token-reuse": "false", "sb-auth-refresh-token-rotated": "true"}
    return grant_response(refreshed.grant, headers=headers)
