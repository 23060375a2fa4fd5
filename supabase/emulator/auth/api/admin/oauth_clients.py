"""/admin/oauth/clients: registered OAuth clients (their authorization flow is not implemented)."""

import base64
import hashlib
import secrets
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from starlette.responses import Response

from emulator.auth import errors
from emulator.auth.api.auth import path_uuid, require_admin
from emulator.auth.api.responses import empty_response, json_response
from emulator.auth.api.unsupported import require_oauth_server
from emulator.auth.context import RequestContext
from emulator.auth.models import oauth_clients
from emulator.auth.models.oauth_clients import OAuthClient
from emulator.auth.models.payloads import Json, time_text
from emulator.auth.models.sql import Db
from emulator.auth.utilities.redirects import LOOPBACK_NAMES
from emulator.errors import ApiError

AUTH_METHODS = ("client_secret_basic", "client_secret_post", "none")
GRANT_TYPES = ("authorization_code", "refresh_token")
MAX_REDIRECT_URIS, MAX_NAME_LENGTH, MAX_URI_LENGTH = 10, 1024, 2048


@dataclass(frozen=True)
class OAuthServerClientParams:
    """The body of POST and PUT; absent fields keep their value or get the default."""

    client_name: str | None = None
    client_uri: str | None = None
    logo_uri: str | None = None
    redirect_uris: list[str] | None = None
    grant_types: list[str] = field(default_factory=list)
    token_endpoint_auth_method: str = ""


async def create(ctx: RequestContext) -> Response:
    """Register a client; the secret is in this response only."""
    await _require_access(ctx)
    params = ctx.params(OAuthServerClientParams)
    try:
        _check_params(params, is_new=True)
        if not params.client_name:
            raise errors.validation_failed("client_name is required")
    except ApiError as error:  # GoTrue has its own error's text as the message of another one
        raise errors.validation_failed(f"{error.status}: {error.message}") from error
    method = params.token_endpoint_auth_method or "client_secret_basic"
    is_public = method == "none"
    secret, now = "" if is_public else _new_secret(), ctx.now
    client = OAuthClient(
        uuid4(), None if is_public else _hash(secret), "manual", ",".join(params.redirect_uris or ()),
        ",".join(params.grant_types or GRANT_TYPES), params.client_name, params.client_uri or None,
        params.logo_uri or None, now, now, "public" if is_public else "confidential", method,
    )  # fmt: skip
    async with ctx.transaction() as db:
        await oauth_clients.insert_client(db, dict(vars(client)))
    return json_response(client_payload(client, secret), status=201)


async def list_all(ctx: RequestContext) -> Response:
    """All clients, the newest first."""
    await _require_access(ctx)
    async with ctx.transaction() as db:
        clients = await oauth_clients.list_clients(db)
    return json_response({"clients": [client_payload(client) for client in clients]})


async def get(ctx: RequestContext) -> Response:
    """One client."""
    await _require_access(ctx)
    async with ctx.transaction() as db:
        return json_response(client_payload(await _find_client(ctx, db)))


async def update(ctx: RequestContext) -> Response:
    """Change the given fields."""
    await _require_access(ctx)
    async with ctx.transaction() as db:
        await _find_client(ctx, db)
    params = ctx.params(OAuthServerClientParams)
    if params == OAuthServerClientParams():
        raise errors.validation_failed("No fields provided for update")
    _check_params(params, is_new=False)
    changes: Json = {
        name: value or None
        for name, value in (("client_uri", params.client_uri), ("logo_uri", params.logo_uri))
        if value is not None
    }
    changes |= {"client_name": params.client_name} if params.client_name else {}
    changes |= {"redirect_uris": ",".join(params.redirect_uris)} if params.redirect_uris else {}
    changes |= {"grant_types": ",".join(params.grant_types)} if params.grant_types else {}
    method = params.token_endpoint_auth_method
    async with ctx.transaction() as db:
        client = await _find_client(ctx, db)
        if method:
            if (method == "none") != (client.client_type == "public"):
                text = f"token_endpoint_auth_method {method} does not fit a {client.client_type} client"
                raise errors.validation_failed(text)
            changes["token_endpoint_auth_method"] = method
        client = await oauth_clients.update_client(db, client, ctx.now, **changes)
    return json_response(client_payload(client))


async def delete(ctx: RequestContext) -> Response:
    """Mark a client as deleted."""
    await _require_access(ctx)
    async with ctx.transaction() as db:
        client = await _find_client(ctx, db)
        await oauth_clients.update_client(db, client, ctx.now, deleted_at=ctx.now)
    return empty_response()


async def regenerate_secret(ctx: RequestContext) -> Response:
    """Replace the secret of a confidential client."""
    await _require_access(ctx)
    secret = _new_secret()
    async with ctx.transaction() as db:
        client = await _find_client(ctx, db)
        if client.client_type == "public":
            raise errors.validation_failed("Cannot regenerate secret for public client")
        client = await oauth_clients.update_client(db, client, ctx.now, client_secret_hash=_hash(secret))
    return json_response(client_payload(client, secret))


async def _require_access(ctx: RequestContext) -> None:
    await require_admin(ctx)
    require_oauth_server(ctx)


async def _find_client(ctx: RequestContext, db: Db) -> OAuthClient:
    client = await oauth_clients.client_by_id(db, path_uuid(ctx, "client_id", "invalid client_id format", 400))
    if client is None:
        raise errors.oauth_client_not_found()
    return client


def _check_params(params: OAuthServerClientParams, *, is_new: bool) -> None:
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
    if params.token_endpoint_auth_method and params.token_endpoint_auth_method not in AUTH_METHODS:
        raise errors.validation_failed(f"token_endpoint_auth_method must be one of: [{' '.join(AUTH_METHODS)}]")


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


def _new_secret() -> str:
    return secrets.token_urlsafe(32)


def _hash(secret: str) -> str:
    """SHA-256: a random secret of 256 bits needs no slow hash."""
    return base64.urlsafe_b64encode(hashlib.sha256(secret.encode()).digest()).rstrip(b"=").decode()


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
