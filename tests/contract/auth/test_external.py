"""External providers: authorize and callback with PKCE both ways, linking, unlinking, id_token; against a real one."""

import base64
import hashlib
import secrets
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from tests.contract.auth.conftest import StartAuth
from tests.contract.auth.harness import (
    NEW,
    PASSWORD,
    AuthClient,
    Json,
    Served,
    error_of,
    fragment,
    new_email,
    query,
)
from tests.contract.auth.oauth_provider import CLIENT_ID, CLIENT_SECRET, OAuthProvider


@pytest.fixture(scope="module")
def provider() -> Iterator[OAuthProvider]:
    made = OAuthProvider()
    served = Served(made.app())
    made.url = served.url
    yield made
    served.stop()


def settings(provider: OAuthProvider, **more: str) -> dict[str, str]:
    own = {"ENABLED": "true", "CLIENT_ID": f"{CLIENT_ID},second", "SECRET": CLIENT_SECRET, "URL": provider.url}
    return {**{f"EXTERNAL_KEYCLOAK_{name}": value for name, value in own.items()}, **more}


@pytest.fixture(scope="module")
def external(start_auth: StartAuth, provider: OAuthProvider) -> AuthClient:
    return start_auth(
        **settings(
            provider,
            EXTERNAL_GITLAB_ENABLED="false",
            EXTERNAL_STATION_ENABLED="true",
            EXTERNAL_STATION_URL=provider.url,
            SECURITY_MANUAL_LINKING_ENABLED="true",
        ),
        MAILER_NOTIFICATIONS_IDENTITY_LINKED_ENABLED="true",
        MAILER_NOTIFICATIONS_IDENTITY_UNLINKED_ENABLED="true",
    )


def somebody(provider: OAuthProvider, **claims: Any) -> Json:
    """The person who signs in at the provider next."""
    provider.person = {
        "sub": uuid4().hex, "email": new_email("outside"), "email_verified": True, "name": "Ada Lovelace",
        "picture": "https://pictures.example/ada.png", **claims,
    }  # fmt: skip
    return provider.person


def go(auth: AuthClient, path: str = "/authorize?provider=keycloak", headers: dict[str, str] | None = None) -> str:
    """All redirects of a browser; the URL where it ends."""
    begun = auth.get(path, headers=headers or {})
    assert begun.status_code == 302, begun.text
    back = httpx.get(begun.headers["location"])
    assert back.status_code == 302
    target = back.headers["location"]
    assert target.startswith("http://auth.test/callback?")
    ended = auth.get(target.removeprefix("http://auth.test"))
    return str(ended.headers["location"])


def bearer(session: dict[str, str]) -> dict[str, str]:
    return {"Authorization": f"Bearer {session['access_token']}"}


def test_new_person_signs_in(external: AuthClient, provider: OAuthProvider) -> None:
    person = somebody(provider)
    where = go(external, "/authorize?provider=keycloak&redirect_to=http://localhost:3000/in&scopes=a,b&prompt=login")
    items = fragment(where)
    assert where.startswith("http://localhost:3000/in#access_token=")
    assert items["provider_refresh_token"] == "provider-refresh"
    assert items["provider_token"]
    assert "type" not in items
    user = external.get("/user", headers=bearer(items)).json()
    assert user["email"] == person["email"]
    assert user["email_confirmed_at"]
    assert user["app_metadata"] == {"provider": "keycloak", "providers": ["keycloak"]}
    assert user["user_metadata"]["full_name"] == "Ada Lovelace"
    assert user["user_metadata"]["iss"] == provider.url
    assert [(one["provider"], one["id"]) for one in user["identities"]] == [("keycloak", person["sub"])]
    asked = provider.asked[-1]
    assert asked["scope"] == "profile email a b"
    assert asked["prompt"] == "login"
    assert asked["client_id"] == CLIENT_ID
    assert "code_challenge" not in asked
    again = fragment(go(external))
    assert external.get("/user", headers=bearer(again)).json()["id"] == user["id"]


def test_pkce_code_works_once_and_brings_the_providers_tokens(external: AuthClient, provider: OAuthProvider) -> None:
    somebody(provider)
    verifier = secrets.token_hex(56)
    digest = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    where = go(external, f"/authorize?provider=keycloak&code_challenge={digest}&code_challenge_method=s256")
    assert "#" not in where
    body = {"auth_code": query(where)["code"], "code_verifier": verifier}
    session = external.post("/token?grant_type=pkce", body).json()
    assert session["provider_refresh_token"] == "provider-refresh"
    assert session["user"]["email"]
    assert external.post("/token?grant_type=pkce", body).status_code == 404


