"""Authentication of requests: users by access token and live session, admins by the token's role."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from starlette.responses import Response

from emulator.auth import errors
from emulator.auth.context import RequestContext
from emulator.auth.models import sessions, users
from emulator.auth.models.sessions import Session
from emulator.auth.models.sql import NIL_UUID, Db, Query, select_together
from emulator.auth.models.users import User
from emulator.auth.tokens.validity import session_error
from emulator.errors import ApiError
from emulator.principal import Principal


@dataclass(frozen=True)
class SignedInUser:
    """The user of a verified token, with the session that it was issued for, if it names one."""

    user: User
    session: Session | None
    principal: Principal

    @property
    def aal(self) -> str:
        """The authenticator assurance level of the token: aal1 or aal2."""
        return str(self.principal.claims.get("aal") or "aal1")


def require_principal(ctx: RequestContext) -> Principal:
    """Who a valid token is for; raises no_authorization or bad_jwt."""
    verified = ctx.verified_bearer
    if verified is None:
        raise errors.no_authorization()
    if isinstance(verified, ApiError):
        raise verified
    return verified


async def require_user(ctx: RequestContext, db: Db, *, lock: bool = False) -> SignedInUser:
    """The signed-in user; `lock` the row for a change.

    Raises what require_principal does, and bad_jwt, user_not_found, user_banned, session_not_found.
    """
    principal = require_principal(ctx)
    user_id, session_id = _subject(principal)
    if lock:
        await users.lock_user(db, user_id)
    found = await select_together(db, *_queries(user_id, session_id))
    return _signed_in(ctx, principal, session_id, *found)


async def require_user_with(
    ctx: RequestContext, db: Db, more: Callable[[UUID], Sequence[Query[Any]]]
) -> tuple[SignedInUser, list[list[Any]]]:
    """The same, with the rows of more queries about that user: one round trip for all."""
    principal = require_principal(ctx)
    user_id, session_id = _subject(principal)
    found_users, found_sessions, *rows = await select_together(db, *_queries(user_id, session_id), *more(user_id))
    return _signed_in(ctx, principal, session_id, found_users, found_sessions), rows


def _subject(principal: Principal) -> tuple[UUID, UUID | None]:
    """Which user and session a token is for; raises bad_jwt."""
    subject = principal.claims.get("sub")
    if not subject:
        raise errors.bad_claim("missing sub claim")
    user_id = _uuid(subject)
    if user_id is None:
        raise errors.bad_claim("sub claim must be a UUID", 400)
    named = principal.claims.get("session_id")
    if named in (None, "", str(NIL_UUID)):
        return user_id, None
    session_id = _uuid(named)
    if session_id is None:
        raise errors.bad_claim("session_id claim must be a UUID")
    return user_id, session_id


def _queries(user_id: UUID, session_id: UUID | None) -> Sequence[Query[Any]]:
    return users.user_query(user_id), sessions.session_query(session_id or NIL_UUID)


def _signed_in(
    ctx: RequestContext, principal: Principal, session_id: UUID | None, found_users: Sequence[User],
    found_sessions: Sequence[Session],
) -> SignedInUser:  # fmt: skip
    """Check what was found. A ban is reported before a missing session, because it ends them all."""
    if not found_users:
        raise errors.token_user_not_found()
    user, session = found_users[0], found_sessions[0] if found_sessions else None
    if user.is_banned(ctx.now):
        raise errors.user_banned()
    if session is None and session_id is not None:
        raise errors.token_session_not_found()
    if session is not None and session.user_id != user.id:
        raise errors.token_session_not_found()
    return SignedInUser(user, session, principal)


async def require_admin(ctx: RequestContext) -> Principal:
    """Who an admin's token is for.

    Raises no_authorization, bad_jwt or not_admin; for a token of a session also what require_user does.
    """
    principal = require_principal(ctx)
    if principal.claims.get("session_id") not in (None, "", str(NIL_UUID)):
        async with ctx.service.pool.connection() as db:
            caller = await require_user(ctx, db)
            if caller.session is not None and await session_error(ctx, db, caller.user, caller.session) is not None:
                raise errors.session_not_valid()
    if principal.role not in ctx.settings.jwt.admin_roles:
        raise errors.not_admin()
    return principal


def require_audience(ctx: RequestContext, caller: SignedInUser) -> None:
    """The token's audience must be the request's; raises validation_failed."""
    if (caller.principal.claims.get("aud") or "") != (ctx.header("x-jwt-aud") or ctx.aud):
        raise errors.validation_failed("Token audience doesn't match request audience")


def require_not_anonymous(caller: SignedInUser) -> None:
    """Raise no_authorization for anonymous users."""
    if caller.user.is_anonymous:
        raise errors.anonymous_not_allowed()


def refuse_application(ctx: RequestContext) -> None:
    """Raise no_authorization for the token of a client of the OAuth server: what follows would make it the user."""
    if ctx.principal is not None and ctx.principal.claims.get("client_id"):
        raise errors.application_not_allowed()


def in_person(
    handler: Callable[[RequestContext], Awaitable[Response]],
) -> Callable[[RequestContext], Awaitable[Response]]:
    """The same endpoint, for users themselves and not for their applications."""

    async def checked(ctx: RequestContext) -> Response:
        refuse_application(ctx)
        return await handler(ctx)

    return checked


def path_uuid(ctx: RequestContext, name: str, message: str, status: int = 404) -> UUID:
    """A UUID of the path; raises validation_failed with the message of that endpoint."""
    value = _uuid(ctx.request.path_params[name])
    if value is None:
        raise errors.validation_failed(message, status)
    return value


def _uuid(value: object) -> UUID | None:
    try:
        return UUID(value) if isinstance(value, str) else None
    except ValueError:
        return None
