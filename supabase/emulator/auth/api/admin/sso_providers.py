"""/admin/sso/providers: the SAML identity providers. They can be kept, listed and deleted with SAML off, too."""

from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
from starlette.responses import Response

from emulator.auth import errors
from emulator.auth.api.auth import path_uuid, require_admin
from emulator.auth.api.responses import json_response
from emulator.auth.api.saml import fetch_metadata, read_metadata
from emulator.auth.context import RequestContext
from emulator.auth.models import sso_providers
from emulator.auth.models.payloads import Json, time_text, without_empty
from emulator.auth.models.sql import Db
from emulator.auth.models.sso_providers import SsoProvider
from emulator.auth.utilities.go_json import GoJsonError, fill
from emulator.errors import ApiError

_NAME_FORMATS = (
    "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent", "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
    "urn:oasis:names:tc:SAML:2.0:nameid-format:transient", "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified",
)  # fmt: skip


@dataclass(frozen=True)
class SamlAttribute:
    """Where a claim comes from."""

    name: str = ""
    names: list[str] = field(default_factory=list)
    default: Any = None
    array: bool = False


@dataclass(frozen=True)
class SamlAttributeMapping:
    """Claims by their names."""

    keys: dict[str, Any] | None = None


@dataclass(frozen=True)
class SsoProviderParams:
    """The body of POST and PUT; what is absent from the latter stays, but for name_id_format."""

    type: str = ""
    metadata_url: str = ""
    metadata_xml: str = ""
    domains: list[str] | None = None
    attribute_mapping: SamlAttributeMapping = field(default_factory=SamlAttributeMapping)
    name_id_format: str = ""
    resource_id: str | None = None
    disabled: bool | None = None


async def list_all(ctx: RequestContext) -> Response:
    """All of them, or those that a resource_id or its beginning names; without their metadata."""
    await require_admin(ctx)
    async with ctx.transaction() as db:
        found = await sso_providers.list_providers(db, ctx.query("resource_id"), ctx.query("resource_id_prefix"))
    return json_response({"items": [_payload(replace(one, metadata_xml=None)) for one in found]})


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
    """Keep a new identity provider."""
    await require_admin(ctx)
    params, now = ctx.params(SsoProviderParams), ctx.now
    if params.type != "saml":
        raise errors.validation_failed("Only 'saml' supported for SSO provider type")
    _check(params)
    if not params.metadata_url and not params.metadata_xml:
        raise errors.validation_failed("Either metadata_xml or metadata_url must be set")
    document, entity_id = await _metadata(ctx, params)
    provider = SsoProvider(
        uuid4(), params.resource_id or None, params.disabled, now, now, entity_id, document,
        params.metadata_url or None, _mapping(params) or {}, params.name_id_format or None, now,
        _domains(params.domains),
    )  # fmt: skip
    async with ctx.transaction() as db:
        if await sso_providers.provider_by_entity(db, entity_id) is not None:
            raise errors.saml_idp_already_exists(entity_id)
        for domain in provider.domains:
            other = await sso_providers.provider_by_domain(db, domain)
            if other is not None:
                text = f"SSO Domain '{domain}' is already assigned to an SSO identity provider ({other.id})"
                raise errors.sso_domain_already_exists(text)
        try:
            await sso_providers.insert_provider(db, provider)
        except psycopg.errors.IntegrityError as error:
            raise errors.sso_conflict() from error
    return json_response(_payload(provider), status=201)


async def update(ctx: RequestContext) -> Response:
    """Change one; its EntityID stays."""
    await require_admin(ctx)
    async with ctx.transaction() as db:
        found = await _find(ctx, db)
    params = ctx.params(SsoProviderParams)
    _check(params)
    changed = replace(found, name_id_format=params.name_id_format or None)
    if params.metadata_url or params.metadata_xml:
        document, entity_id = await _metadata(ctx, params)
        if entity_id != found.entity_id:
            raise errors.saml_entity_id_mismatch(found.entity_id or "", entity_id)
        changed = replace(changed, metadata_xml=document, metadata_url=params.metadata_url or found.metadata_url)
    if (mapping := _mapping(params)) is not None:
        changed = replace(changed, attribute_mapping=mapping)
    if params.resource_id is not None:
        changed = replace(changed, resource_id=params.resource_id or None)
    if params.disabled is not None:
        changed = replace(changed, disabled=params.disabled)
    if params.domains is not None:
        changed = replace(changed, domains=_domains(params.domains))
    if changed != found:
        changed = await _write(ctx, changed, found)
    return json_response(_payload(changed))


