"""Auth's part of the contract: sign-up, recovery, sessions, refusals. The same questions to every backend."""

from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import httpx
import pytest

from tests.support.rows import data_of
from tests.support.stack import wait_until
from tests.support.wire import PASSWORD, Backend, link_in

VERSION = {"X-Supabase-Api-Version": "2024-01-01"}


def test_a_member_signs_up_by_the_link_in_the_mail(backend: Backend) -> None:
    """Sign-up, the mail, its link through the gateway, sign-in, the profile that the database made, sign-out."""
    email = f"ada-{uuid4().hex[:8]}@example.org"
    body = {"email": email, "password": PASSWORD, "data": {"full_name": "Ada Brand"}}
    made = backend.ask("POST", "/auth/v1/signup", "PUBLISHABLE_KEY", json=body)
    assert made.status_code == 200
    assert "access_token" not in made.json()
    early = backend.sign_in(email)
    assert (early.status_code, early.json()["error_code"]) == (400, "email_not_confirmed")

    wait_until(lambda: backend.mails(email))
    followed = httpx.get(link_in(backend.mails(email)[0], backend.url), follow_redirects=False)
    assert followed.status_code in (302, 303)
    assert "access_token" in parse_qs(urlsplit(followed.headers["location"]).fragment)
    again = httpx.get(link_in(backend.mails(email)[0], backend.url), follow_redirects=False)
    assert "access_token" not in again.headers["location"]

    with backend.client() as client:
        session = client.auth.sign_in_with_password({"email": email, "password": PASSWORD})
        assert session.user is not None
        (profile,) = data_of(client.table("profiles").select("id,full_name").eq("id", session.user.id).execute())
        assert profile["full_name"] == "Ada Brand"
        client.auth.sign_out()


def test_a_password_is_recovered_by_mail(backend: Backend) -> None:
    member = backend.member()
    for email in (member.email, "nobody-at-all@example.org"):
        asked = backend.ask("POST", "/auth/v1/recover", "PUBLISHABLE_KEY", json={"email": email})
        assert (asked.status_code, asked.json()) == (200, {})
    wait_until(lambda: backend.mails(member.email))
    followed = httpx.get(link_in(backend.mails(member.email)[0], backend.url), follow_redirects=False)
    token = parse_qs(urlsplit(followed.headers["location"]).fragment)["access_token"][0]
    new = "Engine-company-7-bravo"
    changed = backend.ask("PUT", "/auth/v1/user", "PUBLISHABLE_KEY", token=token, json={"password": new})
    assert changed.status_code == 200, changed.text
    assert backend.sign_in(member.email).status_code == 400
    assert backend.sign_in(member.email, new).status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        pytest.param(
            "POST", "/token?grant_type=password", {"email": "nobody@example.org", "password": "wrong-7"},
            400, "invalid_credentials", id="stranger",
        ),
        pytest.param(
            "POST", "/token?grant_type=refresh_token", {"refresh_token": "abcdefghijkl"},
            400, "refresh_token_not_found", id="refresh-token",
        ),
        pytest.param(
            "POST", "/signup", {"email": "x@example.org", "password": "short"}, 422, "weak_password", id="weak"
        ),
        pytest.param(
            "POST", "/signup", {"email": "no address", "password": PASSWORD}, 400, "validation_failed", id="no-mail"
        ),
        pytest.param("POST", "/signup", {}, 422, "anonymous_provider_disabled", id="anonymous"),
        pytest.param("POST", "/otp", {"phone": "+15550100"}, 400, "phone_provider_disabled", id="phone"),
        pytest.param("GET", "/user", None, 401, "no_authorization", id="nobody"),
        pytest.param("POST", "/verify", {"type": "magiclink", "token_hash": "x"}, 403, "otp_expired", id="link"),
    ],
)  # fmt: skip
def test_refusals_name_their_code(
    backend: Backend, method: str, path: str, body: object, status: int, code: str
) -> None:
    headers = VERSION | ({"Authorization": "nothing"} if code == "no_authorization" else {})
    answer = backend.ask(method, f"/auth/v1{path}", "PUBLISHABLE_KEY", json=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text


def test_a_session_is_refreshed_and_ended(backend: Backend) -> None:
    member = backend.member()
    path = "/auth/v1/token?grant_type=refresh_token"
    first = backend.ask("POST", path, "PUBLISHABLE_KEY", json={"refresh_token": member.refresh_token})
    assert first.status_code == 200
    assert first.json()["refresh_token"] != member.refresh_token
    assert first.json()["user"]["email"] == member.email
    assert first.json()["token_type"] == "bearer"
    token = first.json()["access_token"]
    who = backend.get("/auth/v1/user", "PUBLISHABLE_KEY", token=token)
    assert (who.status_code, who.json()["id"]) == (200, member.id)

    ended = backend.ask("POST", "/auth/v1/logout?scope=global", "PUBLISHABLE_KEY", token=token)
    assert ended.status_code == 204
    assert backend.get("/auth/v1/user", "PUBLISHABLE_KEY", token=token).status_code == 403
    late = backend.ask(
        "POST", path, "PUBLISHABLE_KEY", json={"refresh_token": first.json()["refresh_token"]}, headers=VERSION
    )
    assert (late.status_code, late.json()["code"]) == (400, "refresh_token_not_found")


def test_the_service_administers_accounts(backend: Backend) -> None:
    member = backend.member()
    path = f"/auth/v1/admin/users/{member.id}"
    assert backend.get(path, "SECRET_KEY").json()["email"] == member.email
    changed = backend.ask("PUT", path, "SECRET_KEY", json={"user_metadata": {"station": 7}})
    assert changed.json()["user_metadata"]["station"] == 7
    assert backend.get(path, "PUBLISHABLE_KEY", token=member.token).status_code == 403
    assert backend.ask("DELETE", path, "SECRET_KEY", json={}).status_code == 200
    assert backend.get(path, "SECRET_KEY").status_code == 404
    taken = backend.ask("POST", "/auth/v1/admin/users", "SECRET_KEY", json={"email": "no address"})
    assert taken.status_code == 400
