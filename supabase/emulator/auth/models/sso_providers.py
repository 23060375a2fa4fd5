"""auth.sso_providers with auth.saml_providers and auth.sso_domains: read and deleted, never written."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from emulator.auth.models.sql import Db, fetch_all, fetch_one


@dataclass(frozen=True)
class SsoProvider:
    """A provider with its SAML part and its domains."""

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
    domains: list[str]


_PROVIDER = """
select p.id, p.resource_id, p.disabled, p.created_at, p.updated_at, s.entity_id, s.metadata_xml, s.metadata_url,
  s.attribute_mapping, s.name_id_format,
  array(select d.domain from auth.sso_domains d where d.sso_provider_id = p.id order by d.domain) as domains
from auth.sso_providers p left join auth.saml_providers s on s.sso_provider_id = p.id
"""


async def list_providers(db: Db) -> list[SsoProvider]:
    """All, oldest first."""
    return await fetch_all(db, SsoProvider, f"{_PROVIDER} order by p.created_at, p.id")


async def provider_by_id(db: Db, provider_id: UUID) -> SsoProvider | None:
    """One, by id."""
    return await fetch_one(db, SsoProvider, f"{_PROVIDER} where p.id = %s", (provider_id,))


async def provider_by_resource(db: Db, resource_id: str) -> SsoProvider | None:
    """One, by the name that its owner gave it, in any case."""
    return await fetch_one(db, SsoProvider, f"{_PROVIDER} where lower(p.resource_id) = lower(%s)", (resource_id,))


async def delete_provider(db: Db, provider_id: UUID) -> None:
    """Delete one; what refers to it goes by cascade."""
    await db.execute("delete from auth.sso_providers where id = %s", (provider_id,))
