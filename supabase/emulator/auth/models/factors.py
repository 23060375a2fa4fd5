"""auth.mfa_factors, auth.mfa_challenges, auth.webauthn_credentials and auth.webauthn_challenges."""

from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from emulator.auth.models.rows import Challenge, Factor, Passkey, PasskeyChallenge
from emulator.auth.models.sql import Db, Query, columns, fetch_all, fetch_one, insert, update

_FACTOR = f"select {columns(Factor)} from auth.mfa_factors"
_CHALLENGE = f"select {columns(Challenge)} from auth.mfa_challenges"
_PASSKEY = f"select {columns(Passkey)} from auth.webauthn_credentials"


def factors_query(user_id: UUID) -> Query[Factor]:
    """A user's factors, oldest first, to be asked together with others."""
    return Query(Factor, f"{_FACTOR} where user_id = %s order by created_at, id", (user_id,))


async def factors_of(db: Db, user_id: UUID) -> list[Factor]:
    """A user's factors, oldest first."""
    query = factors_query(user_id)
    return await fetch_all(db, query.cls, query.statement, query.params)


async def factor_of(db: Db, user_id: UUID, factor_id: UUID) -> Factor | None:
    """One factor of that user."""
    return await fetch_one(db, Factor, f"{_FACTOR} where user_id = %s and id = %s", (user_id, factor_id))


async def insert_factor(db: Db, values: dict[str, Any]) -> None:
    """An enrolled factor."""
    await insert(db, "mfa_factors", values)


async def update_factor(db: Db, factor: Factor, now: datetime, **changes: Any) -> Factor:
    """Change some columns."""
    return await update(db, "mfa_factors", Factor, factor.id, {**changes, "updated_at": now}) or factor


async def delete_factor(db: Db, factor_id: UUID) -> None:
    """One factor with its challenges."""
    await db.execute("delete from auth.mfa_factors where id = %s", (factor_id,))


async def delete_unverified_factors(db: Db, user_id: UUID, factor_type: str) -> None:
    """What a user began to enrol of one type and never finished."""
    await db.execute(
        "delete from auth.mfa_factors where user_id = %s and factor_type::text = %s and status = 'unverified'",
        (user_id, factor_type),
    )


async def delete_stale_factors(db: Db, user_id: UUID, before: datetime) -> None:
    """Unverified factors from before then, never challenged."""
    await db.execute(
        "delete from auth.mfa_factors f where user_id = %s and status = 'unverified' and created_at < %s"
        " and not exists (select from auth.mfa_challenges c where c.factor_id = f.id)",
        (user_id, before),
    )


async def insert_challenge(db: Db, values: dict[str, Any]) -> None:
    """A question put to a factor."""
    await insert(db, "mfa_challenges", values)


async def lock_challenge(db: Db, challenge_id: UUID, factor_id: UUID) -> Challenge | None:
    """A challenge of that factor, locked until this transaction ends."""
    where = "where id = %s and factor_id = %s for update"
    return await fetch_one(db, Challenge, f"{_CHALLENGE} {where}", (challenge_id, factor_id))


async def verify_challenge(db: Db, challenge_id: UUID, now: datetime) -> None:
    """Mark it answered."""
    await db.execute("update auth.mfa_challenges set verified_at = %s where id = %s", (now, challenge_id))


async def delete_challenge(db: Db, challenge_id: UUID) -> None:
    """Forget one."""
    await db.execute("delete from auth.mfa_challenges where id = %s", (challenge_id,))


async def passkeys_of(db: Db, user_id: UUID) -> list[Passkey]:
    """A user's passkeys, oldest first."""
    return await fetch_all(db, Passkey, f"{_PASSKEY} where user_id = %s order by created_at, id", (user_id,))


async def passkey_of(db: Db, user_id: UUID, passkey_id: UUID) -> Passkey | None:
    """One passkey of that user."""
    return await fetch_one(db, Passkey, f"{_PASSKEY} where user_id = %s and id = %s", (user_id, passkey_id))


async def passkey_by_credential(db: Db, credential_id: bytes) -> Passkey | None:
    """The passkey that an authenticator knows under this id, locked."""
    return await fetch_one(db, Passkey, f"{_PASSKEY} where credential_id = %s for update", (credential_id,))


async def insert_passkey(db: Db, values: dict[str, Any]) -> None:
    """A registered passkey."""
    await insert(db, "webauthn_credentials", {**values, "transports": Jsonb(values["transports"])})


async def update_passkey(db: Db, passkey: Passkey, now: datetime, **changes: Any) -> Passkey:
    """Change some columns."""
    changed = await update(db, "webauthn_credentials", Passkey, passkey.id, {**changes, "updated_at": now})
    return changed or passkey


async def delete_passkey(db: Db, passkey_id: UUID) -> None:
    """One passkey."""
    await db.execute("delete from auth.webauthn_credentials where id = %s", (passkey_id,))


async def delete_passkeys(db: Db, user_id: UUID) -> None:
    """All of a user."""
    await db.execute("delete from auth.webauthn_credentials where user_id = %s", (user_id,))


async def delete_factors(db: Db, user_id: UUID) -> None:
    """All of a user."""
    await db.execute("delete from auth.mfa_factors where user_id = %s", (user_id,))


async def insert_passkey_challenge(db: Db, values: dict[str, Any]) -> None:
    """A ceremony under way."""
    await insert(db, "webauthn_challenges", values)


async def take_passkey_challenge(db: Db, challenge_id: UUID, kind: str) -> PasskeyChallenge | None:
    """A ceremony's challenge, once."""
    statement = (
        "delete from auth.webauthn_challenges where id = %s and challenge_type = %s"
        f" returning {columns(PasskeyChallenge)}"
    )
    return await fetch_one(db, PasskeyChallenge, statement, (challenge_id, kind))
