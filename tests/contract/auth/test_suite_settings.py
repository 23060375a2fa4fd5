"""Four services on one database, configured as in the client libraries' own test suites, with their requests.

Bare variables (DATABASE_URL, PORT), role postgres, no audience, no default group: mails to confirm; nothing to confirm,
signing by a symmetric key of a set; the same by RS256; closed. Every endpoint of their scope, with its behaviors.
"""

import base64
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from secrets import token_bytes
from typing import Any
from uuid import uuid4

import httpx
import jwt as pyjwt
import pyotp
import pytest

from emulator.auth.app import create_app
from emulator.auth.conf.settings import AuthSettings
from tests.contract.auth.harness import NEW, AuthClient, Json, Mailbox, Person, Served, error_of, new_email
from tests.contract.auth.test_mfa import Authenticator
from tests.contract.auth.test_sessions import rs256_key
from tests.support.postgres import Database

SECRET = "b1946ac9-2f0e-4b5c-9d4e-3f8f5f0a7c11"
PASSWORD = "hunter2-hunter2"
NOBODY = "00000000-1111-4222-8333-444444444444"


@dataclass(frozen=True)
class Suite:
    """The four."""

    confirming: AuthClient
    auto: AuthClient
    asymmetric: AuthClient
    closed: AuthClient


def _oct_key(key_ops: list[str]) -> Json:
    k = base64.urlsafe_b64encode(token_bytes(32)).rstrip(b"=").decode()
    return {"kty": "oct", "k": k, "kid": str(uuid4()), "alg": "HS256", "key_ops": key_ops}


@pytest.fixture(scope="module")
def suite(module_database: Database, mailbox: Mailbox) -> Iterator[Suite]:
    running = []
    rsa = rs256_key()

    def start(**more: str) -> AuthClient:
        own = {
            "SITE_URL": "http://localhost:9999", "JWT_SECRET": SECRET, "JWT_EXP": "3600", "DB_DRIVER": "postgres",
            "DISABLE_SIGNUP": "false", "MAILER_AUTOCONFIRM": "false", "LOG_LEVEL": "DEBUG", "COOKIE_KEY": "sb",
            "OPERATOR_TOKEN": "an-operator", "SMTP_HOST": "127.0.0.1", "SMTP_PORT": str(mailbox.smtp_port),
            "SMTP_USER": "GOTRUE_SMTP_USER", "SMTP_PASS": "GOTRUE_SMTP_PASS", "SMTP_ADMIN_EMAIL": "admin@email.com",
            **more,
        }  # fmt: skip
        env = {f"GOTRUE_{name}": value for name, value in own.items()}
        url = f"{module_database.url('postgres')}?sslmode=disable"
        env |= {
            "DATABASE_URL": url,
            "DB_NAMESPACE": "auth",
            "PORT": "9999",
            "API_EXTERNAL_URL": "http://localhost:9999",
        }
        served = Served(create_app(AuthSettings.from_env(env)))
        running.append(AuthClient(served, module_database.dsn("supabase_admin"), mailbox))
        return running[-1]

    phones = {"EXTERNAL_PHONE_ENABLED": "true", "SMS_PROVIDER": "twilio", "SMS_TWILIO_ACCOUNT_SID": ""}
    keys = {"EXTERNAL_ANONYMOUS_USERS_ENABLED": "true", "MFA_WEB_AUTHN_ENROLL_ENABLED": "true"}
    keys |= {"PASSKEY_ENABLED": "true", "WEBAUTHN_RP_ID": "localhost", "WEBAUTHN_RP_ORIGINS": "http://localhost:3000"}
    keys |= {"MFA_WEB_AUTHN_VERIFY_ENABLED": "true", "OAUTH_SERVER_ENABLED": "true"}
    auto = {"MAILER_AUTOCONFIRM": "true", "SMS_AUTOCONFIRM": "true", "EXTERNAL_PHONE_ENABLED": "true"}
    yield Suite(
        start(**phones, URI_ALLOW_LIST="https://example.com/docs", EXTERNAL_GOOGLE_ENABLED="true",
              EXTERNAL_GOOGLE_CLIENT_ID="client", EXTERNAL_GOOGLE_SECRET="secret"),
        start(**auto, **keys, JWT_KEYS=json.dumps([_oct_key(["sign", "verify"]), {**rsa, "key_ops": ["verify"]}])),
        start(**auto, JWT_KEYS=json.dumps([_oct_key(["verify"]), {**rsa, "key_ops": ["sign", "verify"]}])),
        start(DISABLE_SIGNUP="true", EXTERNAL_EMAIL_ENABLED="false", EXTERNAL_PHONE_ENABLED="false"),
    )  # fmt: skip
    for client in running:
        client.close()


