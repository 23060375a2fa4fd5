"""auth.webauthn_challenges: of passkey ceremonies that have begun."""

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
    """Insert a challenge."""
    await insert(db, "webauthn_challenges", values)


async def take_challenge(db: Db, challenge_id: UUID, kind: str, user_id: UUID | None) -> WebAuthnChallenge | None:
    """Delete a challenge of that user (None: of nobody yet) and return it: it is good for one try."""
    statement = (
        "delete from auth.webauthn_challenges"
        " where id = %s and challenge_type = %s and user_id is not distinct from %s"
        f" returning {columns(WebAuthnChallenge)}"
    )
    return await fetch_one(db, WebAuthnChallenge, statement, (challenge_id, kind, user_id))
