"""Another application signs a member in, from discovery to a row of the member's own, as MCP clients do (§15.6)."""

import base64
import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pyotp
import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.axe import faults_in_both_themes
from tests.support.member_pages import new_member, wait_until_loaded
from tests.support.patience import PATIENCE_S
from tests.support.stack import RunningStack

pytestmark = pytest.mark.e2e
NewPage = Callable[..., Page]
BACK = "http://127.0.0.1:33418/callback"


@dataclass
class Application:
    """A program of the OAuth 2.1 kind: it knows the address of the service and nothing else."""

    stack: RunningStack
    found: dict[str, Any]
    client_id: str
    verifier: str

    @classmethod
    def register(cls, stack: RunningStack, name: str) -> "Application":
        """Discovery (RFC 8414) and registration (RFC 7591)."""
        where = f"{stack.url}/.well-known/oauth-authorization-server/auth/v1"
        found = httpx.get(where, timeout=PATIENCE_S).json()
        wanted = {"client_name": name, "redirect_uris": [BACK], "token_endpoint_auth_method": "none"}
        made = httpx.post(found["registration_endpoint"], json=wanted, headers=_key(stack), timeout=PATIENCE_S)
        assert made.status_code == 201, made.text
        return cls(stack, found, made.json()["client_id"], secrets.token_urlsafe(48))

    @property
    def begin(self) -> str:
        """Where it sends the browser."""
        challenge = base64.urlsafe_b64encode(hashlib.sha256(self.verifier.encode()).digest()).rstrip(b"=").decode()
        asked = {
            "client_id": self.client_id, "redirect_uri": BACK, "response_type": "code", "state": "a state",
            "code_challenge": challenge, "code_challenge_method": "S256", "apikey": self.stack.env["ANON_KEY"],
            "scope": "profile email offline_access", "resource": f"{self.stack.url}/rest/v1",
        }  # fmt: skip
        return f"{self.found['authorization_endpoint']}?{urlencode(asked)}"

    def take_token(self, code: str) -> dict[str, Any]:
        """The tokens for a code."""
        form = {
            "grant_type": "authorization_code", "code": code, "client_id": self.client_id, "redirect_uri": BACK,
            "code_verifier": self.verifier,
        }  # fmt: skip
        taken = httpx.post(self.found["token_endpoint"], data=form, headers=_key(self.stack), timeout=PATIENCE_S)
        assert taken.status_code == 200, taken.text
        return dict(taken.json())

    def read(self, token: str, path: str) -> Any:
        """A call to REST as the member."""
        headers = _key(self.stack) | {"Authorization": f"Bearer {token}"}
        return httpx.get(f"{self.stack.url}/rest/v1/{path}", headers=headers, timeout=PATIENCE_S).json()


def _key(stack: RunningStack) -> dict[str, str]:
    return {"apikey": stack.env["ANON_KEY"]}


def answers_at(page: Page) -> list[dict[str, list[str]]]:
    """What the application's own server gets, which is none here."""
    got: list[dict[str, list[str]]] = []

    def take(route: Route) -> None:
        got.append(parse_qs(urlsplit(route.request.url).query))
        route.fulfill(status=200, content_type="text/html", body="<!doctype html><title>Back</title>")

    page.route(f"{BACK}**", take)
    return got


def test_a_member_lets_an_application_in_and_disconnects_it(stack: RunningStack, new_page: NewPage) -> None:
    """§15.6: sign-in first, then the question; by keyboard; remembered; listed; disconnecting ends its access."""
    page = new_page(width=390)
    got = answers_at(page)
    application = Application.register(stack, "Drill \u202eboard")
    with new_member(stack) as member:
        page.goto(application.begin)
        page.get_by_label("Email").fill(member.email)
        page.get_by_label("Password", exact=True).fill(stack.env["DEMO_PASSWORD"])
        page.keyboard.press("Enter")
        heading = page.get_by_role("heading", name="Allow “Drill board” to use your account?")
        expect(heading).to_be_focused()
        expect(page.get_by_text("A program on this device")).to_be_visible()
        expect(page.get_by_text(member.email)).to_be_visible()
        expect(page.get_by_role("region", name="It will be able to").get_by_role("listitem")).to_have_count(4)
        assert faults_in_both_themes(page) == []
        page.get_by_role("button", name="Don’t allow").press("Enter")
        page.wait_for_url(f"{BACK}**")
        assert (got[-1]["error"], got[-1]["state"]) == (["access_denied"], ["a state"])

        page.goto(application.begin)
        page.get_by_role("button", name="Allow", exact=True).press("Enter")
        page.wait_for_url(f"{BACK}**")
        tokens = application.take_token(got[-1]["code"][0])
        mine = f"profiles?select=id&id=eq.{member.id}"
        assert application.read(tokens["access_token"], mine) == [{"id": member.id}]
        asked = len(got)
        page.goto(application.begin)  # let in before: no question
        page.wait_for_url(f"{BACK}**")
        assert (len(got), list(got[-1])) == (asked + 1, ["code", "state"])

        page.goto(f"{stack.url}/settings/security")
        wait_until_loaded(page)
        listed = page.get_by_role("region", name="Applications")
        expect(listed.get_by_text("Drill board")).to_be_visible()
        assert faults_in_both_themes(page) == []
        listed.get_by_role("button", name="Disconnect Drill board").click()
        page.get_by_role("dialog").get_by_role("button", name="Disconnect").click()
        expect(page.get_by_text("Disconnected: Drill board")).to_be_visible()
        expect(listed.get_by_text("None yet.")).to_be_visible()
        assert application.read(tokens["access_token"], mine) == []

        for stale in ("authorization_id=nobody", "authorization_id=..%2Fuser", ""):
            page.goto(f"{stack.url}/oauth/consent?{stale}")
            expect(page.get_by_role("heading", name="This request doesn’t work anymore")).to_be_visible()
        assert faults_in_both_themes(page) == []


@pytest.mark.parametrize("confirmed", [True, False])
def test_an_application_of_a_member_with_a_second_factor(stack: RunningStack, confirmed: bool) -> None:
    """§15.6: it reads what was allowed in a session that had given the factor, and nothing on a consent alone."""
    application = Application.register(stack, "Drill board")
    with new_member(stack) as member:
        enrolled = member.client.auth.mfa.enroll({"factor_type": "totp", "friendly_name": "app"})
        assert enrolled.totp is not None
        code = pyotp.TOTP(enrolled.totp.secret).now()
        member.client.auth.mfa.challenge_and_verify({"factor_id": enrolled.id, "code": code})
        session = member.client.auth.get_session()
        assert session is not None
        begun = httpx.get(application.begin, timeout=PATIENCE_S)
        named = parse_qs(urlsplit(begun.headers["location"]).query)["authorization_id"][0]
        bearer = _key(stack) | {"Authorization": f"Bearer {session.access_token}"}
        where = f"{stack.url}/auth/v1/oauth/authorizations/{named}"
        assert httpx.get(where, headers=bearer, timeout=PATIENCE_S).json()["authorization_id"] == named
        if confirmed:
            assert member.client.rpc("confirm_application", {"authorization_id": named}).execute().data is True
        told = httpx.post(f"{where}/consent", json={"action": "approve"}, headers=bearer, timeout=PATIENCE_S).json()
        tokens = application.take_token(parse_qs(urlsplit(told["redirect_url"]).query)["code"][0])
        rows = application.read(tokens["access_token"], f"profiles?select=id&id=eq.{member.id}")
        assert rows == ([{"id": member.id}] if confirmed else [])
