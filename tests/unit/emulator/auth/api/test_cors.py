"""CORS of the service without the gateway."""

import httpx
import pytest

from emulator.asgi.response import respond
from emulator.asgi.types import Receive, Scope, Send
from emulator.auth.api.cors import with_cors


async def endpoint(_scope: Scope, _receive: Receive, send: Send) -> None:
    await respond(send, 200, [(b"content-type", b"application/json")], b"{}")


@pytest.fixture
def client() -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(with_cors(endpoint)), base_url="http://auth.test")


async def test_preflight_permits_what_it_asks_for(client: httpx.AsyncClient) -> None:
    asked = {"access-control-request-method": "PUT", "access-control-request-headers": "authorization,apikey"}
    response = await client.options("/user", headers={"origin": "https://app.example", **asked})
    assert (response.status_code, response.content) == (204, b"")
    assert response.headers["access-control-allow-origin"] == "*"
    assert response.headers["access-control-allow-headers"] == "authorization,apikey"
    assert "PUT" in response.headers["access-control-allow-methods"]


@pytest.mark.parametrize(("headers", "want"), [({"origin": "https://app.example"}, "*"), ({}, None)])
async def test_any_origin_may_read(client: httpx.AsyncClient, headers: dict[str, str], want: str | None) -> None:
    response = await client.get("/settings", headers=headers)
    assert response.headers.get("access-control-allow-origin") == want
    assert response.headers["vary"] == "Origin"
    assert ("x-total-count" in response.headers.get("access-control-expose-headers", "").lower()) == (want is not None)
