"""/admin/sso/providers: SAML providers that a database from GoTrue may hold: listed and deleted here, never used."""

from starlette.responses import Response

from emulator.auth import errors
from emulator.auth.api.auth import path_uuid, require_admin
from emulator.auth.api.responses import json_response
from emulator.auth.context import RequestContext
from emulator.auth.models import sso_providers
from emulator.auth.models.payloads import Json, time_text, without_empty
from emulator.auth.models.sql import Db
from emulator.auth.models.sso_providers import SsoProvider
from emulator.errors import ApiError


async def list_all(ctx: RequestContext) -> Response:
    """All of them."""
    await require_admin(ctx)
    async with ctx.transaction() as db:
        return json_response({"items": [_payload(one) for one in await sso_providers.list_providers(db)]})


async def get(ctx: RequestContext) -> Response:
    """One of them."""
    await require_admin(ctx)
    async with ctx.transaction() as db:
        return json_response(_payload(await _find(ctx, db)))


async def delete(ctx: RequestContext) -> Response:
    """Delete one with its domains."""
    await require_admin(ctx)
    async with ctx.transaction() as db:
        found = await _find(ctx, db)
        await sso_providers.delete_provider(db, found.id)
    return json_response(_payload(found))


async def create(ctx: RequestContext) -> Response:
    """SAML is lacking here."""
    await require_admin(ctx)
    raise errors.saml_provider_disabled()


async def update(ctx: RequestContext) -> Response:
    """SAML is lacking here."""
    await require_admin(ctx)
    async with ctx.transaction() as db:
        await _find(ctx, db)
    raise errors.saml_provider_disabled()


async def _find(ctx: RequestContext, db: Db) -> SsoProvider:
    """The provider of the path: an id, or `resource_<name>`. Raises sso_provider_not_found."""
    text = ctx.request.path_params["idp_id"]
    if text.startswith("resource_"):
        found = await sso_providers.provider_by_resource(db, text.removeprefix("resource_"))
    else:
        try:
            found = await sso_providers.provider_by_id(db, path_uuid(ctx, "idp_id", ""))
        except ApiError:
            found = None
    if found is None:
        raise errors.sso_provider_not_found()
    return found


def _payload(provider: SsoProvider) -> Json:
    saml = without_empty(
        entity_id=provider.entity_id, metadata_xml=provider.metadata_xml, metadata_url=provider.metadata_url,
        attribute_mapping=provider.attribute_mapping, name_id_format=provider.name_id_format,
    )  # fmt: skip
    return {
        "id": str(provider.id),
        **without_empty(resource_id=provider.resource_id),
        "disabled": provider.disabled,
        "saml": saml,
        "domains": [{"domain": domain} for domain in provider.domains],
        "created_at": time_text(provider.created_at),
        "updated_at": time_text(provider.updated_at),
    }
