"""How the services of a branch end: what sends mails before the mailbox that takes them."""

import asyncio
from pathlib import Path

import pytest

from emulator.app import assemble
from emulator.asgi.lifespan import running
from emulator.asgi.server import bind
from emulator.asgi.types import Receive, Scope, Send
from emulator.extension import Extension, Host
from emulator.observe.metrics import Requests


class LastMail:
    """A service that looks for its mailbox when it ends."""

    greetings: list[bytes] = []

    def __init__(self, host: Host) -> None:
        self._port = int(host.env["MAILBOX_SMTP_PORT"])

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        self.greetings.append(await asyncio.wait_for(reader.readline(), 5))
        writer.close()
        await send({"type": "lifespan.shutdown.complete"})


EXTENSION = Extension(services={"functions": LastMail})


@pytest.mark.parametrize("has_functions", [False, True], ids=["alone", "beside-functions-in-typescript"])
def test_an_extension_of_a_branch_ends_before_the_mailbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_functions: bool
) -> None:
    """Also where nobody called a function. A branch's port for mails stays open, and would never answer."""
    monkeypatch.setattr(LastMail, "greetings", [])
    secret = "a secret of more than thirty-two characters"
    listener = bind("127.0.0.1", 0)
    env = {
        "ANON_KEY": "a", "SERVICE_ROLE_KEY": "s", "API_JWT_SECRET": secret, "JWT_SECRET": secret,
        "MUSTER_EXTENSION": f"{__name__}:EXTENSION", "MAILBOX_DIR": str(tmp_path / "mail"),
        "MAILBOX_SMTP_PORT": str(listener.getsockname()[1]), "MAILBOX_SMTP_FD": str(listener.fileno()),
        **({"FUNCTIONS_DIR": str(tmp_path), "FUNCTIONS_DENO": "/bin/false"} if has_functions else {}),
    }  # fmt: skip

    async def live() -> None:
        stack = assemble(env, Requests(), on_demand=True)
        async with running(stack.gateway):
            for worker in stack.workers[1:]:  # the first is the platform, which needs a database
                await worker.start()

    with listener:
        asyncio.run(live())
    assert [greeting[:4] for greeting in LastMail.greetings] == [b"220 "]
