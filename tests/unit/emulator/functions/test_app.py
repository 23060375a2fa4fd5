"""Who answers a call: the functions' own processes, another process of the stack, or somebody's terminal."""

import asyncio
from pathlib import Path

import pytest

from emulator.asgi.response import respond
from emulator.asgi.types import ASGIApp, Message, Receive, Scope, Send
from emulator.functions import binaries
from emulator.functions.app import create_app
from emulator.functions.settings import FunctionsSettings
from emulator.packages import installed_mark, npm_platform


def named(name: str) -> ASGIApp:
    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        await respond(send, 200, [], name.encode())

    return app


@pytest.fixture
def settings(tmp_path: Path) -> FunctionsSettings:
    (tmp_path / "hello").mkdir()
    (tmp_path / "hello" / "index.ts").touch()
    variables = {
        "FUNCTIONS_DIR": str(tmp_path), "FUNCTIONS_SERVE_SOCKET": str(tmp_path / "serve.sock"),
        "SUPABASE_INTERNAL_FUNCTIONS_CONFIG": '{"hello": {"verifyJWT": false}}',
    }  # fmt: skip
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


def test_a_program_that_can_not_be_run_is_a_boot_error(settings: FunctionsSettings, tmp_path: Path) -> None:
    deno = tmp_path / "deno"
    deno.write_text("half of a download")
    app = create_app(settings.model_copy(update={"deno": deno, "cache": tmp_path / "cache"}))
    assert b'"BOOT_ERROR"' in answer(app, "/functions/v1/hello")
    assert b'"BOOT_ERROR"' in answer(app, "/functions/v1/hello")


def test_a_half_installed_deno_is_not_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system, machine = npm_platform()
    name = f"{system}-{machine}{'-glibc' if system == 'linux' else ''}"
    program = tmp_path / "node_modules" / "@deno" / name / "deno"
    program.parent.mkdir(parents=True)
    program.touch()
    (tmp_path / "package-lock.json").write_text("{}")
    monkeypatch.setattr(binaries, "DENO", tmp_path)
    monkeypatch.setattr("shutil.which", lambda _: None)
    assert binaries.find_deno() is None
    installed_mark(tmp_path).write_text("{}")
    assert binaries.find_deno() == program
