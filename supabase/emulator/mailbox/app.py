"""The mailbox as one ASGI application: pages under /mail, JSON under /mail/api; its lifespan receives the mails."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from emulator.mailbox.message import Message, message_payload, summary_payload
from emulator.mailbox.settings import MailboxSettings
from emulator.mailbox.smtp import listen
from emulator.mailbox.store import MailStore

if TYPE_CHECKING:
    from jinja2 import Environment

ASSETS = Path(__file__).parent / "assets"
ASSET_TYPES = {
    "mailbox.css": "text/css; charset=utf-8",
    "mailbox.js": "text/javascript; charset=utf-8",
    "mark.svg": "image/svg+xml",
}
COMMON_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-resource-policy": "same-origin",
}
PAGE_CSP = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
# A mail's own HTML: no script, no form, nothing from elsewhere; its links open in a new tab.
MAIL_CSP = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox"
)


def create_app(settings: MailboxSettings) -> ASGIApp:
    """The mailbox; its lifespan opens the folder and the SMTP port."""
    pages = _Mailbox(MailStore(settings.folder, settings.max_messages))

    @asynccontextmanager
    async def lifespan(_app: object) -> AsyncIterator[None]:
        pages.store.open()
        server = await listen(pages.store, settings.smtp_host, settings.smtp_port, settings.smtp_fd)
        try:
            yield
        finally:
            server.close()

    routes = [
        Route("/mail", pages.index),
        Route("/mail/clear", pages.clear, methods=["POST"]),
        Route("/mail/assets/{name}", pages.asset),
        Route("/mail/api/messages", pages.api_list, methods=["GET"]),
        Route("/mail/api/messages", pages.api_clear, methods=["DELETE"]),
        Route("/mail/api/messages/{message_id}", pages.api_get, methods=["GET"]),
        Route("/mail/api/messages/{message_id}", pages.api_delete, methods=["DELETE"]),
        Route("/mail/api/messages/{message_id}/raw", pages.raw),
        Route("/mail/{message_id}", pages.show),
        Route("/mail/{message_id}/html", pages.html),
    ]
    return Router(routes, redirect_slashes=False, default=_not_found, lifespan=lifespan)


@cache
def _templates() -> "Environment":
    from jinja2 import Environment, PackageLoader, select_autoescape  # with the first page: 2 MiB

    return Environment(loader=PackageLoader("emulator.mailbox", "templates"), autoescape=select_autoescape(["html"]))


async def _not_found(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["path"].startswith("/mail/api/"):
        await _json({"message": "not found"}, 404)(scope, receive, send)
    elif scope["path"] == "/mail/":
        await RedirectResponse("/mail", 308)(scope, receive, send)
    else:
        await PlainTextResponse("not found", 404)(scope, receive, send)


def _json(payload: Any, status: int = 200) -> Response:
    body = json.dumps(payload, ensure_ascii=False).encode("utf-8", "replace")
    return Response(body, status, COMMON_HEADERS | {"content-type": "application/json"})


class _Mailbox:
    """The endpoints, over one store."""

    def __init__(self, store: MailStore) -> None:
        self.store = store

    async def index(self, request: Request) -> Response:
        """The list."""
        return self._page(request, None)

    async def show(self, request: Request) -> Response:
        """The list and one mail."""
        message = self.store.get(request.path_params["message_id"])
        if message is None:
            return self._page(request, None, missing=True)
        return self._page(request, message)

    def _page(self, request: Request, message: Message | None, *, missing: bool = False) -> Response:
        query = request.query_params.get("q", "")
        view = request.query_params.get("view", "")
        if message is not None and view not in ("html", "text"):
            view = "html" if message.html else "text"
        html = _templates().get_template("mailbox.html").render(
            messages=list(self.store.search(query)), message=message, query=query, view=view, missing=missing,
            suffix=f"?q={quote(query)}" if query else "", newest=next(iter(self.store.ids()), ""),
        )  # fmt: skip
        headers = COMMON_HEADERS | {"content-security-policy": PAGE_CSP}
        return HTMLResponse(html, 404 if missing else 200, headers)

    async def html(self, request: Request) -> Response:
        """A mail's own HTML, for the sandboxed frame."""
        message = self.store.get(request.path_params["message_id"])
        if message is None or not message.html:
            return PlainTextResponse("not found", 404)
        page = f'<base target="_blank">{message.html}'
        return HTMLResponse(page, 200, COMMON_HEADERS | {"content-security-policy": MAIL_CSP})

    async def asset(self, request: Request) -> Response:
        """Style and script."""
        name = request.path_params["name"]
        if name not in ASSET_TYPES:
            return PlainTextResponse("not found", 404)
        return Response((ASSETS / name).read_bytes(), headers=COMMON_HEADERS | {"content-type": ASSET_TYPES[name]})

    async def clear(self, request: Request) -> Response:
        """The page's button; only our own page may press it."""
        if not _is_same_origin(request.headers):
            return PlainTextResponse("forbidden", 403)
        self.store.clear()
        return RedirectResponse("/mail", 303)

    async def raw(self, request: Request) -> Response:
        """A mail as it came."""
        raw = self.store.raw(request.path_params["message_id"])
        if raw is None:
            return _json({"message": "not found"}, 404)
        return Response(raw, headers=COMMON_HEADERS | {"content-type": "text/plain; charset=utf-8"})

    async def api_list(self, request: Request) -> Response:
        """Mails, newest first; `query` words, `to` an address, `limit`."""
        params = request.query_params
        found = list(self.store.search(params.get("query", ""), params.get("to", "")))
        limit = params.get("limit", "")
        shown = found[: int(limit)] if limit.isdecimal() and len(limit) < 9 else found
        return _json({"total": len(found), "messages": [summary_payload(message) for message in shown]})

    async def api_get(self, request: Request) -> Response:
        """All of one mail."""
        message = self.store.get(request.path_params["message_id"])
        return _json(message_payload(message)) if message else _json({"message": "not found"}, 404)

    async def api_clear(self, request: Request) -> Response:
        """Forget all."""
        if not _is_same_origin(request.headers):
            return _json({"message": "forbidden"}, 403)
        self.store.clear()
        return Response(status_code=204)

    async def api_delete(self, request: Request) -> Response:
        """Forget one."""
        if not _is_same_origin(request.headers):
            return _json({"message": "forbidden"}, 403)
        found = self.store.delete(request.path_params["message_id"])
        return Response(status_code=204) if found else _json({"message": "not found"}, 404)


def _is_same_origin(headers: Mapping[str, str]) -> bool:
    """No other site's page sent this; programs, which send no Origin, are fine."""
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None:
        return site in ("same-origin", "none")
    return origin is None or urlsplit(origin).netloc == headers.get("host", "")
