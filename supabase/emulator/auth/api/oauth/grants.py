"""What a user granted to clients: /user/oauth/grants, and what a client reads with it: /oauth/userinfo."""

from uuid import UUID

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.accounts.oauth_scopes import user_info
from emulator.auth.api.auth import require_user
from emulator.auth.api.oauth.clients import require_oauth_server
from emulator.auth.api.oauth.consent import shown_client
from emulator.auth.api.responses import empty_response, json_response
from emulator.auth.context import RequestContext
from emulator.auth.models import oauth_clients, oauth_consents
from emulator.auth.models.payloads import time_text


async def list_grants(ctx: RequestContext) -> Response:
    """The user's consents, the newest first."""
    require_oauth_server(ctx)
    async with ctx.transaction() as db:
        user = (await require_user(ctx, db)).user
        granted = await oauth_consents.consents_of(db, user.id)
        clients = {client.id: client for client in await oauth_clients.list_clients(db)} if granted else {}
    return json_response(
        [
            {
                "client": shown_client(clients[consent.client_id]),
                "scopes": consent.scopes.split(),
                "granted_at": time_text(consent.granted_at),
            }
            for consent in granted
            if consent.client_id in clients
        ]
    )


async def revoke_grant(ctx: RequestContext) -> Response:
    """Take a consent back and end the client's sessions."""
    require_oauth_server(ctx)
    named = ctx.query("client_id")
    async with ctx.transaction() as db:
        user = (await require_user(ctx, db)).user
        if not named:
            raise errors.validation_failed("client_id query parameter is required")
        try:
            client_id = UUID(named)
        except ValueError:
            raise errors.validation_failed("invalid client_id format") from None
        consent = await oauth_consents.consent_of(db, user.id, client_id)
        if consent is None:
            raise errors.oauth_consent_not_found()
        await oauth_consents.revoke_consent(db, consent, ctx.now)
        traits = {"oauth_client_id": str(client_id), "action": "revoke_oauth_grant"}
        await audit.record(ctx, db, user, "token_revoked", **traits)
    return empty_response()


async def userinfo(ctx: RequestContext) -> Response:
    """Who the token is for, as far as its scopes show (OpenID Connect Core, section 5.3)."""
    require_oauth_server(ctx)
    async with ctx.service.pool.connection() as db:
        caller = await require_user(ctx, db)
    scopes = (caller.session.scopes or "").split() if caller.session is not None else []
    return json_response(user_info(caller.user, scopes))
