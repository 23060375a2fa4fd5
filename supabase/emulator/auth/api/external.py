"""GET /authorize and /callback: signing in at an external provider."""

import base64
import hashlib
import secrets
from uuid import UUID, uuid4

from starlette.responses import Response

from emulator.auth import errors
from emulator.auth.accounts.pkce import Pkce
from emulator.auth.api.linking import ExternalIdentity, account_for_external_identity, link_identity
from emulator.auth.api.provider.loading import load_provider
from emulator.auth.api.provider.oauth import authorization_url, exchange_code
from emulator.auth.api.provider.provider import Provider, ProviderTokens
from emulator.auth.api.responses import OAUTH_ERRORS, error_response, grant_headers, redirect
from emulator.auth.context import RequestContext
from emulator.auth.models import flow_states, oauth_client_states, users
from emulator.auth.models.flow_states import FlowState
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User
from emulator.auth.tokens.grant import Grant
from emulator.auth.tokens.sessions import issue_session
from emulator.auth.utilities.redirects import with_escaped_fragment, with_fragment, with_query
from emulator.errors import ApiError

ACCESS_DENIED = ("signup_disabled", "user_banned", "provider_email_needs_verification")


async def authorize(ctx: RequestContext) -> Response:
    """Send the browser to the provider."""
    invite_token = ctx.query("invite_token")
    provider = await load_provider(ctx, ctx.query("provider"))
    if invite_token:
        async with ctx.service.pool.connection() as db:
            if await users.user_by_token(db, invite_token, ["confirmation_token"], ctx.aud) is None:
                raise errors.user_not_found("User identified by token not found")
    return redirect(await start_external_flow(ctx, provider, invite_token=invite_token), 302)


async def start_external_flow(
    ctx: RequestContext, provider: Provider, *, linking_target: User | None = None, invite_token: str = ""
) -> str:
    """Store the flow, whose id is the `state`; returns the URL of the provider."""
    pkce = Pkce.parse(ctx.query("code_challenge"), ctx.query("code_challenge_method"))
    verifier = secrets.token_urlsafe(48) if provider.pkce else ""
    async with ctx.transaction() as db:
        state_id = (
            await oauth_client_states.insert_client_state(db, provider.name, verifier, ctx.now) if verifier else None
        )
        flow_id = await flow_states.insert_flow(
            db,
            {
                "provider_type": provider.name, "authentication_method": "oauth", "referrer": ctx.redirect_to(),
                "auth_code": str(uuid4()) if pkce.challenge else None,
                "code_challenge": pkce.challenge or None, "code_challenge_method": pkce.method or None,
                "oauth_client_state_id": state_id, "linking_target_id": linking_target.id if linking_target else None,
                "invite_token": invite_token or None,
            },
            ctx.now,
        )  # fmt: skip
    digest = hashlib.sha256(verifier.encode()).digest()
    challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode() if verifier else ""
    return authorization_url(provider, ctx, str(flow_id), challenge)


async def callback(ctx: RequestContext) -> Response:
    """Where the provider sends the browser back to: always a redirect."""
    try:
        flow, verifier = await _take_flow(ctx)
    except ApiError as error:
        response = redirect(with_query(ctx.settings.site_url, error_items(error)), 303, method=ctx.request.method)
        if ctx.request.method == "POST":  # GoTrue's response has the error as JSON, too, under Go's guess of its type
            response.body = bytes(error_response(error, "").body)
            response.headers["content-type"] = "text/plain; charset=utf-8"
            response.headers["content-length"] = str(len(response.body))
        return response
    target = flow.referrer or ctx.settings.site_url
    try:
        return await _sign_in(ctx, flow, verifier, target)
    except ApiError as error:
        return redirect(_error_url(target, error_items(error)), 302, method=ctx.request.method)


def error_items(error: ApiError) -> dict[str, str]:
    """An error as the page that a person comes back to reads it."""
    name = "access_denied" if error.code in ACCESS_DENIED else OAUTH_ERRORS.get(error.status, "server_error")
    items = {"error": name, "error_code": error.code, "error_description": error.message}
    return {name: value for name, value in items.items() if value}


def _error_url(target: str, items: dict[str, str]) -> str:
    """In query and fragment, because a page may read either."""
    return with_escaped_fragment(with_query(target, items), items)


