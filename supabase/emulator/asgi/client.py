"""Send a GET request to an ASGI application of this process, without a socket.

httpx has a transport for that, and would be loaded (110 ms, 4.5 MiB) by the first health check of every process.
"""

from emulator.asgi.types import ASGIApp, Message


async def get_status(app: ASGIApp, path: str) -> int:
    """The status of the application's answer."""
    status = 500

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]

    scope = {
        "type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"}, "http_version": "1.1", "method": "GET",
        "scheme": "http", "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "", "headers": [],
        "client": ("127.0.0.1", 0), "server": ("127.0.0.1", 0),
    }  # fmt: skip
    await app(scope, receive, send)
    return status
