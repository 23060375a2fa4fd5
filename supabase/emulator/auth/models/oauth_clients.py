"""auth.oauth_clients."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from emulator.auth.models.sql import Db, columns, fetch_all, fetch_one, insert, update


@dataclass(frozen=True)
class OAuthClient:
    """auth.oauth_clients; lists are stored comma separated, as by GoTrue."""

    id: UUID
    client_secret_hash: str | None
    registration_type: str
    redirect_uris: str
    grant_types: str
    client_name: str | None
    client_uri: str | None
    logo_uri: str | None
    created_at: datetime
    updated_at: datetime
    client_type: str
    token_endpoint_auth_method: str


_CLIENT = f"select {columns(OAuthClient)} from auth.oauth_clients where deleted_at is null"


async def client_by_id(db: Db, client_id: UUID) -> OAuthClient | None:
    """One client that was not deleted."""
    return await fetch_one(db, OAuthClient, f"{_CLIENT} and id = %s", (client_id,))


async def list_clients(db: Db) -> list[OAuthClient]:
    """All that were not deleted, newest first."""
    return await fetch_all(db, OAuthClient, f"{_CLIENT} order by created_at desc, id")


async def insert_client(db: Db, values: dict[str, Any]) -> None:
    """Insert a client."""
    await insert(db, "oauth_clients", values)


async def update_client(db: Db, client: OAuthClient, now: datetime, **changes: Any) -> OAuthClient:
    """Change some columns."""
    return await update(db, "oauth_clients", OAuthClient, client.id, {**changes, "updated_at": now}) or client
