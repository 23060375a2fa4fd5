"""POST /token?grant_type=id_token: a provider's signed statement, got by an app itself, for a session."""

import hashlib
import hmac
import json
from dataclasses import dataclass

import jwt as pyjwt
from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.accounts.linking import Arrival, link_to, sign_in_from_outside
from emulator.auth.api.auth import require_user
from emulator.auth.api.provider.provider import ISSUERS, fetch_json, find_endpoints, oidc_user
from emulator.auth.conf.settings import ProviderSettings
from emulator.auth.context import Call
from emulator.auth.models.users import User
from emulator.auth.tokens import service
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


async def sign_in_with_id_token(call: Call) -> Response:
    """Check the token against its issuer's keys, then sign in, or link."""
    params = call.params(IdTokenGrantParams)
    if not params.id_token:
        raise errors.oauth_invalid_request("id_token required")
    if not params.provider and not (params.client_id and params.issuer):
        raise errors.oauth_invalid_request("provider or client_id and issuer required")
    if params.link_identity and not call.settings.security.manual_linking:
        raise errors.manual_linking_disabled()
    settings = _settings(call, params)
    claims = await _verified(call, settings, params)
    arrival = Arrival(settings.name, oidc_user(claims, str(claims.get("iss", ""))), settings.email_optional)
    async with call.transaction() as db:
        if params.link_identity:
            caller = await require_user(call, db, lock=True)
            user: User | ApiError = await link_to(call, db, caller.user, arrival)
        else:
            user = await sign_in_from_outside(call, db, arrival)
        if isinstance(user, User):
            await audit.record(call, db, user, "login", provider=settings.name)
            grant = await service.sign_in(call, db, user, "oauth")
    if isinstance(user, ApiError):
        raise user
    return service.grant_answer(grant)


def _settings(call: Call, params: IdTokenGrantParams) -> ProviderSettings:
    """Whose token it claims to be: named, or known by its issuer."""
    providers = call.settings.providers
    found = providers.get(params.provider.lower()) if params.provider else None
    if not params.provider:
        issuers = {one.url or ISSUERS.get(name, ""): one for name, one in providers.items()}
        found = issuers.get(params.issuer)
    known = params.provider.lower() in ISSUERS
    if found is None and not known:
        raise errors.validation_failed(f'Custom OIDC provider "{params.provider or params.issuer}" not allowed')
    if found is None or not found.enabled:
        issuer = (found.url if found else "") or ISSUERS.get(params.provider.lower(), params.issuer)
        raise errors.provider_disabled(issuer)
    return found


async def _verified(call: Call, settings: ProviderSettings, params: IdTokenGrantParams) -> dict[str, object]:
    if not _is_formed(params.id_token):  # junk is no reason to ask anybody for keys
        raise errors.oauth_invalid_request("Bad ID token")
    endpoints = await find_endpoints(call, settings)
    if not endpoints.jwks:
        raise errors.validation_failed(f'Custom OIDC provider "{settings.name}" not allowed')
    try:
        keys = KeySet.parse(json.dumps(await fetch_json(call, endpoints.jwks)))
        asymmetric = KeySet(tuple(key for key in keys.keys if key.family != "HS"))
        claims = asymmetric.verify(params.id_token)
    except (JwtError, ValueError) as error:
        raise errors.oauth_invalid_request("Bad ID token") from error
    _check_claims(call, settings, params, claims, endpoints.issuer)
    return claims


def _is_formed(token: str) -> bool:
    """Whether it is a signed JSON Web Token at all, whoever signed it."""
    try:
        pyjwt.decode(token, options={"verify_signature": False})
    except pyjwt.PyJWTError:
        return False
    return True


def _check_claims(
    call: Call, settings: ProviderSettings, params: IdTokenGrantParams, claims: dict[str, object], issuer: str
) -> None:
    accepted = GOOGLE_ISSUERS if settings.name == "google" and not settings.url else (issuer,)
    exp, now = claims.get("exp"), call.now.timestamp()
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
