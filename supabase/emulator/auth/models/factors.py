"""auth.mfa_factors."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from emulator.auth.models.sql import Db, Query, columns, fetch_all, fetch_one, insert, update


@dataclass(frozen=True)
class Factor:
    """auth.mfa_factors."""

    id: UUID
    user_id: UUID
    friendly_name: str | None
    factor_type: str
    status: str
    created_at: datetime
    updated_at: datetime
    secret: str | None
    phone: str | None
    last_challenged_at: datetime | None
    web_authn_credential: dict[str, Any] | None
    web_authn_aaguid: UUID | None
    last_webauthn_challenge_data: dict[str, Any] | None

    @property
    def is_verified(self) -> bool:
        """Whether it has been verified, so that it is required at sign-in."""
        return self.status == "verified"


_FACTOR = f"select {columns(Factor)} from auth.mfa_factors"


def factors_query(user_id: UUID) -> Query[Factor]:
    """A user's factors, the last changed one last, as a query.

    GoTrue has them in the order of the table, which is about that.
    """
    return Query(Factor, f"{_FACTOR} where user_id = %s order by updated_at, id", (user_id,))


async def factors_of(db: Db, user_id: UUID) -> list[Factor]:
    """A user's factors in the same order."""
    query = factors_query(user_id)
    return await fetch_all(db, query.cls, query.statement, query.params)


async def factor_of(db: Db, user_id: UUID, factor_id: UUID) -> Factor | None:
    """One factor of that user."""
    return await fetch_one(db, Factor, f"{_FACTOR} where user_id = %s and id = %s", (user_id, factor_id))


async def insert_factor(db: Db, values: dict[str, Any]) -> None:
    """Insert an enrolled factor."""
    await insert(db, "mfa_factors", values)


async def update_factor(db: Db, factor: Factor, now: datetime, **changes: Any) -> Factor:
    """Change some columns."""
    return await update(db, "mfa_factors", Factor, factor.id, {**changes, "updated_at": now}) or factor


async def delete_factor(db: Db, factor_id: UUID) -> None:
    """Delete one factor; its challenges go by cascade."""
    await db.execute("delete from auth.mfa_factors where id = %s", (factor_id,))


async def delete_unverified_factors(db: Db, user_id: UUID, factor_type: str) -> None:
    """Delete a user's factors of one type that were never verified."""
    await db.execute(
        "delete from auth.mfa_factors where user_id = %s and factor_type::text = %s and status = 'unverified'",
        (user_id, factor_type),
    )


async def delete_stale_factors(db: Db, user_id: UUID, before: datetime) -> None:
    """Delete unverified factors from before then that were never challenged."""
    await db.execute(
        "delete from auth.mfa_factors f where user_id = %s and status = 'unverified' and created_at < %s"
        " and not exists (select from auth.mfa_challenges c where c.factor_id = f.id)",
        (user_id, before),
    )


async def delete_factors(db: Db, user_id: UUID) -> None:
    """Delete all factors of a user."""
    await db.execute("delete from auth.mfa_factors where user_id = %s", (user_id,))
