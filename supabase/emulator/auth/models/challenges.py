"""auth.mfa_challenges."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from emulator.auth.models.sql import Db, columns, fetch_one, insert


@dataclass(frozen=True)
class Challenge:
    """auth.mfa_challenges."""

    id: UUID
    factor_id: UUID
    created_at: datetime
    verified_at: datetime | None
    ip_address: str
    otp_code: str | None
    web_authn_session_data: dict[str, Any] | None


_CHALLENGE = f"select {columns(Challenge)} from auth.mfa_challenges"


async def insert_challenge(db: Db, values: dict[str, Any]) -> None:
    """Insert a challenge."""
    await insert(db, "mfa_challenges", values)


async def lock_challenge(db: Db, challenge_id: UUID, factor_id: UUID) -> Challenge | None:
    """A challenge of that factor, locked until the end of the transaction."""
    where = "where id = %s and factor_id = %s for update"
    return await fetch_one(db, Challenge, f"{_CHALLENGE} {where}", (challenge_id, factor_id))


async def verify_challenge(db: Db, challenge_id: UUID, now: datetime) -> None:
    """Mark a challenge as verified."""
    await db.execute("update auth.mfa_challenges set verified_at = %s where id = %s", (now, challenge_id))


async def delete_challenge(db: Db, challenge_id: UUID) -> None:
    """Delete one challenge."""
    await db.execute("delete from auth.mfa_challenges where id = %s", (challenge_id,))
