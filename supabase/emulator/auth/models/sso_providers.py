"""auth.sso_providers with auth.saml_providers and auth.sso_domains."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from psycopg.types.json import Jsonb

from emulator.auth.models.sql import Db, fetch_all, fetch_one, insert


@dataclass(frozen=True)
class SsoProvider:
    """A provider with its SAML part and its domains. `saml_updated_at` is when its metadata was last looked at."""

    id: UUID
    resource_id: str | None
    disabled: bool | None
    created_at: datetime
    updated_at: datetime
    entity_id: str | None
    metadata_xml: str | None
    metadata_url: str | None
    attribute_mapping: dict[str, Any] | None
    name_id_format: str | None
    saml_updated_at: datetime | None
    domains: list[str]

    @property
    def is_enabled(self) -> bool:
        """Whether people may sign in by it."""
        return not self.disabled


_PROVIDER = """
select p.id, p.resource_id, p.disabled, p.created_at, p.updated_at, s.entity_id, s.metadata_xml, s.metadata_url,
  s.attribute_mapping, s.name_id_format, s.updated_at as saml_updated_at,
  array(select d.domain from auth.sso_domains d where d.sso_provider_id = p.id order by d.domain) as domains
from auth.sso_providers p left join auth.saml_providers s on s.sso_provider_id = p.id
"""


async def list_providers(db: Db, resource_id: str = "", resource_prefix: str = "") -> list[SsoProvider]:
    """All, or those whose owner's name is or begins so; oldest first."""
    where: str = ""
    params: tuple[str, ...] = ()
    if resource_id:
        where, params = "where p.resource_id = %s", (resource_id,)
    elif resource_prefix:
        where, params = "where starts_with(p.resource_id, %s)", (resource_prefix,)
    return await fetch_all(db, SsoProvider, f"{_PROVIDER} {where} order by p.created_at, p.id", params)


async def provider_by_id(db: Db, provider_id: UUID) -> SsoProvider | None:
    """One, by id."""
    return await fetch_one(db, SsoProvider, f"{_PROVIDER} where p.id = %s", (provider_id,))


async def provider_by_resource(db: Db, resource_id: str) -> SsoProvider | None:
    """One, by the name that its owner gave it, in any case."""
    return await fetch_one(db, SsoProvider, f"{_PROVIDER} where lower(p.resource_id) = lower(%s)", (resource_id,))


async def provider_by_entity(db: Db, entity_id: str) -> SsoProvider | None:
    """One, by the name of the identity provider."""
    return await fetch_one(db, SsoProvider, f"{_PROVIDER} where s.entity_id = %s", (entity_id,))


async def provider_by_domain(db: Db, domain: str) -> SsoProvider | None:
    """One, by a domain of mail addresses, in any case."""
    where = "where p.id = (select d.sso_provider_id from auth.sso_domains d where lower(d.domain) = lower(%s))"
    return await fetch_one(db, SsoProvider, f"{_PROVIDER} {where}", (domain,))


async def insert_provider(db: Db, provider: SsoProvider) -> None:
    """Insert one with its SAML part and its domains."""
    made = {"created_at": provider.created_at, "updated_at": provider.updated_at}
    own = {"id": provider.id, "resource_id": provider.resource_id, "disabled": provider.disabled}
    await insert(db, "sso_providers", own | made)
    saml = {
        "id": uuid4(), "sso_provider_id": provider.id, "entity_id": provider.entity_id,
        "metadata_xml": provider.metadata_xml, "metadata_url": provider.metadata_url,
        "attribute_mapping": Jsonb(provider.attribute_mapping or {}), "name_id_format": provider.name_id_format,
    }  # fmt: skip
    await insert(db, "saml_providers", saml | made)
    await set_domains(db, provider.id, provider.domains, provider.updated_at)


async def update_provider(db: Db, provider: SsoProvider) -> None:
    """Write all that can change, but for the domains."""
    await db.execute(
        "update auth.sso_providers set resource_id = %s, disabled = %s, updated_at = %s where id = %s",
        (provider.resource_id, provider.disabled, provider.updated_at, provider.id),
    )
    await db.execute(
        "update auth.saml_providers set metadata_xml = %s, metadata_url = %s, attribute_mapping = %s,"
        " name_id_format = %s, updated_at = %s where sso_provider_id = %s",
        (
            provider.metadata_xml, provider.metadata_url, Jsonb(provider.attribute_mapping or {}),
            provider.name_id_format, provider.saml_updated_at, provider.id,
        ),
    )  # fmt: skip


async def set_domains(db: Db, provider_id: UUID, domains: Iterable[str], now: datetime) -> None:
    """Exactly these domains."""
    await db.execute("delete from auth.sso_domains where sso_provider_id = %s", (provider_id,))
    for domain in domains:
        values = {"id": uuid4(), "sso_provider_id": provider_id, "domain": domain}
        await insert(db, "sso_domains", values | {"created_at": now, "updated_at": now})


async def keep_metadata(db: Db, provider_id: UUID, metadata_xml: str, now: datetime) -> None:
    """Metadata that was fetched again."""
    await db.execute(
        "update auth.saml_providers set metadata_xml = %s, updated_at = %s where sso_provider_id = %s",
        (metadata_xml, now, provider_id),
    )


async def delete_provider(db: Db, provider_id: UUID) -> None:
    """Delete one; what refers to it goes by cascade."""
    await db.execute("delete from auth.sso_providers where id = %s", (provider_id,))
