"""Every request has an id, a log line and its place in the counts."""

import io
import json
import logging
import re
from typing import Any

import httpx

from emulator.asgi.response import respond
from emulator.observe import trace
from emulator.observe.app import CLIENT_CLOSED_REQUEST, Observed
from emulator.observe.logs import LogSettings


async def echo(scope: Any, _receive: Any, send: Any) -> None:
    """A service that logs, echoes the id as another might, and fails when it is told to."""
    logging.getLogger("test.service").warning("seen\n%s", "second line")
    if scope["path"] == "/breaks":
        raise RuntimeError("broken")
    if scope["path"] == "/silent":
        return
    status = int(scope["path"].lstrip("/") or 200)
    await respond(send, status, [(b"X-Request-Id", b"the service's own")], trace.current.get().id.encode())


def client(app: Observed) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url="http://test")


async def test_answer_log_and_service_share_one_id(lines: io.StringIO) -> None:
    async with client(Observed(echo, "rest", LogSettings(requests="all"))) as http:
        given = await http.get("/200?token=secret", headers={"x-request-id": "7f3a"})
        made = await http.get("/404", headers={"x-request-id": "bad id\t"})
    assert given.headers.get_list("x-request-id") == ["7f3a"]
    assert given.text == "7f3a"
    assert made.headers["x-request-id"] == made.text
    assert re.fullmatch(r"[0-9a-f]{12}-[0-9a-f]{6}", made.text)
    logged = [json.loads(line) for line in lines.getvalue().splitlines()]
    ours = [line for line in logged if line["logger"] in ("test.service", "muster.requests")]
    assert [line["request_id"] for line in ours] == ["7f3a", "7f3a", made.text, made.text]
    assert ours[1] | {"time": "", "duration_ms": 0} == {
        "time": "", "level": "info", "logger": "muster.requests", "message": "request", "request_id": "7f3a",
        "service": "rest", "method": "GET", "path": "/200", "status": 200, "duration_ms": 0, "client": "127.0.0.1",
    }  # fmt: skip
    assert "secret" not in "".join(line["message"] for line in ours)


async def test_no_answer_may_be_taken_for_another_type() -> None:
    async def careful(_scope: Any, _receive: Any, send: Any) -> None:
        await respond(send, 200, [(b"X-Content-Type-Options", b"nosniff")], b"")

    for app in (echo, careful):
        async with client(Observed(app, "rest", LogSettings(requests="none"))) as http:
            assert (await http.get("/200")).headers.get_list("x-content-type-options") == ["nosniff"]


async def test_requests_are_counted_whatever_becomes_of_them() -> None:
    app = Observed(echo, "auth", LogSettings(requests="none"))
    async with client(app) as http:
        for path in ("/200", "/200", "/503", "/breaks"):
            await http.get(path)
        await http.request("BREW", "/200")
    await app({"type": "http", "method": "GET", "path": "/silent", "headers": []}, _nothing, _nothing)
    counts = {(method, status): number for (_, method, status), number in app.requests.counts.items()}
    assert counts == {
        ("GET", 200): 2, ("GET", 503): 1, ("GET", 500): 1, ("other", 200): 1, ("GET", CLIENT_CLOSED_REQUEST): 1,
    }  # fmt: skip
    assert app.requests.in_flight == 0


async def _nothing(*_: object) -> Any:
    return {"type": "http.disconnect"}
