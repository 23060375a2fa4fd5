"""A received mail as values, however broken; and the folder that keeps it."""

from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emulator.mailbox.message import message_payload, parse_message
from emulator.mailbox.settings import MailboxSettings
from emulator.mailbox.store import MailStore

ID = "1800000000000-0011aabb"


def mail(text: str = "Hello\nhttp://a/?x=1&y=2", html: str = "", **headers: str) -> bytes:
    message = EmailMessage()
    for name, value in {"From": "Muster <m@example.org>", "To": "ada@example.com", "Subject": "Hi", **headers}.items():
        message[name] = value
    message.set_content(text)
    if html:
        message.add_alternative(html, subtype="html")
    return message.as_bytes()


def test_a_mail_of_two_parts() -> None:
    html = '<p><a href="http://a/?x=1&amp;y=2">go</a> <a href="javascript:x">no</a> <a href=\'https://b/\'>b</a></p>'
    message = parse_message(ID, mail(html=html, Subject="Grüße", To="Ada <ada@example.com>, ben@example.com"))
    assert message.subject == "Grüße"
    assert [person.address for person in message.to] == ["ada@example.com", "ben@example.com"]
    assert message.links == ("http://a/?x=1&y=2", "https://b/")
    assert message.html.strip() == html
    assert message.snippet == "Hello http://a/?x=1&y=2"
    assert message.received_at.isoformat() == "2027-01-15T08:00:00+00:00"


def test_a_subject_on_a_line_of_its_own() -> None:
    """Python's library folds a long one after its name."""
    subject = "New feedback: The Next button on step four hides the last choice on my phone."
    raw = mail(Subject=subject)
    assert b"Subject:\n New feedback" in raw
    assert parse_message(ID, raw).subject == subject


def test_links_of_a_text_only_mail() -> None:
    assert parse_message(ID, mail()).links == ("http://a/?x=1&y=2",)


def test_words_of_a_search() -> None:
    message = parse_message(ID, mail("Your code is 123456"))
    assert message.matches("CODE ada")
    assert message.matches("")
    assert not message.matches("code ben")
    assert message.is_to("ADA@example.com")
    assert not message.is_to("ada@example.co")


@pytest.mark.parametrize(
    "raw",
    [
        b"", b"no headers at all", b"Subject: =?x?y?z\r\n\r\n", b"From: @@<>\r\nTo: ,,;\r\n\r\nx",
        b"Content-Type: text/plain; charset=nonsense\r\n\r\n\xff\xfe",
        b"Content-Type: multipart/mixed\r\n\r\n--x\r\n", b"Content-Transfer-Encoding: base64\r\n\r\n!!!!",
        b"To: \xff\xfe <a@b>\r\n\r\nx",
    ],
)  # fmt: skip
def test_broken_mails_read_as_something(raw: bytes) -> None:
    assert message_payload(parse_message(ID, raw))["id"] == ID


@given(st.binary(max_size=300))
def test_any_bytes_read_as_something(raw: bytes) -> None:
    assert message_payload(parse_message(ID, raw))["size"] == len(raw)


def test_store_keeps_the_newest(tmp_path: Path) -> None:
    store = MailStore(tmp_path / "mail", max_messages=3)
    store.open()
    ids = [store.add(mail(Subject=f"n{number}")) for number in range(5)]
    assert store.ids() == ids[:1:-1]
    assert [message.subject for message in store.search("n")] == ["n4", "n3", "n2"]
    assert store.get(ids[0]) is None
    assert store.delete(ids[4])
    assert not store.delete(ids[4])
    store.clear()
    assert store.ids() == []


@pytest.mark.parametrize("name", ["../../etc/passwd", "..", "", "1-2", f"{ID}/..", f"{ID}\n"])
def test_names_that_are_no_ids(tmp_path: Path, name: str) -> None:
    store = MailStore(tmp_path)
    assert store.get(name) is None
    assert store.raw(name) is None
    assert not store.delete(name)


def test_settings() -> None:
    settings = MailboxSettings.from_env({"MAILBOX_DIR": "/x", "MAILBOX_SMTP_PORT": "2525"})
    assert (settings.folder, settings.smtp_host, settings.smtp_port) == (Path("/x"), "127.0.0.1", 2525)
    with pytest.raises(ValueError, match="MAILBOX_DIR"):
        MailboxSettings.from_env({})
