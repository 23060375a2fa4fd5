"""auth.webauthn_credentials: passkeys."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from emulator.auth.models.sql import Db, columns, fetch_all, fetch_one, insert, update


@dataclass(frozen=True)
class WebAuthnCredential:
    """auth.webauthn_credentials."""

    id: UUID
    user_id: UUID
    credential_id: bytes
    public_key: bytes
    aaguid: UUID | None
    sign_count: int
    transports: list[str]
    backed_up: bool
    friendly_name: str
    created_at: datetime
    updated_at: datetime
    last_used_at: datetime | None


_CREDENTIAL = f"select {columns(WebAuthnCredential)} from auth.webauthn_credentials"


async def credentials_of(db: Db, user_id: UUID) -> list[WebAuthnCredential]:
    """A user's passkeys, oldest first."""
    return await fetch_all(
        db, WebAuthnCredential, f"{_CREDENTIAL} where user_id = %s order by created_at, id", (user_id,)
    )


async def credential_of(db: Db, user_id: UUID, passkey_id: UUID) -> WebAuthnCredential | None:
    """One passkey of that user."""
    return await fetch_one(
        db, WebAuthnCredential, f"{_CREDENTIAL} where user_id = %s and id = %s", (user_id, passkey_id)
    )


async def credential_by_credential_id(db: Db, credential_id: bytes) -> WebAuthnCredential | None:
    """By the id that the authenticator knows, locked."""
    return await fetch_one(
        db, WebAuthnCredential, f"{_CREDENTIAL} where credential_id = %s for update", (credential_id,)
    )


async def insert_credential(db: Db, values: dict[str, Any]) -> None:
    """Insert a passkey."""
    await insert(db, "webauthn_credentials", {**values, "transports": Jsonb(values["transports"])})


async def update_credential(db: Db, passkey: WebAuthnCredential, now: datetime, **changes: Any) -> WebAuthnCredential:
    """Change some columns."""
    changed = await update(db, "webauthn_credentials", WebAuthnCredential, passkey.id, {**changes, "updated_at": now})
    return changed or passkey


async def delete_credential(db: Db, passkey_id: UUID) -> None:
    """Delete one passkey."""
    await db.execute("delete from auth.webauthn_credentials where id = %s", (passkey_id,))


async def delete_credentials(db: Db, user_id: UUID) -> None:
    """Delete all passkeys of a user."""
    await db.execute("delete from auth.webauthn_credentials where user_id = %s", (user_id,))