async def _take_flow(ctx: RequestContext) -> tuple[FlowState, str]:
    """The flow of the `state`, for one use: an implicit one is deleted here, a PKCE one gets its user later."""
    state = ctx.query("state")
    if not state:
        raise errors.bad_oauth_callback("OAuth state parameter missing")
    try:
        flow_id = UUID(state)
    except ValueError:
        raise errors.bad_oauth_state("OAuth state parameter is invalid") from None
    async with ctx.transaction() as db:
        flow = await flow_states.lock_flow(db, flow_id)
        if flow is None or flow.authentication_method != "oauth":
            raise errors.bad_oauth_state("OAuth state not found or expired")
        if (ctx.now - flow.created_at).total_seconds() >= ctx.settings.flow_state_expiry_s:
            raise errors.bad_oauth_state("OAuth state has expired")
        if flow.user_id is not None:
            raise errors.flow_state_already_used()
        if not ctx.query("error") and not ctx.query("code"):
            return flow, ""  # nothing was answered yet: the flow goes on
        verifier = (
            await oauth_client_states.take_client_state(db, flow.oauth_client_state_id)
            if flow.oauth_client_state_id
            else ""
        )
        if verifier is None:
            raise errors.flow_state_already_used()
        if ctx.query("error") or not flow.code_challenge:
            await flow_states.delete_flow(db, flow.id)
    return flow, verifier


async def _sign_in(ctx: RequestContext, flow: FlowState, verifier: str, target: str) -> Response:
    denied = ctx.query("error")
    if denied:
        items = {"error": denied, "error_description": ctx.query("error_description")}
        items = {name: value for name, value in items.items() if value}
        return redirect(_error_url(target, items), 302, method=ctx.request.method)
    code = ctx.query("code")
    if not code:
        raise errors.bad_oauth_callback("OAuth callback with missing authorization code missing")
    provider = await load_provider(ctx, flow.provider_type)
    data, tokens = await exchange_code(provider, ctx, code, verifier)
    external = ExternalIdentity(provider.name, data, provider.settings.email_optional)
    grant: Grant | None = None
    async with ctx.transaction() as db:
        user = await _find_account(ctx, db, flow, external)
        if isinstance(user, User):
            if flow.code_challenge:
                await _finish_pkce_flow(ctx, db, flow, user, tokens)
            else:
                grant = await issue_session(ctx, db, user, "oauth")
    if isinstance(user, ApiError):
        raise user
    if grant is None:
        return redirect(with_query(target, {"code": flow.auth_code or ""}), 302, method=ctx.request.method)
    location = with_fragment(target, _grant_items(grant, tokens))
    return redirect(location, 302, grant_headers(grant), ctx.request.method)


async def _find_account(ctx: RequestContext, db: Db, flow: FlowState, external: ExternalIdentity) -> User | ApiError:
    if flow.linking_target_id is None:
        return await account_for_external_identity(ctx, db, external)
    user = await users.lock_user(db, flow.linking_target_id)
    if user is None:
        raise errors.user_not_found("Linking target user not found")
    return await link_identity(ctx, db, user, external)


async def _finish_pkce_flow(ctx: RequestContext, db: Db, flow: FlowState, user: User, tokens: ProviderTokens) -> None:
    """Make the PKCE code valid; whoever exchanges it gets the provider's tokens, too."""
    locked = await flow_states.lock_flow(db, flow.id)
    if locked is None or locked.user_id is not None:
        raise errors.flow_state_already_used()
    await flow_states.update_flow(
        db, flow, ctx.now, user_id=user.id, auth_code_issued_at=ctx.now,
        provider_access_token=tokens.access_token, provider_refresh_token=tokens.refresh_token,
    )  # fmt: skip


def _grant_items(grant: Grant, tokens: ProviderTokens) -> dict[str, str]:
    items = {
        "access_token": grant.access_token, "expires_at": str(grant.expires_at), "expires_in": str(grant.expires_in),
        "refresh_token": grant.refresh_token, "token_type": "bearer", "provider_token": tokens.access_token,
    }  # fmt: skip
    return items | ({"provider_refresh_token": tokens.refresh_token} if tokens.refresh_token else {})
