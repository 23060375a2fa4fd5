"""Send a whole answer."""

from emulator.asgi.headers import has_header
from emulator.asgi.types import Headers, Send


async def respond(send: Send, status: int, headers: Headers, body: bytes | None, *, head: bool = False) -> None:
    """Answer with `body`, its length added unless `headers` has it. None: a status without content (204, 304).

    `head`: the answer to a HEAD request, the same headers and no body.
    """
    if body is not None and not has_header(headers, b"content-length"):
        headers = [*headers, (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if head or body is None else body})
