"""GET /oauth/authorize: a client sends a user here, who is sent on to the application's consent page."""

import secrets
import string
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import urlsplit
from uuid import UUID, uuid4

from psycopg.errors import DataError, IntegrityError
from starlette.responses import Response

from emulator.auth import errors
from emulator.auth.accounts.oauth_scopes import SCOPES
from emulator.auth.api.oauth.clients import require_oauth_server
from emulator.auth.api.responses import redirect
from emulator.auth.context import RequestContext
from emulator.auth.models import oauth_authorizations, oauth_clients
from emulator.auth.models.oauth_clients import OAuthClient
from emulator.auth.utilities.redirects import with_query

_ID_LENGTH = 32
_ALPHANUMERIC = string.ascii_letters + string.digits


@dataclass(frozen=True)
class AuthorizeParams:
    """The query of a request whose client and redirect URI are known to belong together."""

    redirect_uri: str
    response_type: str
    scope: str
    state: str
    resource: str
    code_challenge: str
    code_challenge_method: str
    nonce: str


async def authorize(ctx: RequestContext) -> Response:
    """Keep the request and redirect to the consent page.

    Only a redirect URI of the client is redirected to: before that is known, errors are JSON.
    """
    require_oauth_server(ctx)
    client = await _client(ctx)
    params = AuthorizeParams(
        ctx.query("redirect_uri"), ctx.query("response_type") or "code",
        ctx.query("scope") or ctx.settings.oauth_server_default_scope,
        *(ctx.query(name) for name in ("state", "resource", "code_challenge", "code_challenge_method", "nonce")),
    )  # fmt: skip
    problem = problem_of(params)
    if problem:
        return _refused(params, "invalid_request", problem)
    authorization_id = "".join(secrets.choice(_ALPHANUMERIC) for _ in range(_ID_LENGTH))
    try:
        await _keep(ctx, client, params, authorization_id)
    except (DataError, IntegrityError):  # longer than the columns take
        return _refused(params, "server_error", "error creating authorization")
    path = ctx.settings.oauth_server_path
    if not path:
        return _refused(params, "server_error", "oauth authorization path not configured")
    page = f"{ctx.settings.site_url.rstrip('/')}/{path.removeprefix('/')}"
    return redirect(f"{page}?authorization_id={authorization_id}", 302)


async def _client(ctx: RequestContext) -> OAuthClient:
    for name in ("client_id", "redirect_uri"):
        if not ctx.query(name):
            raise errors.validation_failed(f"{name} is required")
    try:
        client_id = UUID(ctx.query("client_id"))
    except ValueError:
        raise errors.oauth_client_not_found("invalid client_id format", 400) from None
    async with ctx.service.pool.connection() as db:
        client = await oauth_clients.client_by_id(db, client_id)
    if client is None:
        raise errors.oauth_client_not_found("invalid client_id", 400)
    if ctx.query("redirect_uri") not in client.redirect_uris.split(","):
        raise errors.validation_failed("invalid redirect_uri")
    return client


async def _keep(ctx: RequestContext, client: OAuthClient, params: AuthorizeParams, authorization_id: str) -> None:
    values = {
        "id": uuid4(), "authorization_id": authorization_id, "client_id": client.id,
        "redirect_uri": params.redirect_uri, "scope": params.scope, "state": params.state or None,
        "resource": params.resource or None, "code_challenge": params.code_challenge,
        "code_challenge_method": params.code_challenge_method.lower(), "nonce": params.nonce or None,
        "created_at": ctx.now, "expires_at": ctx.now + timedelta(seconds=ctx.settings.oauth_server_ttl_s),
    }  # fmt: skip
    async with ctx.transaction() as db:
        await oauth_authorizations.insert_authorization(db, values, ctx.now)


def problem_of(params: AuthorizeParams) -> str:
    """Why a request is refused, "" when it is not. OAuth 2.1 demands PKCE of every client."""
    scopes = params.scope.split()
    unknown = next((scope for scope in scopes if scope not in SCOPES), "")
    method = params.code_challenge_method.lower()
    if params.response_type != "code":
        return "only response_type=code is supported"
    if not scopes:
        return "scope parameter cannot be empty"
    if unknown:
        return f"unsupported scope: {unknown}"
    if params.resource and (problem := _problem_of_resource(params.resource)):
        return problem
    if not params.code_challenge or not method:
        return "PKCE flow requires both code_challenge and code_challenge_method"
    if method not in ("s256", "plain"):
        return "code_challenge_method must be 'S256' or 'plain'"
    if not 43 <= len(params.code_challenge) <= 128:
        return "code_challenge must be between 43 and 128 characters"
    return ""


def _problem_of_resource(resource: str) -> str:
    """RFC 8707."""
    try:
        parts = urlsplit(resource)
    except ValueError:
        return "resource must be a valid URI"
    if not parts.scheme:
        return "resource must be an absolute URI"
    if parts.fragment:
        return "resource must not include a fragment component"
    return "resource must not include a query component" if parts.query else ""


def _refused(params: AuthorizeParams, error: str, description: str) -> Response:
    return redirect(error_redirect(params.redirect_uri, error, description, params.state), 302)


def error_redirect(redirect_uri: str, error: str, description: str, state: str) -> str:
    """Where the client is told that it gets no code."""
    return with_query(
        redirect_uri, {"error": error, "error_description": description} | ({"state": state} if state else {})
    )
