"""Visitors' journeys in Chromium against a running stack: authentication, mails, the blog, the quiz, the keyboard."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import quote
from uuid import uuid4

import httpx
import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.browser import resize
from tests.support.public_pages import log_in, log_in_member, open_page, wait_until_ready
from tests.support.stack import RunningStack, wait_until

pytestmark = pytest.mark.e2e
NewPage = Callable[..., Page]
PASSWORD = "ladder-kettle-violet-7"


def mails_to(stack: RunningStack, email: str) -> list[dict[str, str]]:
    """The mails to an address, newest first."""
    answer = httpx.get(f"{stack.url}/mail/api/messages", params={"to": email})
    found: list[dict[str, str]] = answer.json()["messages"]
    return found


def link_to(stack: RunningStack, email: str, after: int = 0) -> str:
    """The link in the newest mail to an address, once there are more than `after` of them."""
    wait_until(lambda: len(mails_to(stack, email)) > after)
    text = httpx.get(f"{stack.url}/mail/api/messages/{mails_to(stack, email)[0]['id']}").json()["text"]
    found = re.search(r"https?://\S+", text)
    assert found is not None, text
    return found[0]


def register(page: Page, name: str, email: str | None = None) -> None:
    """Fill in and submit the registration form; an invitation fixes the address."""
    fill_registration(page, name, email)
    expect(page.get_by_role("heading", name="Check your inbox")).to_be_focused()


def fill_registration(page: Page, name: str, email: str | None = None) -> None:
    wait_until_ready(page)
    page.get_by_label("Full name").fill(name)
    if email is not None:
        page.get_by_label("Email").fill(email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()


def address_is_clean(page: Page) -> None:
    """No credentials are left in the URL or the history state."""
    assert not re.search(r"token|code=|access|refresh", page.url)


@pytest.mark.moves
def test_registration_confirmation_recovery_and_a_new_password(stack: RunningStack, new_page: NewPage) -> None:
    """§2.3 §2.4 §7.47: a new account, its mail, a forgotten password; each link works once."""
    email = f"ada.{uuid4().hex[:8]}@example.org"
    page = new_page()
    page.goto(f"{stack.url}/register?next=/network")
    register(page, "Ada Lopez", email)
    confirmation = link_to(stack, email)
    page.goto(confirmation)
    page.wait_for_url("**/network")
    address_is_clean(page)

    other = new_page(width=390, height=844)
    open_page(other, f"{stack.url}/login")
    other.get_by_role("link", name="Forgot your password?").click()
    other.wait_for_url("**/forgot-password")
    wait_until_ready(other)
    other.get_by_label("Email").fill(email)
    other.get_by_role("button", name="Send the link").click()
    expect(other.get_by_role("status").filter(has_text="is on its way")).to_be_visible()
    other.goto(link_to(stack, email, after=1))
    other.wait_for_url("**/new-password")
    wait_until_ready(other)
    address_is_clean(other)
    other.get_by_label("New password").fill(f"{PASSWORD}-new")
    other.get_by_role("button", name="Save password").click()
    other.wait_for_url(re.compile("/(feed|dashboard)$"))

    stranger = new_page()
    stranger.goto(confirmation)
    expect(stranger.get_by_role("heading", name="That link didn’t work")).to_be_visible()
    stranger.goto(f"{stack.url}/login")
    log_in(stranger, email, PASSWORD)
    expect(stranger.get_by_role("alert")).to_contain_text("don’t match")
    log_in(stranger, email, f"{PASSWORD}-new")
    stranger.wait_for_url("**/feed")


def test_a_sign_in_link_leads_to_the_requested_page(stack: RunningStack, new_page: NewPage) -> None:
    """§2.2 §2.27: requested on the way to /settings, followed in the same browser, it leads there."""
    email = stack.env["DEMO_MEMBER_EMAIL"]
    before = len(httpx.get(f"{stack.url}/mail/api/messages", params={"to": email}).json()["messages"])
    page = new_page()
    page.goto(f"{stack.url}/settings")
    page.wait_for_url("**/login")
    wait_until_ready(page)
    page.get_by_label("Email").fill(email)
    page.get_by_role("button", name="Email me a sign-in link").click()
    expect(page.get_by_role("status").filter(has_text="is on its way")).to_be_visible()
    page.goto(link_to(stack, email, after=before))
    page.wait_for_url("**/settings")
    address_is_clean(page)


@pytest.mark.parametrize("next_", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"])
def test_no_open_redirect(stack: RunningStack, new_page: NewPage, next_: str) -> None:
    page = new_page()
    page.goto(f"{stack.url}/login?next={quote(next_, safe='')}")
    log_in_member(page, stack)
    page.wait_for_url(f"{stack.url}/feed")


def test_a_forged_link_cannot_show_its_message(stack: RunningStack, new_page: NewPage) -> None:
    """§2.4: the message in the URL is not shown, and is removed from the URL."""
    page = new_page()
    forged = quote("Your account is closed. Write to help@evil.example <img src=x onerror=alert(1)>")
    for mark in "?#":
        open_page(page, f"{stack.url}/auth/callback{mark}error=x&error_description={forged}")
        expect(page.get_by_role("heading", name="That link didn’t work")).to_be_visible()
        expect(page.get_by_text("evil.example")).to_have_count(0)
        assert page.url == f"{stack.url}/auth/callback"
        expect(page.get_by_role("link", name="Reset your password")).to_have_count(0)  # it was no link for that
        page.goto(f"{stack.url}/favicon.svg")  # a changed fragment alone would not reload the page
    open_page(page, f"{stack.url}/auth/callback")
    expect(page.get_by_role("alert")).to_contain_text("That link is missing a piece.")


@pytest.fixture
def invited(stack: RunningStack) -> str:
    """An address that was just invited."""
    email = f"invited.{uuid4().hex[:8]}@example.org"
    with stack.connect() as connection:
        connection.execute("insert into public.waitlist (email, status) values (%s, 'invited')", (email,))
    return email


def test_an_invitation_is_valid_until_it_is_used(stack: RunningStack, new_page: NewPage, invited: str) -> None:
    """§2.6 §4.28: greeted, with a fixed address, active once confirmed; that it was used is told to nobody else."""
    page = new_page()
    open_page(page, f"{stack.url}/invitation?email={invited}")
    expect(page.get_by_text(f"Set up your account as {invited}")).to_be_visible()
    expect(page.get_by_label("Email")).to_have_attribute("readonly", "")
    register(page, "Ines Invited")
    page.goto(link_to(stack, invited))
    page.wait_for_url("**/feed")
    with stack.connect() as connection:
        row = connection.execute("select status from public.waitlist where email = %s", (invited,)).fetchone()
    assert row == ("active",)
    page.goto(f"{stack.url}/invitation?email={invited}")
    page.wait_for_url("**/feed")  # its owner is in
    again = new_page(width=390, height=844)  # nobody else learns that there is an account
    again.goto(f"{stack.url}/invitation?email={invited}")
    expect(again.get_by_text(f"Set up your account as {invited}")).to_be_visible()


def test_the_link_of_an_invitation_confirms_its_address(stack: RunningStack, new_page: NewPage, invited: str) -> None:
    """§2.6 §4.28: registered from the mail's own link, the account is in without a second mail."""
    with stack.connect() as connection:
        row = connection.execute(
            "select t.token from private.invitation_tokens as t join public.waitlist as w on w.id = t.waitlist_id"
            " where w.email = %s", (invited,),
        ).fetchone()  # fmt: skip
    assert row is not None
    page = new_page(width=390, height=844)
    open_page(page, f"{stack.url}/invitation?email={invited}&token={row[0]}")
    fill_registration(page, "Tess Token")
    page.wait_for_url("**/feed")
    with stack.connect() as connection:
        status = connection.execute("select status from public.waitlist where email = %s", (invited,)).fetchone()
    assert status == ("active",)
    assert mails_to(stack, invited) == []


