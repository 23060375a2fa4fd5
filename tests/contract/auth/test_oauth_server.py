"""The OAuth 2.1 server: registration, consent, codes, tokens, grants, and what each refuses."""

import base64
import hashlib
import json
import secrets
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest

from tests.contract.auth.conftest import StartAuth
from tests.contract.auth.harness import NEW, AuthClient, Json, Person, error_of, query
from tests.contract.auth.test_sessions import es256_key, secret_key

BACK = "https://board.example/cb?from=auth"
VERIFIER = secrets.token_urlsafe(48)
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
ENABLED = {
    "OAUTH_SERVER_ENABLED": "true", "OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION": "true",
    "OAUTH_SERVER_AUTHORIZATION_PATH": "/oauth/consent", "JWT_ISSUER": "http://auth.test",
}  # fmt: skip


@pytest.fixture(scope="module")
def server(start_auth: StartAuth) -> AuthClient:
    return start_auth(**ENABLED, JWT_KEYS=json.dumps([es256_key(), secret_key()]))


@pytest.fixture(scope="module")
def client(server: AuthClient) -> Json:
    """A public client, as MCP clients are."""
    made = server.post("/oauth/clients/register", {"redirect_uris": [BACK], "client_type": "public"})
    assert made.status_code == 201
    return dict(made.json())


def ask(server: AuthClient, client: Json, **changes: str | None) -> httpx.Response:
    """Begin a flow."""
    asked = {
        "client_id": client["client_id"], "redirect_uri": BACK, "response_type": "code", "state": "s t",
        "code_challenge": CHALLENGE, "code_challenge_method": "S256", "scope": "openid email profile", **changes,
    }  # fmt: skip
    return server.get(f"/oauth/authorize?{urlencode({name: value for name, value in asked.items() if value})}")


def begin(server: AuthClient, client: Json, **changes: str | None) -> str:
    """The id of a request that the consent page gets."""
    answer = ask(server, client, **changes)
    assert answer.status_code == 302
    where = answer.headers["location"]
    assert where.startswith("http://localhost:3000/oauth/consent?authorization_id=")
    return query(where)["authorization_id"]


def answer(person: Person, authorization_id: str, action: str = "approve") -> Json:
    """The user's answer, as the query that the client gets."""
    person.request("GET", f"/oauth/authorizations/{authorization_id}")
    told = person.request("POST", f"/oauth/authorizations/{authorization_id}/consent", {"action": action})
    assert told.status_code == 200
    where = told.json()["redirect_url"]
    assert where.startswith("https://board.example/cb?")
    return query(where)


def exchange(server: AuthClient, client: Json, used: str, **changes: Any) -> httpx.Response:
    """Take the tokens for a code."""
    form = {
        "grant_type": "authorization_code", "code": used, "client_id": client["client_id"],
        "code_verifier": VERIFIER, "redirect_uri": BACK, **changes,
    }  # fmt: skip
    return server.http.post("/oauth/token", data={name: value for name, value in form.items() if value})


def test_from_registration_to_the_users_own_rows(server: AuthClient, client: Json) -> None:
    person = server.person(user_metadata={"full_name": "Ada", "username": "ada"})
    authorization_id = begin(server, client, nonce="n-1")
    shown = person.request("GET", f"/oauth/authorizations/{authorization_id}").json()
    assert shown == {
        "authorization_id": authorization_id, "redirect_uri": BACK, "client": {"id": client["client_id"]},
        "user": {"id": person.id, "email": person.email}, "scope": "openid email profile",
    }  # fmt: skip
    told = answer(person, authorization_id)
    assert (told["state"], told["from"]) == ("s t", "auth")
    taken = exchange(server, client, told["code"])
    tokens = taken.json()
    assert list(tokens) == ["access_token", "token_type", "expires_in", "refresh_token", "id_token"]
    claims = _payload(tokens["access_token"])
    assert (claims["client_id"], claims["scope"]) == (client["client_id"], "openid email profile")
    assert claims["amr"][0]["method"] == "oauth_provider/authorization_code"
    identity = _payload(tokens["id_token"])
    assert (identity["aud"], identity["nonce"], identity["email"]) == (client["client_id"], "n-1", person.email)
    assert (identity["preferred_username"], identity["name"]) == ("ada", person.email)
    bearer = {"Authorization": f"Bearer {tokens['access_token']}"}
    info = server.get("/oauth/userinfo", headers=bearer).json()
    assert (info["sub"], info["email"], info["email_verified"]) == (person.id, person.email, True)
    assert info["user_metadata"]["full_name"] == "Ada"
    assert "phone" not in info
    assert server.get("/user", headers=bearer).json()["id"] == person.id
    refreshed = server.http.post("/oauth/token", data={
        "grant_type": "refresh_token", "refresh_token": tokens["refresh_token"], "client_id": client["client_id"],
    })  # fmt: skip
    assert list(refreshed.json()) == ["access_token", "token_type", "expires_in", "refresh_token"]
    assert _payload(refreshed.json()["access_token"])["client_id"] == client["client_id"]
    assert person.request("GET", "/oauth/userinfo").json() == {"sub": person.id}


