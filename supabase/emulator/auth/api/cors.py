"""CORS for a service that is served without the gateway, which else adds it for all services."""

from emulator.asgi.cors import CorsPolicy, requested_or
from emulator.asgi.headers import find_header
from emulator.asgi.response import respond
from emulator.asgi.types import ASGIApp, Message, Receive, Scope, Send
from emulator.auth.api.responses import VERSION_HEADER

CORS = CorsPolicy(
    methods=b"GET, POST, PUT, PATCH, DELETE",
    allowed_headers=requested_or(b"authorization, apikey, content-type, x-client-info"),
    exposed=f"X-Total-Count, Link, {VERSION_HEADER}".encode(),
    max_age_s=600,
)
_VARY_OF_PREFLIGHTS = (b"vary", b"Origin, Access-Control-Request-Method, Access-Control-Request-Headers")


def with_cors(app: ASGIApp) -> ASGIApp:
    """Any origin may read the responses; as from GoTrue, all of them have `vary: Origin`."""

    async def served(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        origin = find_header(scope["headers"], b"origin")
        preflight = CORS.preflight(scope["headers"]) if scope["method"] == "OPTIONS" else None
        if preflight is not None:
            await respond(send, 204, [*preflight, _VARY_OF_PREFLIGHTS], None)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", []))
                headers = CORS.apply(headers, origin) if origin is not None else headers
                message = {**message, "headers": [*headers, (b"vary", b"Origin")]}
            await send(message)

        await app(scope, receive, sending)

    return served
