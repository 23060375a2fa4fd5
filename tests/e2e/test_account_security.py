"""Settings, Security and sign-in with second factors, with Chromium's own virtual authenticator."""

from collections.abc import Callable
from dataclasses import replace

import pyotp
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.axe import faults_in_both_themes
from tests.support.browser import go
from tests.support.member_pages import expect_sign_out, expect_toast, log_in, new_member, wait_until_loaded
from tests.support.members import SignedIn
from tests.support.stack import RunningStack

pytestmark = pytest.mark.e2e
NewPage = Callable[..., Page]
CONFIRM = "Confirm it’s you"


@pytest.fixture
def named(stack: RunningStack) -> RunningStack:
    """The stack by a name: no browser makes passkeys for an IP address."""
    return replace(stack, env=stack.env | {"API_URL": f"http://localhost:{stack.port}"})


def plug_in_authenticator(page: Page) -> None:
    """A device with a fingerprint reader, as far as Chromium can tell."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
        "isUserVerified": True, "automaticPresenceSimulation": True,
    }  # fmt: skip
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def section(page: Page, name: str) -> Locator:
    """A card of the page."""
    return page.get_by_role("region", name=name)


def sign_out(page: Page) -> None:
    """By the account menu."""
    with expect_sign_out(page):
        page.get_by_role("button", name="Account menu").click()
        page.get_by_role("menuitem", name="Sign Out").click()


def give_password(page: Page, stack: RunningStack, member: SignedIn) -> None:
    """Sign out, and in again with the password: the second factor is asked for."""
    sign_out(page)
    page.get_by_label("Email").fill(member.email)
    page.get_by_label("Password", exact=True).fill(stack.env["DEMO_PASSWORD"])
    page.get_by_role("button", name="Sign In", exact=True).last.click()
    expect(page.get_by_role("heading", name=CONFIRM)).to_be_visible()


def undo_newest_event(page: Page, stack: RunningStack, member: SignedIn) -> None:
    """§15.4: the link of the mail about the removed passkey asks first, brings it back and ends every session."""
    with stack.connect() as connection:
        named = connection.execute(
            "update private.security_events set token_hash = sha256('a known token') where id ="
            " (select max(id) from private.security_events where user_id = %s) returning kind", (member.id,),
        ).fetchone()  # fmt: skip
        assert named == ("factor_removed",)
    page.goto(f"{stack.url}/undo?token=a+known+token")
    expect(page.get_by_text("A second factor was removed: Station laptop")).to_be_visible()
    assert faults_in_both_themes(page) == []
    page.get_by_role("button", name="Undo it").click()
    expect(page.get_by_role("heading", name="Undone")).to_be_visible()
    expect(page.get_by_text(f"The link goes to {member.email}.")).to_be_visible()
    with stack.connect() as connection:
        left = connection.execute(
            "select (select count(*) from auth.webauthn_credentials as c where c.user_id = u.id),"
            " (select count(*) from auth.sessions as s where s.user_id = u.id), encrypted_password"
            " from auth.users as u where u.id = %s", (member.id,),
        ).fetchone()  # fmt: skip
        assert left == (1, 0, "")
    page.get_by_role("link", name="Choose a new password").click()
    expect(page.get_by_label("Email")).to_have_value(member.email)
    page.goto(f"{stack.url}/undo?token=a+known+token")
    expect(page.get_by_role("heading", name="This link doesn’t work anymore")).to_be_visible()
    page.goto(f"{stack.url}/settings/security")
    page.wait_for_url("**/login*")


def test_second_factors_from_setup_to_sign_in(named: RunningStack, new_page: NewPage) -> None:
    """§15.1 §15.2: sessions, app, recovery codes, passkey; then sign-in by each of them.

    §15.4: removing the passkey is undone by the link of its mail.
    """
    page = new_page(width=390)
    plug_in_authenticator(page)
    with new_member(named) as member:
        log_in(page, named, member.email, "/settings/security")
        wait_until_loaded(page)
        # Another device is signed in; ending it ends its token in the database.
        sessions = section(page, "Where you’re signed in")
        expect(sessions.get_by_text("Chrome on Linux")).to_be_visible()
        expect(sessions.get_by_text("This device")).to_be_visible()
        assert faults_in_both_themes(page) == []
        assert len(member.client.table("profiles").select("id").eq("id", member.id).execute().data) == 1
        sessions.get_by_role("button", name="Sign out python-httpx").click()
        expect_toast(page, "Signed out: python-httpx")
        expect(sessions.get_by_role("listitem")).to_have_count(1)
        assert member.client.table("profiles").select("id").eq("id", member.id).execute().data == []

        apps = section(page, "Authenticator app")
        apps.get_by_role("button", name="Add an app").click()
        expect(apps.get_by_label("Name")).to_be_focused()
        page.keyboard.press("Enter")
        picture = apps.get_by_role("img", name="QR code")
        expect(picture).to_be_visible()
        assert picture.evaluate("async (image) => (await image.decode(), image.naturalWidth)") > 100
        key = (apps.locator("code").inner_text()).replace(" ", "")
        apps.get_by_label("Code", exact=True).fill("000000" if pyotp.TOTP(key).now() != "000000" else "111111")
        apps.get_by_role("button", name="Turn on").click()
        expect(apps.get_by_text("That code isn’t right")).to_be_visible()
        assert faults_in_both_themes(page) == []
        apps.get_by_label("Code", exact=True).fill(pyotp.TOTP(key).now())
        apps.get_by_role("button", name="Turn on").click()
        expect(apps.get_by_role("listitem")).to_have_count(1)

        codes = section(page, "Recovery codes")
        codes.get_by_role("button", name="Make recovery codes").click()
        shown = codes.get_by_role("list", name="Recovery codes").get_by_role("listitem")
        expect(shown).to_have_count(10)
        made = shown.all_inner_texts()
        assert faults_in_both_themes(page) == []
        codes.get_by_label("I’ve saved these codes").check()
        codes.get_by_role("button", name="Done").click()
        expect(codes.get_by_text("10 of 10 unused.")).to_be_visible()

        passkeys = section(page, "Passkeys")
        passkeys.get_by_role("button", name="Add a passkey").click()
        passkeys.get_by_label("Name this passkey").fill("Station laptop")
        page.keyboard.press("Enter")
        expect(passkeys.get_by_text("Station laptop")).to_be_visible()

        give_password(page, named, member)
        assert faults_in_both_themes(page) == []
        page.get_by_role("button", name="Use a recovery code").click()
        page.get_by_label("Recovery code").fill("AAAA-AAAA")
        page.keyboard.press("Enter")
        expect(page.get_by_text("That isn’t one of your unused codes.")).to_be_visible()
        page.get_by_label("Recovery code").fill(made[0].lower())
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Home", level=1)).to_be_attached()

        give_password(page, named, member)
        page.get_by_role("button", name="Use a passkey").click()
        expect(page.get_by_role("heading", name="Home", level=1)).to_be_attached()

        give_password(page, named, member)
        page.get_by_label("Code from your authenticator app").fill(pyotp.TOTP(key).now())
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Home", level=1)).to_be_attached()
        sign_out(page)
        page.get_by_role("button", name="Sign in with a passkey").click()
        page.wait_for_url("**/feed")
        # A sign-in by passkey opens everything but changes of factors.
        go(page, "/settings/security")
        expect(page.get_by_role("heading", name=CONFIRM)).to_be_visible()
        expect(codes.get_by_text("9 of 10 unused.")).to_be_visible()
        expect(apps.get_by_role("button", name="Remove")).to_be_disabled()
        page.get_by_role("button", name="Use Station laptop").click()
        expect(page.get_by_role("heading", name=CONFIRM)).to_have_count(0)
        passkeys.get_by_role("button", name="Remove Station laptop").click()
        page.get_by_role("dialog").get_by_role("button", name="Remove").click()
        expect(passkeys.get_by_text("None yet.")).to_be_visible()
        undo_newest_event(page, named, member)


def test_admins_are_asked_for_a_second_factor(stack: RunningStack, new_page: NewPage) -> None:
    """§15.3: the panel opens with a factor, and asks again when it is 12 hours old; without one it says where to go."""
    page = new_page()
    with new_member(stack, "Ada Adminson") as member, stack.connect() as connection:
        connection.execute("insert into private.admins (user_id) values (%s)", (member.id,))
        connection.execute("update private.security_settings set admins_need_second_factor = true")
        try:
            log_in(page, stack, member.email, "/admin")
            expect(page.get_by_role("heading", name="Set up a second factor")).to_be_visible()
            page.get_by_role("link", name="Open security settings").click()
            apps = section(page, "Authenticator app")
            apps.get_by_role("button", name="Add an app").click()
            page.keyboard.press("Enter")
            key = apps.locator("code").inner_text().replace(" ", "")
            apps.get_by_label("Code", exact=True).fill(pyotp.TOTP(key).now())
            page.keyboard.press("Enter")
            expect(apps.get_by_role("listitem")).to_have_count(1)
            page.goto(f"{stack.url}/admin")
            expect(page.get_by_role("heading", name="Dashboard", level=1)).to_be_visible()
            # Half a day later: the next token says how old the factor is.
            connection.execute(
                "update auth.mfa_amr_claims set updated_at = now() - interval '13 hours' where session_id in"
                " (select id from auth.sessions where user_id = %s)", (member.id,),
            )  # fmt: skip
            connection.execute("update auth.mfa_amr_claims set created_at = updated_at")
            page.evaluate(
                """() => { const key = Object.keys(localStorage).find((name) => name.endsWith('-auth-token'))
                const session = JSON.parse(localStorage.getItem(key))
                localStorage.setItem(key, JSON.stringify({ ...session, expires_at: 1 })) }"""
            )
            page.reload()
            expect(page.get_by_role("heading", name=CONFIRM)).to_be_visible()
            page.get_by_label("Code from your authenticator app").fill(pyotp.TOTP(key).now())
            page.keyboard.press("Enter")
            expect(page.get_by_role("heading", name="Dashboard", level=1)).to_be_visible()
        finally:
            connection.execute("update private.security_settings set admins_need_second_factor = false")
            connection.execute("delete from auth.users where id = %s", (member.id,))
