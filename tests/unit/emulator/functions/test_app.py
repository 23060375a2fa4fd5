"""Who answers a call: the functions' own processes, another process of the stack, or somebody's terminal."""

import asyncio
from pathlib import Path

import pytest

from emulator.asgi.response import respond
from emulator.asgi.types import ASGIApp, Message, Receive, Scope, Send
from emulator.functions.app import create_app
from emulator.functions.settings import FunctionsSettings


def named(name: str) -> ASGIApp:
    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        await respond(send, 200, [], name.encode())

    return app


@pytest.fixture
def settings(tmp_path: Path) -> FunctionsSettings:
    (tmp_path / "hello").mkdir()
    (tmp_path / "hello" / "index.ts").touch()
    variables = {"FUNCTIONS_DIR": str(tmp_path), "FUNCTIONS_SERVE_SOCKET": str(tmp_path / "serve.sock")}
    return FunctionsSettings.from_env(variables)


def answer(app: ASGIApp, path: str) -> bytes:
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {
        "type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": b"", "headers": [],
    }  # fmt: skip

    async def call() -> None:
        await app(scope, receive, send)

    asyncio.run(call())
    return b"".join(message.get("body", b"") for message in sent)


def test_other_functions_stand_beside(settings: FunctionsSettings) -> None:
    app = create_app(settings, named("beside"), named("elsewhere"), named("served"))
    assert answer(app, "/functions/v1/other") == b"beside"
    assert answer(create_app(settings), "/functions/v1/other") == b"Function not found"


def test_one_process_of_several_has_the_functions(settings: FunctionsSettings) -> None:
    app = create_app(settings, named("beside"), named("elsewhere"), named("served"))
    assert answer(app, "/functions/v1/hello/x") == b"elsewhere"


def test_a_terminal_that_serves_them_goes_first(settings: FunctionsSettings) -> None:
    assert settings.serve_socket is not None
    settings.serve_socket.touch()
    app = create_app(settings, named("beside"), named("elsewhere"), named("served"))
    assert answer(app, "/functions/v1/hello") == b"served"
    settings.serve_socket.unlink()
    assert answer(app, "/functions/v1/hello") == b"elsewhere"
