"""auth.custom_oauth_providers: providers that admins registered, named `custom:…`."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from emulator.auth.models.sql import Db, columns, fetch_all, fetch_one, fetch_value, insert, update


@dataclass(frozen=True)
class CustomOAuthProvider:
    """One provider. `issuer` and `discovery_url` are of OpenID Connect, the URLs below of plain OAuth 2.0."""

    id: UUID
    provider_type: str
    identifier: str
    name: str
    client_id: str
    client_secret: str
    acceptable_client_ids: list[str]
    scopes: list[str]
    pkce_enabled: bool
    attribute_mapping: dict[str, Any]
    custom_claims_allowlist: list[str]
    authorization_params: dict[str, Any]
    enabled: bool
    email_optional: bool
    issuer: str | None
    discovery_url: str | None
    skip_nonce_check: bool
    cached_discovery: dict[str, Any] | None
    discovery_cached_at: datetime | None
    authorization_url: str | None
    token_url: str | None
    userinfo_url: str | None
    jwks_uri: str | None
    created_at: datetime
    updated_at: datetime


_PROVIDER = f"select {columns(CustomOAuthProvider)} from auth.custom_oauth_providers"


async def provider_by_identifier(db: Db, identifier: str) -> CustomOAuthProvider | None:
    """By its name, `custom:` included."""
    return await fetch_one(db, CustomOAuthProvider, f"{_PROVIDER} where identifier = %s", (identifier,))


async def list_providers(db: Db, kind: str = "") -> list[CustomOAuthProvider]:
    """All, or those of a type, the newest first."""
    return await fetch_all(
        db,
        CustomOAuthProvider,
        f"{_PROVIDER} where provider_type = %s or %s = '' order by created_at desc",
        (kind, kind),
    )


async def count_providers(db: Db) -> int:
    """How many there are."""
    return int(await fetch_value(db, "select count(*) from auth.custom_oauth_providers"))


async def insert_provider(db: Db, provider: CustomOAuthProvider) -> None:
    """Insert one."""
    await insert(db, "custom_oauth_providers", vars(provider))


async def update_provider(db: Db, provider: CustomOAuthProvider, now: datetime) -> CustomOAuthProvider:
    """Write all columns of one."""
    values = {**vars(provider), "updated_at": now}
    return await update(db, "custom_oauth_providers", CustomOAuthProvider, provider.id, values) or provider


async def delete_provider(db: Db, provider: CustomOAuthProvider) -> None:
    """Delete one."""
    await db.execute("delete from auth.custom_oauth_providers where id = %s", (provider.id,))
