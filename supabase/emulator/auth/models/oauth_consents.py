"""auth.oauth_consents: which scopes a user granted to which client of the OAuth server."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from emulator.auth.models.sql import Db, columns, fetch_all, fetch_one


@dataclass(frozen=True)
class OAuthConsent:
    """A consent; `scopes` are separated by spaces."""

    id: UUID
    user_id: UUID
    client_id: UUID
    scopes: str
    granted_at: datetime


_ACTIVE = f"select {columns(OAuthConsent)} from auth.oauth_consents where revoked_at is null and user_id = %s"


async def consent_of(db: Db, user_id: UUID, client_id: UUID) -> OAuthConsent | None:
    """What a user granted to a client and did not revoke."""
    return await fetch_one(db, OAuthConsent, f"{_ACTIVE} and client_id = %s", (user_id, client_id))


async def consents_of(db: Db, user_id: UUID) -> list[OAuthConsent]:
    """All that a user granted and did not revoke, the newest first."""
    return await fetch_all(db, OAuthConsent, f"{_ACTIVE} order by granted_at desc", (user_id,))


async def grant_consent(db: Db, user_id: UUID, client_id: UUID, scopes: str, now: datetime) -> None:
    """Record a consent, in the place of an older one."""
    await db.execute(
        "insert into auth.oauth_consents (id, user_id, client_id, scopes, granted_at) values (%s, %s, %s, %s, %s)"
        " on conflict (user_id, client_id) do update"
        " set scopes = excluded.scopes, granted_at = excluded.granted_at, revoked_at = null",
        (uuid4(), user_id, client_id, scopes, now),
    )


async def revoke_consent(db: Db, consent: OAuthConsent, now: datetime) -> None:
    """Revoke a consent and end the client's sessions of that user; their tokens go by cascade."""
    await db.execute("update auth.oauth_consents set revoked_at = %s where id = %s", (now, consent.id))
    await db.execute(
        "delete from auth.sessions where user_id = %s and oauth_client_id = %s", (consent.user_id, consent.client_id)
    )
