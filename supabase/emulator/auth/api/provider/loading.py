"""Which provider a name stands for, by the settings. Discovery documents are fetched, and kept for a while.

A provider that has an EXTERNAL_<P>_URL and none of the known names is taken for an OpenID Connect issuer.
"""

from typing import TYPE_CHECKING

from emulator.auth import errors
from emulator.auth.api.provider import discord, github, gitlab, oidc
from emulator.auth.api.provider.provider import Endpoints, Json, Provider, provider_failure
from emulator.auth.conf.external import ProviderSettings
from emulator.auth.context import RequestContext

if TYPE_CHECKING:
    import httpx

NO_PKCE = ("apple", "discord")  # they reject the parameters
SCOPES = {**oidc.SCOPES, "github": github.SCOPES, "gitlab": gitlab.SCOPES, "discord": discord.SCOPES}


async def load_provider(ctx: RequestContext, name: str) -> Provider:
    """A provider by name; raises validation_failed when it is unknown, disabled or incompletely configured."""
    settings = ctx.settings.providers.get(name.lower())
    if settings is None:
        raise errors.validation_failed(f"Unsupported provider: Provider {name} could not be found")
    if not settings.enabled:
        raise errors.validation_failed("Unsupported provider: provider is not enabled")
    for value, what in ((settings.client_ids, "client ID"), (settings.secret, "secret")):
        if not value:
            raise errors.validation_failed(f"Unsupported provider: missing OAuth {what}")
    endpoints = await find_endpoints(ctx, settings)
    scopes = SCOPES.get(settings.name, oidc.DEFAULT_SCOPES)
    return Provider(settings, endpoints, scopes, settings.name not in NO_PKCE)


async def find_endpoints(ctx: RequestContext, settings: ProviderSettings) -> Endpoints:
    """Fixed, derived from the URL, or discovered."""
    name, url = settings.name, settings.url
    if name == "github":
        return github.endpoints(url)
    if name == "gitlab":
        return gitlab.endpoints(url)
    if name == "discord":
        return discord.endpoints()
    if name == "keycloak":
        return oidc.keycloak_endpoints(url)
    issuer = url or oidc.ISSUERS.get(name)
    if not issuer:
        raise errors.validation_failed(f"Unsupported provider: Provider {name} could not be found")
    return oidc.discovered_endpoints(await fetch_document(ctx, oidc.discovery_url(issuer)), issuer)


async def fetch_document(ctx: RequestContext, url: str) -> Json:
    """A provider's public document, from the cache while it is fresh."""
    cache, now = ctx.service.provider_documents, ctx.now.timestamp()
    document = cache.get(url, now)
    if document is None:
        document = await send_for_json(ctx, ctx.service.http.build_request("GET", url))
        cache.put(url, document, now)
    return document


async def send_for_json(ctx: RequestContext, request: "httpx.Request") -> Json:
    """The JSON object of a provider's response; raises unexpected_failure."""
    import httpx

    try:
        response = await ctx.service.http.send(request)
        response.raise_for_status()
        document = response.json()
    except (httpx.HTTPError, ValueError) as error:
        raise provider_failure("Unable to reach the external provider") from error
    if not isinstance(document, dict):
        raise provider_failure("Unexpected answer of the external provider")
    return document
