"""Clients of the OAuth server: what one may be registered with, and how it is shown."""

import base64
import hashlib
import hmac
import secrets
from dataclasses import dataclass, field
from typing import Any, Literal
from urllib.parse import urlsplit
from uuid import uuid4

from starlette.responses import Response

from emulator.auth import errors
from emulator.auth.api.responses import json_response
from emulator.auth.context import RequestContext
from emulator.auth.models import oauth_clients
from emulator.auth.models.oauth_clients import OAuthClient
from emulator.auth.models.payloads import Json, time_text
from emulator.auth.utilities.redirects import LOOPBACK_NAMES
from emulator.errors import ApiError

AUTH_METHODS = ("client_secret_basic", "client_secret_post", "none")
GRANT_TYPES = ("authorization_code", "refresh_token")
MAX_REDIRECT_URIS, MAX_NAME_LENGTH, MAX_URI_LENGTH = 10, 1024, 2048


@dataclass(frozen=True)
class OAuthServerClientParams:
    """The body of POST and PUT; absent fields keep their value or get the default."""

    client_type: str = ""
    client_name: str | None = None
    client_uri: str | None = None
    logo_uri: str | None = None
    redirect_uris: list[str] | None = None
    grant_types: list[str] = field(default_factory=list)
    token_endpoint_auth_method: str = ""


def require_oauth_server(ctx: RequestContext) -> None:
    """Raise feature_disabled unless OAUTH_SERVER_ENABLED."""
    if not ctx.settings.oauth_server_enabled:
        raise errors.feature_disabled("OAuth server")


async def register_itself(ctx: RequestContext) -> Response:
    """POST /oauth/clients/register: a client registers by itself (RFC 7591)."""
    require_oauth_server(ctx)
    ctx.check_rate_limit(ctx.rate_limits.oauth_registration)
    if not ctx.settings.oauth_server_registration:
        raise errors.dynamic_registration_disabled()
    return await register(ctx, ctx.params(OAuthServerClientParams, prefix="Invalid JSON body"), "dynamic")


async def register(
    ctx: RequestContext, params: OAuthServerClientParams, registration: Literal["dynamic", "manual"]
) -> Response:
    """Insert a client; the secret is in this response only."""
    try:
        check_params(params, is_new=True)
        if registration == "manual" and not params.client_name:
            raise errors.validation_failed("client_name is required")
    except ApiError as error:  # GoTrue has its own error's text as the message of another one
        raise errors.validation_failed(f"{error.status}: {error.message}") from error
    is_public = (params.client_type or _type_of(params.token_endpoint_auth_method)) == "public"
    method = params.token_endpoint_auth_method or ("none" if is_public else "client_secret_basic")
    secret, now = "" if is_public else new_secret(), ctx.now
    client = OAuthClient(
        uuid4(), None if is_public else hash_secret(secret), registration, ",".join(params.redirect_uris or ()),
        ",".join(params.grant_types or GRANT_TYPES), params.client_name, params.client_uri or None,
        params.logo_uri or None, now, now, "public" if is_public else "confidential", method,
    )  # fmt: skip
    async with ctx.transaction() as db:
        await oauth_clients.insert_client(db, dict(vars(client)))
    return json_response(client_payload(client, secret), status=201)


