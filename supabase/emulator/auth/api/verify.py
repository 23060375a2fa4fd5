"""GET and POST /verify: a one-time token comes back, by the link of a mail or as a typed code."""

from dataclasses import dataclass

from starlette.responses import Response

from emulator.auth import errors
from emulator.auth.accounts.token_lookup import find_by_code, find_by_hash
from emulator.auth.accounts.token_use import use_token
from emulator.auth.api.responses import error_url, grant_headers, grant_response, json_response, redirect
from emulator.auth.context import RequestContext
from emulator.auth.crypto.otp import PKCE_PREFIX
from emulator.auth.models import flow_states
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User
from emulator.auth.tokens.sessions import issue_session
from emulator.auth.utilities.redirects import with_escaped_fragment, with_fragment, with_query
from emulator.errors import ApiError

ONE_ADDRESS_CONFIRMED = "Confirmation link accepted. Please proceed to confirm link sent to the other email"
_FLOW_METHODS = {"signup": "email/signup"}


@dataclass(frozen=True)
class VerifyParams:
    """The body of POST."""

    type: str = ""
    token: str = ""
    token_hash: str = ""
    email: str = ""
    phone: str = ""
    redirect_to: str = ""


async def verify_get(ctx: RequestContext) -> Response:
    """The link of a mail: always a redirect, unless the link is malformed."""
    ctx.check_rate_limit(ctx.rate_limits.verify)
    kind, token_hash = ctx.query("type"), ctx.query("token") or ctx.query("token_hash")
    if not kind:
        raise errors.validation_failed("Verify requires a verification type")
    if not token_hash:
        raise errors.validation_failed("Verify requires a token or a token hash")
    target, is_pkce = ctx.redirect_to(), token_hash.startswith(PKCE_PREFIX)
    try:
        return await _follow_link(ctx, kind, token_hash, target, is_pkce)
    except ApiError as error:
        return redirect(error_url(target, error, in_query=is_pkce))


async def _follow_link(ctx: RequestContext, kind: str, token_hash: str, target: str, is_pkce: bool) -> Response:
    async with ctx.transaction() as db:
        token = await find_by_hash(ctx, db, kind, token_hash, for_link=True)
        user = await use_token(ctx, db, kind, token)
        if user is None:
            message = {"message": ONE_ADDRESS_CONFIRMED}
            return redirect(with_escaped_fragment(with_query(target, message if is_pkce else {}), message))
        if is_pkce:
            return redirect(with_query(target, {"code": await _issue_code(ctx, db, user, kind)}))
        grant = await issue_session(ctx, db, user, "otp")
    items = {
        "access_token": grant.access_token, "expires_at": str(grant.expires_at), "expires_in": str(grant.expires_in),
        "refresh_token": grant.refresh_token, "token_type": "bearer", "type": kind,
    }  # fmt: skip
    return redirect(with_fragment(target, items), headers=grant_headers(grant))


async def _issue_code(ctx: RequestContext, db: Db, user: User, kind: str) -> str:
    flow = await flow_states.latest_flow(db, user.id, _FLOW_METHODS.get(kind, kind))
    if flow is None or not flow.auth_code:
        raise errors.flow_state_not_found(
            "No associated flow state found. The flow state may have been already used or expired."
        )
    await flow_states.update_flow(db, flow, ctx.now, auth_code_issued_at=ctx.now)
    return flow.auth_code


async def verify_post(ctx: RequestContext) -> Response:
    """A typed code, or the hash from a page of the application."""
    ctx.check_rate_limit(ctx.rate_limits.verify)
    params = ctx.params(VerifyParams)
    _validate(params)
    async with ctx.transaction() as db:
        if params.token_hash:
            token = await find_by_hash(ctx, db, params.type, params.token_hash, for_link=False)
        else:
            token = await find_by_code(ctx, db, params.type, params.token, email=params.email, phone=params.phone)
        user = await use_token(ctx, db, params.type, token)
        if user is None:
            return json_response({"msg": ONE_ADDRESS_CONFIRMED, "code": "200"})
        grant = await issue_session(ctx, db, user, "otp")
    return grant_response(grant)


def _validate(params: VerifyParams) -> None:
    if not params.type:
        raise errors.validation_failed("Verify requires a verification type")
    if bool(params.token) == bool(params.token_hash):
        raise errors.validation_failed("Verify requires either a token or a token hash")
    if params.token_hash:
        if params.email or params.phone or params.redirect_to:
            raise errors.validation_failed("Only the token_hash and type should be provided")
        return
    if bool(params.email) == bool(params.phone):
        raise errors.validation_failed("Only an email address or phone number should be provided on verify")
