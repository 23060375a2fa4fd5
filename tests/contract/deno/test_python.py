"""Functions in Python beside those in TypeScript: `main.py` with an ASGI `app`, under the same rules."""

import pytest

from tests.contract.deno.conftest import Service
from tests.contract.deno.test_functions import code


def test_a_function_is_an_asgi_application_below_its_slug(service: Service, token: dict[str, str]) -> None:
    """It has its own folder and _shared, the variables that functions get, and no other."""
    headers = {**token, "host": "stack.example:54321", "x-forwarded-proto": "https"}
    answer = service.client.put("python/items/a-b?x=1", content=b"body", headers=headers)
    assert answer.status_code == 201, answer.text
    names = answer.json().pop("names")
    assert answer.json() | {"names": None} == {
        "id": "a-b", "url": "https://stack.example:54321/python/items/a-b?x=1", "body": "body", "greeting": "hello",
        "cwd": "python", "names": None,
    }  # fmt: skip
    assert {"SUPABASE_URL", "SUPABASE_ANON_KEY", "SUPABASE_FUNCTION_SLUG", "MINE"} <= set(names)
    assert not {"SHELL_SECRET", "JWT_SECRET", "PATH", "HOME", "MUSTER_WORKER_SECRET"} & set(names)
    assert service.client.get("python/else", headers=token).status_code == 404


def test_a_call_needs_a_token_here_too(service: Service) -> None:
    assert code(service.client.get("python/items/1")) == (401, "UNAUTHORIZED_NO_AUTH_HEADER")


@pytest.mark.parametrize(
    ("slug", "said"), [("python-import", "nothing_of_that_name"), ("python-empty", "must define `app`")]
)
def test_why_it_does_not_start_is_in_the_log(service: Service, slug: str, said: str) -> None:
    assert code(service.client.get(slug)) == (503, "BOOT_ERROR")
    service.wait_for_log(said)


def test_a_handler_that_raises_is_in_the_log(service: Service, token: dict[str, str]) -> None:
    assert service.client.get("python/fail", headers=token).status_code == 500
    service.wait_for_log("RuntimeError: out of the handler in Python")


def test_the_limits_hold_for_it(service: Service) -> None:
    assert code(service.client.get("python-spins")) == (546, "WORKER_LIMIT")


def test_a_background_task_outlives_the_answer(service: Service, token: dict[str, str]) -> None:
    """The process is stopped after a second without calls, but not while a task runs."""
    assert service.client.put("python/items/1", headers=token).status_code == 201
    service.wait_for_log("the background task is done")


def test_a_change_is_served_and_leaves_no_cache_in_the_folder(service: Service) -> None:
    folder = service.folder / "python-empty"
    source = """
        async def app(scope, receive, send):
            if scope["type"] == "http":
                await send({"type": "http.response.start", "status": 200, "headers": []})
                await send({"type": "http.response.body", "body": b"%s"})
    """
    lines = [line.removeprefix("        ") for line in source.splitlines()]
    for text in ("one", "another"):
        (folder / "main.py").write_text("\n".join(lines) % text)

        def is_served(want: str = text) -> bool:
            return service.client.get("python-empty").text == want

        service.wait_for(is_served)
    assert list(folder.iterdir()) == [folder / "main.py"]
