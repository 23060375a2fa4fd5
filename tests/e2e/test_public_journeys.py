"""What visitors do, in Chromium against the running product: doors, mails, the blog, the quiz, the keyboard."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import quote
from uuid import uuid4

import httpx
import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.public_pages import log_in, log_in_member, opened, stands
from tests.support.stack import RunningStack, wait_until

pytestmark = pytest.mark.e2e
NewPage = Callable[..., Page]
PASSWORD = "ladder-kettle-violet-7"


def link_to(stack: RunningStack, email: str, after: int = 0) -> str:
    """The link in the newest mail to an address, once there are more than `after` of them."""

    def mails() -> list[dict[str, str]]:
        found: list[dict[str, str]] = httpx.get(f"{stack.url}/mail/api/messages", params={"to": email}).json()[
            "messages"
        ]
        return found

    wait_until(lambda: len(mails()) > after)
    text = httpx.get(f"{stack.url}/mail/api/messages/{mails()[0]['id']}").json()["text"]
    found = re.search(r"https?://\S+", text)
    assert found is not None, text
    return found[0]


def register(page: Page, name: str, email: str | None = None) -> None:
    """Fill the registration form and send it; an invitation fixes the address."""
    stands(page)
    page.get_by_label("Full name").fill(name)
    if email is not None:
        page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_role("heading", name="Check your inbox")).to_be_focused()


def address_is_clean(page: Page) -> None:
    """Nothing that opens a door is left in the address or the history entry."""
    assert not re.search(r"token|code=|access|refresh", page.url)


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
    opened(other, f"{stack.url}/login")
    other.get_by_role("link", name="Forgot your password?").click()
    other.wait_for_url("**/forgot-password")
    stands(other)
    other.get_by_label("E-mail").fill(email)
    other.get_by_role("button", name="Send the link").click()
    expect(other.get_by_role("status").filter(has_text="is on its way")).to_be_visible()
    other.goto(link_to(stack, email, after=1))
    other.wait_for_url("**/new-password")
    stands(other)
    address_is_clean(other)
    other.get_by_label("New password").fill(f"{PASSWORD}-new")
    other.get_by_role("button", name="Save password").click()
    other.wait_for_url(re.compile("/(feed|dashboard)$"))

    stranger = new_page()
    stranger.goto(confirmation)
    expect(stranger.get_by_role("heading", name="That link did not work")).to_be_visible()
    stranger.goto(f"{stack.url}/login")
    log_in(stranger, email, PASSWORD)
    expect(stranger.get_by_role("alert")).to_contain_text("do not match")
    log_in(stranger, email, f"{PASSWORD}-new")
    stranger.wait_for_url("**/feed")


def test_a_sign_in_link_leads_to_the_remembered_place(stack: RunningStack, new_page: NewPage) -> None:
    """§2.2 §2.27: asked for on the way to /settings, followed in the same browser, there one is."""
    email = stack.env["DEMO_MEMBER_EMAIL"]
    before = len(httpx.get(f"{stack.url}/mail/api/messages", params={"to": email}).json()["messages"])
    page = new_page()
    page.goto(f"{stack.url}/settings")
    page.wait_for_url("**/login")
    stands(page)
    page.get_by_label("E-mail").fill(email)
    page.get_by_role("button", name="E-mail me a sign-in link").click()
    expect(page.get_by_role("status").filter(has_text="is on its way")).to_be_visible()
    page.goto(link_to(stack, email, after=before))
    page.wait_for_url("**/settings")
    address_is_clean(page)


@pytest.mark.parametrize("next_", ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"])
def test_no_door_leads_to_a_stranger(stack: RunningStack, new_page: NewPage, next_: str) -> None:
    page = new_page()
    page.goto(f"{stack.url}/login?next={quote(next_, safe='')}")
    log_in_member(page, stack)
    page.wait_for_url(f"{stack.url}/feed")


def test_a_forged_link_cannot_speak_for_us(stack: RunningStack, new_page: NewPage) -> None:
    """§2.4: the words an address brings are not shown, and do not stay in it."""
    page = new_page()
    forged = quote("Your account is closed. Write to help@evil.example <img src=x onerror=alert(1)>")
    for mark in "?#":
        opened(page, f"{stack.url}/auth/callback{mark}error=x&error_description={forged}")
        expect(page.get_by_role("heading", name="That link did not work")).to_be_visible()
        expect(page.get_by_text("evil.example")).to_have_count(0)
        assert page.url == f"{stack.url}/auth/callback"
        page.goto(f"{stack.url}/favicon.svg")  # a change of the fragment alone would load nothing


@pytest.fixture
def invited(stack: RunningStack) -> str:
    """An address that was just invited."""
    email = f"invited.{uuid4().hex[:8]}@example.org"
    with stack.connect() as connection:
        connection.execute("insert into public.waitlist (email, status) values (%s, 'invited')", (email,))
    return email


def test_an_invitation_is_honored_until_it_is_used(stack: RunningStack, new_page: NewPage, invited: str) -> None:
    """§2.6 §4.28: greeted, the address fixed, active once it is confirmed; then the link says that it was used."""
    page = new_page()
    opened(page, f"{stack.url}/invitation?email={invited}")
    expect(page.get_by_text(f"You are invited as {invited}")).to_be_visible()
    expect(page.get_by_label("E-mail")).to_have_attribute("readonly", "")
    register(page, "Ines Invited")
    page.goto(link_to(stack, invited))
    page.wait_for_url("**/feed")
    with stack.connect() as connection:
        row = connection.execute("select status from public.waitlist where email = %s", (invited,)).fetchone()
    assert row == ("active",)
    again = new_page(width=390, height=844)
    again.goto(f"{stack.url}/invitation?email={invited}")
    expect(again.get_by_role("heading", name="This invitation was used")).to_be_visible()


def test_an_expired_invitation_can_be_asked_for_again(stack: RunningStack, new_page: NewPage, invited: str) -> None:
    """§2.6: 15 days later it is told so; one press puts the address before the admins."""
    with stack.connect() as connection:
        connection.execute(
            "update public.waitlist set invited_at = now() - interval '15 days' where email = %s", (invited,)
        )
    page = new_page()
    opened(page, f"{stack.url}/invitation?email={invited}")
    expect(page.get_by_role("heading", name="This invitation has expired")).to_be_visible()
    page.get_by_role("button", name="Ask for a new invitation").click()
    expect(page.get_by_text("Asked. We write to you")).to_be_visible()
    with stack.connect() as connection:
        row = connection.execute("select status from public.waitlist where email = %s", (invited,)).fetchone()
    assert row == ("pending",)


def test_the_blog_is_read_from_the_landing_page_on(stack: RunningStack, new_page: NewPage) -> None:
    """§2.1 §2.7 §2.8 §7.55: View All, an article, its own title, the link in the clipboard, what to read next."""
    page = new_page()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened(page, stack.url)
    page.get_by_role("link", name="View All").click()
    page.wait_for_url("**/blog")
    expect(page).to_have_title("From the field | Muster")
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


def test_a_phone_beside_the_machine_comes_by_plain_http(stack: RunningStack, new_page: NewPage) -> None:
    """Browsers keep crypto.randomUUID and the clipboard from such a page: ids and copies are made all the same."""
    page = new_page(width=390, height=844)
    opened(page, f"http://firehouse.test:{stack.port}/blog")
    assert page.evaluate("[isSecureContext, typeof crypto.randomUUID, typeof navigator.clipboard]") == [
        False, "undefined", "undefined",
    ]  # fmt: skip
    page.get_by_role("article").first.get_by_role("link").click()
    page.wait_for_url("**/blog/*")
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_text("The blog post link has been copied to your clipboard.")).to_be_visible()

    answers = {
        "firefighterType": "career", "rank": "Engineer", "years": "6-10", "platforms": ["reddit"],
        "frustrations": "Noise", "wishlist": "Lessons", "email": f"phone.{uuid4().hex[:8]}@example.org",
    }  # fmt: skip
    draft = json.dumps(["muster:waitlist-quiz", json.dumps({"step": 7, "answers": answers})])
    page.evaluate(f"sessionStorage.setItem(...{draft})")
    opened(page, f"http://firehouse.test:{stack.port}/quiz")
    page.get_by_role("button", name="Join Waitlist").click()
    expect(page.get_by_role("heading", name="You're officially on the waitlist!")).to_be_visible()

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
def test_a_browser_that_keeps_nothing_still_shows_the_pages(
    stack: RunningStack, new_page: NewPage, path: str, heading: str
) -> None:
    """Storage is blocked: the pages stand."""
    page = new_page()
    page.add_init_script(BLOCKED)
    opened(page, f"{stack.url}{path}")
    expect(page.get_by_role("heading", level=1)).to_contain_text(heading)


def test_a_damaged_session_is_a_visitor(stack: RunningStack, new_page: NewPage) -> None:
    """What is stored can't be trusted: without its user it is forgotten, and the page is a visitor's."""
    page = new_page()
    page.add_init_script(
        """localStorage.setItem('sb-muster-auth-token', '{"access_token": "a.b.c", "expires_at": 99999999999}')"""
    )
    opened(page, f"{stack.url}/blog")
    expect(page.get_by_role("banner").get_by_role("link", name="Sign In")).to_be_visible()
    expect(page.get_by_role("article").first).to_be_visible()
    page.goto(f"{stack.url}/feed")
    page.wait_for_url("**/login")


def test_a_missing_page_has_its_ways_on(stack: RunningStack, new_page: NewPage) -> None:
    """§2.53 §2.55 §2.57 §8.36: back in history, and a warning from the third visit on."""
    page = new_page()
    opened(page, f"{stack.url}/blog")
    for _ in range(3):
        opened(page, f"{stack.url}/blog/there-is-no-such-article")
        expect(page.get_by_role("heading", name="Blog post not found")).to_be_visible()
    expect(page.get_by_text("Navigation Issue Detected")).to_be_visible()
    page.get_by_role("link", name="Browse All Posts").click()
    page.wait_for_url("**/blog")
    opened(page, f"{stack.url}/nowhere")
    page.get_by_role("link", name="Home Page").click()
    page.wait_for_url(f"{stack.url}/")


def test_the_quiz_needs_no_mouse(stack: RunningStack, new_page: NewPage) -> None:
    """§2.5 §2.59 §5.10: from skip link to confirmation by keyboard alone, focus where the next key is wanted."""
    page = new_page(reduced_motion="reduce")
    opened(page, stack.url)
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

    def asked(question: str) -> None:
        """The focus is on the question, above its choices."""
        expect(dialog.locator("legend").filter(has_text=question)).to_be_focused()

    asked("What kind of firefighter are you?")
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
    asked("How long have you been in the fire service?")
    keys.press("Tab")
    expect(dialog.get_by_role("radio", name="Less than 1 year")).to_be_focused()
    keys.press("ArrowDown")
    expect(dialog.get_by_role("radio", name="1 to 5 years")).to_be_checked()
    keys.press("Enter")
    asked("Where do you connect with other firefighters today?")
    keys.press("Tab")
    expect(dialog.get_by_role("checkbox", name="Facebook groups")).to_be_focused()
    keys.press("Space")
    expect(dialog.get_by_role("checkbox", name="Facebook groups")).to_be_checked()
    keys.press("Enter")
    for field, text in (("Your frustrations", "Noise"), ("What would make it worth your time", "Lessons")):
        expect(dialog.get_by_label(field)).to_be_focused()
        keys.type(text)
        expect(dialog.get_by_label(field)).to_have_value(text)
        keys.press("Tab")  # Enter is a new line here: past Back, onto Next
        expect(focus).to_have_text("Back")
        keys.press("Tab")
        expect(focus).to_have_text("Next")
        keys.press("Enter")
    email = f"keys.{uuid4().hex[:8]}@example.org"
    expect(dialog.get_by_label("E-mail")).to_be_focused()
    keys.type(email)
    expect(dialog.get_by_label("E-mail")).to_have_value(email)
    keys.press("Enter")
    expect(dialog.get_by_role("heading", name="You're officially on the waitlist!")).to_be_focused()
    keys.press("Escape")
    expect(dialog).not_to_be_visible()
    expect(opener).to_be_focused()


@contextmanager
def before_its_scripts(page: Page, url: str) -> Iterator[None]:
    """Go to the landing page and hold its scripts meanwhile; goes on when the application stands."""
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


def test_a_place_taken_by_keyboard_is_kept_when_the_application_comes(stack: RunningStack, new_page: NewPage) -> None:
    """The landing page is there before its script: who has begun to walk it goes on where they are."""
    page = new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    with before_its_scripts(page, stack.url):
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Muster, home").first).to_be_focused()
        page.evaluate("document.activeElement.dataset.old = 'yes'")
    expect(page.locator("[data-old]")).to_be_focused()
    assert not [text for text in said if "prerendered" in text], "the page was drawn anew"


def test_a_button_pressed_before_the_application_comes_is_answered(stack: RunningStack, new_page: NewPage) -> None:
    page = new_page()
    with before_its_scripts(page, stack.url):
        page.get_by_role("main").get_by_role("button", name="Join Our Waitlist").last.click()
    expect(page.get_by_role("dialog", name="Join Our Waitlist")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("main").get_by_role("button", name="Join Our Waitlist").last).to_be_focused()


def test_focus_follows_the_route(stack: RunningStack, new_page: NewPage) -> None:
    """After a link focus starts at the content, and the title of the new page is read out."""
    page = new_page()
    opened(page, f"{stack.url}/blog")
    page.get_by_role("banner").get_by_role("link", name="Sign In").press("Enter")
    page.wait_for_url("**/login")
    expect(page.locator("main")).to_be_focused()
    expect(page.locator("[aria-live=polite]").filter(has_text="Sign In | Muster")).to_have_count(1)
    stands(page)
    page.keyboard.press("Tab")
    expect(page.get_by_label("E-mail")).to_be_focused()
