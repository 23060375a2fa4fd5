"""auth.identities."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from emulator.auth.models.sql import (
    Db,
    Query,
    columns,
    fetch_all,
    fetch_one,
    update,
)
from emulator.auth.models.users import UserGone


@dataclass(frozen=True)
class Identity:
    """auth.identities."""

    id: UUID
    provider_id: str
    user_id: UUID
    identity_data: dict[str, Any]
    provider: str
    last_sign_in_at: datetime | None
    created_at: datetime
    updated_at: datetime
    email: str | None


_IDENTITY = f"select {columns(Identity)} from auth.identities"


def identities_query(user_id: UUID) -> Query[Identity]:
    """A user's identities, oldest first, as a query."""
    return Query(Identity, f"{_IDENTITY} where user_id = %s order by created_at, id", (user_id,))


async def identities_of(db: Db, user_id: UUID) -> list[Identity]:
    """A user's identities, oldest first."""
    query = identities_query(user_id)
    return await fetch_all(db, query.cls, query.statement, query.params)


async def identity_of_provider(db: Db, provider: str, provider_id: str) -> Identity | None:
    """By the id that the person has at the provider."""
    where = "where provider = %s and provider_id = %s"
    return await fetch_one(db, Identity, f"{_IDENTITY} {where}", (provider, provider_id))


async def owners_at_provider(db: Db, provider: str, email: str) -> list[UUID]:
    """Whose identities at one provider have that address."""
    statement = "select distinct user_id from auth.identities where provider = %s and email = %s limit 2"
    return [row[0] for row in await (await db.execute(statement, (provider, email))).fetchall()]


async def insert_identity(
    db: Db, user_id: UUID, provider: str, provider_id: str, data: dict[str, Any], now: datetime
) -> Identity:
    """Insert an identity."""
    statement = (
        "insert into auth.identities"
        " (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)"
        f" values (%s, %s, %s, %s, %s, %s, %s) returning {columns(Identity)}"
    )
    row = await fetch_one(db, Identity, statement, (provider_id, user_id, Jsonb(data), provider, now, now, now))
    if row is None:
        raise UserGone
    return row


async def update_identity(db: Db, identity: Identity, now: datetime, **changes: Any) -> Identity:
    """Change some columns. Raises UserGone."""
    changed = await update(db, "identities", Identity, identity.id, {**changes, "updated_at": now})
    if changed is None:
        raise UserGone
    return changed


async def delete_identity(db: Db, identity_id: UUID) -> None:
    """Delete one identity."""
    await db.execute("delete from auth.identities where id = %s", (identity_id,))


async def delete_identities(db: Db, user_id: UUID, except_provider: str = "") -> None:
    """Delete all identities of a user, or all but those of one provider."""
    await db.execute("delete from auth.identities where user_id = %s and provider <> %s", (user_id, except_provider))
