"""auth.mfa_amr_claims."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from emulator.auth.models.sql import Db, Query, columns, fetch_all


@dataclass(frozen=True)
class AmrClaim:
    """A method by which a session was authenticated."""

    authentication_method: str
    created_at: datetime
    updated_at: datetime


async def add_amr(db: Db, session_id: UUID, method: str, now: datetime) -> None:
    """Insert a method of authentication, or update the time of a repeated one."""
    await db.execute(
        "insert into auth.mfa_amr_claims (session_id, created_at, updated_at, authentication_method, id)"
        " values (%s, %s, %s, %s, %s)"
        " on conflict on constraint mfa_amr_claims_session_id_authentication_method_pkey"
        " do update set updated_at = excluded.updated_at",
        (session_id, now, now, method, uuid4()),
    )


def amr_query(session_id: UUID) -> Query[AmrClaim]:
    """The methods of a session, as a query."""
    statement = f"select {columns(AmrClaim)} from auth.mfa_amr_claims where session_id = %s"
    return Query(AmrClaim, statement, (session_id,))


async def amr_of(db: Db, session_id: UUID) -> list[AmrClaim]:
    """The methods of a session."""
    query = amr_query(session_id)
    return await fetch_all(db, query.cls, query.statement, query.params)