def test_verified_address_links_to_the_account_that_has_it(external: AuthClient, provider: OAuthProvider) -> None:
    member = external.person()
    somebody(provider, email=member.email.upper())
    user = external.get("/user", headers=bearer(fragment(go(external)))).json()
    assert user["id"] == member.id
    assert user["app_metadata"] == {"provider": "email", "providers": ["email", "keycloak"]}
    assert external.sign_in(member.email).id == member.id


def test_unconfirmed_account_is_cleared_when_linked(external: AuthClient, provider: OAuthProvider) -> None:
    """Signing up with a stranger's address and waiting for them gains nothing (account pre-hijacking)."""
    email = new_email("victim")
    external.post("/signup", {"email": email, "password": PASSWORD, "data": {"planted": True}})
    somebody(provider, email=email)
    user = external.get("/user", headers=bearer(fragment(go(external)))).json()
    assert user["email"] == email
    assert "planted" not in user["user_metadata"]
    assert [one["provider"] for one in user["identities"]] == ["keycloak"]
    stolen = external.post("/token?grant_type=password", {"email": email, "password": PASSWORD}, headers=NEW)
    assert error_of(stolen)[1] == "invalid_credentials"


def test_unverified_address_must_be_confirmed(external: AuthClient, provider: OAuthProvider) -> None:
    person = somebody(provider, email_verified=False)
    where = go(external)
    assert fragment(where)["error_code"] == query(where)["error_code"] == "provider_email_needs_verification"
    assert fragment(where)["error"] == "access_denied"
    link = external.letter(person["email"]).link.removeprefix("http://auth.test")
    assert "access_token" in fragment(external.get(link).headers["location"])
    assert "access_token" in fragment(go(external))


def test_unverified_address_never_links(external: AuthClient, provider: OAuthProvider) -> None:
    member = external.person()
    somebody(provider, email=member.email, email_verified=False)
    assert fragment(go(external))["error_code"] == "provider_email_needs_verification"
    identities = external.admin("GET", f"/admin/users/{member.id}").json()["identities"]
    assert [one["provider"] for one in identities] == ["email"]


def test_error_of_the_provider_is_passed_on(external: AuthClient, provider: OAuthProvider) -> None:
    provider.refuse = True
    try:
        where = go(external)
    finally:
        provider.refuse = False
    want = {"error": "access_denied", "error_description": "The user said no"}
    assert query(where) == want
    assert fragment(where) == {**want, "sb": ""}


def test_closed_signup(start_auth: StartAuth, provider: OAuthProvider) -> None:
    closed = start_auth(**settings(provider, DISABLE_SIGNUP="true"))
    somebody(provider)
    items = fragment(go(closed))
    assert (items["error"], items["error_code"]) == ("access_denied", "signup_disabled")


@pytest.mark.parametrize(
    ("name", "want"),
    [
        ("nowhere", "Unsupported provider: Provider nowhere could not be found"),
        ("gitlab", "Unsupported provider: provider is not enabled"),
        ("station", "Unsupported provider: Provider station could not be found"),
        ("", "Unsupported provider: Provider  could not be found"),
    ],
)
def test_unusable_providers(external: AuthClient, name: str, want: str) -> None:
    answer = external.get(f"/authorize?provider={name}", headers=NEW)
    assert error_of(answer) == (400, "validation_failed", want)


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/callback?code=x", "bad_oauth_callback"),
        ("/callback?code=x&state=x", "bad_oauth_state"),
        ("/callback?code=x&state=00000000-0000-4000-8000-000000000000", "bad_oauth_state"),
    ],
)
def test_unusable_state(external: AuthClient, path: str, code: str) -> None:
    answer = external.get(path)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("http://localhost:3000?")
    assert query(answer.headers["location"])["error_code"] == code


def test_state_works_once_and_expires(external: AuthClient, provider: OAuthProvider) -> None:
    somebody(provider)
    location = external.get("/authorize?provider=keycloak").headers["location"]
    back = httpx.get(location).headers["location"].removeprefix("http://auth.test")
    assert "access_token" in fragment(external.get(back).headers["location"])
    assert query(external.get(back).headers["location"])["error_code"] == "bad_oauth_state"
    location = external.get("/authorize?provider=keycloak").headers["location"]
    back = httpx.get(location).headers["location"].removeprefix("http://auth.test")
    external.sql("update auth.flow_state set created_at = now() - interval '6 minutes'")
    assert query(external.get(back).headers["location"])["error_description"] == "OAuth state has expired"


