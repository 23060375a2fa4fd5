"""The signed link that stops a kind of mail: what we wrote is read, nothing else is."""

from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emulator.jwt import JwtError, KeySet, sign
from muster_functions.emails.unsubscribe_links import PREFERENCES, Subscription, link, read_token, write_token

SECRET = "a-secret-of-more-than-thirty-two-characters"
ADA = Subscription(UUID("7d4f0a5e-3a4b-4c56-9d0e-0f1a2b3c4d5e"), "mentions")


@pytest.mark.parametrize("preference", PREFERENCES)
def test_what_was_written_is_read(preference: str) -> None:
    subscription = Subscription(uuid4(), preference)
    token = write_token(subscription, SECRET)
    assert read_token(token, SECRET) == subscription
    assert len(token) == 44
    assert token.isascii()
    assert not set(token) & set("+/=&?% ")


def test_the_link_is_on_the_site() -> None:
    made = link(ADA, site_url="https://muster.test/", secret=SECRET)
    assert made == f"https://muster.test/functions/v1/unsubscribe?token={write_token(ADA, SECRET)}"


def test_every_change_breaks_it() -> None:
    token = write_token(ADA, SECRET)
    for place in range(len(token)):
        other = "A" if token[place] != "A" else "B"
        assert read_token(token[:place] + other + token[place + 1 :], SECRET) is None, place
    assert read_token(token, SECRET + "x") is None


@pytest.mark.parametrize(
    "token", ["", "=", "A", "A" * 44, "A" * 10_000, "é" * 44, "\x00", "🚒", "a b", "../..", "None"]
)
def test_what_is_no_token_is_none(token: str) -> None:
    assert read_token(token, SECRET) is None


@given(st.text(max_size=80))
def test_no_text_makes_it_fail(token: str) -> None:
    assert read_token(token, SECRET) is None


def test_a_link_is_no_token_for_the_api_nor_the_other_way_round() -> None:
    with pytest.raises(JwtError):
        KeySet.parse(SECRET).verify(write_token(ADA, SECRET))
    assert read_token(sign({"sub": str(ADA.member_id), "role": "authenticated"}, SECRET), SECRET) is None
