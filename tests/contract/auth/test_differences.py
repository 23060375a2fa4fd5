"""Differences to GoTrue that docs/known-differences.md names and no other file shows."""

from typing import Any

import pytest

from tests.contract.auth.conftest import StartAuth
from tests.contract.auth.harness import NEW, PASSWORD, AuthClient, error_of, new_email


@pytest.mark.parametrize(
    "body",
    [
        {"redirect_uris": ["https://a.test/"]},
        {"client_name": "x", "redirect_uris": ["https://a.test/?q=1,2"]},
    ],
)
def test_oauth_clients_have_a_name_and_no_comma(start_auth: StartAuth, body: dict[str, Any]) -> None:
    service = start_auth(OAUTH_SERVER_ENABLED="true")
    assert error_of(service.admin("POST", "/admin/oauth/clients", body, headers=NEW))[:2] == (400, "validation_failed")


def test_apikey_is_not_passed_on(start_auth: StartAuth) -> None:
    service = start_auth(
        EXTERNAL_GITHUB_ENABLED="true",
        EXTERNAL_GITHUB_CLIENT_ID="id",
        EXTERNAL_GITHUB_SECRET="secret",
        EXTERNAL_GITHUB_REDIRECT_URI="http://auth.test/callback",
    )
    answer = service.get("/authorize?provider=github&apikey=of-the-gateway")
    assert answer.status_code == 302
    assert "of-the-gateway" not in answer.headers["location"]


def test_whole_numbers_stay_exact(auth: AuthClient) -> None:
    number = 2**53 + 1
    person = auth.person()
    answer = person.request("PUT", "/user", {"data": {"number": number}})
    assert answer.json()["user_metadata"]["number"] == number


def test_failures_of_the_server_are_named_as_their_request(auth: AuthClient, start_auth: StartAuth) -> None:
    email = new_email()
    named, headers = start_auth(API_REQUEST_ID_HEADER="X-Request-Id"), {"X-Request-Id": "ticket-4711"}
    auth.sql(f"alter table auth.users add constraint refused check (email <> '{email}') not valid")
    try:
        body = {"email": email, "password": PASSWORD}
        answers = [service.post("/signup", body, headers=headers) for service in (named, auth)]
    finally:
        auth.sql("alter table auth.users drop constraint refused")
    assert [answer.status_code for answer in answers] == [500, 500]
    assert [answer.json().get("error_id") for answer in answers] == ["ticket-4711", None]