def as_admin(service: AuthClient, method: str, path: str, body: Any = None) -> httpx.Response:
    """With the service key as those suites make it: signed by the secret, no key id, no times but `exp`."""
    claims = {"sub": "1234567890", "role": "supabase_admin", "exp": int(time.time()) + 600}
    token = pyjwt.encode(claims, SECRET, "HS256")
    return service.request(method, path, body, headers={**NEW, "Authorization": f"Bearer {token}"})


def joined(service: AuthClient) -> Person:
    """A new person with a session, where nothing needs to be confirmed."""
    email = new_email()
    answer = service.post("/signup", {"email": email, "password": PASSWORD, "code_challenge": None})
    assert answer.status_code == 200, answer.text
    return Person(email, answer.json(), service)


def phone_number() -> str:
    return "+1" + str(uuid4().int)[:10]


# --- signing up and in ----------------------------------------------------------------------------------------------


def test_signup_with_autoconfirm_gives_a_session_with_metadata(suite: Suite) -> None:
    body = {"email": new_email(), "password": PASSWORD, "data": {"name": "Ada"}, "gotrue_meta_security": {}}
    for service in (suite.auto, suite.asymmetric):
        made = service.post("/signup", {**body, "email": new_email()}, headers=NEW).json()
        assert made["token_type"] == "bearer"
        assert made["expires_in"] == 3600
        assert len(made["refresh_token"]) == 12
        assert made["user"]["user_metadata"]["name"] == "Ada"
        assert made["user"]["identities"][0]["provider"] == "email"


def test_signup_to_confirm_gives_a_user_only(suite: Suite) -> None:
    for more in ({}, {"code_challenge": "v" * 43, "code_challenge_method": "s256"}):
        made = suite.confirming.post(
            "/signup", {"email": new_email(), "password": PASSWORD, **more}, headers=NEW
        ).json()
        assert made["id"]
        assert made["confirmation_sent_at"]
        assert "access_token" not in made
        assert "email_confirmed_at" not in made


@pytest.mark.parametrize(
    ("body", "want"),
    [
        pytest.param({"password": "x" * 3}, (422, "weak_password"), id="weak"),
        pytest.param({"email": "not an address"}, (400, "validation_failed"), id="bad-address"),
        pytest.param({"email": None, "phone": "+12", "password": "123"}, (422, "weak_password"), id="phone-weak"),
        pytest.param({"email": None, "phone": "letters"}, (400, "validation_failed"), id="bad-phone"),
    ],
)
def test_signup_errors(suite: Suite, body: Json, want: tuple[int, str]) -> None:
    sent = {"email": new_email(), "password": PASSWORD, **body}
    assert error_of(suite.auto.post("/signup", sent, headers=NEW))[:2] == want


def test_taken_address_and_taken_phone(suite: Suite) -> None:
    for name, value in (("email", new_email()), ("phone", phone_number())):
        body = {name: value, "password": PASSWORD}
        assert suite.auto.post("/signup", body).status_code == 200
        again = error_of(suite.auto.post("/signup", body, headers=NEW))
        assert again == (422, "user_already_exists", "User already registered")


def test_closed_service(suite: Suite) -> None:
    body = {"email": new_email(), "password": PASSWORD}
    text = "Signups not allowed for this instance"
    for sent in (body, {"phone": phone_number(), "password": PASSWORD}):
        assert error_of(suite.closed.post("/signup", sent, headers=NEW)) == (422, "signup_disabled", text)
    assert error_of(suite.closed.post("/token?grant_type=password", body, headers=NEW)) == (
        422, "email_provider_disabled", "Email logins are disabled",
    )  # fmt: skip
    assert error_of(suite.closed.post("/otp", {"email": new_email()}, headers=NEW))[0] == 422
    assert error_of(suite.closed.post("/otp", {"phone": phone_number()}, headers=NEW))[0] == 400


