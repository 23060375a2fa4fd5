"""POST /oauth/token: a client takes its tokens, for a code or for a refresh token."""

import base64
import binascii
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.accounts.oauth_scopes import id_token_claims
from emulator.auth.accounts.pkce import challenge_matches
from emulator.auth.api.oauth.clients import is_secret_of, require_oauth_server
from emulator.auth.api.responses import grant_headers, json_response
from emulator.auth.context import RequestContext
from emulator.auth.errors import OAuthError
from emulator.auth.models import oauth_authorizations, oauth_clients, users
from emulator.auth.models.oauth_authorizations import OAuthAuthorization
from emulator.auth.models.oauth_clients import OAuthClient
from emulator.auth.models.sessions import OAuthAccess
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User
from emulator.auth.tokens.grant import Grant
from emulator.auth.tokens.refresh import refresh_session
from emulator.auth.tokens.sessions import issue_session
from emulator.auth.utilities.go_json import GoJsonError

METHOD = "oauth_provider/authorization_code"
ID_TOKEN_S = 3600


@dataclass(frozen=True)
class OAuthTokenParams:
    """The body, as JSON or as a form."""

    grant_type: str = ""
    code: str = ""
    refresh_token: str = ""
    redirect_uri: str = ""
    client_id: str = ""
    client_secret: str = ""
    code_verifier: str = ""
    resource: str = ""


async def token(ctx: RequestContext) -> Response:
    """Authenticate the client, then dispatch by grant_type."""
    require_oauth_server(ctx)
    params = _params(ctx)
    client = await _authenticated(ctx, params)
    if not params.grant_type:
        raise OAuthError(400, "invalid_request", "grant_type is required")
    if params.grant_type not in client.grant_types.split(","):
        text = f"Client is not allowed to use grant type: {params.grant_type}"
        raise OAuthError(400, "unsupported_grant_type", text)
    if params.grant_type == "authorization_code":
        return await _code_grant(ctx, client, params)
    if not params.refresh_token:
        raise OAuthError(400, "invalid_request", "refresh_token is required for refresh_token grant")
    return _tokens((await refresh_session(ctx, params.refresh_token, client.id)).grant)


def _params(ctx: RequestContext) -> OAuthTokenParams:
    if "application/json" not in ctx.header("content-type"):
        names = OAuthTokenParams.__dataclass_fields__
        return OAuthTokenParams(**{name: ctx.query(name) for name in names})
    if isinstance(ctx.json, GoJsonError):
        raise errors.invalid_credentials("Invalid client credentials: failed to parse JSON body")
    return ctx.params(OAuthTokenParams)


async def _authenticated(ctx: RequestContext, params: OAuthTokenParams) -> OAuthClient:
    """The client by the one method that it is registered for; raises invalid_credentials."""
    client_id, secret, method = _credentials(ctx, params)
    try:
        parsed = UUID(client_id)
    except ValueError:
        raise errors.invalid_credentials("Invalid client_id format") from None
    async with ctx.service.pool.connection() as db:
        client = await oauth_clients.client_by_id(db, parsed)
    if client is None:
        raise errors.invalid_credentials("Invalid client credentials")
    registered = client.token_endpoint_auth_method
    if method != registered:
        text = f"invalid authentication method: client is registered for '{registered}' but '{method}' was used"
        raise errors.invalid_credentials(text)
    if client.client_type != "public" and not is_secret_of(client, secret):
        raise errors.invalid_credentials("invalid client credentials")
    return client


def _credentials(ctx: RequestContext, params: OAuthTokenParams) -> tuple[str, str, str]:
    """Client id, secret, and how they were sent."""
    header = ctx.header("authorization")
    if header.startswith("Basic "):
        try:
            named, colon, secret = base64.b64decode(header[6:], validate=True).decode().partition(":")
        except (binascii.Error, UnicodeDecodeError):
            raise errors.invalid_credentials("Invalid client credentials: invalid basic auth encoding") from None
        if not colon:
            raise errors.invalid_credentials("Invalid client credentials: invalid basic auth format")
        return named, secret, "client_secret_basic"
    if not params.client_id:
        raise errors.invalid_credentials("Invalid client credentials: client_id is required")
    return params.client_id, params.client_secret, "client_secret_post" if params.client_secret else "none"


