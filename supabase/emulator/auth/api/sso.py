"""POST /sso: a person is sent to the identity provider of their domain (single sign-on by SAML)."""

import asyncio
import secrets
from dataclasses import dataclass
from uuid import UUID, uuid4

from starlette.responses import Response

from emulator.auth import errors
from emulator.auth.accounts.pkce import Pkce
from emulator.auth.api.responses import json_response, redirect
from emulator.auth.api.saml import known_metadata, require_saml, service_provider
from emulator.auth.context import RequestContext
from emulator.auth.models import flow_states, saml_relay_states, sso_providers
from emulator.auth.models.sso_providers import SsoProvider
from emulator.auth.security.captcha import verify_captcha
from emulator.auth.tokens.claims import SAML_METHOD

MAX_REDIRECT_LENGTH = 8192


@dataclass(frozen=True)
class SingleSignOnParams:
    """The body: a provider or a domain."""

    provider_id: str = ""
    domain: str = ""
    redirect_to: str = ""
    skip_http_redirect: bool = False
    code_challenge: str = ""
    code_challenge_method: str = ""


async def single_sign_on(ctx: RequestContext) -> Response:
    """Keep the flow, and return or redirect to where the identity provider is asked."""
    require_saml(ctx)
    ctx.check_rate_limit(ctx.rate_limits.sso)
    await verify_captcha(ctx)
    params = ctx.params(SingleSignOnParams)
    provider = await _find(ctx, params)
    if not provider.is_enabled:
        raise errors.sso_provider_disabled("SSO Provider is currently disabled")
    pkce = Pkce.parse(params.code_challenge, params.code_challenge_method)
    idp = await known_metadata(ctx, provider)
    if not idp.sign_in_url:
        raise errors.validation_failed("SAML Metadata has no SingleSignOnService for HTTP-Redirect")
    request_id = f"id-{secrets.token_hex(20)}"
    target = params.redirect_to.replace("\0", "")[:MAX_REDIRECT_LENGTH]
    async with ctx.transaction() as db:
        flow = {
            "provider_type": SAML_METHOD, "authentication_method": SAML_METHOD, "referrer": target or None,
            "auth_code": str(uuid4()) if pkce.challenge else None, "code_challenge": pkce.challenge or None,
            "code_challenge_method": pkce.method or None,
        }  # fmt: skip
        flow_id = await flow_states.insert_flow(db, flow, ctx.now)
        relay = await saml_relay_states.insert_relay_state(db, provider.id, request_id, target, flow_id, ctx.now)
    url = await asyncio.to_thread(
        service_provider(ctx).request_url, idp.sign_in_url, request_id, str(relay), provider.name_id_format or "",
        ctx.now,
    )  # fmt: skip
    return json_response({"url": url}) if params.skip_http_redirect else redirect(url, 303, method="POST")


async def _find(ctx: RequestContext, params: SingleSignOnParams) -> SsoProvider:
    try:
        provider_id = UUID(params.provider_id) if params.provider_id else UUID(int=0)
    except ValueError:
        raise errors.bad_json(f"uuid: incorrect UUID format in string {params.provider_id!r}") from None
    if provider_id.int and params.domain:
        raise errors.validation_failed("Only one of provider_id or domain supported")
    if not provider_id.int and not params.domain:
        raise errors.validation_failed("A provider_id or domain needs to be provided")
    async with ctx.service.pool.connection() as db:
        if params.domain:
            found = await sso_providers.provider_by_domain(db, params.domain.replace("\0", ""))
        else:
            found = await sso_providers.provider_by_id(db, provider_id)
    if found is None:
        by_domain = "No SSO provider assigned for this domain"
        raise errors.sso_provider_not_found(by_domain if params.domain else "No such SSO provider")
    return found
