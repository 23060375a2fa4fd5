"""E-mail addresses and phone numbers."""

import pytest

from emulator.auth.utilities.addresses import format_phone, validate_email, validate_phone
from emulator.errors import ApiError


@pytest.mark.parametrize("address", ["a@b", "A.b+c@sub.example.com", "x!#$%&'*+/=?^_`{|}~-@h-y.co"])
def test_addresses(address: str) -> None:
    assert validate_email(address) == address.lower()


@pytest.mark.parametrize(
    "address",
    ["", "a", "a@", "@b", "a b@c", "a@b..c", "a@-b.c", "a@b.c\n", " a@b.c", "a@b.c>", "ä@b.c", f"a@{'b' * 64}"],
)
def test_invalid_addresses(address: str) -> None:
    with pytest.raises(ApiError):
        validate_email(address)


def test_phones() -> None:
    assert validate_phone("+1 555 010 0200") == "15550100200" == format_phone("15550100200")
    for bad in ("", "+", "0123", "1" * 16, "12a", "+1+2", "１２３"):
        with pytest.raises(ApiError):
            validate_phone(bad)
