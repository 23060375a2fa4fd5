"""What a new password must be."""

from emulator.auth.conf.settings import PasswordSettings
from emulator.auth.crypto.password import MAX_BYTES
from emulator.auth.errors import WeakPassword, validation_failed, weak_password

DEFAULT_MIN_LENGTH = 6


def check_password_strength(password: str, settings: PasswordSettings) -> None:
    """Raise validation_failed above 72 bytes, WeakPassword where a rule is not met."""
    check_password_length(password)
    weakness = find_password_weakness(password, settings)
    if weakness is not None:
        raise weakness


def check_password_length(password: str) -> None:
    """Raise validation_failed when bcrypt could not hold the whole password."""
    if len(password.encode()) > MAX_BYTES:
        raise validation_failed("Password cannot be longer than 72 characters")


def find_password_weakness(password: str, settings: PasswordSettings) -> WeakPassword | None:
    """The rules that a password does not meet, None if it meets all."""
    messages, reasons = [], []
    min_length = max(settings.min_length, DEFAULT_MIN_LENGTH)
    if len(password.encode()) < min_length:
        messages.append(f"Password should be at least {min_length} characters.")
        reasons.append("length")
    if not all(any(char in wanted for char in password) for wanted in settings.required_characters):
        sets = ", ".join(settings.required_characters)
        messages.append(f"Password should contain at least one character of each: {sets}.")
        reasons.append("characters")
    return weak_password(" ".join(messages), reasons) if reasons else None
