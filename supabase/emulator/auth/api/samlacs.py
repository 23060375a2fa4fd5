"""POST /sso/saml/acs: the response of an identity provider, which signs a person in (assertion consumer service)."""

import asyncio
import binascii
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from uuid import UUID

from starlette.responses import Response

from emulator.auth import errors
from emulator.auth.api.external import error_items
from emulator.auth.api.linking import ExternalIdentity, account_for_external_identity
from emulator.auth.api.provider.provider import Json, ProviderEmail, UserProvidedData
from emulator.auth.api.responses import grant_headers, redirect
from emulator.auth.api.saml import known_metadata, require_saml, service_provider
from emulator.auth.context import RequestContext
from emulator.auth.models import flow_states, saml_relay_states, sso_providers
from emulator.auth.models.flow_states import FlowState
from emulator.auth.models.sql import Db
from emulator.auth.models.sso_providers import SsoProvider
from emulator.auth.models.users import User
from emulator.auth.tokens.claims import SAML_METHOD, SSO_PREFIX
from emulator.auth.tokens.grant import Grant
from emulator.auth.tokens.sessions import issue_session
from emulator.auth.utilities.redirects import choose_redirect, with_fragment, with_query
from emulator.errors import ApiError

if TYPE_CHECKING:
    from emulator.auth.saml.assertion import Assertion

log = logging.getLogger("emulator.auth")
NOT_VALID = "SAML Assertion is not valid"
# GoTrue's claims that are texts; what an attribute mapping names besides them is kept as custom_claims.
TEXT_CLAIMS = frozenset({
    "name", "family_name", "given_name", "middle_name", "nickname", "preferred_username", "profile", "picture",
    "website", "gender", "birthdate", "zoneinfo", "locale", "updated_at", "phone", "full_name", "avatar_url", "slug",
    "provider_id", "user_name",
})  # fmt: skip
OWN_CLAIMS = ("iss", "sub", "aud", "iat", "exp", "email", "email_verified", "phone_verified", "custom_claims")


@dataclass(frozen=True)
class _Flow:
    """Who may respond to what: `request_id` is "" where the identity provider began."""

    provider: SsoProvider
    request_id: str
    redirect_to: str
    state: FlowState | None


async def saml_acs(ctx: RequestContext) -> Response:
    """Sign in, and redirect: with tokens, with a code, or to SITE_URL with an error."""
    require_saml(ctx)
    ctx.check_rate_limit(ctx.rate_limits.saml_assertion)
    try:
        flow = await _flow(ctx)
        assertion = await _assertion(ctx, flow)
        return await _sign_in(ctx, flow, assertion, _external(flow.provider, assertion))
    except ApiError as error:
        return redirect(with_query(ctx.settings.site_url, error_items(error)), 303, method="POST")


async def _flow(ctx: RequestContext) -> _Flow:
    relay = ctx.query("RelayState")
    try:
        relay_id = UUID(relay)
    except ValueError:
        relay_id = UUID(int=0)
    if relay_id.int:
        return await _asked_flow(ctx, relay_id)
    if relay and not _is_url(relay):
        raise errors.validation_failed("SAML RelayState is not a valid UUID or URL")
    if ctx.query("SAMLart"):
        raise errors.validation_failed("SAML Artifact response can only be used with SP initiated flow")
    async with ctx.service.pool.connection() as db:
        provider = await sso_providers.provider_by_entity(db, await _claimed_issuer(ctx))
    if provider is None:
        raise errors.saml_idp_not_found()
    if not provider.is_enabled:
        raise errors.sso_provider_disabled()
    return _Flow(provider, "", relay, None)


async def _asked_flow(ctx: RequestContext, relay_id: UUID) -> _Flow:
    """The flow that began with POST /sso. It ends here, whatever the response is worth."""
    async with ctx.transaction() as db:
        relay = await saml_relay_states.take_relay_state(db, relay_id)
        provider = await sso_providers.provider_by_id(db, relay.sso_provider_id) if relay else None
        state = await flow_states.lock_flow(db, relay.flow_state_id) if relay and relay.flow_state_id else None
        if state is not None and not state.code_challenge:
            await flow_states.delete_flow(db, state.id)
    if relay is None or provider is None:
        raise errors.saml_relay_state_not_found()
    if (ctx.now - relay.created_at).total_seconds() >= ctx.settings.saml.relay_state_validity_s:
        raise errors.saml_relay_state_expired()
    if not provider.is_enabled:
        raise errors.sso_provider_disabled()
    return _Flow(provider, relay.request_id, relay.redirect_to or "", state)