def _payload(token: str) -> Json:
    part = token.split(".")[1]
    return dict(json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))))


def test_a_consent_is_remembered_listed_and_revoked(server: AuthClient, client: Json) -> None:
    person = server.person()
    tokens = exchange(server, client, answer(person, begin(server, client))["code"]).json()
    again = person.request("GET", f"/oauth/authorizations/{begin(server, client, scope='email')}").json()
    assert query(again["redirect_url"])["code"]
    more = person.request("GET", f"/oauth/authorizations/{begin(server, client, scope='phone')}").json()
    assert more["scope"] == "phone", "a scope that was not granted is asked for"
    granted = person.request("GET", "/user/oauth/grants").json()
    assert [(one["client"]["id"], one["scopes"]) for one in granted] == [
        (client["client_id"], ["openid", "email", "profile"])
    ]
    path = f"/user/oauth/grants?client_id={client['client_id']}"
    assert person.request("DELETE", path).status_code == 204
    assert person.request("GET", "/user/oauth/grants").json() == []
    assert error_of(person.request("DELETE", path, headers=NEW)) == (
        404, "oauth_consent_not_found", "No active grant found for this client",
    )  # fmt: skip
    bearer = {"Authorization": f"Bearer {tokens['access_token']}", **NEW}
    assert error_of(server.get("/user", headers=bearer))[1] == "session_not_found"


def test_a_client_does_not_become_the_user(server: AuthClient, client: Json) -> None:
    """Its token reads the account and changes metadata; it neither keeps the account nor locks its owner out."""
    person = server.person()
    tokens = exchange(server, client, answer(person, begin(server, client))["code"]).json()
    bearer = {"Authorization": f"Bearer {tokens['access_token']}", **NEW}
    pending = begin(server, client, scope="phone")
    for method, path, body in (
        ("PUT", "/user", {"password": "another-horse-7"}), ("PUT", "/user", {"email": "thief@evil.test"}),
        ("POST", "/factors", {"factor_type": "totp"}), ("POST", "/factors/x/verify", {}),
        ("GET", "/user/identities/authorize?provider=google", None), ("GET", "/reauthenticate", None),
        ("POST", "/logout", {}), ("POST", "/logout?scope=others", {}),
        ("GET", f"/oauth/authorizations/{pending}", None),
        ("POST", f"/oauth/authorizations/{pending}/consent", {"action": "approve"}),
        ("DELETE", f"/user/oauth/grants?client_id={client['client_id']}", None),
    ):  # fmt: skip
        refused = server.request(method, path, body, headers=bearer)
        assert error_of(refused) == (403, "no_authorization", "OAuth client not allowed to perform these actions"), path
    assert server.request("PUT", "/user", {"data": {"theme": "dark"}}, headers=bearer).status_code == 200
    assert server.sign_in(person.email).id == person.id
    assert server.post("/logout?scope=local", headers=bearer).status_code == 204
    assert person.request("GET", "/user").status_code == 200


