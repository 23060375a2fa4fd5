"""auth.saml_relay_states: a sign-in that was sent to an identity provider."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from emulator.auth.models.sql import Db, columns, fetch_one, insert


@dataclass(frozen=True)
class SamlRelayState:
    """The request that the response must answer, and where the browser goes then."""

    id: UUID
    sso_provider_id: UUID
    request_id: str
    redirect_to: str | None
    created_at: datetime
    flow_state_id: UUID | None


async def insert_relay_state(
    db: Db, provider_id: UUID, request_id: str, redirect_to: str, flow_id: UUID, now: datetime
) -> UUID:
    """Insert one; its id goes with the request and comes back with the response."""
    relay_id = uuid4()
    values = {
        "id": relay_id, "sso_provider_id": provider_id, "request_id": request_id, "redirect_to": redirect_to,
        "flow_state_id": flow_id, "created_at": now, "updated_at": now,
    }  # fmt: skip
    await insert(db, "saml_relay_states", values)
    return relay_id


async def take_relay_state(db: Db, relay_id: UUID) -> SamlRelayState | None:
    """Delete one, and return it: a response is taken once."""
    statement = f"delete from auth.saml_relay_states where id = %s returning {columns(SamlRelayState)}"
    return await fetch_one(db, SamlRelayState, statement, (relay_id,))
