"""The functions' part of the contract: who may mail whom, permission, the link that stops mails. On every backend."""

import re
from html import unescape
from uuid import uuid4

import httpx
import pytest

from tests.support.stack import wait_until
from tests.support.wire import Backend

NOTIFY = "/functions/v1/send-notification-email"


def test_an_invitation_is_mailed(backend: Backend) -> None:
    email = f"ben-{uuid4().hex[:8]}@example.org"
    backend.rows("POST", "waitlist", json={"email": email, "status": "invited"})
    body = {"notification": {"type": "invitation", "title": "", "content": ""}, "recipient": {"email": email}}
    service = backend.keys["SERVICE_ROLE_KEY"]
    answer = backend.ask("POST", NOTIFY, "SERVICE_ROLE_KEY", json=body, token=service)
    assert answer.json() == {"success": True, "error": None}
    wait_until(lambda: backend.mails(email))


def test_a_message_is_mailed_once_and_a_click_stops_the_next(backend: Backend) -> None:
    """A member's own deed, told by mail; the link in it followed through the gateway; then no more mail."""
    ada, ben = backend.member("Ada"), backend.member("Ben")
    settings = backend.rows("GET", f"profiles?select=notification_settings&id=eq.{ben.id}")[0]["notification_settings"]
    settings["preferences"]["messages"]["email_enabled"] = True
    backend.rows("PATCH", f"profiles?id=eq.{ben.id}", json={"notification_settings": settings})
    body = {"notification": {"type": "message", "title": "", "content": ""}, "recipient": {"email": ben.email}}

    def write_and_tell() -> object:
        row = {"sender_id": ada.id, "recipient_id": ben.id, "content": "Hose 4 leaks"}
        sent = backend.ask("POST", "/rest/v1/messages", "PUBLISHABLE_KEY", token=ada.token, json=row)
        assert sent.status_code == 201, sent.text
        return backend.ask("POST", NOTIFY, "PUBLISHABLE_KEY", token=ada.token, json=body).json()

    assert write_and_tell() == {"success": True, "error": None}
    wait_until(lambda: backend.mails(ben.email))
    (mail,) = backend.mails(ben.email)
    text = unescape(mail.replace("=\r\n", "").replace("=\n", "").replace("=3D", "="))
    found = re.search(rf"<({re.escape(backend.url)}/functions/v1/unsubscribe\?token=[\w-]+)>", text)
    assert found is not None
    assert "List-Unsubscribe-Post: List-Unsubscribe=One-Click" in mail
    stopped = httpx.post(found[1], data={"List-Unsubscribe": "One-Click"})
    assert stopped.status_code == 200
    assert write_and_tell() == {"success": False, "error": "The recipient does not take e-mail for this"}


@pytest.mark.parametrize("key", ["PUBLISHABLE_KEY", None])
def test_visitors_can_send_no_mail(backend: Backend, key: str | None) -> None:
    body = {"notification": {"type": "message", "title": "", "content": ""}, "recipient": {"email": "x@example.org"}}
    assert backend.ask("POST", NOTIFY, key, json=body).status_code in (401, 403)


def test_every_origin_may_call(backend: Backend) -> None:
    asked = {
        "Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,x-region,apikey",
    }  # fmt: skip
    preflight = backend.ask("OPTIONS", NOTIFY, headers=asked)
    assert preflight.status_code in (200, 204)
    assert preflight.headers["access-control-allow-origin"] == "*"
    assert "x-region" in preflight.headers["access-control-allow-headers"]
    refused = backend.ask("POST", NOTIFY, headers={"Origin": "https://elsewhere.example"}, json={})
    assert refused.headers["access-control-allow-origin"] == "*"
    assert refused.headers["x-relay-error"] == "true"


def test_an_unknown_function_is_not_found(backend: Backend) -> None:
    assert backend.get("/functions/v1/no-such-function", "PUBLISHABLE_KEY").status_code == 404
