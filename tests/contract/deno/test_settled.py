"""What a stack that hosts the service can ask of it: whether a function goes on, and by which clock tokens expire."""

import asyncio
import time
from pathlib import Path

import httpx

from emulator.asgi.lifespan import running
from emulator.clock import TurnedClock
from emulator.functions.app import create_app
from emulator.functions.settings import FunctionsSettings
from emulator.jwt import sign
from tests.contract.deno.conftest import SECRET
from tests.support.patience import PATIENCE_S

LATER = """
import asyncio
from pathlib import Path

async def app(scope, receive, send):
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"soon"})
        while not Path(__file__).with_name("may-end").exists():
            await asyncio.sleep(0.01)
"""


async def test_what_goes_on_after_an_answer_is_known_and_tokens_expire_by_the_clock(tmp_path: Path) -> None:
    folder = tmp_path / "functions" / "later"
    folder.mkdir(parents=True)
    (folder / "main.py").write_text(LATER)
    clock = TurnedClock()
    settings = FunctionsSettings.from_env({"FUNCTIONS_DIR": str(folder.parent), "JWT_SECRET": SECRET})
    app = create_app(settings, clock=clock)
    token = sign({"role": "anon", "exp": int(time.time()) + 60}, SECRET)
    headers = {"authorization": f"Bearer {token}"}
    transport = httpx.ASGITransport(app)
    async with running(app), httpx.AsyncClient(transport=transport, base_url="http://stack/functions/v1") as client:
        assert not await app.is_working()
        assert (await client.get("/later", headers=headers, timeout=60)).text == "soon"
        assert await app.is_working()
        (folder / "may-end").touch()
        async with asyncio.timeout(PATIENCE_S):
            while await app.is_working():  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        clock.set(clock.time() + 120)
        refused = await client.get("/later", headers=headers)
        assert refused.status_code == 401, refused.text