async def _claimed_issuer(ctx: RequestContext) -> str:
    from emulator.auth.saml.response import issuer_of
    from emulator.auth.saml.xml import BadXml

    encoded = ctx.query("SAMLResponse")
    if not encoded:
        raise errors.validation_failed("SAMLResponse is missing")
    try:
        return (await asyncio.to_thread(issuer_of, encoded)).replace("\0", "")
    except binascii.Error:
        raise errors.validation_failed("SAMLResponse is not a valid Base64 string") from None
    except BadXml:
        raise errors.validation_failed("SAMLResponse is not a valid XML SAML assertion") from None


async def _assertion(ctx: RequestContext, flow: _Flow) -> "Assertion":
    """The checked assertion, taken once."""
    from emulator.auth.saml.response import BadResponse, Expected, check_response

    idp, own = await known_metadata(ctx, flow.provider), service_provider(ctx)
    expected = Expected(idp, own.entity_id, own.acs_url, flow.request_id, ctx.now, own.decryption_keys)
    try:
        assertion = await asyncio.to_thread(check_response, ctx.query("SAMLResponse"), expected)
    except BadResponse as error:
        log.info("A SAML response of %s was refused: %s", idp.entity_id, error)
        raise errors.validation_failed(NOT_VALID) from error
    if not ctx.service.seen_assertions.take(f"{idp.entity_id} {assertion.id}", assertion.valid_until, ctx.now):
        log.info("A SAML response of %s was refused: it was used before", idp.entity_id)
        raise errors.validation_failed(NOT_VALID)
    return assertion


def _external(provider: SsoProvider, assertion: "Assertion") -> ExternalIdentity:
    """The person of an assertion. Raises saml_assertion_no_user_id, saml_assertion_no_email."""
    if not assertion.user_id:
        raise errors.saml_assertion_no_user_id()
    mapped = assertion.mapped(provider.attribute_mapping or {})
    email = mapped.get("email")
    email = email if isinstance(email, str) and email else assertion.email
    if not email:
        raise errors.saml_assertion_no_email()
    known, custom = _divided(mapped)
    claims: Json = {"iss": provider.entity_id, "sub": assertion.user_id, **known}
    claims |= {"custom_claims": custom} if custom else {}
    data = UserProvidedData(assertion.user_id, (ProviderEmail(email, verified=True),), claims)
    return ExternalIdentity(f"{SSO_PREFIX}{provider.id}", data)


def _divided(mapped: dict[str, Any]) -> tuple[Json, Json]:
    """The claims that have a name of their own, and all others. Nobody maps what is decided here."""
    known = {name: value for name, value in mapped.items() if name in TEXT_CLAIMS and isinstance(value, str) and value}
    custom = {name: value for name, value in mapped.items() if name not in known and name not in OWN_CLAIMS}
    return known, custom


async def _sign_in(ctx: RequestContext, flow: _Flow, assertion: "Assertion", external: ExternalIdentity) -> Response:
    target = choose_redirect([flow.redirect_to], ctx.settings.site_url, ctx.settings.uri_allow_list)
    grant: Grant | None = None
    async with ctx.transaction() as db:
        user = await account_for_external_identity(ctx, db, external)
        if isinstance(user, ApiError):  # returned for addresses that are not verified, and these are
            raise user
        if flow.state is not None and flow.state.code_challenge:
            await _finish_pkce_flow(ctx, db, flow.state, user)
        else:
            grant = await issue_session(ctx, db, user, SAML_METHOD, not_after=assertion.ends_at)
    if grant is None:
        code = flow.state.auth_code if flow.state is not None else None
        return redirect(with_query(target, {"code": code or ""}), 302, method="POST")
    items = {
        "access_token": grant.access_token, "expires_at": str(grant.expires_at), "expires_in": str(grant.expires_in),
        "refresh_token": grant.refresh_token, "token_type": "bearer",
    }  # fmt: skip
    return redirect(with_fragment(target, items), 302, grant_headers(grant), "POST")


async def _finish_pkce_flow(ctx: RequestContext, db: Db, state: FlowState, user: User) -> None:
    locked = await flow_states.lock_flow(db, state.id)
    if locked is None or locked.user_id is not None:
        raise errors.flow_state_already_used()
    await flow_states.update_flow(db, locked, ctx.now, user_id=user.id)


def _is_url(value: str) -> bool:
    """An absolute URL or path, as Go's ParseRequestURI takes it."""
    try:
        return value.startswith("/") or bool(urlsplit(value).scheme)
    except ValueError:
        return False
