"""auth.users."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from emulator.auth.models.sql import (
    NIL_UUID,
    Db,
    Query,
    columns,
    fetch_all,
    fetch_one,
    fetch_value,
    insert,
    update,
    update_query,
)


class UserGone(Exception):
    """The row vanished between reading and changing it."""


@dataclass(frozen=True)
class User:
    """auth.users. Token columns are '' when empty, email and phone NULL."""

    id: UUID
    aud: str | None
    role: str | None
    email: str | None
    encrypted_password: str | None
    email_confirmed_at: datetime | None
    invited_at: datetime | None
    confirmation_token: str | None
    confirmation_sent_at: datetime | None
    recovery_token: str | None
    recovery_sent_at: datetime | None
    email_change_token_new: str | None
    email_change: str | None
    email_change_sent_at: datetime | None
    last_sign_in_at: datetime | None
    raw_app_meta_data: dict[str, Any] | None
    raw_user_meta_data: dict[str, Any] | None
    created_at: datetime
    updated_at: datetime
    phone: str | None
    phone_confirmed_at: datetime | None
    phone_change: str | None
    phone_change_token: str | None
    phone_change_sent_at: datetime | None
    confirmed_at: datetime | None
    email_change_token_current: str | None
    email_change_confirm_status: int | None
    banned_until: datetime | None
    reauthentication_token: str | None
    reauthentication_sent_at: datetime | None
    is_sso_user: bool
    deleted_at: datetime | None
    is_anonymous: bool

    def is_banned(self, now: datetime) -> bool:
        """Whether the user is banned now."""
        return self.banned_until is not None and self.banned_until > now

    @property
    def has_password(self) -> bool:
        """Whether a password was ever set."""
        return bool(self.encrypted_password)


_USER = f"select {columns(User)} from auth.users"
_JOINED = f"select {columns(User, 'u')} from auth.users u"


async def user_by_id(db: Db, user_id: UUID) -> User | None:
    """Any user, of any audience."""
    return await fetch_one(db, User, f"{_USER} where instance_id = %s and id = %s", (NIL_UUID, user_id))


async def lock_user(db: Db, user_id: UUID) -> User | None:
    """The same, locked until the end of the transaction."""
    return await fetch_one(db, User, f"{_USER} where instance_id = %s and id = %s for update", (NIL_UUID, user_id))


async def user_by_email(db: Db, email: str, aud: str) -> User | None:
    """By address, in any case; SSO users are left out."""
    where = "where instance_id = %s and lower(email) = %s and aud = %s and is_sso_user = false"
    return await fetch_one(db, User, f"{_USER} {where}", (NIL_UUID, email.lower(), aud))


async def user_by_phone(db: Db, phone: str, aud: str) -> User | None:
    """By number as stored."""
    where = "where instance_id = %s and phone = %s and aud = %s and is_sso_user = false"
    return await fetch_one(db, User, f"{_USER} {where}", (NIL_UUID, phone, aud))


async def user_by_phone_change(db: Db, phone: str, aud: str) -> User | None:
    """The user whose pending change is to this number."""
    where = "where instance_id = %s and phone_change = %s and aud = %s and is_sso_user = false"
    return await fetch_one(db, User, f"{_USER} {where} order by updated_at desc limit 1", (NIL_UUID, phone, aud))


async def user_by_email_change(db: Db, email: str, aud: str) -> User | None:
    """The user with a pending change of address from or to this one."""
    where = (
        "where instance_id = %s and (lower(email) = %s or lower(email_change) = %s) and aud = %s"
        " and is_sso_user = false and email_change <> ''"
    )
    lowered = email.lower()
    order = "order by (lower(email_change) = %s) desc limit 1"
    return await fetch_one(db, User, f"{_USER} {where} {order}", (NIL_UUID, lowered, lowered, aud, lowered))


async def user_by_token(db: Db, token_hash: str, kinds: Iterable[str], aud: str) -> tuple[User, str] | None:
    """The user of a one-time token, locked, and its kind."""
    row = await fetch_value(
        db,
        "select user_id::text || ' ' || token_type from auth.one_time_tokens"
        " where token_hash = %s and token_type::text = any(%s)",
        (token_hash, list(kinds)),
    )
    if row is None:
        return None
    user_id, kind = str(row).split(" ")
    statement = f"{_JOINED} where u.id = %s and u.aud = %s and u.is_sso_user = false for update"
    user = await fetch_one(db, User, statement, (UUID(user_id), aud))
    return (user, kind) if user else None


async def email_owner(db: Db, email: str, aud: str, exclude: UUID | None = None) -> User | None:
    """The user who has this address, in auth.users or by an identity of the default linking domain."""
    statement = f"""{_JOINED}
        where u.instance_id = %s and u.aud = %s and u.is_sso_user = false and u.id is distinct from %s
          and (lower(u.email) = %s or exists (
            select from auth.identities i
            where i.user_id = u.id and i.email = %s and i.provider not like 'sso:%%'
          ))
        order by (lower(u.email) = %s) desc nulls last limit 1"""
    lowered = email.lower()
    return await fetch_one(db, User, statement, (NIL_UUID, aud, exclude, lowered, lowered, lowered))


async def email_owners(db: Db, email: str, aud: str) -> list[User]:
    """All users who have this address."""
    statement = f"""{_JOINED}
        where u.instance_id = %s and u.aud = %s and u.is_sso_user = false
          and (lower(u.email) = %s or exists (
            select from auth.identities i
            where i.user_id = u.id and i.email = %s and i.provider not like 'sso:%%'
          ))"""
    lowered = email.lower()
    return await fetch_all(db, User, statement, (NIL_UUID, aud, lowered, lowered))


async def insert_user(db: Db, values: dict[str, Any]) -> User:
    """Insert a user; columns that are not given are as GoTrue leaves them."""
    empty = dict.fromkeys(
        (
            "confirmation_token", "recovery_token", "email_change_token_new", "email_change",
            "email_change_token_current", "phone_change", "phone_change_token", "reauthentication_token",
        ),
        "",
    )  # fmt: skip
    await insert(db, "users", {"instance_id": NIL_UUID, **empty, "email_change_confirm_status": 0, **values})
    user = await user_by_id(db, values["id"])
    if user is None:
        raise UserGone
    return user


async def update_user(db: Db, user: User, now: datetime, **changes: Any) -> User:
    """Change some columns, and updated_at. Raises UserGone."""
    changed = await update(db, "users", User, user.id, {**changes, "updated_at": now})
    if changed is None:
        raise UserGone
    return changed


def update_user_query(user_id: UUID, now: datetime, **changes: Any) -> Query[User]:
    """The same for fetch_together; no row when the user is gone."""
    return update_query("users", User, user_id, {**changes, "updated_at": now})


async def delete_user(db: Db, user_id: UUID) -> None:
    """Delete the row; what refers to it goes by cascade."""
    await db.execute("delete from auth.users where id = %s", (user_id,))


async def list_users(
    db: Db, aud: str, *, search: str, order: tuple[tuple[str, bool], ...], limit: int, offset: int
) -> tuple[list[User], int]:
    """A page, and the total. `order` holds (column, descending); the columns must be known ones."""
    where, params = "where instance_id = %s and aud = %s", [NIL_UUID, aud]
    if search:
        where += " and (email like %s or raw_user_meta_data ->> 'full_name' ilike %s)"
        params += [f"%{search}%", f"%{search}%"]
    total = await fetch_value(db, f"select count(*) from auth.users {where}", params)
    by = ", ".join(f"{name} {'desc' if descending else 'asc'}" for name, descending in (*order, ("id", False)))
    page = await fetch_all(db, User, f"{_USER} {where} order by {by} limit %s offset %s", [*params, limit, offset])
    return page, int(total)


def user_query(user_id: UUID) -> Query[User]:
    """A user, as a query."""
    return Query(User, f"{_USER} where instance_id = %s and id = %s", (NIL_UUID, user_id))