def test_an_expired_invitation_can_be_requested_again(stack: RunningStack, new_page: NewPage, invited: str) -> None:
    """§2.6: after 15 days the page says so; one click requests a new invitation from the admins."""
    with stack.connect() as connection:
        connection.execute(
            "update public.waitlist set invited_at = now() - interval '15 days' where email = %s", (invited,)
        )
    page = new_page()
    open_page(page, f"{stack.url}/invitation?email={invited}")
    expect(page.get_by_role("heading", name="This invitation has expired")).to_be_visible()
    page.get_by_role("button", name="Request a new invitation").click()
    expect(page.get_by_text("Got it. We’ll email you")).to_be_visible()
    with stack.connect() as connection:
        row = connection.execute("select status from public.waitlist where email = %s", (invited,)).fetchone()
    assert row == ("pending",)


@pytest.mark.moves
def test_the_blog_is_read_from_the_landing_page_on(stack: RunningStack, new_page: NewPage) -> None:
    """§2.1 §2.7 §2.8 §7.55: View All, an article, its own title, the link in the clipboard, related articles."""
    page = new_page()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_page(page, stack.url)
    for width in (390, 640, 768, 800, 1024, 1200, 1280):  # a feature's title is one line
        resize(page, width)
        heights = page.locator("[data-slot=feature] h3").evaluate_all("all => all.map((one) => one.offsetHeight)")
        assert len(heights) == 6
        assert max(heights) < 2 * 18, (width, heights)
    page.get_by_role("link", name="View All").click()
    page.wait_for_url("**/blog")
    expect(page).to_have_title("Blog: From the field | Muster")
    article = page.get_by_role("article").first.get_by_role("link")
    title = article.inner_text()
    article.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    expect(page).to_have_title(f"{title} | Muster")
    expect(page.locator("main")).to_be_focused()
    assert page.locator("meta[property='og:title']").get_attribute("content") == title
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_text("The blog post link has been copied to your clipboard.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    expect(page.get_by_role("heading", name="Read next")).to_be_visible()


def test_the_application_works_over_plain_http(stack: RunningStack, new_page: NewPage) -> None:
    """Browsers withhold crypto.randomUUID and the clipboard from such a page: ids and copying work all the same."""
    page = new_page(width=390, height=844)
    open_page(page, f"http://firehouse.test:{stack.port}/blog")
    assert page.evaluate("[isSecureContext, typeof crypto.randomUUID, typeof navigator.clipboard]") == [
        False, "undefined", "undefined",
    ]  # fmt: skip
    page.get_by_role("article").first.get_by_role("link").click()
    page.wait_for_url("**/blog/*")
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_text("The blog post link has been copied to your clipboard.")).to_be_visible()

    email = f"phone.{uuid4().hex[:8]}@example.org"
    answers = {
        "firefighterType": "career", "rank": "Engineer", "years": "6-10", "platforms": ["reddit"],
        "frustrations": "Noise", "wishlist": "Lessons", "email": "a@",
    }  # fmt: skip
    draft = json.dumps(["muster:waitlist-quiz", json.dumps({"step": 7, "answers": answers})])
    page.evaluate(f"sessionStorage.setItem(...{draft})")
    open_page(page, f"http://firehouse.test:{stack.port}/quiz")
    for _ in range(2):
        page.get_by_role("button", name="Join Waitlist").click()
    toast = page.locator("[data-sonner-toast]")  # one, and not on the field and the button that it is about
    expect(toast).to_have_attribute("data-y-position", "top")
    page.get_by_label("Email").fill(email)
    page.get_by_role("button", name="Join Waitlist").click()
    expect(page.get_by_role("heading", level=1, name="You're officially on the waitlist!")).to_be_visible()

    page.goto(f"http://firehouse.test:{stack.port}/login?next=/feedback")
    log_in_member(page, stack)
    page.wait_for_url("**/feedback")
    page.get_by_label("Your feedback").fill("Written on the phone beside the engine.")
    page.get_by_role("button", name="Send feedback").click()
    expect(page.get_by_role("heading", name="Feedback sent")).to_be_visible()


