"""What a new password must be."""

from emulator.auth.conf.settings import PasswordSettings
from emulator.auth.context import RequestContext
from emulator.auth.crypto.password import MAX_BYTES
from emulator.auth.errors import WeakPassword, validation_failed, weak_password
from emulator.auth.security.leaked_passwords import is_leaked

DEFAULT_MIN_LENGTH = 6


async def check_password_strength(ctx: RequestContext, password: str) -> None:
    """Raise validation_failed above 72 bytes, WeakPassword where a rule is not met, unexpected_failure."""
    check_password_length(password)
    weakness = await find_password_weakness(ctx, password)
    if weakness is not None:
        raise weakness


def check_password_length(password: str) -> None:
    """Raise validation_failed when bcrypt could not hold the whole password."""
    if len(password.encode()) > MAX_BYTES:
        raise validation_failed("Password cannot be longer than 72 characters")


async def find_password_weakness(ctx: RequestContext, password: str) -> WeakPassword | None:
    """The rules that a password does not meet, None if it meets all. Raises unexpected_failure."""
    return describe_weakness(password, ctx.settings.password, is_leaked=await is_leaked(ctx, password))


def describe_weakness(password: str, settings: PasswordSettings, *, is_leaked: bool = False) -> WeakPassword | None:
    """The same, where it is known whether it was in a breach."""
    messages, reasons = [], []
    min_length = max(settings.min_length, DEFAULT_MIN_LENGTH)
    if len(password.encode()) < min_length:
        messages.append(f"Password should be at least {min_length} characters.")
        reasons.append("length")
    if not all(any(char in wanted for char in password) for wanted in settings.required_characters):
        sets = ", ".join(settings.required_characters)
        messages.append(f"Password should contain at least one character of each: {sets}.")
        reasons.append("characters")
    if is_leaked:
        messages.append("Password is known to be weak and easy to guess, please choose a different one.")
        reasons.append("pwned")
    return weak_password(" ".join(messages), reasons) if reasons else None
