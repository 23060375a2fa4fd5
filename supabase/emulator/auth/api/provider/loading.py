"""Which provider a name stands for, by the settings. Discovery documents are fetched, and kept for a while."""

from typing import TYPE_CHECKING

from emulator.auth import errors
from emulator.auth.api.provider import discord, github, gitlab, oidc, slack, twitch
from emulator.auth.api.provider.custom import discovery_url, fixed_endpoints, rules_of, settings_of
from emulator.auth.api.provider.provider import Endpoints, Json, Provider, provider_failure
from emulator.auth.api.provider.resolver import failure_text
from emulator.auth.conf.external import BUILT_IN, ProviderSettings
from emulator.auth.context import RequestContext
from emulator.auth.models import custom_oauth_providers
from emulator.auth.models.custom_oauth_providers import CustomOAuthProvider
from emulator.auth.security.public_urls import require_public_url
from emulator.errors import ApiError

if TYPE_CHECKING:
    import httpx

SCOPES = {
    **oidc.SCOPES, "github": github.SCOPES, "gitlab": gitlab.SCOPES, "discord": discord.SCOPES,
    "slack_oidc": slack.SCOPES, "twitch": twitch.SCOPES,
}  # fmt: skip


async def load_provider(ctx: RequestContext, name: str) -> Provider:
    """A provider by name; raises validation_failed when it is unknown, disabled or incompletely configured."""
    name = name.lower()
    if name.startswith("custom:"):
        return await _load_custom(ctx, name)
    settings = ctx.settings.providers.get(name)
    if settings is None and name not in BUILT_IN:
        raise errors.validation_failed(f"Unsupported provider: Provider {name} could not be found")
    if settings is None or not settings.enabled:
        raise errors.validation_failed("Unsupported provider: provider is not enabled")
    for value, what in ((settings.client_ids, "client ID"), (settings.secret, "secret")):
        if not value:
            raise errors.validation_failed(f"Unsupported provider: missing OAuth {what}")
    try:
        endpoints = await find_endpoints(ctx, settings)
    except Unreachable as error:
        raise errors.validation_failed(f"Unsupported provider: {error.reason}") from error
    return Provider(settings, endpoints, SCOPES.get(name, oidc.DEFAULT_SCOPES), pkce=False)


async def find_custom(ctx: RequestContext, identifier: str) -> CustomOAuthProvider | None:
    """A provider that an admin registered."""
    async with ctx.service.pool.connection() as db:
        return await custom_oauth_providers.provider_by_identifier(db, identifier.replace("\0", ""))


async def _load_custom(ctx: RequestContext, identifier: str) -> Provider:
    found = await find_custom(ctx, identifier) if ctx.settings.custom_oauth_enabled else None
    problem = "custom OAuth providers are disabled" if not ctx.settings.custom_oauth_enabled else ""
    if not problem and found is None:
        problem = f"custom provider {identifier} not found"
    elif found is not None and not found.enabled:
        problem = f"custom provider {identifier} is disabled"
    if problem or found is None:
        raise errors.validation_failed(f"Unsupported provider: {problem}")
    try:
        endpoints = await find_custom_endpoints(ctx, found)
    except Unreachable as error:
        raise errors.validation_failed(
            f"Unsupported provider: failed to create OIDC provider: {error.reason}"
        ) from error
    asked = ctx.query("scopes").split()
    scopes = asked or found.scopes
    if found.provider_type == "oidc" and "openid" not in scopes:
        scopes = ["openid", *scopes]
    return Provider(settings_of(found, ctx), endpoints, " ".join(scopes), found.pkce_enabled, rules_of(found))


async def find_custom_endpoints(ctx: RequestContext, provider: CustomOAuthProvider) -> Endpoints:
    """Fixed, or discovered now. Raises Unreachable, and validation_failed for addresses that are not public."""
    endpoints = fixed_endpoints(provider)
    if provider.provider_type == "oidc":
        url = discovery_url(provider)
        await require_public_url(url)
        endpoints = oidc.discovered_endpoints(await fetch_document(ctx, url), provider.issuer or "")
    for url in (endpoints.token, endpoints.userinfo, endpoints.jwks):
        if url:
            await require_public_url(url)
    return endpoints


async def find_endpoints(ctx: RequestContext, settings: ProviderSettings) -> Endpoints:
    """Fixed, derived from the URL, or discovered. Raises Unreachable."""
    url = settings.url
    match settings.name:
        case "github":
            return github.endpoints(url)
        case "gitlab":
            return gitlab.endpoints(url)
        case "discord":
            return discord.endpoints(url)
        case "slack_oidc":
            return slack.endpoints(url)
        case "twitch":
            return twitch.endpoints(url)
        case "azure":
            return oidc.azure_endpoints(url)
        case "keycloak":
            return oidc.keycloak_endpoints(url)
    if settings.name not in oidc.ISSUERS:
        raise errors.validation_failed(f"Unsupported provider: Provider {settings.name} could not be found")
    issuer = url or oidc.ISSUERS[settings.name]
    return oidc.discovered_endpoints(await fetch_document(ctx, oidc.discovery_url(issuer)), issuer)


class Unreachable(ApiError):
    """The provider did not respond with a JSON object; `reason` says how, for the log or an operator."""

    def __init__(self, request: "httpx.Request", why: object) -> None:
        failure = provider_failure("Unable to reach the external provider")
        super().__init__(failure.status, failure.code, failure.message)
        self.reason = f'{request.method.capitalize()} "{request.url}": {why}'


async def fetch_document(ctx: RequestContext, url: str) -> Json:
    """A provider's public document, from the cache while it is fresh."""
    cache, now = ctx.service.provider_documents, ctx.now.timestamp()
    document = cache.get(url, now)
    if document is None:
        document = await send_for_json(ctx, ctx.service.http.build_request("GET", url))
        cache.put(url, document, now)
    return document


async def send_for_json(ctx: RequestContext, request: "httpx.Request") -> Json:
    """The JSON object of a provider's response. Raises Unreachable."""
    import httpx

    try:
        response = await ctx.service.http.send(request)
        response.raise_for_status()
        document = response.json()
    except (httpx.HTTPError, ValueError) as error:
        raise Unreachable(request, failure_text(error, request.url.host)) from error
    if not isinstance(document, dict):
        raise Unreachable(request, "not a JSON object")
    return document
