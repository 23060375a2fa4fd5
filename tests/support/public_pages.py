"""What the public journeys share: when a page stands, what axe finds on it, signing in at the door that is open."""

from playwright.sync_api import Page, expect

from tests.support.stack import RunningStack

PENDING = "[aria-busy=true], [data-slot=spinner], [data-slot=later], [data-slot=skeleton]"


def opened(page: Page, url: str) -> None:
    """Go to an address, and wait until the application answers there and its page is drawn."""
    page.goto(url)
    stands(page)


def stands(page: Page) -> None:
    """Wait until the page is the application's, with its heading, and no part of it still has to be loaded."""
    page.locator("html[data-started]").wait_for(state="attached")
    page.locator("h1, h2, [role=alert]").first.wait_for(state="attached")
    expect(page.locator("[data-slot=spinner]")).to_have_count(0)


def complete(page: Page, *, loading: bool = False) -> None:
    """Wait until nothing is pending any more, down to the foot of the page; or until it stands there loading."""
    stands(page)
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    if loading:
        expect(page.locator("[data-slot=later]")).to_have_count(0)
        page.locator("[aria-busy=true]").first.wait_for(state="attached")
    else:
        expect(page.locator(PENDING)).to_have_count(0)
    page.evaluate("document.fonts.ready.then(() => scrollTo(0, 0))")


def toaster_is_here(page: Page) -> None:
    """What says that the line is gone was fetched before, unasked, once the page was quiet."""
    page.get_by_role("region", name="Notifications").wait_for(state="attached")


def log_in(page: Page, email: str, password: str) -> None:
    """Fill the sign-in form of the page that is open, once it answers."""
    stands(page)
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("main").get_by_role("button", name="Sign In", exact=True).click()


def log_in_member(page: Page, stack: RunningStack) -> None:
    """Sign the demo member in on the page that is open."""
    log_in(page, stack.env["DEMO_MEMBER_EMAIL"], stack.env["DEMO_PASSWORD"])
