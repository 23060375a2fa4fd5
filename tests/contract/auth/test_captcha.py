"""CAPTCHA: which endpoints require one, and what the provider's responses mean."""

from collections.abc import Iterator
from urllib.parse import parse_qs

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from emulator.auth.conf.settings import AuthSettings
from emulator.auth.security import captcha
from emulator.settings import SettingsError
from tests.contract.auth.conftest import StartAuth
from tests.contract.auth.harness import NEW, PASSWORD, AuthClient, Json, Served, base_env, error_of, new_email

EMAIL = {"email": "somebody@example.com"}
DOORS: list[tuple[str, Json]] = [
    ("/signup", {**EMAIL, "password": PASSWORD}), ("/signup", {}), ("/recover", EMAIL), ("/otp", EMAIL),
    ("/magiclink", EMAIL), ("/resend", {**EMAIL, "type": "signup"}),
    ("/token?grant_type=password", {**EMAIL, "password": PASSWORD}), ("/token?grant_type=web3", {}),
    ("/passkeys/authentication/options", {}),
]  # fmt: skip


async def _verify(request: Request) -> Response:
    form = {name: values[0] for name, values in parse_qs((await request.body()).decode()).items()}
    if form["secret"] != "the-secret":
        return JSONResponse({"success": False, "error-codes": ["invalid-input-secret"]})
    if form["response"] == "solved":
        return JSONResponse({"success": True})
    if form["response"] == "broken":
        return Response("<p>", media_type="text/html")
    return JSONResponse({"success": False, "error-codes": ["invalid-input-response", "expired"]})


@pytest.fixture(scope="module")
def guarded(start_auth: StartAuth) -> Iterator[AuthClient]:
    service = Served(Starlette(routes=[Route("/siteverify", _verify, methods=["POST"])]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(captcha.URLS, "turnstile", f"{service.url}/siteverify")
        yield start_auth(
            SECURITY_CAPTCHA_ENABLED="true", SECURITY_CAPTCHA_PROVIDER="turnstile",
            SECURITY_CAPTCHA_SECRET="the-secret",
        )  # fmt: skip
    service.stop()


@pytest.mark.parametrize(("path", "body"), DOORS)
def test_endpoints_require_a_captcha(guarded: AuthClient, path: str, body: Json) -> None:
    text = "captcha protection: request disallowed (no captcha_token found)"
    missing: list[Json] = [{}, {"gotrue_meta_security": {}}, {"gotrue_meta_security": {"captcha_token": "  "}}]
    for security in missing:
        assert error_of(guarded.post(path, {**body, **security}, headers=NEW)) == (400, "captcha_failed", text)
    assert guarded.sql("select count(*) from auth.users") == [(0,)]


@pytest.mark.parametrize(
    ("token", "want"),
    [
        ("solved", (200, "")),
        ("guessed", (400, "captcha protection: request disallowed (invalid-input-response, expired)")),
        ("broken", (500, "captcha verification process failed")),
    ],
)
def test_responses_of_the_provider(guarded: AuthClient, token: str, want: tuple[int, str]) -> None:
    body = {"email": new_email(), "gotrue_meta_security": {"captcha_token": token}}
    answer = guarded.post("/recover", body, headers=NEW)
    assert (answer.status_code, answer.json().get("message", "")) == want


def test_wrong_types_are_bad_json(guarded: AuthClient) -> None:
    for security in (7, {"captcha_token": ["solved"]}):
        answer = guarded.post("/recover", {**EMAIL, "gotrue_meta_security": security}, headers=NEW)
        assert error_of(answer)[:2] == (400, "bad_json")


def test_admins_and_refreshes_pass_without(guarded: AuthClient) -> None:
    assert guarded.admin("POST", "/recover", EMAIL).status_code == 200
    assert error_of(guarded.refresh("aaaabbbbcccc", headers=NEW))[1] == "refresh_token_not_found"


@pytest.mark.parametrize("more", [{}, {"PROVIDER": "recaptcha", "SECRET": "x"}, {"PROVIDER": "turnstile"}])
def test_incomplete_settings_are_errors_at_start(more: dict[str, str]) -> None:
    given = {f"SECURITY_CAPTCHA_{name}": value for name, value in {"ENABLED": "true", **more}.items()}
    with pytest.raises(SettingsError, match="SECURITY_CAPTCHA"):
        AuthSettings.from_env(base_env("http://auth.test", "postgresql://x", **given))
