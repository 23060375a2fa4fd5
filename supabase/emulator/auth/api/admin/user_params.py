"""What POST and PUT /admin/users accept."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from emulator.auth import errors
from emulator.auth.context import RequestContext
from emulator.auth.utilities.go_duration import parse_duration_s

MAX_DURATION_S = 290 * 365 * 86400  # about what a Go duration can hold


@dataclass(frozen=True)
class AdminUserParams:
    """The body of both; for most fields absent differs from empty."""

    id: str = ""
    aud: str = ""
    role: str = ""
    email: str = ""
    phone: str = ""
    password: str | None = None
    password_hash: str = ""
    email_confirm: bool = False
    phone_confirm: bool = False
    user_metadata: dict[str, Any] | None = None
    app_metadata: dict[str, Any] | None = None
    ban_duration: str = ""


def parse_ban_duration(text: str) -> float | None:
    """Seconds; 0 lifts a ban, None leaves it as it is. Raises validation_failed."""
    if not text:
        return None
    if text == "none":
        return 0.0
    try:
        seconds = parse_duration_s(text)
    except ValueError as error:
        raise errors.validation_failed(f"invalid format for ban duration: {error}") from None
    if abs(seconds) > MAX_DURATION_S:
        raise errors.validation_failed(f'invalid format for ban duration: time: invalid duration "{text}"')
    return seconds


def banned_until(ctx: RequestContext, seconds: float) -> datetime | None:
    """The end of a ban that begins now; None lifts it."""
    return ctx.now + timedelta(seconds=seconds) if seconds else None