def test_a_denial_is_told_to_the_client(server: AuthClient, client: Json) -> None:
    person, authorization_id = server.person(), begin(server, client)
    told = answer(person, authorization_id, "deny")
    assert (told["error"], told["error_description"], told["state"]) == (
        "access_denied", "User denied the request", "s t",
    )  # fmt: skip
    gone = person.request("GET", f"/oauth/authorizations/{authorization_id}", headers=NEW)
    assert error_of(gone) == (400, "validation_failed", "authorization request cannot be processed")


def test_a_code_works_once_and_only_for_its_client(server: AuthClient, client: Json) -> None:
    person = server.person()
    code = answer(person, begin(server, client))["code"]
    secret = server.admin(
        "POST", "/admin/oauth/clients",
        {"client_name": "Board", "redirect_uris": [BACK], "token_endpoint_auth_method": "client_secret_post"},
    ).json()  # fmt: skip
    for changes, description in (
        ({"code": "other"}, "Invalid authorization code"),
        ({"client_id": secret["client_id"], "client_secret": secret["client_secret"]},
         "Authorization code was not issued for this client"),
        ({"redirect_uri": "https://elsewhere.example"}, "Invalid redirect_uri"),
        ({"resource": "https://api.example"}, "Authorization code resource does not match the resource parameter"),
        ({"code_verifier": "x" * 43},
         "PKCE verification failed: code challenge does not match previously saved code verifier"),
        ({"code_verifier": ""},
         "PKCE verification failed: code_verifier is required when PKCE challenge is present"),
    ):  # fmt: skip
        refused = exchange(server, client, code, **changes)
        assert (refused.status_code, refused.json()) == (
            400, {"error": "invalid_grant", "error_description": description},
        )  # fmt: skip
    assert exchange(server, client, code).status_code == 200
    assert exchange(server, client, code).json()["error_description"] == "Invalid authorization code"


def test_a_session_belongs_to_its_client(server: AuthClient, client: Json) -> None:
    person = server.person()
    tokens = exchange(server, client, answer(person, begin(server, client))["code"]).json()
    assert server.refresh(tokens["refresh_token"]).json() == {
        "error": "invalid_client", "error_description": "Client authentication required for OAuth session",
    }  # fmt: skip
    own = server.http.post("/oauth/token", data={
        "grant_type": "refresh_token", "refresh_token": person.session["refresh_token"],
        "client_id": client["client_id"],
    })  # fmt: skip
    assert own.json()["error_description"] == "Client authentication not allowed for non-OAuth session"


@pytest.mark.parametrize(
    ("changes", "description"),
    [
        ({"response_type": "token"}, "only response_type=code is supported"),
        ({"scope": " "}, "scope parameter cannot be empty"),
        ({"scope": "email admin"}, "unsupported scope: admin"),
        ({"code_challenge": None}, "PKCE flow requires both code_challenge and code_challenge_method"),
        ({"code_challenge_method": "S512"}, "code_challenge_method must be 'S256' or 'plain'"),
        ({"code_challenge": "short"}, "code_challenge must be between 43 and 128 characters"),
        ({"resource": "api"}, "resource must be an absolute URI"),
        ({"resource": "https://api.example/#x"}, "resource must not include a fragment component"),
        ({"resource": "https://api.example/?x=1"}, "resource must not include a query component"),
    ],
)
def test_a_bad_request_is_told_to_the_client(
    server: AuthClient, client: Json, changes: dict[str, str | None], description: str
) -> None:
    told = query(ask(server, client, **changes).headers["location"])
    assert (told["error"], told["error_description"], told["state"]) == ("invalid_request", description, "s t")


@pytest.mark.parametrize("name", ["state", "nonce"])
def test_what_no_column_takes_is_told_to_the_client(server: AuthClient, client: Json, name: str) -> None:
    told = query(ask(server, client, **{name: "x" * 5000}).headers["location"])
    assert (told["error"], told["error_description"]) == ("server_error", "error creating authorization")


