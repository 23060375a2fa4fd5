"""auth.oauth_client_states."""

from datetime import datetime
from uuid import UUID, uuid4

from emulator.auth.models.sql import Db, fetch_value, insert


async def insert_client_state(db: Db, provider: str, code_verifier: str, now: datetime) -> UUID:
    """Store the PKCE verifier of this service for a provider; returns its id."""
    state_id = uuid4()
    values = {"id": state_id, "provider_type": provider, "code_verifier": code_verifier, "created_at": now}
    await insert(db, "oauth_client_states", values)
    return state_id


async def take_client_state(db: Db, state_id: UUID) -> str | None:
    """Delete a verifier and return it; None when it was used already."""
    statement = "delete from auth.oauth_client_states where id = %s returning code_verifier"
    value = await fetch_value(db, statement, (state_id,))
    return None if value is None else str(value)
