"""The OAuth 2.0 authorization code flow with a provider: where the browser is sent, and who the code stands for."""

from typing import Any
from urllib.parse import urlencode

from emulator.auth.api.provider import custom, discord, github, gitlab, oidc, slack, twitch
from emulator.auth.api.provider.loading import Unreachable, send_for_json
from emulator.auth.api.provider.provider import (
    Json,
    Provider,
    ProviderTokens,
    UserProvidedData,
    provider_failure,
    text_of,
)
from emulator.auth.context import RequestContext

# Query parameters of /authorize that are not passed on to the provider.
RESERVED_PARAMS = frozenset(
    (
        "scopes", "provider", "client_id", "client_secret", "redirect_uri", "response_type", "state",
        "code_challenge", "code_challenge_method", "code_verifier", "apikey",
    )
)  # fmt: skip
_JSON = {"accept": "application/json"}
_BY_ID_TOKEN = ("google", "azure", "apple", "linkedin_oidc")


def authorization_url(provider: Provider, ctx: RequestContext, state: str, challenge: str) -> str:
    """Where the browser is sent; parameters of the request that are not ours are passed on."""
    passed = {name: value for name, value in ctx.request.query_params.items() if name not in RESERVED_PARAMS}
    if "workos_provider" in passed:
        passed["provider"] = passed.pop("workos_provider")
    asked = [scope.strip() for scope in ctx.query("scopes").split(",") if scope.strip()]
    own = {} if provider.custom is None else provider.custom.authorization_params
    params = {
        **passed,
        **own,
        "client_id": provider.settings.client_ids[0],
        "redirect_uri": _redirect_uri(provider, ctx),
        "response_type": "code",
        "scope": " ".join([provider.scopes, *(asked if provider.custom is None else ())]),
        "state": state,
    }
    if challenge:
        params |= {"code_challenge": challenge, "code_challenge_method": "S256"}
    joint = "&" if "?" in provider.endpoints.authorization else "?"
    return provider.endpoints.authorization + joint + urlencode(params)


def _redirect_uri(provider: Provider, ctx: RequestContext) -> str:
    return provider.settings.redirect_uri or ctx.settings.api_external_url.rstrip("/") + "/callback"


async def exchange_code(
    provider: Provider, ctx: RequestContext, code: str, verifier: str
) -> tuple[UserProvidedData, ProviderTokens]:
    """Who the code stands for, and the provider's tokens; raises unexpected_failure."""
    form = {
        "grant_type": "authorization_code", "code": code, "redirect_uri": _redirect_uri(provider, ctx),
        "client_id": provider.settings.client_ids[0], "client_secret": provider.settings.secret,
    }  # fmt: skip
    if verifier:
        form["code_verifier"] = verifier
    refused = provider_failure(f"Unable to exchange external code: {code[:4]}")
    request = ctx.service.http.build_request("POST", provider.endpoints.token, data=form, headers=_JSON)
    try:
        response = await send_for_json(ctx, request)
    except Unreachable as error:
        raise refused from error
    tokens = ProviderTokens(*(text_of(response, name) for name in ("access_token", "refresh_token", "id_token")))
    if not tokens.access_token:
        raise refused
    try:
        return await _fetch_user(provider, ctx, tokens), tokens
    except Unreachable as error:
        raise provider_failure() from error


async def _fetch_user(provider: Provider, ctx: RequestContext, tokens: ProviderTokens) -> UserProvidedData:
    """By the id_token where GoTrue takes that, else by the provider's API."""
    endpoints, name = provider.endpoints, provider.name
    if provider.custom is not None and tokens.id_token and provider.custom.by_id_token:
        return custom.read_user(provider.custom, _claims(provider, ctx, tokens.id_token))
    if name in _BY_ID_TOKEN and tokens.id_token:
        return oidc.id_token_user(_claims(provider, ctx, tokens.id_token))
    if name == "azure":
        raise provider_failure()
    http, headers = ctx.service.http, {**_JSON, "authorization": f"Bearer {tokens.access_token}"}
    if name == "twitch":
        headers["client-id"] = provider.settings.client_ids[0]
    raw: Json = await send_for_json(ctx, http.build_request("GET", endpoints.userinfo, headers=headers))
    if provider.custom is not None:
        return custom.read_user(provider.custom, raw)
    match name:
        case "github":
            response = await http.send(http.build_request("GET", f"{endpoints.userinfo}/emails", headers=headers))
            emails: list[Any] = response.json() if response.is_success else []
            return github.read_user(endpoints, raw, emails)
        case "gitlab":
            return gitlab.read_user(endpoints, raw)
        case "discord":
            return discord.read_user(endpoints, raw)
        case "slack_oidc":
            return slack.read_user(endpoints, raw)
        case "twitch":
            return twitch.read_user(endpoints, raw)
        case "keycloak":
            return oidc.keycloak_user(endpoints.issuer, raw)
    return oidc.userinfo_user(endpoints.issuer, raw)


def _claims(provider: Provider, ctx: RequestContext, id_token: str) -> Json:
    """The claims of an id_token that came from the token endpoint itself.

    TLS vouches for it in place of the signature (OpenID Connect Core, 3.1.3.7, step 6). Raises unexpected_failure.
    """
    import jwt as pyjwt  # within, as in emulator.jwt

    try:
        claims: Json = pyjwt.decode(id_token, options={"verify_signature": False})
    except pyjwt.PyJWTError as error:
        raise provider_failure() from error
    aud, exp = claims.get("aud"), claims.get("exp")
    audiences = [aud] if isinstance(aud, str) else aud if isinstance(aud, list) else []
    is_current = isinstance(exp, (int, float)) and exp > ctx.now.timestamp()
    ids = provider.settings.client_ids if provider.custom is not None else provider.settings.client_ids[:1]
    if not set(ids) & set(audiences) or not is_current:
        raise provider_failure()
    return claims
