"""SAML's part of this service: who it is for identity providers, and what it knows of them."""

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from starlette.responses import Response

from emulator.auth import errors
from emulator.auth.context import RequestContext
from emulator.auth.models import sso_providers
from emulator.auth.models.sso_providers import SsoProvider
from emulator.auth.security.public_urls import require_public_url
from emulator.errors import ApiError

if TYPE_CHECKING:  # lxml and signxml are loaded where they are used: most stacks have no SAML
    from emulator.auth.saml.metadata import IdpMetadata
    from emulator.auth.saml.service_provider import ServiceProvider

log = logging.getLogger("emulator.auth")
MAX_METADATA_BYTES = 1024 * 1024
REFRESH_AFTER_S = 24 * 3600.0


def require_saml(ctx: RequestContext) -> None:
    """Raise saml_provider_disabled unless SAML_ENABLED."""
    if not ctx.settings.saml.enabled:
        raise errors.saml_provider_disabled()


def service_provider(ctx: RequestContext) -> "ServiceProvider":
    """This service, as identity providers see it."""
    from emulator.auth.saml.service_provider import ServiceProvider

    saml = ctx.settings.saml
    base = saml.external_url or ctx.settings.api_external_url
    return ServiceProvider(base, saml.private_key, saml.private_key_next, saml.allow_encrypted_assertions)


async def metadata(ctx: RequestContext) -> Response:
    """GET /sso/saml/metadata."""
    require_saml(ctx)
    is_download = ctx.query("download") == "true"
    document = await asyncio.to_thread(service_provider(ctx).metadata, ctx.now, is_download=is_download)
    age_s = 60 if ctx.settings.saml.private_key_next else 600
    headers = {"cache-control": f"public, max-age={age_s}"}
    headers |= {"content-disposition": 'attachment; filename="metadata.xml"'} if is_download else {}
    return Response(document.encode(), 200, headers, media_type="application/xml")


async def read_metadata(document: str) -> "IdpMetadata":
    """The metadata of an identity provider; raises validation_failed."""
    from emulator.auth.saml.metadata import BadMetadata, parse_metadata

    try:
        return await asyncio.to_thread(parse_metadata, document)
    except BadMetadata as error:
        raise errors.validation_failed(str(error)) from error


async def fetch_metadata(ctx: RequestContext, url: str) -> str:
    """The document at a public HTTPS URL; raises validation_failed, saml_metadata_fetch_failed."""
    import httpx

    await require_public_url(url)
    document = b""
    try:
        async with ctx.service.http.stream("GET", url, headers={"accept": "application/xml;charset=UTF-8"}) as response:
            if response.status_code != 200:
                raise errors.saml_metadata_fetch_failed(f"HTTP {response.status_code}", url)
            async for part in response.aiter_bytes():
                document += part
                if len(document) > MAX_METADATA_BYTES:
                    raise errors.saml_metadata_fetch_failed("Too long:", url)
        return document.decode()
    except httpx.HTTPError as error:
        raise errors.saml_metadata_fetch_failed(type(error).__name__, url) from error
    except UnicodeDecodeError:
        text = "SAML Metadata XML contains invalid UTF-8 characters, which are not supported at this time"
        raise errors.validation_failed(text) from None


async def known_metadata(ctx: RequestContext, provider: SsoProvider) -> "IdpMetadata":
    """What is stored of a provider; fetched again where it has a URL and is old. A failure leaves what was known."""
    known = await read_metadata(provider.metadata_xml or "")
    if provider.metadata_url and _is_stale(ctx, provider, known):
        try:
            document = await fetch_metadata(ctx, provider.metadata_url)
            fetched = await read_metadata(document)
            if fetched.entity_id != known.entity_id:
                raise errors.saml_entity_id_mismatch(known.entity_id, fetched.entity_id)
        except ApiError as error:
            log.warning("SAML metadata of provider %s was not fetched: %s", provider.id, error.message)
        else:
            async with ctx.transaction() as db:
                await sso_providers.keep_metadata(db, provider.id, document, ctx.now)
            known = fetched
    return replace(known, entity_id=provider.entity_id or known.entity_id)


def _is_stale(ctx: RequestContext, provider: SsoProvider, known: "IdpMetadata") -> bool:
    age_s = (ctx.now - (provider.saml_updated_at or provider.updated_at)).total_seconds()
    if known.valid_until is not None and ctx.now > known.valid_until:
        return True
    if known.cache_s:
        return age_s > known.cache_s
    return known.valid_until is None and age_s > REFRESH_AFTER_S
