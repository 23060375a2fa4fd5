"""Functions in TypeScript: what a call answers, what a function may, and what it can't take from others."""

import os
import time
from collections.abc import Iterator

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.contract.deno.conftest import Service
from tests.support.patience import PATIENCE_S


def code(answer: httpx.Response) -> tuple[int, str]:
    assert answer.headers["sb-error-code"] == answer.json()["code"]
    return answer.status_code, answer.json()["code"]


def test_a_function_sees_its_own_path_and_answers_as_it_likes(service: Service, token: dict[str, str]) -> None:
    headers = {**token, "host": "stack.example:54321", "apikey": "k", "x-forwarded-proto": "https"}
    answer = service.client.put("hello/a%20b//c?x=1&x=%2F", content=b"body", headers=headers)
    assert (answer.status_code, answer.headers["x-own"]) == (201, "yes")
    assert answer.json() == {
        "url": "https://stack.example:54321/hello/a%20b//c?x=1&x=%2F",
        "copied": "http://stack.example:54321/hello/a%20b//c?x=1&x=%2F", "greeting": "hello", "body": "body",
        "method": "PUT", "apikey": "k",
    }  # fmt: skip


def test_a_call_needs_a_token_unless_the_function_says_otherwise(service: Service, token: dict[str, str]) -> None:
    assert code(service.client.post("hello")) == (401, "UNAUTHORIZED_NO_AUTH_HEADER")
    wrong = {"authorization": token["authorization"][:-4] + "AAAA"}
    assert code(service.client.post("hello", headers=wrong)) == (401, "UNAUTHORIZED_JWT")
    assert service.client.get("default/x").text == "/default/x"


def test_a_preflight_has_the_functions_answer_or_else_the_gateways(service: Service) -> None:
    asked = {"origin": "https://app.example", "access-control-request-method": "POST"}
    answer = service.client.options("old", headers={**asked, "access-control-request-headers": "x-mine"})
    assert (answer.status_code, answer.text, answer.headers["access-control-allow-headers"]) == (200, "", "x-mine")
    own = service.client.options("cors", headers=asked)
    assert (own.text, own.headers["access-control-allow-origin"]) == ("ok", "https://mine.example")
    assert code(service.client.options("broken", headers=asked)) == (503, "BOOT_ERROR")
    assert service.client.options("old").text == "old OPTIONS"


@pytest.mark.parametrize("slug", ["nothing", "_shared", "..%2f..", "%00", "a" * 5000])
def test_what_is_no_function_is_not_found(service: Service, slug: str) -> None:
    answer = service.client.get(slug)
    assert (answer.status_code, answer.text) == (404, "Function not found")


@pytest.mark.parametrize("slug", ["broken", "dead"])
def test_a_function_that_does_not_start(service: Service, slug: str) -> None:
    assert code(service.client.get(slug)) == (503, "BOOT_ERROR")


def test_a_function_that_never_serves_is_given_up(hurried_service: Service) -> None:
    assert code(hurried_service.client.get("silent")) == (503, "BOOT_ERROR")
    hurried_service.wait_for_log("[silent] the process did not serve in time")


def test_why_a_function_does_not_start_is_in_the_log(service: Service) -> None:
    assert code(service.client.get("dead")) == (503, "BOOT_ERROR")
    service.wait_for_log("[dead]     at file://")
    service.wait_for_log("at the top")


def test_a_handler_that_throws_and_a_process_that_ends(service: Service) -> None:
    answer = service.client.get("throws")
    assert (answer.status_code, answer.text) == (500, "Internal Server Error")
    assert code(service.client.get("ends")) == (500, "WORKER_ERROR")


@pytest.mark.parametrize("slug", ["spins", "eats"])
def test_limits_end_one_function_and_no_other(service: Service, slug: str) -> None:
    assert service.client.get("default").status_code == 200
    assert code(service.client.get(slug)) == (546, "WORKER_LIMIT")
    assert service.client.get("default").status_code == 200


def test_answers_come_in_pieces(service: Service) -> None:
    with service.client.stream("GET", "stream") as answer:
        assert list(answer.iter_text()) == ["one ", "two ", "three"]


def test_large_bodies_pass_in_pieces(service: Service) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(80):
            yield b"x" * 65_536

    assert service.client.post("upload", content=pieces()).text == str(80 * 65_536)


def test_what_a_function_may(service: Service) -> None:
    assert service.client.get("may").json() == {
        "own": "true", "other": "NotCapable", "machine": "NotCapable", "write": "NotCapable", "temporary": "true",
        "named": "minex", "upward": "NotCapable", "inference": "Error",
        "run": "NotCapable", "exit": "NotSupported",
        "names": [
            "MINE", "SB_EXECUTION_ID", "SUPABASE_ANON_KEY", "SUPABASE_DB_URL", "SUPABASE_FUNCTION_SLUG",
            "SUPABASE_JWKS", "SUPABASE_PUBLISHABLE_KEYS", "SUPABASE_SECRET_KEYS", "SUPABASE_SERVICE_ROLE_KEY",
            "SUPABASE_URL", "TMPDIR",
        ],
    }  # fmt: skip


def test_background_work_outlives_the_answer_and_the_idle_process_is_stopped(service: Service) -> None:
    """`idle_s` is 1 here: the process must be kept for the promise, and ended after it."""
    assert service.client.get("background").text == "soon"
    service.wait_for_log("[background] background is done")


def test_a_change_is_served_by_the_next_request(service: Service) -> None:
    module = service.folder / "default" / "index.ts"
    source = module.read_text()
    try:
        module.write_text("export default { fetch: () => new Response('changed') }")
        deadline = time.monotonic() + PATIENCE_S
        while service.client.get("default").text != "changed":
            assert time.monotonic() < deadline
            time.sleep(0.05)
    finally:
        module.write_text(source)


def test_a_client_that_leaves_does_not_keep_the_function_busy(service: Service) -> None:
    with pytest.raises(httpx.ReadTimeout):
        service.client.get("ends/never", timeout=0.01)
    assert service.client.get("default").status_code == 200


def test_a_web_socket_reaches_its_function(service: Service, token: dict[str, str]) -> None:
    base = str(service.client.base_url).replace("http", "ws", 1)
    with connect(f"{base}socket/x?a=1") as socket:
        socket.send("hello")
        assert socket.recv(PATIENCE_S) == "?a=1 hello"
        large = "x" * 1_000_000
        socket.send(large)
        assert socket.recv(PATIENCE_S) == f"?a=1 {large}"
    for path, headers, status in (("hello", {}, 401), ("nothing", token, 404), ("broken", {}, 503)):
        with pytest.raises(InvalidStatus) as refused, connect(f"{base}{path}", additional_headers=headers):
            pass
        assert refused.value.response.status_code == status


def test_a_missing_import_is_named(service: Service) -> None:
    folder = service.folder / "lost"
    folder.mkdir(exist_ok=True)
    (folder / "index.ts").write_text("import 'no-such-name'\nDeno.serve(() => new Response())")
    token_free = service.client.options("lost")  # OPTIONS needs no token
    assert code(token_free) == (503, "BOOT_ERROR")
    service.wait_for_log("no-such-name")


def test_processes_are_gone_with_the_service_and_leave_nothing(service: Service) -> None:
    """What the service starts is in its own folders: the temporary one of a function is not the machine's."""
    assert service.client.get("may").status_code == 200
    assert not (service.folder / "may" / "x").exists()
    assert not any(name.startswith("muster-fn-") and not os.path.isdir(f"/tmp/{name}") for name in os.listdir("/tmp"))
