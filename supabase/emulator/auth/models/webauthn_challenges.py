"""auth.webauthn_challenges: passkey ceremonies that are under way."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from emulator.auth.models.sql import Db, columns, fetch_one, insert


@dataclass(frozen=True)
class WebAuthnChallenge:
    """auth.webauthn_challenges."""

    id: UUID
    user_id: UUID | None
    challenge_type: str
    session_data: dict[str, Any]
    expires_at: datetime


async def insert_challenge(db: Db, values: dict[str, Any]) -> None:
    """A ceremony under way."""
    await insert(db, "webauthn_challenges", values)


async def take_challenge(db: Db, challenge_id: UUID, kind: str) -> WebAuthnChallenge | None:
    """A ceremony's challenge, once."""
    statement = (
        "delete from auth.webauthn_challenges where id = %s and challenge_type = %s"
        f" returning {columns(WebAuthnChallenge)}"
    )
    return await fetch_one(db, WebAuthnChallenge, statement, (challenge_id, kind))
