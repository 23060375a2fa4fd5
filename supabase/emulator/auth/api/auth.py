"""Who is calling: users by their access token and live session, admins by their role."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from emulator.auth import errors
from emulator.auth.context import Call
from emulator.auth.models import sessions, users
from emulator.auth.models.sessions import Session
from emulator.auth.models.sql import NIL_UUID, Db, Query, fetch_together
from emulator.auth.models.users import User
from emulator.errors import ApiError
from emulator.jwt import Claims


@dataclass(frozen=True)
class Caller:
    """A signed-in user; a token without session_id has no session."""

    user: User
    session: Session | None
    claims: Claims

    @property
    def aal(self) -> str:
        """How sure we are, as the token says."""
        return str(self.claims.get("aal") or "aal1")


def require_claims(call: Call) -> Claims:
    """The claims of a good token; raises no_authorization or bad_jwt."""
    judged = call.judged_bearer
    if judged is None:
        raise errors.no_authorization()
    if isinstance(judged, ApiError):
        raise judged
    return judged


async def require_user(call: Call, db: Db, *, lock: bool = False) -> Caller:
    """The user behind the token, whose session still exists; `lock` the row for a change."""
    user_id, session_id = _named(require_claims(call))
    if lock:
        await users.lock_user(db, user_id)
    found_users, found_sessions = await fetch_together(db, *_caller_queries(user_id, session_id))
    return _caller(call, found_users, found_sessions, session_id)


async def require_user_with(
    call: Call, db: Db, ask: Callable[[UUID], Sequence[Query[Any]]]
) -> tuple[Caller, list[list[Any]]]:
    """The same, with the rows of more queries about that user: one round trip for all."""
    user_id, session_id = _named(require_claims(call))
    found_users, found_sessions, *more = await fetch_together(db, *_caller_queries(user_id, session_id), *ask(user_id))
    return _caller(call, found_users, found_sessions, session_id), more


def _named(claims: Claims) -> tuple[UUID, UUID | None]:
    """Which user and session a token is about; raises bad_jwt."""
    subject = claims.get("sub")
    if not subject:
        raise errors.bad_claim("missing sub claim")
    user_id = _uuid(subject)
    if user_id is None:
        raise errors.bad_claim("sub claim must be a UUID", 400)
    return user_id, _session_id(claims)


def _caller_queries(user_id: UUID, session_id: UUID | None) -> Sequence[Query[Any]]:
    return users.user_query(user_id), sessions.session_query(session_id or NIL_UUID)


def _caller(call: Call, users: Sequence[User], sessions: Sequence[Session], session_id: UUID | None) -> Caller:
    """Judge what was found. A ban is said before a missing session, because it ends them all."""
    if not users:
        raise errors.caller_not_found()
    user, session = users[0], sessions[0] if sessions else None
    if user.is_banned(call.now):
        raise errors.user_banned()
    if session is None and session_id is not None:
        raise errors.session_gone()
    if session is not None and session.user_id != user.id:
        raise errors.session_gone()
    return Caller(user, session, require_claims(call))


def _session_id(claims: Claims) -> UUID | None:
    named = claims.get("session_id")
    if named in (None, "", str(NIL_UUID)):
        return None
    session_id = _uuid(named)
    if session_id is None:
        raise errors.bad_claim("session_id claim must be a UUID")
    return session_id


def require_admin(call: Call) -> Claims:
    """The claims of an admin's token; raises no_authorization, bad_jwt or not_admin."""
    claims = require_claims(call)
    if claims.get("role") not in call.settings.jwt.admin_roles:
        raise errors.not_admin()
    return claims


def require_audience(call: Call, caller: Caller) -> None:
    """The token's audience is the request's; raises validation_failed."""
    if (caller.claims.get("aud") or "") != call.aud:
        raise errors.validation_failed("Token audience doesn't match request audience")


def refuse_anonymous(caller: Caller) -> None:
    """Some doors are not for anonymous users."""
    if caller.user.is_anonymous:
        raise errors.anonymous_not_allowed()


def _uuid(value: object) -> UUID | None:
    try:
        return UUID(value) if isinstance(value, str) else None
    except ValueError:
        return None


def path_uuid(call: Call, name: str, message: str, status: int = 404) -> UUID:
    """A uuid of the path; raises validation_failed with the words of that endpoint."""
    value = _uuid(call.request.path_params[name])
    if value is None:
        raise errors.validation_failed(message, status)
    return value
