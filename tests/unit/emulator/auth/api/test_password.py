"""What a new password must be."""

from emulator.auth import errors
from emulator.auth.api.password import describe_weakness
from emulator.auth.conf.settings import PasswordSettings


def test_weaknesses() -> None:
    rules = PasswordSettings(min_length=8, required_characters=("abc", "01"))
    assert describe_weakness("a1234567", rules) is None
    weak = describe_weakness("zz", rules)
    assert isinstance(weak, errors.WeakPassword)
    assert weak.reasons == ("length", "characters")
    assert describe_weakness("éééé", PasswordSettings(min_length=6)) is None  # bytes count, as in Go
    strict = describe_weakness("12345", PasswordSettings(min_length=1))
    assert strict is not None
    assert strict.message == "Password should be at least 6 characters."
    leaked = describe_weakness("12345", PasswordSettings(), is_leaked=True)
    assert leaked is not None
    assert leaked.reasons == ("length", "pwned")
