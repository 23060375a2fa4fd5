"""How a state is made: what the page's reads are answered with. Nothing is written; the stack stays as it is."""

from typing import TYPE_CHECKING, Any

from muster_product.shots.screens import State

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

# Asked before anything else shows; a page without its answer would always be the same page.
UNTOUCHED = ("/rpc/is_admin", "/rpc/admin_access", "/rpc/reset_daily_message_limits")
# Texts of people, which can be as long as people make them.
WRITTEN = frozenset(
    {
        "author_name", "bio", "category", "comment", "content", "department", "description", "email", "excerpt",
        "full_name", "issuer", "message", "name", "organization", "place", "position", "rank", "summary", "title",
    }
)  # fmt: skip
LONG_TEXT = (
    " and everything else that was said about it on three shifts, in two languages, by people who were there, "
    "Donaudampfschifffahrtsgesellschaftskapitaensmuetzenabzeichen included, and who would rather say it twice"
)
ERROR = {"code": "XX000", "message": "The database is not there.", "details": None, "hint": None}


def arrange(page: "Page", state: State) -> "list[Route]":
    """Answer the page's reads so that it comes to stand in `state`; those that wait for an answer, to be ended."""
    waiting: list[Route] = []
    if state in ("ready", "zoom"):
        return waiting

    def answer(route: "Route") -> None:
        request = route.request
        reads = request.method in ("GET", "HEAD") or "/rpc/" in request.url
        if not reads or any(path in request.url for path in UNTOUCHED):
            route.continue_()
        elif state == "error":
            route.fulfill(status=500, json=ERROR)
        elif state == "empty":
            route.fulfill(status=200, headers={"content-range": "*/0"}, json=_nothing(route))
        elif state == "long":
            response = route.fetch()
            kind = response.headers.get("content-type", "")
            if response.ok and "json" in kind and request.method != "HEAD":
                route.fulfill(response=response, json=stretched(response.json()))
            else:
                route.fulfill(response=response)
        else:  # 'loading'
            waiting.append(route)

    page.route("**/rest/v1/**", answer)
    return waiting


def _nothing(route: "Route") -> Any:
    """No rows; but a member without a profile is no member, so single rows stay."""
    if "vnd.pgrst.object" in (route.request.headers.get("accept") or ""):
        return route.fetch().json()
    return []


def stretched(value: Any, name: str = "") -> Any:
    """The same answer with each text that people write made long; `name` is the key the value stands under."""
    if isinstance(value, list):
        return [stretched(item, name) for item in value]
    if isinstance(value, dict):
        return {key: stretched(item, key) for key, item in value.items()}
    return f"{value}{LONG_TEXT}" if isinstance(value, str) and value and name in WRITTEN else value
