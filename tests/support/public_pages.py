"""Helpers for the public journeys: waiting for pages, and signing in."""

from playwright.sync_api import Page, expect

from tests.support.stack import RunningStack

PENDING = "[aria-busy=true], [data-slot=spinner], [data-slot=later], [data-slot=skeleton]"


def open_page(page: Page, url: str) -> None:
    """Open a URL, and wait until the application has rendered the page."""
    page.goto(url)
    wait_until_ready(page)


def wait_until_ready(page: Page) -> None:
    """Wait until the application has started, with its heading, and no spinner is left."""
    page.locator("html[data-started]").wait_for(state="attached")
    page.locator("h1, h2, [role=alert]").first.wait_for(state="attached")
    expect(page.locator("[data-slot=spinner]")).to_have_count(0)


def wait_until_loaded(page: Page, *, loading: bool = False) -> None:
    """Wait until nothing is pending, down to the end of the page; or until it shows its loading state."""
    wait_until_ready(page)
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    if loading:
        expect(page.locator("[data-slot=later]")).to_have_count(0)
        page.locator("[aria-busy=true]").first.wait_for(state="attached")
    else:
        expect(page.locator(PENDING)).to_have_count(0)
    page.evaluate("document.fonts.ready.then(() => scrollTo(0, 0))")


def wait_for_toaster(page: Page) -> None:
    """Wait for the toaster, which is prefetched once the page is idle: offline it could not be loaded."""
    page.get_by_role("region", name="Notifications").wait_for(state="attached")


def log_in(page: Page, email: str, password: str) -> None:
    """Fill in and submit the sign-in form of the open page, once the application has started."""
    wait_until_ready(page)
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("main").get_by_role("button", name="Sign In", exact=True).click()


def log_in_member(page: Page, stack: RunningStack) -> None:
    """Sign the demo member in on the open page."""
    log_in(page, stack.env["DEMO_MEMBER_EMAIL"], stack.env["DEMO_PASSWORD"])
