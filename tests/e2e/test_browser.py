"""A page that served another test is like a new one: nothing of that test is left in it."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.support.browser import Pages
from tests.support.stack import RunningStack

pytestmark = pytest.mark.e2e

# All that a page can find of another one before it.
FOUND = """async () => {
  const permission = await navigator.permissions.query({ name: 'clipboard-read' })
  const media = ['(prefers-color-scheme: dark)', '(prefers-reduced-motion)', '(forced-colors: active)',
    '(prefers-contrast: more)', 'print'].filter((query) => matchMedia(query).matches)
  return {
    cookies: document.cookie, local: { ...localStorage }, session: { ...sessionStorage }, name: window.name,
    databases: (await indexedDB.databases()).map(({ name }) => name), caches: await caches.keys(),
    workers: (await navigator.serviceWorker.getRegistrations()).length,
    folder: await (async () => {
      const names = []
      for await (const name of (await navigator.storage.getDirectory()).keys()) names.push(name)
      return names
    })(),
    marks: Object.keys(window).filter((name) => name.startsWith('left')),
    history: history.length, state: history.state, opener: window.opener, referrer: document.referrer,
    permission: permission.state, online: navigator.onLine, media,
    size: [innerWidth, innerHeight, screen.width, screen.height], hovered: document.querySelectorAll(':hover').length,
    letters: document.documentElement.style.cssText, is_asked: Boolean(window.onbeforeunload),
  }
}"""
LEAVE = """async () => {
  document.cookie = 'left=cookie; max-age=999'
  localStorage.left = sessionStorage.left = window.name = 'left'
  window.leftMark = 1
  history.pushState({ left: 1 }, '', '?left')
  document.documentElement.style.fontSize = '32px'
  await (await caches.open('left')).put('/left', new Response('left'))
  await (await navigator.storage.getDirectory()).getFileHandle('left', { create: true })
  await new Promise((done, failed) => {
    const asked = indexedDB.open('left', 1)
    asked.onupgradeneeded = () => asked.result.createObjectStore('left').put('left', 'left')
    Object.assign(asked, { onsuccess: done, onerror: failed }) // and stays open
  })
  setInterval(() => { localStorage.left = sessionStorage.left = 'again' }) // as an application that saves late
  addEventListener('pagehide', () => { localStorage.left = sessionStorage.left = 'at last' })
  window.onbeforeunload = (event) => event.preventDefault()
}"""


def look(page: Page, stack: RunningStack) -> dict[str, Any]:
    """What a test finds at a page without scripts, which it loads twice: the first load may hide a mark."""
    for _ in range(2):
        page.goto(f"{stack.url}/config.js")
    found: dict[str, Any] = page.evaluate(FOUND)
    return found | {"cookie jar": page.context.cookies()}


def leave(page: Page, stack: RunningStack, heard: list[object]) -> None:
    """Do to a page and its context whatever can be taken back."""
    url = f"{stack.url}/favicon.svg"
    page.add_init_script("window.leftByPage = 1")
    page.context.add_init_script("window.leftByContext = 1")
    for thing in (page, page.context):
        thing.on("request", lambda request: heard.append(request.url))
        thing.on("console", lambda message: heard.append(message.text))
    page.goto(f"{stack.url}/login")
    page.evaluate(LEAVE)
    page.context.add_cookies([{"name": "jar", "value": "left", "url": url, "httpOnly": True}])
    page.context.grant_permissions(["clipboard-read"])
    page.context.route("**/config.js", lambda route: route.fulfill(body="left by context"))
    page.route("**/config.js", lambda route: route.fallback())
    page.set_viewport_size({"width": 390, "height": 500})
    page.emulate_media(media="print", color_scheme="dark", reduced_motion="no-preference", forced_colors="active")
    page.mouse.move(80, 20)
    page.keyboard.press("Tab")
    page.context.set_offline(True)


def test_nothing_is_left_for_the_next_test(stack: RunningStack, browser: Browser) -> None:
    """Stores, cookies, scripts, listeners, routes, permissions, history, size, media: all as in a new context."""
    first = Pages(browser)
    page = first(390, 844)
    page.goto(f"{stack.url}/login")
    first.close()
    heard: list[object] = []
    second = Pages(browser)
    assert second() is page, "the page was kept"
    expected_of = Pages(browser)
    new = expected_of(locale="en-US")  # an option: a context of its own
    expected = look(new, stack)
    new.context.close()
    leave(page, stack, heard)
    assert heard
    second.close()
    heard.clear()
    third = Pages(browser)
    again = third()
    assert again is page, "the page was kept"
    found = look(again, stack)
    assert "__MUSTER_CONFIG__" in again.locator("body").inner_text()
    again.go_back()  # to where the page was kept, as a new one goes to about:blank
    assert again.url == f"{stack.url}/robots.txt"
    again.go_back()
    assert again.url == f"{stack.url}/robots.txt"
    again.evaluate("console.log('heard?')")
    assert again.context.new_page().viewport_size == {"width": 1280, "height": 900}, "as nobody made it"
    third.close()
    assert heard == []
    assert {name: (found[name], expected[name]) for name in expected if found[name] != expected[name]} == {}


@pytest.mark.parametrize(
    "spoil",
    [
        lambda page: page.expose_function("left", lambda: None),
        lambda page: page.route_web_socket("**", lambda _: None),
        lambda page: page.set_default_timeout(1),
        lambda page: page.context.set_extra_http_headers({"x-left": "1"}),
        lambda page: page.context.new_cdp_session(page),
        lambda page: page.context.new_page(),
        lambda page: page.evaluate("void window.open('/robots.txt')"),
        lambda page: page.clock.set_fixed_time(0),
        lambda page: page.goto("data:text/html,elsewhere"),
        lambda page: page.close(),
    ],
    ids=["function", "socket", "time-out", "headers", "devtools", "page", "popup", "clock", "elsewhere", "closed"],
)  # fmt: skip
def test_what_stays_is_not_handed_on(stack: RunningStack, browser: Browser, spoil: Callable[[Page], object]) -> None:
    pages = Pages(browser)
    page = pages()
    page.goto(f"{stack.url}/robots.txt")
    spoil(page)
    pages.close()
    assert page.is_closed()


def test_the_page_of_a_failure_is_not_handed_on(stack: RunningStack, browser: Browser) -> None:
    pages = Pages(browser)
    page = pages()
    page.goto(f"{stack.url}/robots.txt")
    pages.has_failed = True
    pages.close()
    assert page.is_closed()
