"""The mailbox over the wire: SMTP in, pages and JSON out, nothing for other sites."""

import smtplib
from collections.abc import Iterator
from email.message import EmailMessage

import httpx
import pytest

from emulator.mailbox.app import create_app
from emulator.mailbox.settings import MailboxSettings
from tests.contract.auth.harness import Served
from tests.support.patience import PATIENCE_S
from tests.support.postgres import free_port


@pytest.fixture(scope="module")
def smtp_port() -> int:
    return free_port()


@pytest.fixture(scope="module")
def web(smtp_port: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    served = Served(create_app(MailboxSettings(folder=tmp_path_factory.mktemp("mails"), smtp_port=smtp_port)))
    with httpx.Client(base_url=served.url, timeout=PATIENCE_S) as client:
        yield client
    served.stop()


@pytest.fixture(autouse=True)
def _empty(web: httpx.Client) -> None:
    assert web.delete("/mail/api/messages").status_code == 204


def send(smtp_port: int, subject: str = "Hello", html: str = "", to: str = "ada@example.com") -> None:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "Muster <m@example.org>", to, subject
    message.set_content("Text of the mail: http://localhost/verify?token=1&type=2")
    if html:
        message.add_alternative(html, subtype="html")
    with smtplib.SMTP("127.0.0.1", smtp_port) as smtp:
        smtp.send_message(message)


def test_mails_come_in_and_are_found(web: httpx.Client, smtp_port: int) -> None:
    send(smtp_port, "First")
    send(smtp_port, "Second", to="ben@example.com")
    listed = web.get("/mail/api/messages").json()
    assert listed["total"] == 2
    assert [item["subject"] for item in listed["messages"]] == ["Second", "First"]
    found = web.get("/mail/api/messages", params={"query": "first ADA"}).json()
    assert [item["subject"] for item in found["messages"]] == ["First"]
    only = web.get("/mail/api/messages", params={"to": "ben@example.com", "limit": "1"}).json()["messages"]
    assert [item["subject"] for item in only] == ["Second"]
    whole = web.get(f"/mail/api/messages/{only[0]['id']}").json()
    assert whole["links"] == ["http://localhost/verify?token=1&type=2"]
    assert web.get(f"/mail/api/messages/{only[0]['id']}/raw").text.startswith("From: Muster")
    assert web.delete(f"/mail/api/messages/{only[0]['id']}").status_code == 204
    assert web.get(f"/mail/api/messages/{only[0]['id']}").status_code == 404


def test_page_shows_list_mail_and_links(web: httpx.Client, smtp_port: int) -> None:
    assert "No mail yet" in web.get("/mail").text
    send(smtp_port, "<b>Bold</b>", html="<p>Rich</p>")
    page = web.get("/mail").text
    assert "&lt;b&gt;Bold&lt;/b&gt;" in page
    assert "<b>Bold</b>" not in page
    message_id = web.get("/mail/api/messages").json()["messages"][0]["id"]
    shown = web.get(f"/mail/{message_id}").text
    assert f'src="/mail/{message_id}/html" sandbox="allow-popups allow-popups-to-escape-sandbox"' in shown
    text = web.get(f"/mail/{message_id}?view=text").text
    assert "Text of the mail" in text
    assert "<iframe" not in text
    assert "No mail has all of these words" in web.get("/mail?q=nothing").text
    gone = web.get("/mail/1800000000000-0011aabb")
    assert gone.status_code == 404
    assert "This mail is gone" in gone.text


def test_nothing_of_a_mail_runs(web: httpx.Client, smtp_port: int) -> None:
    send(smtp_port, html='<script>alert(1)</script><img src="http://tracker.example/x">')
    message_id = web.get("/mail/api/messages").json()["messages"][0]["id"]
    page = web.get(f"/mail/{message_id}").headers["content-security-policy"]
    assert "default-src 'none'" in page
    assert "unsafe-inline" not in page
    assert "script-src 'self'" in page
    assert "frame-ancestors 'none'" in page
    frame = web.get(f"/mail/{message_id}/html").headers["content-security-policy"]
    assert "default-src 'none'" in frame
    assert "img-src data:;" in frame
    assert "sandbox allow-popups" in frame
    assert "allow-scripts" not in frame
    assert "allow-same-origin" not in frame


def test_pages_have_no_inline_script_or_style(web: httpx.Client, smtp_port: int) -> None:
    send(smtp_port, html="<p>x</p>")
    message_id = web.get("/mail/api/messages").json()["messages"][0]["id"]
    for path in ("/mail", f"/mail/{message_id}", f"/mail/{message_id}?view=text"):
        page = web.get(path).text
        assert "<style" not in page
        assert " style=" not in page
        assert " onclick" not in page
        assert page.count("<script") == 1
        assert 'src="/mail/assets/mailbox.js"' in page
    assert web.get("/mail/assets/mailbox.css").headers["content-type"].startswith("text/css")
    assert web.get("/mail/assets/../app.py").status_code == 404


@pytest.mark.parametrize("headers", [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}])
def test_other_sites_can_not_delete(web: httpx.Client, smtp_port: int, headers: dict[str, str]) -> None:
    send(smtp_port)
    assert web.post("/mail/clear", headers=headers).status_code == 403
    assert web.delete("/mail/api/messages", headers=headers).status_code == 403
    assert web.get("/mail/api/messages").json()["total"] == 1
    assert "access-control-allow-origin" not in web.get("/mail/api/messages", headers=headers).headers
    own = {"Sec-Fetch-Site": "same-origin"}
    assert web.post("/mail/clear", headers=own).headers["location"] == "/mail"
    assert web.get("/mail/api/messages").json()["total"] == 0


def test_slash_and_unknown_paths(web: httpx.Client) -> None:
    assert web.get("/mail/").headers["location"] == "/mail"
    assert web.get("/mail/api/nothing").json() == {"message": "not found"}
