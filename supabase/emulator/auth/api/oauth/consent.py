"""/oauth/authorizations/{id}: what the consent page asks, and the user's answer."""

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from starlette.responses import Response

from emulator.auth import errors
from emulator.auth.api.auth import require_user
from emulator.auth.api.oauth.authorize import error_redirect
from emulator.auth.api.oauth.clients import require_oauth_server
from emulator.auth.api.responses import json_response
from emulator.auth.context import RequestContext
from emulator.auth.models import oauth_authorizations, oauth_clients, oauth_consents
from emulator.auth.models.oauth_authorizations import OAuthAuthorization
from emulator.auth.models.oauth_clients import OAuthClient
from emulator.auth.models.payloads import without_empty
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User
from emulator.auth.utilities.redirects import is_allowed, with_query
from emulator.errors import ApiError


@dataclass(frozen=True)
class ConsentRequest:
    """The body: approve or deny."""

    action: str = ""


async def details(ctx: RequestContext) -> Response:
    """Who asks for what. A client that has the user's consent already gets its code at once."""
    _require_origin(ctx)
    async with ctx.transaction() as db:
        user = (await require_user(ctx, db)).user
        found = await _lock(ctx, db, "authorization request cannot be processed")
        if isinstance(found, ApiError):
            answer: dict[str, Any] | ApiError = found
        else:
            answer = await _open(ctx, db, found, user)
    if isinstance(answer, ApiError):  # raised only now: that the request expired is committed
        raise answer
    return json_response(answer)


async def _open(ctx: RequestContext, db: Db, found: OAuthAuthorization, user: User) -> dict[str, Any] | ApiError:
    if found.user_id is not None and found.user_id != user.id:
        return errors.oauth_authorization_not_found()
    if found.user_id is None:
        found = await oauth_authorizations.update_authorization(db, found, user_id=user.id)
        consent = await oauth_consents.consent_of(db, user.id, found.client_id)
        if consent is not None and set(found.scope.split()) <= set(consent.scopes.split()):
            return {"redirect_url": await _approve(ctx, db, found)}
    client = await oauth_clients.client_by_id(db, found.client_id)
    if client is None:
        return errors.oauth_authorization_not_found()
    return {
        "authorization_id": found.authorization_id,
        "redirect_uri": found.redirect_uri,
        "client": shown_client(client),
        "user": {"id": str(user.id), **without_empty(email=user.email)},
        "scope": found.scope,
    }


async def consent(ctx: RequestContext) -> Response:
    """The user's answer; returns where the browser goes with it."""
    _require_origin(ctx)
    async with ctx.transaction() as db:
        user = (await require_user(ctx, db)).user
        action = ctx.params(ConsentRequest, prefix="invalid JSON body").action
        if action not in ("approve", "deny"):
            raise errors.validation_failed("action must be 'approve' or 'deny'")
        found = await _lock(ctx, db, "authorization request is no longer pending")
        if isinstance(found, ApiError):
            answer: str | ApiError = found
        elif found.user_id != user.id:
            answer = errors.oauth_authorization_not_found()
        elif action == "approve":
            await oauth_consents.grant_consent(db, user.id, found.client_id, " ".join(found.scope.split()), ctx.now)
            answer = await _approve(ctx, db, found)
        else:
            await oauth_authorizations.update_authorization(db, found, status="denied")
            answer = error_redirect(
                found.redirect_uri, "access_denied", "User denied the request", found.state or ""
            )  # fmt: skip
    if isinstance(answer, ApiError):
        raise answer
    return json_response({"redirect_url": answer})


async def _lock(ctx: RequestContext, db: Db, not_pending: str) -> OAuthAuthorization | ApiError:
    """The pending request of the path, or why there is none; one that has run out is marked."""
    require_oauth_server(ctx)
    named = ctx.request.path_params["authorization_id"].replace("\0", "")
    found = await oauth_authorizations.lock_authorization(db, named)
    if found is None:
        return errors.oauth_authorization_not_found()
    if ctx.now > found.expires_at:
        if found.status == "pending":
            await oauth_authorizations.update_authorization(db, found, status="expired")
        return errors.oauth_authorization_not_found()
    return found if found.status == "pending" else errors.validation_failed(not_pending)


async def _approve(ctx: RequestContext, db: Db, found: OAuthAuthorization) -> str:
    """Where the browser takes the code to."""
    code = str(uuid4())
    await oauth_authorizations.update_authorization(
        db, found, status="approved", approved_at=ctx.now, authorization_code=code
    )
    return with_query(found.redirect_uri, {"code": code} | ({"state": found.state} if found.state else {}))


def shown_client(client: OAuthClient) -> dict[str, str]:
    """What a user is told of a client."""
    named = without_empty(name=client.client_name, uri=client.client_uri, logo_uri=client.logo_uri)
    return {"id": str(client.id), **named}


def _require_origin(ctx: RequestContext) -> None:
    """Another site's page can't answer for the user. Without the header it is no browser."""
    origin = ctx.header("origin")
    if origin and not is_allowed(origin, ctx.settings.site_url, ctx.settings.uri_allow_list):
        raise errors.validation_failed("unauthorized request origin")
