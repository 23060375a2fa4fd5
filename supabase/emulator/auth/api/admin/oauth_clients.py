"""/admin/oauth/clients: registered clients of the OAuth server."""

from starlette.responses import Response

from emulator.auth import errors
from emulator.auth.api.auth import path_uuid, require_admin
from emulator.auth.api.oauth.clients import (
    OAuthServerClientParams,
    check_params,
    client_payload,
    hash_secret,
    new_secret,
    register,
    require_oauth_server,
)
from emulator.auth.api.responses import empty_response, json_response
from emulator.auth.context import RequestContext
from emulator.auth.models import oauth_clients
from emulator.auth.models.oauth_clients import OAuthClient
from emulator.auth.models.payloads import Json
from emulator.auth.models.sql import Db


async def create(ctx: RequestContext) -> Response:
    """Register a client; the secret is in this response only."""
    await _require_access(ctx)
    return await register(ctx, ctx.params(OAuthServerClientParams), "manual")


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
    check_params(params, is_new=False)
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
    secret = new_secret()
    async with ctx.transaction() as db:
        client = await _find_client(ctx, db)
        if client.client_type == "public":
            raise errors.validation_failed("Cannot regenerate secret for public client")
        client = await oauth_clients.update_client(db, client, ctx.now, client_secret_hash=hash_secret(secret))
    return json_response(client_payload(client, secret))


async def _require_access(ctx: RequestContext) -> None:
    await require_admin(ctx)
    require_oauth_server(ctx)


async def _find_client(ctx: RequestContext, db: Db) -> OAuthClient:
    client = await oauth_clients.client_by_id(db, path_uuid(ctx, "client_id", "invalid client_id format", 400))
    if client is None:
        raise errors.oauth_client_not_found()
    return client
