"""The OAuth 2.0 authorization code flow with a provider: where the browser is sent, and who the code stands for."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from emulator.auth.api.provider import discord, github, gitlab, oidc
from emulator.auth.api.provider.loading import send_for_json
from emulator.auth.api.provider.provider import Json, Provider, UserProvidedData, provider_failure
from emulator.auth.context import RequestContext

# Query parameters of /authorize that are not passed on to the provider.
RESERVED_PARAMS = frozenset(
    (
        "scopes", "provider", "client_id", "client_secret", "redirect_uri", "response_type", "state",
        "code_challenge", "code_challenge_method", "code_verifier", "skip_http_redirect", "apikey",
    )
)  # fmt: skip


@dataclass(frozen=True)
class ProviderTokens:
    """The provider's own tokens, which the client gets, too."""

    access_token: str
    refresh_token: str


def authorization_url(provider: Provider, ctx: RequestContext, state: str, challenge: str) -> str:
    """Where the browser is sent; parameters of the request that are not ours are passed on."""
    passed = {name: value for name, value in ctx.request.query_params.items() if name not in RESERVED_PARAMS}
    if "workos_provider" in passed:
        passed["provider"] = passed.pop("workos_provider")
    asked = [scope.strip() for scope in ctx.query("scopes").split(",") if scope.strip()]
    params = {
        **passed,
        "client_id": provider.settings.client_ids[0],
        "redirect_uri": _redirect_uri(provider, ctx),
        "response_type": "code",
        "scope": " ".join([provider.scopes, *asked]),
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
    http, headers = ctx.service.http, {"accept": "application/json"}
    response = await send_for_json(
        ctx, http.build_request("POST", provider.endpoints.token, data=form, headers=headers)
    )
    access_token, refresh_token = response.get("access_token"), response.get("refresh_token")
    if not isinstance(access_token, str) or not access_token:
        raise provider_failure("Unable to exchange external code")
    tokens = ProviderTokens(access_token, refresh_token if isinstance(refresh_token, str) else "")
    return await _fetch_user(provider, ctx, {**headers, "authorization": f"Bearer {access_token}"}), tokens


async def _fetch_user(provider: Provider, ctx: RequestContext, headers: dict[str, str]) -> UserProvidedData:
    http, endpoints = ctx.service.http, provider.endpoints
    raw: Json = await send_for_json(ctx, http.build_request("GET", endpoints.userinfo, headers=headers))
    if provider.name == "github":
        response = await http.send(http.build_request("GET", f"{endpoints.userinfo}/emails", headers=headers))
        emails: list[Any] = response.json() if response.is_success else []
        return github.read_user(endpoints, raw, emails)
    if provider.name == "gitlab":
        return gitlab.read_user(endpoints, raw)
    if provider.name == "discord":
        return discord.read_user(endpoints, raw)
    return oidc.read_user(endpoints.issuer, raw)
