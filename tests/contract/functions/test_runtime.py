"""The rules around a function, as supabase-js and a browser meet them."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.contract.functions.conftest import ANON, SECRET, Folder, token, until

from emulator.jwt import sign  # isort: skip

HELLO = """
from fastapi import APIRouter
router = APIRouter()
@router.api_route("", methods=["POST", "OPTIONS"])
async def hello() -> dict[str, str]:
    return {"hello": "world"}
"""
MIRROR = """
from fastapi import APIRouter, Request
from muster_functions.runtime.function import Rules
router = APIRouter()
@router.api_route("", methods=["GET", "POST"])
@router.api_route("/{rest:path}", methods=["GET", "POST", "PUT", "PATCH", "DELETE"])
async def mirror(request: Request):
    body = await request.body()
    return {
        "path": request.scope["raw_path"].decode(), "query": str(request.url.query), "method": request.method,
        "headers": dict(request.headers), "body": body.decode("latin-1"),
    }
"""
OPEN = """
from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse
from muster_functions.runtime.function import Rules
rules = Rules(verify_jwt=False)
router = APIRouter()
@router.options("")
async def options():
    return Response("mine", headers={"x-own": "yes"})
@router.post("")
async def mirror(request: Request):
    try:
        body = await request.json()
    except ValueError:
        return JSONResponse({"error": "bad json"}, 400, headers={"access-control-allow-origin": "https://own.test"})
    return JSONResponse({"got": body}, body.get("status", 200))
"""
SLOW = """
import asyncio
from pathlib import Path
from fastapi import APIRouter
from muster_functions.runtime.function import Rules
rules = Rules(timeout_s=0.2)
router = APIRouter()
@router.post("")
async def slow(note: str) -> str:
    try:
        await asyncio.sleep(30)
    except asyncio.CancelledError:
        Path(note).write_text("cancelled")
        raise
    return "late"
