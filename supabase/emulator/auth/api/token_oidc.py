"""POST /token?grant_type=id_token: a session for the id_token that an app got from a provider by itself."""

import hashlib
import hmac
import json
from dataclasses import dataclass, replace

from starlette.responses import Response

from emulator.auth import errors
from emulator.auth.api.auth import refuse_application, require_user
from emulator.auth.api.linking import ExternalIdentity, account_for_external_identity, link_identity
from emulator.auth.api.provider import oidc
from emulator.auth.api.provider.custom import settings_of
from emulator.auth.api.provider.loading import fetch_document, find_custom, find_custom_endpoints, find_endpoints
from emulator.auth.api.provider.provider import Endpoints
from emulator.auth.api.responses import grant_response
from emulator.auth.conf.external import ProviderSettings
from emulator.auth.context import RequestContext
from emulator.auth.models import identities
from emulator.auth.models.custom_oauth_providers import CustomOAuthProvider
from emulator.auth.models.users import User
from emulator.auth.tokens.sessions import issue_session
from emulator.errors import ApiError
from emulator.jwt import JwtError, KeySet

GOOGLE_ISSUERS = ("https://accounts.google.com", "accounts.google.com")


@dataclass(frozen=True)
class IdTokenGrantParams:
    """The body."""

    id_token: str = ""
    access_token: str = ""
    nonce: str = ""
    provider: str = ""
    client_id: str = ""
    issuer: str = ""
    link_identity: bool = False


async def id_token_grant(ctx: RequestContext) -> Response:
    """Verify the token by its issuer's keys, then sign in, or link the identity."""
    params = ctx.params(IdTokenGrantParams)
    if not params.id_token:
        raise errors.oauth_invalid_request("id_token required")
    if not params.provider and not (params.client_id and params.issuer):
        raise errors.oauth_invalid_request("provider or client_id and issuer required")
    if params.link_identity and not ctx.header("authorization"):
        raise errors.oauth_invalid_request("Linking requires a valid user access token in Authorization")
    if params.link_identity and not ctx.settings.security.manual_linking:
        raise errors.manual_linking_disabled()
    settings, endpoints = await _find_provider(ctx, params)
    claims = await _verify(ctx, settings, endpoints, params)
    external = ExternalIdentity(settings.name, oidc.id_token_user(claims), settings.email_optional)
    async with ctx.transaction() as db:
        known = await identities.identity_of_provider(db, external.provider, external.data.subject)
        if params.link_identity:
            refuse_application(ctx)
            caller = await require_user(ctx, db, lock=True)
            user: User | ApiError = await link_identity(ctx, db, caller.user, external)
        else:
            user = await account_for_external_identity(ctx, db, external)
        if isinstance(user, User):
            grant = await issue_session(ctx, db, user, "oauth")
            if known is not None:  # the response shows it as it was, what is stored is new: as with GoTrue
                shown = [known if one.id == known.id else one for one in grant.identities]
                grant = replace(grant, identities=shown)
    if isinstance(user, ApiError):
        raise user
    return grant_response(grant)


async def _find_provider(ctx: RequestContext, params: IdTokenGrantParams) -> tuple[ProviderSettings, Endpoints]:
    """The provider that the request names, or that has the issuer it names."""
    if params.provider.startswith("custom:"):
        found = await _find_custom_provider(ctx, params.provider)
        _require_jwt(params.id_token)
        return settings_of(found, ctx), await find_custom_endpoints(ctx, found)
    settings = _find_configured_provider(ctx, params)
    _require_jwt(params.id_token)
    return settings, await find_endpoints(ctx, settings)


async def _find_custom_provider(ctx: RequestContext, identifier: str) -> CustomOAuthProvider:
    if not ctx.settings.custom_oauth_enabled:
        raise errors.validation_failed("Custom OAuth providers are disabled")
    found = await find_custom(ctx, identifier)
    if found is None:
        raise errors.validation_failed(f'Custom provider "{identifier}" not found')
    if not found.enabled:
        raise errors.custom_provider_disabled(identifier)
    if found.provider_type != "oidc":
        raise errors.validation_failed(f'Provider "{identifier}" is not an OIDC provider')
    return found


def _find_configured_provider(ctx: RequestContext, params: IdTokenGrantParams) -> ProviderSettings:
    providers = ctx.settings.providers
    found = providers.get(params.provider.lower()) if params.provider else None
    if not params.provider:
        issuers = {one.url or oidc.ISSUERS.get(name, ""): one for name, one in providers.items()}
        found = issuers.get(params.issuer)
    known = params.provider.lower() in oidc.ISSUERS
    if found is None and not known:
        raise errors.validation_failed(f'Custom OIDC provider "{params.provider}" not allowed')
    if found is None or not found.enabled:
        issuer = (found.url if found else "") or oidc.ISSUERS.get(params.provider.lower(), params.issuer)
        raise errors.provider_disabled(issuer)
    return found


async def _verify(
    ctx: RequestContext, settings: ProviderSettings, endpoints: Endpoints, params: IdTokenGrantParams
) -> dict[str, object]:  # fmt: skip
    if not endpoints.jwks:
        raise errors.validation_failed(f'Custom OIDC provider "{settings.name}" not allowed')
    try:
        keys = KeySet.parse(json.dumps(await fetch_document(ctx, endpoints.jwks)))
        asymmetric = KeySet(tuple(key for key in keys.keys if key.family != "HS"))
        claims = asymmetric.verify(params.id_token)
    except (JwtError, ValueError) as error:
        raise errors.oauth_invalid_request("Bad ID token") from error
    _check_claims(ctx, settings, params, claims, endpoints.issuer)
    return claims


def _require_jwt(token: str) -> None:
    """Raise invalid_request for what has not the form of a signed JSON Web Token, before any keys are fetched."""
    import jwt as pyjwt  # within, as in emulator.jwt

    try:
        pyjwt.decode(token, options={"verify_signature": False})
    except pyjwt.PyJWTError:
        raise errors.oauth_invalid_request("Bad ID token") from None


def _check_claims(
    ctx: RequestContext, settings: ProviderSettings, params: IdTokenGrantParams, claims: dict[str, object], issuer: str
) -> None:
    accepted = GOOGLE_ISSUERS if settings.name == "google" and not settings.url else (issuer,)
    exp, now = claims.get("exp"), ctx.now.timestamp()
    if claims.get("iss") not in accepted or not isinstance(exp, (int, float)) or exp <= now:
        raise errors.oauth_invalid_request("Bad ID token")
    aud = claims.get("aud")
    audiences = [aud] if isinstance(aud, str) else aud if isinstance(aud, list) else []
    if not any(one in settings.client_ids for one in audiences):
        raise errors.oauth_invalid_request(f"Unacceptable audience in id_token: [{' '.join(map(str, audiences))}]")
    if settings.skip_nonce_check:
        return
    nonce = claims.get("nonce")
    if bool(nonce) != bool(params.nonce):
        text = "Passed nonce and nonce in id_token should either both exist or not."
        raise errors.oauth_invalid_request(text)
    if nonce and not hmac.compare_digest(hashlib.sha256(params.nonce.encode()).hexdigest(), str(nonce)):
        raise errors.oauth_invalid_nonce()
