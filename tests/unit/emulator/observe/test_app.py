"""Every request has an id, a log line and its place in the counts."""

import io
import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import httpx

from emulator.asgi.body import wait_for_disconnect
from emulator.asgi.response import respond
from emulator.asgi.types import CLIENT_CLOSED_REQUEST
from emulator.observe import trace
from emulator.observe.app import Observer
from emulator.observe.logs import LogSettings
from tests.support.serving import serving
from tests.support.stack import wait_until


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """A service that logs, echoes the id as another might, and fails when it is told to."""
    logging.getLogger("test.service").warning("seen\n%s", "second line")
    if scope["path"] == "/breaks":
        raise RuntimeError("broken")
    if scope["path"] == "/silent":
        return
    if scope["path"] == "/waits":
        await wait_for_disconnect(receive)
        return
    status = int(scope["path"].lstrip("/") or 200)
    await respond(send, status, [(b"X-Request-Id", b"the service's own")], trace.current.get().id.encode())


@contextmanager
def client(app: Any, observer: Observer) -> Iterator[httpx.Client]:
    with serving(app, observer, lifespan="off") as port, httpx.Client(base_url=f"http://127.0.0.1:{port}") as http:
        yield http


def test_answer_log_and_service_share_one_id(lines: io.StringIO) -> None:
    with client(echo, Observer("rest", LogSettings(requests="all"))) as http:
        given = http.get("/200?token=secret", headers={"x-request-id": "7f3a"})
        made = http.get("/404", headers={"x-request-id": "bad id, x"})
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


def test_requests_are_counted_whatever_becomes_of_them() -> None:
    observer = Observer("auth", LogSettings(requests="none"))
    with client(echo, observer) as http:
        for path in ("/200", "/200", "/503", "/breaks", "/silent"):
            http.get(path)
        http.request("PROPFIND", "/200")
        with suppress(httpx.ReadTimeout):
            http.get("/waits", timeout=0.05)
        wait_until(lambda: observer.requests.in_flight == 0)
    counts = {(method, status): number for (_, method, status), number in observer.requests.counts.items()}
    assert counts == {
        ("GET", 200): 2, ("GET", 503): 1, ("GET", 500): 2, ("other", 200): 1, ("GET", CLIENT_CLOSED_REQUEST): 1,
    }  # fmt: skip