"""
ROUTER = """
from fastapi import APIRouter
from fastapi.responses import PlainTextResponse, StreamingResponse
router = APIRouter()
@router.post("")
"""
BEARER = {"authorization": f"Bearer {ANON}"}


@pytest.fixture
async def folder(serve: Callable[..., Any], tmp_path: Path) -> Folder:
    path = tmp_path / "functions"
    path.mkdir()
    for name, text in {"hello": HELLO, "mirror": MIRROR, "open": OPEN, "slow": SLOW}.items():
        (path / f"{name}.py").write_text(text)
    return Folder(path, await serve(functions_dir=path))


async def test_a_function_answers_a_bearer_of_a_valid_token(folder: Folder) -> None:
    got = await folder.client.post("hello", headers=BEARER)
    assert (got.status_code, got.json()) == (200, {"hello": "world"})
    assert got.headers["access-control-allow-origin"] == "*"
    assert "x-relay-error" not in got.headers


@pytest.mark.parametrize(
    "authorization",
    [
        pytest.param(None, id="missing"),
        pytest.param("Bearer", id="empty"),
        pytest.param("Basic YTpi", id="other scheme"),
        pytest.param("Bearer not.a.token", id="malformed"),
        pytest.param(f"Bearer {sign({'role': 'anon'}, SECRET + 'x')}", id="other key"),
        pytest.param(f"Bearer {token('anon', exp=int(time.time()) - 1)}", id="expired"),
        pytest.param(f"Bearer {token('anon', nbf=int(time.time()) + 86400)}", id="not yet"),
        pytest.param(f"Bearer {token(sub='x', aud='somebody else')}", id="other audience"),
        pytest.param(f"Bearer {token('anon', exp='soon')}", id="expiry no number"),
    ],
)
async def test_a_refused_token_is_a_relay_error(folder: Folder, authorization: str | None) -> None:
    headers = {} if authorization is None else {"authorization": authorization}
    got = await folder.client.post("hello", headers=headers)
    assert got.status_code == 401
    assert got.headers["x-relay-error"] == "true"
    assert "x-relay-error" in got.headers["access-control-expose-headers"]


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE"])
async def test_path_query_method_headers_and_body_reach_the_function(folder: Folder, method: str) -> None:
    headers = BEARER | {"x-custom": "kept", "x-region": "eu-west-1"}
    got = (await folder.client.request(method, "mirror/a%20b/c?x=1&x=%26", headers=headers, content=b"\x00\xff")).json()
    assert (got["path"], got["query"]) == ("/mirror/a%20b/c", "x=1&x=%26")
    assert (got["method"], got["body"]) == (method, "\x00\xff")
    assert (got["headers"]["x-custom"], got["headers"]["x-region"]) == ("kept", "eu-west-1")


async def test_form_data_reaches_the_function(folder: Folder) -> None:
    got = (await folder.client.post("mirror", headers=BEARER, files={"file": b"content"}, data={"name": "ada"})).json()
    assert got["headers"]["content-type"].startswith("multipart/form-data; boundary=")
    assert 'name="name"\r\n\r\nada' in got["body"]


async def test_a_gateway_may_strip_the_prefix(folder: Folder) -> None:
    got = await folder.client.get(str(folder.client.base_url.copy_with(path="/mirror/x")), headers=BEARER)
    assert got.json()["path"] == "/mirror/x"


@pytest.mark.parametrize("name", ["nobody", "", "../app", "..%2fapp", "__init__", "hello.py", "a" * 300, "h%00"])
async def test_an_unknown_function_is_not_found(folder: Folder, name: str) -> None:
    got = await folder.client.post(str(folder.client.base_url) + name, headers=BEARER)
    assert got.status_code == 404
    assert got.json()["code"] == "NOT_FOUND"
    assert got.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize("name", ["hello", "open", "nobody"])
async def test_a_preflight_is_granted_whatever_it_asks_for(folder: Folder, name: str) -> None:
    headers = {
        "origin": "https://app.test",
        "access-control-request-method": "PATCH",
        "access-control-request-headers": "authorization, x-anything",
    }
    got = await folder.client.options(name, headers=headers)
    assert got.status_code == 204
    assert got.headers["access-control-allow-origin"] == "*"
    assert "PATCH" in got.headers["access-control-allow-methods"]
    assert got.headers["access-control-allow-headers"] == "authorization, x-anything"


async def test_a_bare_options_is_the_functions_own(folder: Folder) -> None:
    got = await folder.client.options("open")
    assert (got.status_code, got.text, got.headers["x-own"]) == (200, "mine", "yes")
    assert (await folder.client.options("hello")).json() == {"hello": "world"}


@pytest.mark.parametrize("status", [400, 401, 404, 500])
async def test_a_functions_status_is_passed_on_with_permission(folder: Folder, status: int) -> None:
    got = await folder.client.post("open", json={"status": status})
    assert (got.status_code, got.json()) == (status, {"got": {"status": status}})
    assert got.headers["access-control-allow-origin"] == "*"


async def test_malformed_json_is_the_functions_own_matter_and_its_permission_stays(folder: Folder) -> None:
    got = await folder.client.post("open", content=b"{")
    assert (got.status_code, got.json()) == (400, {"error": "bad json"})
    assert got.headers.get_list("access-control-allow-origin") == ["https://own.test"]


async def test_five_calls_at_once(folder: Folder) -> None:
    got = await asyncio.gather(*(folder.client.post("hello", headers=BEARER) for _ in range(5)))
    assert [answer.status_code for answer in got] == [200] * 5


async def test_a_function_that_takes_too_long_is_stopped(folder: Folder, tmp_path: Path) -> None:
    note = tmp_path / "note"
    got = await folder.client.post("slow", params={"note": str(note)}, headers=BEARER)
    assert (got.status_code, got.json()["code"]) == (504, "TIMEOUT")
    assert note.read_text() == "cancelled"


async def test_a_function_is_stopped_when_its_client_leaves(folder: Folder, tmp_path: Path) -> None:
    note = tmp_path / "note"
    folder.write("slow", SLOW.replace("timeout_s=0.2", "timeout_s=25"))
    with pytest.raises(httpx.ReadTimeout):
        await folder.client.post("slow", params={"note": str(note)}, headers=BEARER, timeout=0.3)
    await until(note.exists)


async def test_a_body_over_the_limit_is_refused(folder: Folder) -> None:
    folder.write("small", MIRROR + "\nrules = Rules(max_body_bytes=10)\n")
    assert (await folder.client.post("small", headers=BEARER, content=b"x" * 10)).status_code == 200
    assert (await folder.client.post("small", headers=BEARER, content=b"x" * 11)).status_code == 413

    async def parts() -> Any:
        for _ in range(3):
            yield b"12345"

    assert (await folder.client.post("small", headers=BEARER, content=parts())).status_code == 413


@pytest.mark.parametrize(
    ("text", "status", "code"),
    [
        pytest.param("import nothing_of_that_name", 503, "BOOT_ERROR", id="import fails"),
        pytest.param("x = 1", 503, "BOOT_ERROR", id="no router"),
        pytest.param(ROUTER + "async def broken(): raise RuntimeError('boo')", 500, "INTERNAL_ERROR", id="raises"),
        pytest.param(ROUTER + "async def broken(): return object()", 500, "INTERNAL_ERROR", id="no response"),
    ],
)
async def test_a_broken_function_says_nothing_of_its_inside(folder: Folder, text: str, status: int, code: str) -> None:
    folder.write("broken", text)
    got = await folder.client.post("broken", headers=BEARER)
    assert (got.status_code, got.json()["code"]) == (status, code)
    assert "boo" not in got.text
    assert "nothing_of" not in got.text


@pytest.mark.parametrize(
    ("path", "content", "want"),
    [
        pytest.param("typed", b'{"age": 7}', (200, {"age": 8}), id="right"),
        pytest.param("typed", b'{"age": "x"}', (400, "INVALID_BODY"), id="wrong"),
        pytest.param("typed", b"{", (400, "INVALID_BODY"), id="no JSON"),
        pytest.param("typed/deeper", b"{}", (404, "NOT_FOUND"), id="no such path"),
    ],
)
async def test_a_body_of_another_shape_is_refused_before_the_function(
    folder: Folder, path: str, content: bytes, want: tuple[int, Any]
) -> None:
    """Whatever its content type: functions-js sends a string as text/plain."""
    model = "from pydantic import BaseModel\nclass Person(BaseModel):\n    age: int\n"
    text = model + ROUTER.replace(
        "import APIRouter", "import APIRouter\nfrom muster_functions.runtime.fastapi_function import *"
    )
    text = text.replace("APIRouter()", "APIRouter(route_class=JsonRoute)")
    folder.write("typed", text + "async def typed(body: Person): return {'age': body.age + 1}")
    got = await folder.client.post(path, headers=BEARER | {"content-type": "text/plain"}, content=content)
    answer = got.json()
    assert (got.status_code, answer if got.status_code == 200 else answer["code"]) == want


async def test_a_method_without_a_route_is_405(folder: Folder) -> None:
    got = await folder.client.put("hello", headers=BEARER)
    assert (got.status_code, got.json()["code"], got.headers["allow"]) == (405, "METHOD_NOT_ALLOWED", "OPTIONS, POST")


async def test_a_changed_function_is_loaded_again(folder: Folder) -> None:
    await folder.client.post("hello", headers=BEARER)
    folder.write("hello", HELLO.replace("world", "again"))
    assert (await folder.client.post("hello", headers=BEARER)).json() == {"hello": "again"}


async def test_a_plain_handler_runs_beside_the_loop(folder: Folder) -> None:
    text = "import threading\n" + ROUTER
    folder.write("plain", text + "def plain(): return PlainTextResponse(threading.current_thread().name)")
    assert "MainThread" not in (await folder.client.post("plain", headers=BEARER)).text


async def test_an_upgrade_ends_in_an_error(folder: Folder) -> None:
    headers = BEARER | {"connection": "Upgrade", "upgrade": "websocket"}
    assert (await folder.client.get("hello", headers=headers)).status_code >= 400


async def test_a_streamed_answer_arrives_whole(folder: Folder) -> None:
    folder.write("stream", ROUTER + "async def stream(): return StreamingResponse(iter(['a', 'b', 'c']))")
    got = await folder.client.post("stream", headers=BEARER)
    assert (got.status_code, got.text) == (200, "abc")


async def test_health_needs_nothing(folder: Folder) -> None:
    assert (await folder.client.get("healthz")).json() == {"status": "ok"}


async def test_the_description_is_for_development_only(serve: Callable[..., Any]) -> None:
    got = (await (await serve()).get("openapi.json")).json()
    assert "/functions/v1/send-notification-email" in got["paths"]
    assert (await (await serve(development=False)).get("openapi.json")).status_code == 404