BLOCKED = """for (const area of ['localStorage', 'sessionStorage']) {
  Object.defineProperty(window, area, { get() { throw new DOMException('denied', 'SecurityError') } })
}"""


@pytest.mark.parametrize(
    ("path", "heading"),
    [
        ("/", "Everyone you came up with"), ("/quiz", "What kind of firefighter are you?"), ("/blog", "From the field"),
        ("/login", "Sign In"), ("/nowhere", "Page not found"),
    ],
)  # fmt: skip
def test_pages_render_with_blocked_storage(stack: RunningStack, new_page: NewPage, path: str, heading: str) -> None:
    """Storage is blocked: the pages render."""
    page = new_page()
    page.add_init_script(BLOCKED)
    open_page(page, f"{stack.url}{path}")
    expect(page.get_by_role("heading", level=1)).to_contain_text(heading)


def test_a_damaged_session_is_a_visitor(stack: RunningStack, new_page: NewPage) -> None:
    """Stored data cannot be trusted: a session without its user is removed, and the page is a visitor's."""
    page = new_page()
    page.add_init_script(
        """localStorage.setItem('sb-muster-auth-token', '{"access_token": "a.b.c", "expires_at": 99999999999}')"""
    )
    open_page(page, f"{stack.url}/blog")
    expect(page.get_by_role("banner").get_by_role("link", name="Sign In")).to_be_visible()
    expect(page.get_by_role("article").first).to_be_visible()
    page.goto(f"{stack.url}/feed")
    page.wait_for_url("**/login")


