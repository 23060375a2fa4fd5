"""The official JavaScript client (functions-js inside supabase-js) against the service: its results and its errors."""

import asyncio
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from emulator.jwt import sign
from tests.contract.functions.conftest import ANON, SECRET, People, until
from tests.support.mail_server import MailServer

WEB = Path(__file__).parents[3] / "web"
NODE = shutil.which("node")
FUNCTIONS = {
    "hello": "return PlainTextResponse('Hello')",
    "mirror": "body = (await request.body()).decode('latin-1')\n    return JSONResponse({'url': str(request.url), "
    "'method': request.method, 'headers': dict(request.headers), 'body': body})",
    "echo": "return Response(await request.body(), media_type='application/octet-stream')",
    "refuses": "return JSONResponse({'why': 'because'}, 422)",
    "slow": "await asyncio.sleep(20)\n    return PlainTextResponse('late')",
    "patient": "await asyncio.sleep(3)\n    return JSONResponse({'waited_s': 3})",
    "says": "return JSONResponse({'why': 'because'}, int(request.url.path.rsplit('/')[-1]))",
    "parses": "try:\n        return JSONResponse(await request.json())\n"
    "    except ValueError:\n        return JSONResponse({'error': 'no JSON'}, 400)",
}
HEAD = """
import asyncio
from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response
router = APIRouter()
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]
@router.api_route("", methods=METHODS)
@router.api_route("/{rest:path}", methods=METHODS)
async def answer(request: Request):
    """

pytestmark = [
    pytest.mark.skipif(NODE is None, reason="node is not installed"),
    pytest.mark.skipif(not (WEB / "node_modules/@supabase/supabase-js").is_dir(), reason="web/ has no node_modules"),
]


@pytest.fixture
async def found(serve: Callable[..., Any], smtp: MailServer, people: People, tmp_path: Path) -> dict[str, Any]:
    """Everything that the script asked, answered."""
    for name, body in FUNCTIONS.items():
        (tmp_path / f"{name}.py").write_text(HEAD + body)
    people.member("Boss", admin=True)
    entry = people.add("waitlist", email="rookie@station.test")
    urls = [str((await serve(smtp.port, **changes)).base_url.copy_with(path="/"))
            for changes in ({"functions_dir": tmp_path}, {})]  # fmt: skip
    given = {
        "functions": urls[0], "own": urls[1], "key": ANON, "badToken": sign({"role": "anon"}, SECRET + "x"),
        "entry": str(entry), "resolveFrom": str(WEB / "package.json"),
    }  # fmt: skip
    process = await asyncio.create_subprocess_exec(
        str(NODE), str(Path(__file__).with_name("supabase_js.mjs")), env=os.environ | {"GIVEN": json.dumps(given)},
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, _ = await asyncio.wait_for(process.communicate(), 60)
    assert process.returncode == 0
    answered: dict[str, Any] = json.loads(out)
    return answered


async def test_the_client_gets_what_it_expects(found: dict[str, Any], smtp: MailServer) -> None:
    """§7.42 to §7.45 and the rules around a function, in the client's own terms."""
    data = {name: answer["data"] for name, answer in found.items()}
    assert data["hello"] == "Hello"
    assert data["blob"] == "bytes"
    assert data["path"]["url"].endswith("/mirror/deep/er?x=1")
    assert data["path"]["method"] == "GET"
    assert data["path"]["headers"]["x-custom"] == "kept"
    assert "x-region" not in data["path"]["headers"]
    assert data["region"]["headers"]["x-region"] == "eu-west-1"
    assert json.loads(data["json"]["body"].encode("latin-1")) == {"a": [1, "é"]}
    assert 'name="name"' in data["form"]["body"]
    assert data["bytes"]["body"] == "\x00\x01\xff"
    assert data["notice"] == {"success": True, "error": None}
    assert data["patient"] == {"waited_s": 3}
    assert data["parsed"] == {"name": "ada"}
    assert data["anyHeader"]["headers"]["x-never-listed"] == "kept"
    assert "x-region" not in data["anyRegion"]["headers"]
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
        assert data[f"method {method}"]["method"] == method
    assert [data[f"at once {call}"] for call in range(1, 6)] == ["Hello"] * 5
    for status in (400, 401, 404, 500):
        answer = found[f"status {status}"]
        assert (answer["status"], answer["body"]) == (status, {"why": "because"})
    assert (found["malformed"]["status"], found["malformed"]["body"]) == (400, {"error": "no JSON"})
    errors = {name: answer["error"] for name, answer in found.items() if "error" in answer}
    assert errors.pop("upgrade")
    for name in ("malformed", "status 400", "status 401", "status 404", "status 500"):
        assert errors.pop(name) == "FunctionsHttpError"
    assert errors == {
        "badToken": "FunctionsRelayError", "unknown": "FunctionsHttpError", "refused": "FunctionsHttpError",
        "timeout": "FunctionsFetchError", "abort": "FunctionsFetchError", "notMember": "FunctionsHttpError",
    }  # fmt: skip
    assert (found["unknown"]["status"], found["refused"]["body"]) == (404, {"why": "because"})
    assert (found["notMember"]["body"]["success"], found["notMember"]["body"]["code"]) == (False, "MEMBERS_ONLY")
    await until(lambda: smtp.recipients == ["boss@muster.test"])
