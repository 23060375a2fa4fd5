"""The requests that the dashboard lists: whatever was sent and answered, the list is JSON."""

from typing import Any

import httpx

from emulator.asgi.response import respond
from emulator.asgi.status import Status
from emulator.dashboard.app import Sources, create_app
from emulator.observe import recent
from emulator.observe.app import Observer
from emulator.observe.logs import LogSettings
from tests.support.serving import serving

# A lone surrogate, what JSON escapes, more than is kept.
HOSTILE = ("\ud800", 'nul \0 and "quotes"\x7f\u2028', "x" * 100_000)


async def with_a_phrase(_scope: Any, _receive: Any, send: Any) -> None:
    """A service that answers as REST does for a raised status of its own."""
    recent.note(iter([(text, (text, None)) for text in HOSTILE]), float("1e-9"))
    await respond(send, Status(418, "Short and stout"), [], b"")


async def test_every_request_is_listed() -> None:
    kept = recent.Recent()
    observer = Observer("rest", LogSettings(requests="none"), recent=kept)

    async def no_branches() -> None:
        return None

    dashboard = create_app(Sources("", kept, list, no_branches))
    with serving(with_a_phrase, observer, lifespan="off") as port:
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as http:
            for path in ("/plain?apikey=sb_secret_1", "/%ED%A0%80%00?a=%FF%22", f"/{'y' * 5000}?{'z' * 5000}"):
                await http.get(path)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(dashboard), base_url="http://test") as http:
        listed = (await http.get("/_muster/api/requests")).json()
        later = (await http.get("/_muster/api/requests", params={"after": 2})).json()
    assert [one["status"] for one in listed] == [418, 418, 418]
    assert listed[0]["path"] == "/plain?apikey=…"
    [[statements, duration_ms]] = listed[0]["batches"]
    assert (statements[0], duration_ms) == (["?", ["?", None]], 0.0)
    assert len(statements[2][0]) == recent.LONGEST_STATEMENT
    assert listed[2:] == later