def test_a_missing_page_offers_links(stack: RunningStack, new_page: NewPage) -> None:
    """§2.53 §2.55 §2.57 §8.36: back in history, and a warning from the third visit on."""
    page = new_page()
    open_page(page, f"{stack.url}/blog")
    for visit in ("1", "2", "3"):
        open_page(page, f"{stack.url}/blog/there-is-no-such-article")
        expect(page.get_by_role("heading", name="Blog post not found")).to_be_visible()
        # The server draws the heading, too: the page counts once it runs.
        counted = "visit => localStorage.getItem('muster:not-found:/blog/there-is-no-such-article') === visit"
        page.wait_for_function(counted, arg=visit)
    expect(page.get_by_text("Navigation Issue Detected")).to_be_visible()
    page.get_by_role("link", name="Browse All Posts").click()
    page.wait_for_url("**/blog")
    open_page(page, f"{stack.url}/nowhere")
    page.get_by_role("button", name="Go Back").click()  # as after an address that was typed: no referrer
    page.wait_for_url("**/blog")
    open_page(page, f"{stack.url}/nowhere")
    page.get_by_role("link", name="Home Page").click()
    page.wait_for_url(f"{stack.url}/")


def test_the_quiz_works_by_keyboard(stack: RunningStack, new_page: NewPage) -> None:
    """§2.5 §2.59 §5.10: from skip link to confirmation by keyboard alone, with the focus on the next input."""
    page = new_page()
    open_page(page, stack.url)
    keys, focus = page.keyboard, page.locator(":focus")
    keys.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    keys.press("Enter")
    expect(page.locator("main")).to_be_focused()
    keys.press("Tab")
    opener = page.get_by_role("main").get_by_role("button", name="Join Our Waitlist").first
    expect(opener).to_be_focused()
    keys.press("Enter")
    dialog = page.get_by_role("dialog", name="Join Our Waitlist")

    def expect_question(question: str) -> None:
        """The focus is on the question, above its choices."""
        expect(dialog.locator("legend").filter(has_text=question)).to_be_focused()

    expect_question("What kind of firefighter are you?")
    keys.press("Tab")
    career = dialog.get_by_role("radio", name="Career")
    expect(career).to_be_focused()
    keys.press("Space")
    expect(career).to_be_checked()
    keys.press("Space")
    expect(career).not_to_be_checked()
    keys.press("Enter")
    expect(dialog.get_by_role("alert")).to_have_text("Please select your firefighter type")
    expect(career).to_be_focused()
    keys.press("Space")
    expect(career).to_be_checked()
    keys.press("Enter")
    rank = dialog.get_by_label("Current rank or role")
    expect(rank).to_be_focused()
    keys.type("Engineer")
    expect(rank).to_have_value("Engineer")
    keys.press("Escape")
    expect(dialog).not_to_be_visible()
    expect(opener).to_be_focused()
    keys.press("Enter")
    expect(rank).to_have_value("Engineer")
    expect(rank).to_be_focused()
    keys.press("Enter")
    expect_question("How long have you been in the fire service?")
    keys.press("Tab")
    expect(dialog.get_by_role("radio", name="Less than 1 year")).to_be_focused()
    keys.press("ArrowDown")
    expect(dialog.get_by_role("radio", name="1 to 5 years")).to_be_checked()
    keys.press("Enter")
    expect_question("Where do you connect with other firefighters today?")
    keys.press("Tab")
    expect(dialog.get_by_role("checkbox", name="Facebook groups")).to_be_focused()
    keys.press("Space")
    expect(dialog.get_by_role("checkbox", name="Facebook groups")).to_be_checked()
    keys.press("Enter")
    for field, text in (("Your frustrations", "Noise"), ("What would make it worth your time", "Lessons")):
        expect(dialog.get_by_label(field)).to_be_focused()
        keys.type(text)
        expect(dialog.get_by_label(field)).to_have_value(text)
        keys.press("Tab")  # Enter is a line break here: past Back, onto Next
        expect(focus).to_have_text("Back")
        keys.press("Tab")
        expect(focus).to_have_text("Next")
        keys.press("Enter")
    email = f"keys.{uuid4().hex[:8]}@example.org"
    expect(dialog.get_by_label("Email")).to_be_focused()
    keys.type(email)
    expect(dialog.get_by_label("Email")).to_have_value(email)
    keys.press("Enter")
    expect(dialog.get_by_role("heading", name="You're officially on the waitlist!")).to_be_focused()
    keys.press("Escape")
    expect(dialog).not_to_be_visible()
    expect(opener).to_be_focused()


