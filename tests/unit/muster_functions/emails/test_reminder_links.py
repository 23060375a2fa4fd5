"""The signed link that puts a reminder off: what we wrote is read, nothing else is."""

from datetime import date
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster_functions.emails import unsubscribe_links
from muster_functions.emails.reminder_links import Reminder, link, read_token, write_token

SECRET = "a-secret-of-more-than-thirty-two-characters"
REMINDER = Reminder(UUID("7d4f0a5e-3a4b-4c56-9d0e-0f1a2b3c4d5e"), date(2027, 3, 3), date(2027, 2, 1))


@given(st.uuids(), st.dates(), st.dates())
def test_what_was_written_is_read(id: UUID, expires_on: date, mailed_on: date) -> None:
    reminder = Reminder(id, expires_on, mailed_on)
    token = write_token(reminder, SECRET)
    assert read_token(token, SECRET) == reminder
    assert not set(token) & set("+/=&?% ")


def test_the_link_is_on_the_site() -> None:
    made = link(REMINDER, site_url="https://muster.test/", secret=SECRET)
    assert made == f"https://muster.test/functions/v1/remind-later?token={write_token(REMINDER, SECRET)}"


def test_every_change_breaks_it() -> None:
    token = write_token(REMINDER, SECRET)
    for place in range(len(token)):
        other = "A" if token[place] != "A" else "B"
        assert read_token(token[:place] + other + token[place + 1 :], SECRET) is None, place
    assert read_token(token, SECRET + "x") is None


@pytest.mark.parametrize("token", ["", "=", "A" * 54, "A" * 10_000, "é" * 54, "\x00", "../.."])
def test_what_is_no_token_is_none(token: str) -> None:
    assert read_token(token, SECRET) is None


def test_a_link_of_one_purpose_does_nothing_else() -> None:
    subscription = unsubscribe_links.Subscription(REMINDER.certification_id, "certifications")
    assert read_token(unsubscribe_links.write_token(subscription, SECRET), SECRET) is None
    assert unsubscribe_links.read_token(write_token(REMINDER, SECRET), SECRET) is None
