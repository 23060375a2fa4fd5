"""auth.one_time_tokens."""

from datetime import UTC, datetime
from uuid import UUID, uuid4

from emulator.auth.models.sql import Db


async def put_token(db: Db, user_id: UUID, kind: str, token_hash: str, relates_to: str, now: datetime) -> None:
    """Store a token, which replaces an older one of its kind."""
    moment = now.astimezone(UTC).replace(tzinfo=None)
    await db.execute("delete from auth.one_time_tokens where user_id = %s and token_type::text = %s", (user_id, kind))
    await db.execute(
        "insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at, updated_at)"
        " values (%s, %s, %s::auth.one_time_token_type, %s, %s, %s, %s)",
        (uuid4(), user_id, kind, token_hash, relates_to.lower(), moment, moment),
    )


async def delete_tokens(db: Db, user_id: UUID, *kinds: str) -> None:
    """Delete a user's tokens: of these kinds, or all if none is named."""
    await db.execute(
        "delete from auth.one_time_tokens where user_id = %s and (%s or token_type::text = any(%s))",
        (user_id, not kinds, list(kinds)),
    )