async def _write(ctx: RequestContext, changed: SsoProvider, found: SsoProvider) -> SsoProvider:
    changed = replace(changed, updated_at=ctx.now, saml_updated_at=ctx.now)
    async with ctx.transaction() as db:
        for domain in changed.domains:
            other = await sso_providers.provider_by_domain(db, domain)
            if other is not None and other.id != found.id:
                text = f"SSO domain '{domain}' already assigned to another provider ({other.id})"
                raise errors.sso_domain_already_exists(text)
        try:
            await sso_providers.update_provider(db, changed)
            if changed.domains != found.domains:
                await sso_providers.set_domains(db, found.id, changed.domains, ctx.now)
        except psycopg.errors.IntegrityError as error:
            raise errors.sso_conflict() from error
    return changed


def _check(params: SsoProviderParams) -> None:
    """Raise validation_failed, in GoTrue's words."""
    if params.metadata_url and params.metadata_xml:
        raise errors.validation_failed("Only one of metadata_xml or metadata_url needs to be set")
    if params.metadata_url:
        try:
            parts = urlsplit(params.metadata_url)
        except ValueError:
            raise errors.validation_failed("metadata_url is not a valid URL") from None
        if not parts.scheme or not parts.netloc:
            raise errors.validation_failed("metadata_url is not a valid URL")
        if parts.scheme != "https":
            raise errors.validation_failed("metadata_url is not a HTTPS URL")
    if params.name_id_format and params.name_id_format not in _NAME_FORMATS:
        raise errors.validation_failed(f"name_id_format must be unspecified or one of {', '.join(_NAME_FORMATS)}")


async def _metadata(ctx: RequestContext, params: SsoProviderParams) -> tuple[str, str]:
    """The metadata of a body and its EntityID."""
    document = params.metadata_xml or await fetch_metadata(ctx, params.metadata_url)
    return document, (await read_metadata(document)).entity_id


def _mapping(params: SsoProviderParams) -> Json | None:
    """The attribute mapping as it is stored; None for none. Raises bad_json."""
    keys = params.attribute_mapping.keys
    if keys is None:
        return None
    try:
        rules = {claim: _rule(fill(SamlAttribute, rule)) for claim, rule in keys.items()}
    except GoJsonError as error:
        raise errors.bad_json(str(error), "Could not parse request body as JSON") from None
    return {"keys": rules} if rules else {}


def _rule(rule: SamlAttribute) -> Json:
    default = {} if rule.default is None else {"default": rule.default}
    return without_empty(name=rule.name, names=rule.names, array=rule.array) | default


def _domains(domains: list[str] | None) -> list[str]:
    """Each once; domains are the same in any case."""
    return sorted({domain.lower(): domain for domain in domains or () if domain}.values())


async def _find(ctx: RequestContext, db: Db) -> SsoProvider:
    """The provider of the path: an id, or `resource_<name>`. Raises sso_provider_not_found."""
    text = ctx.request.path_params["idp_id"].replace("\0", "")
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
    saml = {
        **without_empty(entity_id=provider.entity_id, metadata_xml=provider.metadata_xml),
        **without_empty(metadata_url=provider.metadata_url),
        "attribute_mapping": provider.attribute_mapping or {},
        **without_empty(name_id_format=provider.name_id_format),
    }
    return {
        "id": str(provider.id),
        **without_empty(resource_id=provider.resource_id),
        "disabled": provider.disabled,
        "saml": saml,
        "domains": [{"domain": domain} for domain in provider.domains],
        "created_at": time_text(provider.created_at),
        "updated_at": time_text(provider.updated_at),
    }