def check_params(params: OAuthServerClientParams, *, is_new: bool) -> None:
    """Raise validation_failed for what no client may have."""
    uris = params.redirect_uris
    if uris is not None or is_new:
        _check_redirect_uris(uris or [], is_new=is_new)
    if any(kind not in GRANT_TYPES for kind in params.grant_types):
        raise errors.validation_failed("grant_types must only contain 'authorization_code' and/or 'refresh_token'")
    if params.client_name and len(params.client_name) > MAX_NAME_LENGTH:
        raise errors.validation_failed(f"client_name cannot exceed {MAX_NAME_LENGTH} characters")
    for name, uri in (("client_uri", params.client_uri), ("logo_uri", params.logo_uri)):
        if uri and (len(uri) > MAX_URI_LENGTH or urlsplit(uri).scheme not in ("http", "https")):
            raise errors.validation_failed(f"{name} must be a valid URL")
    method, kind = params.token_endpoint_auth_method, params.client_type
    if kind not in ("", "public", "confidential"):
        raise errors.validation_failed("client_type must be 'public' or 'confidential'")
    if method and method not in AUTH_METHODS:
        raise errors.validation_failed(f"token_endpoint_auth_method must be one of: [{' '.join(AUTH_METHODS)}]")
    if method and kind not in ("", _type_of(method)):
        raise errors.validation_failed(
            f"client_type '{kind}' is inconsistent with token_endpoint_auth_method '{method}'"
            f" (expected client_type '{_type_of(method)}')"
        )


def _check_redirect_uris(uris: list[str], *, is_new: bool) -> None:
    if not uris:
        raise errors.validation_failed(f"redirect_uris {'is required' if is_new else 'cannot be empty'}")
    if len(uris) > MAX_REDIRECT_URIS:
        raise errors.validation_failed(f"redirect_uris cannot exceed {MAX_REDIRECT_URIS} items")
    for uri in uris:
        problem = _problem_of(uri)
        if problem:
            raise errors.validation_failed(f"invalid redirect_uri '{uri}': {problem}")


def _problem_of(uri: str) -> str:
    """Why a redirect URI is refused. A comma is what separates them in the table: GoTrue makes two of one."""
    if not uri:
        return "redirect URI cannot be empty"
    try:
        parts = urlsplit(uri)
    except ValueError:
        return "invalid URL format"
    if not parts.scheme or not parts.netloc:
        return "must have scheme and host"
    if parts.scheme in ("javascript", "data", "file", "vbscript", "about", "blob"):
        return f"scheme '{parts.scheme}' is not allowed for security reasons"
    if parts.scheme == "http" and parts.hostname not in LOOPBACK_NAMES:
        return "HTTP scheme only allowed for localhost"
    if parts.fragment:
        return "fragment not allowed in redirect URI"
    if "," in uri or len(uri) > MAX_URI_LENGTH:
        return "comma, or too long"
    return ""


def new_secret() -> str:
    """A client's secret."""
    return secrets.token_urlsafe(32)


def hash_secret(secret: str) -> str:
    """SHA-256: a random secret of 256 bits needs no slow hash."""
    return base64.urlsafe_b64encode(hashlib.sha256(secret.encode()).digest()).rstrip(b"=").decode()


def is_secret_of(client: OAuthClient, secret: str) -> bool:
    """Whether that is the client's secret, in constant time."""
    return hmac.compare_digest(hash_secret(secret), client.client_secret_hash or "")


def _type_of(method: str) -> str:
    """The kind of client that authenticates by `method`; "" is the default of RFC 7591, a secret."""
    return "public" if method == "none" else "confidential"


def client_payload(client: OAuthClient, secret: str = "") -> dict[str, Any]:
    """The client in a response; the secret only when it is new."""
    payload: Json = {"client_id": str(client.id)}
    payload |= {"client_secret": secret} if secret else {}
    payload |= {
        "client_type": client.client_type,
        "redirect_uris": [uri for uri in client.redirect_uris.split(",") if uri],
        "token_endpoint_auth_method": client.token_endpoint_auth_method,
        "grant_types": [kind for kind in client.grant_types.split(",") if kind],
        "response_types": ["code"],
        "client_name": client.client_name or "",
    }
    payload |= {"client_uri": client.client_uri} if client.client_uri else {}
    payload |= {"logo_uri": client.logo_uri} if client.logo_uri else {}
    return payload | {
        "registration_type": client.registration_type,
        "created_at": time_text(client.created_at),
        "updated_at": time_text(client.updated_at),
    }