def test_anonymous(suite: Suite) -> None:
    body = {"data": {"seen": 1}, "gotrue_meta_security": {"captcha_token": None}}
    made = suite.auto.post("/signup", body).json()
    assert made["user"]["is_anonymous"] is True
    assert made["user"]["user_metadata"] == {"seen": 1}
    off = suite.confirming.post("/signup", {}, headers=NEW)
    assert error_of(off) == (422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled")
    asking = Person("", made, suite.auto).request("GET", "/reauthenticate", headers=NEW)
    assert error_of(asking)[:2] == (400, "validation_failed")


def test_password_grant_by_address_and_phone(suite: Suite) -> None:
    for name, value in (("email", new_email()), ("phone", phone_number())):
        suite.auto.post("/signup", {name: value, "password": PASSWORD})
        grant = {name: value, "password": PASSWORD, "gotrue_meta_security": {}}
        assert suite.auto.post("/token?grant_type=password", grant).json()["user"]["role"] == ""
        wrong = suite.auto.post("/token?grant_type=password", {**grant, "password": "wrong"}, headers=NEW)
        assert error_of(wrong) == (400, "invalid_credentials", "Invalid login credentials")


def test_refresh_grant(suite: Suite) -> None:
    for service in (suite.auto, suite.asymmetric):
        person = joined(service)
        first = service.refresh(person.session["refresh_token"]).json()
        assert first["refresh_token"] != person.session["refresh_token"]
        again = service.refresh(person.session["refresh_token"]).json()
        assert again["refresh_token"] == first["refresh_token"]
    for token in ("current-user", "aaaabbbbcccc"):
        assert (
            suite.auto.refresh(token, headers=NEW)
            .json()["message"]
            .startswith(("Invalid Refresh Token", "Refresh token is not valid"))
        )


def test_other_grants(suite: Suite) -> None:
    grant = suite.confirming.post("/token?grant_type=pkce", {"auth_code": "x", "code_verifier": "y"}, headers=NEW)
    assert error_of(grant)[:2] == (404, "flow_state_not_found")
    for body in ({"provider": "google", "id_token": "bad"}, {"provider": "nowhere", "id_token": "bad"},
                 {"provider": "custom:mine", "id_token": "bad", "access_token": None, "nonce": None}):  # fmt: skip
        assert suite.confirming.post("/token?grant_type=id_token", body, headers=NEW).status_code == 400
    for chain in ("solana", "ethereum"):
        web3 = suite.auto.post(
            "/token?grant_type=web3", {"chain": chain, "message": "m", "signature": "s"}, headers=NEW
        )
        assert error_of(web3) == (422, "web3_provider_disabled", "Web3 provider is disabled")


# --- one-time tokens ------------------------------------------------------------------------------------------------


def test_otp_is_empty_or_an_error(suite: Suite) -> None:
    body = {"email": new_email(), "create_user": True, "data": {}, "code_challenge": None, "gotrue_meta_security": {}}
    assert suite.confirming.post("/otp", body).json() == {}
    assert suite.auto.post("/otp", {**body, "email": new_email()}).json() == {}
    for channel in ("sms", "whatsapp"):
        sent = {"phone": phone_number(), "create_user": True, "channel": channel}
        assert suite.confirming.post("/otp", sent, headers=NEW).status_code in (400, 422)


def test_verify_errors(suite: Suite) -> None:
    expired = (403, "otp_expired", "Token has expired or is invalid")
    email = {"email": new_email(), "token": "123456", "type": "signup"}
    phone = {"phone": phone_number(), "token": "123456", "type": "sms"}
    for body in (email, phone):
        assert error_of(suite.confirming.post("/verify", body, headers=NEW)) == expired
    text = "Invalid phone number format (E.164 required)"
    bad = suite.confirming.post("/verify", {**phone, "phone": "not a number"}, headers=NEW)
    assert error_of(bad) == (400, "validation_failed", text)


def test_resend_and_recover_tell_nothing_about_unknown_addresses(suite: Suite) -> None:
    by_mail: list[Json] = [{"type": kind, "email": new_email()} for kind in ("signup", "email_change")]
    by_phone: list[Json] = [{"type": kind, "phone": phone_number()} for kind in ("sms", "phone_change")]
    for body in by_mail + by_phone:
        for service in (suite.confirming, suite.auto):
            answer = service.post("/resend", body)
            assert (answer.status_code, answer.json()) == (200, {})
    known = joined(suite.auto)
    for email in (known.email, new_email()):
        answer = suite.auto.post("/recover?redirect_to=http://localhost:9999/welcome", {"email": email})
        assert (answer.status_code, answer.json()) == (200, {})
    assert known.request("GET", "/reauthenticate").json() == {}


# --- the account ----------------------------------------------------------------------------------------------------


def test_user_reads_and_changes_the_own_account(suite: Suite) -> None:
    for service in (suite.auto, suite.asymmetric):
        person = joined(service)
        me = person.request("GET", "/user").json()
        assert me["id"] == person.id
        assert me["identities"][0]["identity_data"]["email"] == person.email
        changed = person.request("PUT", "/user", {"data": {"name": "Bo"}, "email": None, "password": None}).json()
        assert changed["user_metadata"]["name"] == "Bo"
        assert person.request("PUT", "/user", {"password": "another-one-1"}).status_code == 200
        bad = person.request("PUT", "/user", {"email": "not an address"}, headers=NEW)
        assert error_of(bad) == (400, "validation_failed", "Unable to validate email address: invalid format")


@pytest.mark.parametrize(("scope", "left"), [("local", (403, 200)), ("others", (200, 403)), ("global", (403, 403))])
def test_logout_scopes(suite: Suite, scope: str, left: tuple[int, int]) -> None:
    here = joined(suite.auto)
    body = {"email": here.email, "password": PASSWORD}
    there = Person(here.email, suite.auto.post("/token?grant_type=password", body).json(), suite.auto)
    assert here.request("POST", f"/logout?scope={scope}").status_code == 204
    assert (here.request("GET", "/user").status_code, there.request("GET", "/user").status_code) == left


def test_bad_token_is_an_invalid_jwt(suite: Suite) -> None:
    for token in ("garbage", "a.b.c"):
        answer = suite.auto.post("/logout", headers={**NEW, "Authorization": f"Bearer {token}"})
        status, code, text = error_of(answer)
        assert (status, code) == (403, "bad_jwt")
        assert text.startswith("invalid JWT")
    assert error_of(suite.auto.post("/logout", headers=NEW))[2].endswith("valid Bearer token")


def test_linking_and_sso_are_disabled(suite: Suite) -> None:
    person = joined(suite.auto)
    identity = person.session["user"]["identities"][0]["identity_id"]
    for method, path in (
        ("GET", "/user/identities/authorize?provider=google"),
        ("DELETE", f"/user/identities/{identity}"),
    ):
        off = person.request(method, path, headers=NEW)
        assert error_of(off) == (404, "manual_linking_disabled", "Manual linking is disabled")
    for body in ({"domain": "example.com", "skip_http_redirect": True}, {"provider_id": NOBODY}):
        off = suite.auto.post("/sso", body, headers=NEW)
        assert error_of(off) == (404, "saml_provider_disabled", "SAML 2.0 is disabled")


def test_key_sets(suite: Suite) -> None:
    assert suite.confirming.get("/.well-known/jwks.json").json() == {"keys": []}
    for service in (suite.auto, suite.asymmetric):
        keys = service.get("/.well-known/jwks.json").json()["keys"]
        assert [(key["kty"], key["alg"], "k" in key, "d" in key) for key in keys] == [("RSA", "RS256", False, False)]
    token = joined(suite.asymmetric).session["access_token"]
    key = pyjwt.PyJWK(suite.asymmetric.get("/.well-known/jwks.json").json()["keys"][0])
    claims = pyjwt.decode(token, key.key, ["RS256"])
    assert claims["aud"] == ""
    assert pyjwt.get_unverified_header(token) == {"alg": "RS256", "typ": "JWT", "kid": key.key_id}
    assert claims["session_id"]
    assert claims["aal"] == "aal1"
    assert claims["amr"][0]["method"] == "password"
    head = pyjwt.get_unverified_header(joined(suite.auto).session["access_token"])
    assert head["alg"] == "HS256"
    assert head["kid"]


# --- second factors and passkeys ------------------------------------------------------------------------------------


def test_totp(suite: Suite) -> None:
    person = joined(suite.auto)
    made = person.request("POST", "/factors", {"factor_type": "totp", "friendly_name": "a", "issuer": None}).json()
    assert made["type"] == "totp"
    assert made["totp"]["qr_code"].startswith("<")
    assert made["totp"]["secret"]
    question = person.request("POST", f"/factors/{made['id']}/challenge", {}).json()
    assert question["expires_at"] > time.time()
    body = {"challenge_id": question["id"], "code": "000000"}
    wrong = person.request("POST", f"/factors/{made['id']}/verify", body, headers=NEW)
    assert error_of(wrong) == (422, "mfa_verification_failed", "Invalid TOTP code entered")
    body["code"] = pyotp.TOTP(made["totp"]["secret"]).now()
    raised = person.request("POST", f"/factors/{made['id']}/verify", body).json()
    person.session = raised
    assert person.claims["aal"] == "aal2"
    assert as_admin(suite.auto, "GET", f"/admin/users/{person.id}/factors").json()[0]["id"] == made["id"]
    assert person.request("DELETE", f"/factors/{made['id']}").json() == {"id": made["id"]}
    other = person.request("POST", "/factors", {"factor_type": "webauthn", "friendly_name": "key"}).json()
    assert other["type"] == "webauthn"
    gone = as_admin(suite.auto, "DELETE", f"/admin/users/{person.id}/factors/{other['id']}")
    assert gone.json()["id"] == other["id"]
    assert as_admin(suite.auto, "GET", f"/admin/users/{person.id}/factors").json() == []


def test_passkeys(suite: Suite) -> None:
    person, device = joined(suite.auto), Authenticator()
    begun = person.request("POST", "/passkeys/registration/options", {}).json()
    chosen = begun["options"]["authenticatorSelection"]
    assert chosen["residentKey"] == "required"
    assert begun["options"]["attestation"] == "none"
    assert -7 in [one["alg"] for one in begun["options"]["pubKeyCredParams"]]
    body = {"challenge_id": begun["challenge_id"], "credential": device.create(begun["options"])}
    passkey = person.request("POST", "/passkeys/registration/verify", body).json()
    question = suite.auto.post("/passkeys/authentication/options", {}).json()
    assert not question["options"].get("allowCredentials")
    proof = {"challenge_id": question["challenge_id"], "credential": device.get(question["options"])}
    session = suite.auto.post("/passkeys/authentication/verify", proof)
    assert session.json()["user"]["id"] == person.id
    again = suite.auto.post("/passkeys/authentication/verify", proof, headers=NEW)
    assert again.json()["code"] == "webauthn_challenge_not_found"
    question = suite.auto.post("/passkeys/authentication/options", {}).json()
    stranger = Authenticator()
    stranger.user_handle = device.user_handle
    proof = {"challenge_id": question["challenge_id"], "credential": stranger.get(question["options"])}
    refused = suite.auto.post("/passkeys/authentication/verify", proof, headers=NEW)
    assert refused.json()["code"] == "webauthn_verification_failed"
    listed = person.request("GET", "/passkeys").json()
    assert [one["id"] for one in listed] == [passkey["id"]]
    assert listed[0]["last_used_at"]
    path = f"/passkeys/{passkey['id']}"
    assert person.request("PATCH", path, {"friendly_name": "mine"}).json()["friendly_name"] == "mine"
    for method in ("PATCH", "DELETE"):
        assert person.request(method, f"/passkeys/{NOBODY}", {"friendly_name": "x"}).status_code == 404
    assert as_admin(suite.auto, "GET", f"/admin/users/{person.id}/passkeys").json()[0]["id"] == passkey["id"]
    assert as_admin(suite.auto, "DELETE", f"/admin/users/{person.id}/{path[1:]}").status_code == 204
    assert person.request("GET", "/passkeys").json() == []


# --- admins ---------------------------------------------------------------------------------------------------------


def test_admin_users(suite: Suite) -> None:
    email = new_email()
    body = {"email": email, "password": PASSWORD, "email_confirm": True, "user_metadata": {"a": 1}}
    made = as_admin(suite.confirming, "POST", "/admin/users", {**body, "app_metadata": {"roles": ["x"]}}).json()
    assert made["email_confirmed_at"]
    assert made["user_metadata"] == {"a": 1, "email_verified": True}
    assert made["app_metadata"]["roles"] == ["x"]
    bad = as_admin(suite.confirming, "POST", "/admin/users", {"email": "bad"})
    assert error_of(bad) == (400, "validation_failed", "Unable to validate email address: invalid format")
    path = f"/admin/users/{made['id']}"
    assert as_admin(suite.confirming, "GET", path).json()["email"] == email
    other = new_email()
    changed = as_admin(suite.confirming, "PUT", path, {"email": other, "user_metadata": {"b": 2}}).json()
    assert changed["email"] == other
    assert changed["user_metadata"]["b"] == 2
    assert as_admin(suite.confirming, "DELETE", path, {"should_soft_delete": False}).json() == {}
    for method in ("GET", "PUT", "DELETE"):
        unknown = as_admin(suite.confirming, method, path, {})
        assert error_of(unknown) == (404, "user_not_found", "User not found")


def test_admin_lists(suite: Suite) -> None:
    for _ in range(3):
        joined(suite.auto)
    page = as_admin(suite.auto, "GET", "/admin/users?page=1&per_page=1")
    assert len(page.json()["users"]) == 1
    assert "aud" in page.json()
    assert int(page.headers["x-total-count"]) >= 3
    assert 'rel="next"' in page.headers["link"]
    assert as_admin(suite.auto, "GET", "/admin/users?page=&per_page=").status_code == 200
    assert error_of(as_admin(suite.auto, "GET", "/admin/users?page=NaN&per_page=1"))[:2] == (400, "validation_failed")


def test_links_and_invitations(suite: Suite) -> None:
    signup = {"type": "signup", "email": new_email(), "password": PASSWORD, "data": {"s": 1}}
    made = as_admin(suite.confirming, "POST", "/admin/generate_link", signup).json()
    assert made["verification_type"] == "signup"
    assert made["hashed_token"] in made["action_link"]
    person = joined(suite.auto)
    change = {"type": "email_change_current", "email": person.email, "new_email": new_email()}
    made = as_admin(
        suite.confirming, "POST", "/admin/generate_link", {**change, "redirect_to": "http://localhost:9999/w"}
    )
    assert made.json()["verification_type"] == "email_change_current"
    assert made.json()["redirect_to"] == "http://localhost:9999/w"
    invited = as_admin(suite.confirming, "POST", "/invite?redirect_to=http://localhost:9999/w", {"email": new_email()})
    assert invited.json()["invited_at"]


def test_oauth_clients(suite: Suite) -> None:
    body: Json = {"client_name": "App", "redirect_uris": ["https://app.example/callback"]}
    made = as_admin(suite.auto, "POST", "/admin/oauth/clients", body).json()
    assert made["client_secret"]
    assert made["grant_types"] == ["authorization_code", "refresh_token"]
    path = f"/admin/oauth/clients/{made['client_id']}"
    assert "client_secret" not in as_admin(suite.auto, "GET", path).json()
    changed = as_admin(suite.auto, "PUT", path, {"client_name": "New"}).json()
    assert (changed["client_name"], changed["redirect_uris"]) == ("New", body["redirect_uris"])
    assert as_admin(suite.auto, "POST", f"{path}/regenerate_secret").json()["client_secret"] != made["client_secret"]
    assert as_admin(suite.auto, "GET", "/admin/oauth/clients").json()["clients"]
    empty = as_admin(suite.auto, "POST", "/admin/oauth/clients", {**body, "redirect_uris": []})
    assert error_of(empty)[:2] == (400, "validation_failed")
    assert as_admin(suite.auto, "DELETE", path).status_code == 204
    for method in ("GET", "PUT", "DELETE"):
        assert as_admin(suite.auto, method, path, {"client_name": "x"}).status_code == 404


def test_one_account_on_all_four(suite: Suite) -> None:
    """One database: whoever signed up at one signs in at the others, and each verifies tokens by its own keys."""
    person = joined(suite.auto)
    body = {"email": person.email, "password": PASSWORD}
    for service in (suite.confirming, suite.asymmetric):
        assert service.post("/token?grant_type=password", body).json()["user"]["id"] == person.id
    assert suite.confirming.get("/user", headers={**person.bearer, **NEW}).status_code == 403
    foreign = joined(suite.asymmetric)
    assert suite.auto.get("/user", headers=foreign.bearer).json()["id"] == foreign.id


ADMIN_ONLY: list[tuple[str, str]] = [
    ("GET", "/admin/users"), ("POST", "/admin/users"), ("GET", f"/admin/users/{NOBODY}"),
    ("PUT", f"/admin/users/{NOBODY}"), ("DELETE", f"/admin/users/{NOBODY}"), ("POST", "/invite"),
    ("POST", "/admin/generate_link"), ("GET", "/admin/oauth/clients"), ("GET", f"/admin/users/{NOBODY}/factors"),
    ("GET", f"/admin/users/{NOBODY}/passkeys"), ("GET", "/admin/audit"),
]  # fmt: skip


@pytest.mark.parametrize(("method", "path"), ADMIN_ONLY)
def test_admin_endpoints_are_closed_to_users(method: str, path: str, member: Person) -> None:
    refused = member.request(method, path, {} if method != "GET" else None, headers=NEW)
    assert error_of(refused) == (403, "not_admin", "User not allowed")


@pytest.fixture(scope="module")
def member(suite: Suite) -> Person:
    return joined(suite.auto)