def test_linking_and_unlinking(external: AuthClient, provider: OAuthProvider) -> None:
    member = external.person()
    only = member.request("GET", "/user").json()["identities"][0]["identity_id"]
    alone = member.request("DELETE", f"/user/identities/{only}", headers=NEW)
    assert error_of(alone)[:2] == (422, "single_identity_not_deletable")
    somebody(provider)
    path = "/user/identities/authorize?provider=keycloak&skip_http_redirect=true"
    url = member.request("GET", path).json()["url"]
    external.get(httpx.get(url).headers["location"].removeprefix("http://auth.test"))
    user = member.request("GET", "/user").json()
    assert [one["provider"] for one in user["identities"]] == ["email", "keycloak"]
    assert user["app_metadata"]["providers"] == ["email", "keycloak"]
    url = member.request("GET", path).json()["url"]
    where = external.get(httpx.get(url).headers["location"].removeprefix("http://auth.test")).headers["location"]
    assert fragment(where)["error_description"] == "Identity is already linked"
    other = external.person()
    url = other.request("GET", path).json()["url"]
    where = external.get(httpx.get(url).headers["location"].removeprefix("http://auth.test")).headers["location"]
    assert fragment(where)["error_description"] == "Identity is already linked to another user"
    linked = user["identities"][1]["identity_id"]
    foreign = other.request("DELETE", f"/user/identities/{linked}", headers=NEW)
    assert foreign.status_code == 422
    assert "Your keycloak account was linked" in external.letter(member.email).mail["html"]
    assert member.request("DELETE", f"/user/identities/{linked}").json() == {}
    assert "Your keycloak account was removed" in external.letter(member.email).mail["html"]
    assert member.request("GET", "/user").json()["app_metadata"]["providers"] == ["email"]


def id_token(auth: AuthClient, **body: Any) -> httpx.Response:
    return auth.post("/token?grant_type=id_token", {"provider": "keycloak", **body}, headers=NEW)


def test_id_token_signs_in(external: AuthClient, provider: OAuthProvider) -> None:
    person = somebody(provider)
    nonce = secrets.token_hex(16)
    hashed = hashlib.sha256(nonce.encode()).hexdigest()
    session = id_token(external, id_token=provider.id_token(nonce=hashed), nonce=nonce).json()
    assert session["user"]["email"] == person["email"]
    amr = external.sql(
        "select authentication_method from auth.mfa_amr_claims c join auth.sessions s on s.id = c.session_id"
        " where s.user_id = %s",
        session["user"]["id"],
    )
    assert amr == [("oauth",)]


def test_invalid_id_tokens(external: AuthClient, provider: OAuthProvider) -> None:
    somebody(provider)
    stranger = rsa.generate_private_key(65537, 2048)
    cases: list[tuple[dict[str, str], str]] = [
        ({}, "id_token required"),
        ({"id_token": "x"}, "Bad ID token"),
        ({"id_token": provider.id_token(stranger)}, "Bad ID token"),
        ({"id_token": provider.id_token(iss="https://evil.example")}, "Bad ID token"),
        ({"id_token": provider.id_token(exp=1)}, "Bad ID token"),
        ({"id_token": provider.id_token(aud="elsewhere")}, "Unacceptable audience in id_token: [elsewhere]"),
        (
            {"id_token": provider.id_token(nonce="n")},
            "Passed nonce and nonce in id_token should either both exist or not.",
        ),
        ({"id_token": provider.id_token(nonce="n"), "nonce": "m"}, "Nonces mismatch"),
    ]
    for body, want in cases:
        answer = id_token(external, **body)
        assert answer.status_code == 400
        assert answer.json()["error_description"] == want
    unknown = id_token(external, id_token="x", provider="custom:nowhere")
    assert error_of(unknown)[:2] == (400, "validation_failed")
    assert error_of(id_token(external, id_token="x", provider="google"))[:2] == (400, "provider_disabled")


def test_id_token_links_when_asked(external: AuthClient, provider: OAuthProvider) -> None:
    member = external.person()
    somebody(provider)
    body = {"provider": "keycloak", "id_token": provider.id_token(), "link_identity": True}
    session = member.request("POST", "/token?grant_type=id_token", body).json()
    assert session["user"]["id"] == member.id
    assert [one["provider"] for one in session["user"]["identities"]] == ["email", "keycloak"]