@pytest.mark.parametrize(
    ("changes", "code", "message"),
    [
        ({"client_id": None}, "validation_failed", "client_id is required"),
        ({"redirect_uri": None}, "validation_failed", "redirect_uri is required"),
        ({"client_id": "x'"}, "oauth_client_not_found", "invalid client_id format"),
        ({"client_id": "00000000-0000-0000-0000-000000000000"}, "oauth_client_not_found", "invalid client_id"),
        ({"redirect_uri": "https://evil.example/cb"}, "validation_failed", "invalid redirect_uri"),
        ({"redirect_uri": f"{BACK}&more"}, "validation_failed", "invalid redirect_uri"),
    ],
)
def test_nobody_is_redirected_before_the_client_is_known(
    server: AuthClient, client: Json, changes: dict[str, str | None], code: str, message: str
) -> None:
    refused = ask(server, client, **changes)
    assert (refused.status_code, refused.json()["error_code"], refused.json()["msg"]) == (400, code, message)


def test_only_the_user_who_opened_a_request_answers_it(server: AuthClient, client: Json) -> None:
    person, other, authorization_id = server.person(), server.person(), begin(server, client)
    path = f"/oauth/authorizations/{authorization_id}"
    missing = (404, "oauth_authorization_not_found", "authorization not found")
    assert error_of(person.request("POST", f"{path}/consent", {"action": "approve"}, headers=NEW)) == missing
    assert person.request("GET", path).status_code == 200
    for refused in (
        other.request("GET", path, headers=NEW),
        other.request("POST", f"{path}/consent", {"action": "approve"}, headers=NEW),
        person.request("GET", "/oauth/authorizations/%00", headers=NEW),
    ):
        assert error_of(refused) == missing
    assert server.get(path).status_code == 401
    elsewhere = person.request("GET", path, headers={"Origin": "https://evil.example", **NEW})
    assert error_of(elsewhere) == (400, "validation_failed", "unauthorized request origin")
    assert person.request("GET", path, headers={"Origin": "http://localhost:3000"}).status_code == 200
    wrong = person.request("POST", f"{path}/consent", {"action": "maybe"}, headers=NEW)
    assert error_of(wrong) == (400, "validation_failed", "action must be 'approve' or 'deny'")
    server.sql("update auth.oauth_authorizations set created_at = now() - interval '1 hour', "
               "expires_at = now() - interval '1 second' where authorization_id = %s", authorization_id)  # fmt: skip
    assert error_of(person.request("GET", path, headers=NEW)) == missing
    begin(server, client)
    assert server.sql("select status from auth.oauth_authorizations where authorization_id = %s", authorization_id) == [
        ("expired",)
    ]


@pytest.mark.parametrize(
    ("form", "headers", "message"),
    [
        ({}, {}, "Invalid client credentials: client_id is required"),
        ({"client_id": "x"}, {}, "Invalid client_id format"),
        ({"client_id": "00000000-0000-0000-0000-000000000000"}, {}, "Invalid client credentials"),
        ({}, {"Authorization": "Basic %%%"}, "Invalid client credentials: invalid basic auth encoding"),
        ({}, {"Authorization": "Basic eA=="}, "Invalid client credentials: invalid basic auth format"),
        ({"client_id": "PUBLIC", "client_secret": "x"}, {},
         "invalid authentication method: client is registered for 'none' but 'client_secret_post' was used"),
        ({"client_id": "SECRET", "client_secret": "x"}, {}, "invalid client credentials"),
        ({"client_id": "SECRET"}, {},
         "invalid authentication method: client is registered for 'client_secret_post' but 'none' was used"),
    ],
)  # fmt: skip
def test_a_client_must_prove_itself_its_own_way(
    server: AuthClient, client: Json, form: dict[str, str], headers: dict[str, str], message: str
) -> None:
    secret = server.post(
        "/oauth/clients/register",
        {"redirect_uris": [BACK], "token_endpoint_auth_method": "client_secret_post"},
    ).json()  # fmt: skip
    names = {"PUBLIC": client["client_id"], "SECRET": secret["client_id"]}
    form = {name: names.get(value, value) for name, value in form.items()}
    refused = server.http.post("/oauth/token", data={"grant_type": "refresh_token", **form}, headers={**NEW, **headers})
    assert error_of(refused) == (400, "invalid_credentials", message)