@contextmanager
def before_its_scripts(page: Page, url: str) -> Iterator[None]:
    """Open the landing page and delay its scripts inside the block; afterwards wait for the application."""
    held: list[Route] = []
    are_free: list[bool] = []
    page.route("**/assets/*.js", lambda route: route.continue_() if are_free else held.append(route))
    page.goto(url)
    page.wait_for_function("() => document.querySelector('script[type=module]')")
    yield
    assert not page.evaluate("document.documentElement.dataset.started")
    are_free.append(True)
    for route in held:
        route.continue_()
    page.locator("html[data-started]").wait_for(state="attached")


@pytest.mark.moves
def test_keyboard_focus_survives_hydration(stack: RunningStack, new_page: NewPage) -> None:
    """The landing page is usable before its scripts: keyboard focus is kept by the hydration."""
    page = new_page()
    logged: list[str] = []
    page.on("console", lambda message: logged.append(message.text))
    with before_its_scripts(page, stack.url):
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Muster, home").first).to_be_focused()
        page.evaluate("document.activeElement.dataset.old = 'yes'")
    expect(page.locator("[data-old]")).to_be_focused()
    assert not [text for text in logged if "prerendered" in text], "the page was drawn anew"


@pytest.mark.moves
def test_a_click_before_hydration_is_replayed(stack: RunningStack, new_page: NewPage) -> None:
    page = new_page()
    with before_its_scripts(page, stack.url):
        page.get_by_role("main").get_by_role("button", name="Join Our Waitlist").last.click()
    expect(page.get_by_role("dialog", name="Join Our Waitlist")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("main").get_by_role("button", name="Join Our Waitlist").last).to_be_focused()


@pytest.mark.moves
def test_focus_follows_the_route(stack: RunningStack, new_page: NewPage) -> None:
    """After a link the focus moves to the content, and the title of the new page is announced."""
    page = new_page()
    open_page(page, f"{stack.url}/blog")
    page.get_by_role("banner").get_by_role("link", name="Sign In").press("Enter")
    page.wait_for_url("**/login")
    expect(page.locator("main")).to_be_focused()
    expect(page.locator("[aria-live=polite]").filter(has_text="Sign In | Muster")).to_have_count(1)
    wait_until_ready(page)
    page.keyboard.press("Tab")
    expect(page.get_by_label("Email")).to_be_focused()
