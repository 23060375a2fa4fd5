"""POST /token: a session in exchange for a password, a refresh token, a PKCE code or a provider's id_token."""

from collections.abc import Awaitable, Callable, Mapping

from starlette.responses import Response

from emulator.auth import errors
from emulator.auth.api.token_oidc import id_token_grant
from emulator.auth.api.token_password import password_grant
from emulator.auth.api.token_pkce import pkce_grant
from emulator.auth.api.token_refresh import refresh_token_grant
from emulator.auth.api.token_web3 import web3_grant
from emulator.auth.context import RequestContext
from emulator.auth.security.captcha import verify_captcha

GRANTS: Mapping[str, Callable[[RequestContext], Awaitable[Response]]] = {
    "password": password_grant,
    "refresh_token": refresh_token_grant,
    "pkce": pkce_grant,
    "id_token": id_token_grant,
    "web3": web3_grant,
}


async def token(ctx: RequestContext) -> Response:
    """Dispatch by grant_type."""
    grant_type = ctx.query("grant_type")
    if grant_type in ("password", "web3"):
        await verify_captcha(ctx)
    ctx.check_rate_limit(ctx.rate_limits.web3 if grant_type == "web3" else ctx.rate_limits.token)
    if grant_type not in GRANTS:
        raise errors.invalid_credentials("unsupported_grant_type")
    return await GRANTS[grant_type](ctx)
