"""What a new password must be."""

from emulator.auth import errors
from emulator.auth.api.password import find_password_weakness
from emulator.auth.conf.settings import PasswordSettings


def test_weaknesses() -> None:
    rules = PasswordSettings(min_length=8, required_characters=("abc", "01"))
    assert find_password_weakness("a1234567", rules) is None
    weak = find_password_weakness("zz", rules)
    assert isinstance(weak, errors.WeakPassword)
    assert weak.reasons == ("length", "characters")
    assert find_password_weakness("éééé", PasswordSettings(min_length=6)) is None  # bytes count, as in Go
    strict = find_password_weakness("12345", PasswordSettings(min_length=1))
    assert strict is not None
    assert strict.message == "Password should be at least 6 characters."
