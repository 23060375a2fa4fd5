"""The MIME message: headers safe from injection, text and HTML."""

from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.headerregistry import Address
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emulator.mail.email import Email
from emulator.mail.message import InvalidMail, one_line, write_message

ID = UUID("00000000-0000-4000-8000-000000000001")
SENDER = Address("Muster", addr_spec="no-reply@muster.test")
NOW = datetime(2026, 1, 5, 3, 0, tzinfo=UTC)


def mail(**changes: str) -> Email:
    values = {
        "kind": "message",
        "to": "ben@muster.test",
        "to_name": "Ben",
        "subject": "Hi",
        "text": "t",
        "html": "<p>t",
    }
    return Email(**values | changes)  # type: ignore[arg-type]


@given(name=st.text(max_size=300), subject=st.text(max_size=400), header=st.text(max_size=200))
def test_no_text_becomes_a_header_of_its_own(name: str, subject: str, header: str) -> None:
    """Line ends, controls, surrogates: whatever a member is called."""
    email = Email("message", "ben@muster.test", subject, "t", "<p>t", name, {"List-Unsubscribe": header})
    got = write_message(email, ID, SENDER, NOW)
    parsed = message_from_bytes(got.as_bytes(), policy=policy.default)
    assert set(map(str.lower, parsed.keys())) <= {
        "from", "to", "subject", "date", "message-id", "auto-submitted", "list-unsubscribe", "mime-version",
        "content-type",
    }  # fmt: skip
    assert [address.addr_spec for address in parsed["to"].addresses] == ["ben@muster.test"]
    assert parsed["message-id"] == f"<{ID}@muster.test>"


@pytest.mark.parametrize(
    "to", ["", "ben", "a b@c", "ben@muster.test, x@evil.test", "ben@x\r\nBcc: y@z", "<a@b>", "a@b@c"]
)
def test_an_address_that_is_not_one_address_is_unusable(to: str) -> None:
    with pytest.raises(InvalidMail):
        write_message(mail(to=to), ID, SENDER, NOW)


def test_a_mail_of_html_alone_says_no_more_than_its_sender_does() -> None:
    got = write_message(mail(text="", html="<p>Grüße ✓</p>\n"), None, SENDER, NOW)
    assert (got.get_content_type(), got.get_content()) == ("text/html", "<p>Grüße ✓</p>\n")
    assert {"Message-ID", "Auto-Submitted"}.isdisjoint(got.keys())


def test_text_comes_first_and_html_is_the_alternative() -> None:
    got = write_message(mail(text="Grüße ✓\n", html="<p>Grüße ✓</p>\n"), ID, SENDER, NOW)
    assert [part.get_content_type() for part in got.iter_parts()] == ["text/plain", "text/html"]
    assert got.as_bytes().isascii()
    parsed = message_from_bytes(got.as_bytes(), policy=policy.default)
    assert parsed.get_body(("plain",)).get_content().splitlines() == ["Grüße ✓"]  # type: ignore[union-attr]


def test_no_line_is_too_long_for_smtp() -> None:
    got = write_message(mail(text="x" * 5000, html="<p>" + "é" * 5000, subject="ü" * 200), ID, SENDER, NOW)
    assert max(map(len, got.as_bytes().split(b"\r\n"))) <= 998


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param("a\r\nb", "a b", id="line end"),
        pytest.param("a\x00\x1b\u2028b", "a b", id="controls"),
        pytest.param("\u202eevil", "evil", id="reordering"),
        pytest.param("👩\u200d🚒", "👩\u200d🚒", id="joined emoji stay"),
        pytest.param("  a   b ", "a b", id="spaces"),
        pytest.param("x" * 201, "x" * 199 + "…", id="long"),
        pytest.param("x" * 200, "x" * 200, id="just fits"),
    ],
)
def test_one_line(text: str, want: str) -> None:
    assert one_line(text) == want
