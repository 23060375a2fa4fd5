"""GET /authorize and /callback: to an external provider and back."""

import base64
import hashlib
import secrets
from uuid import UUID, uuid4

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.accounts.linking import Arrival, link_to, sign_in_from_outside
from emulator.auth.accounts.mail import Pkce
from emulator.auth.api.provider.provider import Provider, ProviderUser, authorization_url, exchange_code, load_provider
from emulator.auth.api.responses import see
from emulator.auth.api.verify import OAUTH_ERRORS
from emulator.auth.context import Call
from emulator.auth.models import flow_states, oauth_client_states, users
from emulator.auth.models.flow_states import FlowState
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User
from emulator.auth.tokens import service
from emulator.auth.tokens.grant import Grant
from emulator.auth.utilities.redirects import with_fragment, with_query
from emulator.errors import ApiError

ACCESS_DENIED = ("signup_disabled", "user_banned", "provider_email_needs_verification")


async def authorize(call: Call) -> Response:
    """Send the browser to the provider."""
    invite_token = call.query("invite_token")
    provider = await load_provider(call, call.query("provider"))
    if invite_token:
        async with call.service.pool.connection() as db:
            if await users.user_by_token(db, invite_token, ["confirmation_token"], call.aud) is None:
                raise errors.user_not_found("User identified by token not found")
    return see(await begin(call, provider, invite_token=invite_token), 302)


async def begin(call: Call, provider: Provider, *, target: User | None = None, invite_token: str = "") -> str:
    """Remember the flow; its id is the state. Returns where to go."""
    pkce = Pkce.checked(call.query("code_challenge"), call.query("code_challenge_method"))
    verifier = secrets.token_urlsafe(48) if provider.pkce else ""
    async with call.transaction() as db:
        state_id = (
            await oauth_client_states.insert_client_state(db, provider.name, verifier, call.now) if verifier else None
        )
        flow_id = await flow_states.insert_flow(
            db,
            {
                "provider_type": provider.name, "authentication_method": "oauth", "referrer": call.redirect_to(),
                "auth_code": str(uuid4()) if pkce.challenge else None,
                "code_challenge": pkce.challenge or None, "code_challenge_method": pkce.method or None,
                "oauth_client_state_id": state_id, "linking_target_id": target.id if target else None,
                "invite_token": invite_token or None,
            },
            call.now,
        )  # fmt: skip
    digest = hashlib.sha256(verifier.encode()).digest()
    challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode() if verifier else ""
    return authorization_url(provider, call, str(flow_id), challenge)


async def callback(call: Call) -> Response:
    """The provider sent the browser back: always a redirect."""
    try:
        flow, verifier = await _take_flow(call)
    except ApiError as error:
        return see(with_query(call.settings.site_url, _error_items(error)), 303)
    target = flow.referrer or call.settings.site_url
    try:
        return await _arrive(call, flow, verifier, target)
    except ApiError as error:
        return see(_error_url(target, _error_items(error)), 302)


def _error_items(error: ApiError) -> dict[str, str]:
    word = "access_denied" if error.code in ACCESS_DENIED else OAUTH_ERRORS.get(error.status, "server_error")
    return {"error": word, "error_code": error.code, "error_description": error.message}


def _error_url(target: str, items: dict[str, str]) -> str:
    """In query and fragment: a page may read either."""
    return with_fragment(with_query(target, items), items)


async def _take_flow(call: Call) -> tuple[FlowState, str]:
    """The flow of the state, used up: an implicit one is deleted, a PKCE one is marked when its user is known."""
    state = call.query("state")
    if not state:
        raise errors.bad_oauth_callback("OAuth state parameter missing")
    try:
        flow_id = UUID(state)
    except ValueError:
        raise errors.bad_oauth_state("OAuth state parameter is invalid") from None
    async with call.transaction() as db:
        flow = await flow_states.lock_flow(db, flow_id)
        if flow is None or flow.authentication_method != "oauth":
            raise errors.bad_oauth_state("OAuth state not found or expired")
        if (call.now - flow.created_at).total_seconds() >= call.settings.flow_state_expiry_s:
            raise errors.bad_oauth_state("OAuth state has expired")
        if flow.user_id is not None:
            raise errors.flow_state_already_used()
        verifier = (
            await oauth_client_states.take_client_state(db, flow.oauth_client_state_id)
            if flow.oauth_client_state_id
            else ""
        )
        if verifier is None:
            raise errors.flow_state_already_used()
        if not flow.code_challenge:
            await flow_states.delete_flow(db, flow.id)
    return flow, verifier


async def _arrive(call: Call, flow: FlowState, verifier: str, target: str) -> Response:
    refused = call.query("error")
    if refused:
        items = {"error": refused, "error_description": call.query("error_description")}
        return see(_error_url(target, {name: value for name, value in items.items() if value}), 302)
    code = call.query("code")
    if not code:
        raise errors.bad_oauth_callback("OAuth callback with missing authorization code missing")
    provider = await load_provider(call, flow.provider_type)
    person = await exchange_code(provider, call, code, verifier)
    arrival = Arrival(provider.name, person, provider.settings.email_optional)
    grant: Grant | None = None
    async with call.transaction() as db:
        user = await _account(call, db, flow, arrival)
        if isinstance(user, User):
            if flow.code_challenge:
                await _hand_over(call, db, flow, user, person)
            else:
                await audit.record(call, db, user, "login", provider=provider.name)
                grant = await service.sign_in(call, db, user, "oauth")
    if isinstance(user, ApiError):
        raise user
    if grant is None:
        return see(with_query(target, {"code": flow.auth_code or ""}), 302)
    return see(with_fragment(target, _grant_items(grant, person)), 302)


async def _account(call: Call, db: Db, flow: FlowState, arrival: Arrival) -> User | ApiError:
    if flow.linking_target_id is None:
        return await sign_in_from_outside(call, db, arrival)
    user = await users.lock_user(db, flow.linking_target_id)
    if user is None:
        raise errors.user_not_found("Linking target user not found")
    return await link_to(call, db, user, arrival)


async def _hand_over(call: Call, db: Db, flow: FlowState, user: User, person: ProviderUser) -> None:
    """The PKCE code is good from now on; the provider's tokens wait for it."""
    again = await flow_states.lock_flow(db, flow.id)
    if again is None or again.user_id is not None:
        raise errors.flow_state_already_used()
    await flow_states.update_flow(
        db, flow, call.now, user_id=user.id, auth_code_issued_at=call.now,
        provider_access_token=person.access_token, provider_refresh_token=person.refresh_token,
    )  # fmt: skip


def _grant_items(grant: Grant, person: ProviderUser) -> dict[str, str]:
    items = {
        "access_token": grant.access_token, "expires_at": str(grant.expires_at), "expires_in": str(grant.expires_in),
        "refresh_token": grant.refresh_token, "token_type": "bearer", "provider_token": person.access_token,
    }  # fmt: skip
    return items | ({"provider_refresh_token": person.refresh_token} if person.refresh_token else {})