def test_a_secret_in_the_header_or_in_json(server: AuthClient) -> None:
    made = server.post("/oauth/clients/register", {"redirect_uris": [BACK], "grant_types": ["refresh_token"]}).json()
    basic = (made["client_id"], made["client_secret"])
    for body, error, description in (
        ({}, "invalid_request", "grant_type is required"),
        ({"grant_type": "password"}, "unsupported_grant_type", "Client is not allowed to use grant type: password"),
        ({"grant_type": "authorization_code"}, "unsupported_grant_type",
         "Client is not allowed to use grant type: authorization_code"),
        ({"grant_type": "refresh_token"}, "invalid_request", "refresh_token is required for refresh_token grant"),
    ):  # fmt: skip
        refused = server.http.post("/oauth/token", json=body, auth=basic)
        assert (refused.status_code, refused.json()) == (400, {"error": error, "error_description": description})


def test_registration_can_be_closed_and_is_checked(server: AuthClient, start_auth: StartAuth) -> None:
    closed = start_auth(OAUTH_SERVER_ENABLED="true")
    assert error_of(closed.post("/oauth/clients/register", {"redirect_uris": [BACK]}, headers=NEW)) == (
        403, "oauth_dynamic_client_registration_disabled", "Dynamic client registration is not enabled",
    )  # fmt: skip
    for body in (
        {}, {"redirect_uris": ["javascript:alert(1)"]}, {"redirect_uris": [BACK], "client_type": "secret"},
        {"redirect_uris": [BACK], "client_type": "public", "token_endpoint_auth_method": "client_secret_post"},
    ):  # fmt: skip
        refused = server.post("/oauth/clients/register", body, headers=NEW)
        assert error_of(refused)[:2] == (400, "validation_failed")


def test_without_a_page_or_a_public_key(start_auth: StartAuth) -> None:
    """No consent page is configured, and tokens are signed with a secret: what a client asks for is told to it."""
    bare = start_auth(OAUTH_SERVER_ENABLED="true", OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION="true")
    made = bare.post("/oauth/clients/register", {"redirect_uris": [BACK], "client_type": "public"}).json()
    told = query(ask(bare, made).headers["location"])
    assert (told["error"], told["error_description"]) == ("server_error", "oauth authorization path not configured")
    secret = start_auth(**ENABLED)
    person = secret.person()
    refused = exchange(secret, made, answer(person, begin(secret, made))["code"])
    assert refused.json() == {
        "error": "server_error", "error_description": "ID tokens need an asymmetric signing key (JWT_KEYS)",
    }  # fmt: skip
    allowed = exchange(secret, made, answer(person, begin(secret, made, scope="email phone"))["code"])
    assert "id_token" not in allowed.json()


def test_everything_is_off_by_default(auth: AuthClient) -> None:
    person = auth.person()
    off = (404, "feature_disabled", "OAuth server is disabled")
    for refused in (
        auth.get("/oauth/authorize", headers=NEW),
        auth.post("/oauth/token", headers=NEW),
        auth.post("/oauth/clients/register", headers=NEW),
        auth.get("/oauth/userinfo", headers=NEW),
        person.request("GET", "/oauth/authorizations/x", headers=NEW),
        person.request("POST", "/oauth/authorizations/x/consent", {"action": "deny"}, headers=NEW),
        person.request("GET", "/user/oauth/grants", headers=NEW),
        person.request("DELETE", "/user/oauth/grants", headers=NEW),
    ):
        assert error_of(refused) == off


def test_nul_gets_nowhere(server: AuthClient, client: Json) -> None:
    form = {"grant_type": "authorization_code", "client_id": client["client_id"], "code": "a\0b", "code_verifier": "x"}
    assert server.http.post("/oauth/token", data=form).json()["error_description"] == "Invalid authorization code"
    assert error_of(server.post("/oauth/token", form, headers=NEW))[:2] == (400, "invalid_credentials")
    assert error_of(server.get("/oauth/authorize?client_id=%00&redirect_uri=x", headers=NEW))[0] == 400