async def _code_grant(ctx: RequestContext, client: OAuthClient, params: OAuthTokenParams) -> Response:
    if not params.code:
        raise OAuthError(400, "invalid_request", "code is required for authorization_code grant")
    async with ctx.transaction() as db:
        found = await _approved(ctx, db, client, params)
        user = await users.user_by_id(db, found.user_id) if found.user_id else None
        if user is None:
            raise _invalid_grant("User not found for authorization code")
        if user.is_banned(ctx.now):
            raise OAuthError(400, "access_denied", "User is banned")
        with_id_token = "openid" in found.scope.split()
        if with_id_token and not ctx.service.keyring.is_asymmetric:  # its reader has no key to verify it by
            raise OAuthError(400, "server_error", "ID tokens need an asymmetric signing key (JWT_KEYS)")
        traits = {"provider_type": "oauth_provider_authorization_code", "client_id": str(client.id)}
        await audit.record(ctx, db, user, "login", **traits)
        grant = await issue_session(ctx, db, user, METHOD, OAuthAccess(client.id, found.scope))
        await oauth_authorizations.delete_authorization(db, found)
    return _tokens(grant, _id_token(ctx, client, found, grant.user) if with_id_token else "")


async def _approved(
    ctx: RequestContext, db: Db, client: OAuthClient, params: OAuthTokenParams
) -> OAuthAuthorization:  # fmt: skip
    """The approved request of a code, locked. Raises invalid_grant."""
    found = await oauth_authorizations.lock_approved(db, params.code)
    if found is None:
        raise _invalid_grant("Invalid authorization code")
    if ctx.now > found.expires_at:
        raise _invalid_grant("Authorization code has expired")
    if found.client_id != client.id:
        raise _invalid_grant("Authorization code was not issued for this client")
    if params.resource and params.resource != (found.resource or ""):
        raise _invalid_grant("Authorization code resource does not match the resource parameter")
    if params.redirect_uri and params.redirect_uri != found.redirect_uri:
        raise _invalid_grant("Invalid redirect_uri")
    if not params.code_verifier:
        raise _invalid_grant(
            "PKCE verification failed: code_verifier is required when PKCE challenge is present"
        )  # fmt: skip
    if not challenge_matches(params.code_verifier, found.code_challenge or "", found.code_challenge_method or ""):
        raise _invalid_grant(
            "PKCE verification failed: code challenge does not match previously saved code verifier"
        )  # fmt: skip
    return found


def _id_token(ctx: RequestContext, client: OAuthClient, found: OAuthAuthorization, user: User) -> str:
    issued = int(ctx.now.timestamp())
    claims: dict[str, Any] = {"iss": ctx.settings.jwt.issuer} if ctx.settings.jwt.issuer else {}
    claims |= {
        "sub": str(user.id), "aud": str(client.id), "client_id": str(client.id), "iat": issued,
        "exp": issued + ID_TOKEN_S, "auth_time": int((user.last_sign_in_at or ctx.now).timestamp()),
    }  # fmt: skip
    claims |= {"nonce": found.nonce} if found.nonce else {}
    return ctx.service.keyring.sign(claims | id_token_claims(user, found.scope.split()))


def _invalid_grant(description: str) -> OAuthError:
    return OAuthError(400, "invalid_grant", description)


def _tokens(grant: Grant, id_token: str = "") -> Response:
    payload: dict[str, Any] = {
        "access_token": grant.access_token,
        "token_type": "bearer",
        "expires_in": grant.expires_in,
        "refresh_token": grant.refresh_token,
    }
    return json_response(payload | ({"id_token": id_token} if id_token else {}), headers=grant_headers(grant))
