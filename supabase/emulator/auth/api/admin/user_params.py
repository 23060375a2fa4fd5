"""What POST and PUT /admin/users accept."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from emulator.auth import errors
from emulator.auth.context import RequestContext
from emulator.auth.utilities.go_duration import parse_duration_s


@dataclass(frozen=True)
class AdminUserParams:
    """The body of POST and PUT; absent differs from empty for most."""

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
    """Seconds; 0 lifts a ban, None leaves things as they are."""
    if not text:
        return None
    if text == "none":
        return 0.0
    try:
        seconds = parse_duration_s(text)
    except ValueError as error:
        raise errors.validation_failed(f"invalid format for ban duration: {error}") from None
    if abs(seconds) > 290 * 365 * 86400:
        raise errors.validation_failed(f'invalid format for ban duration: time: invalid duration "{text}"')
    return seconds


def banned_until(ctx: RequestContext, seconds: float) -> Any:
    return ctx.now + timedelta(seconds=seconds) if seconds else None
