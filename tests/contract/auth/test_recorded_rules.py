"""Details of GoTrue's responses and rows that a client can see, each as recorded from the real service."""

from datetime import timedelta
from typing import Any

import pytest

from tests.contract.auth.conftest import StartAuth
from tests.contract.auth.harness import NEW, PASSWORD, AuthClient, Person, error_of, mint, new_email

Json = dict[str, Any]
GRANT = "/token?grant_type=password"
SB_HEADERS = ("sb-auth-user-id", "sb-auth-session-id", "sb-auth-refresh-token-prefix")


def path_of(link: str) -> str:
    return link.removeprefix("http://auth.test")


def actions_of(auth: AuthClient, address: str) -> list[tuple[str, str | None]]:
    """What the audit log says that somebody did, and by which provider."""
    return [
        (str(action), provider)
        for action, provider in auth.sql(
            "select payload->>'action', payload->'traits'->>'provider' from auth.audit_log_entries"
            " where payload->>'actor_username' = %s order by created_at",
            address,
        )
    ]


def test_password_grant_always_says_whether_the_password_is_weak(auth: AuthClient, start_auth: StartAuth) -> None:
    person = auth.person()
    assert person.session["weak_password"] is None
    assert "weak_password" not in auth.refresh(person.session["refresh_token"]).json()
    strict = start_auth(PASSWORD_MIN_LENGTH="40")
    assert strict.sign_in(person.email).session["weak_password"]["reasons"] == ["length"]


def test_sign_up_that_is_confirmed_at_once(open_auth: AuthClient) -> None:
    email = new_email()
    user = open_auth.post("/signup", {"email": email, "password": PASSWORD}).json()["user"]
    assert "confirmed_at" not in user
    assert user["identities"][0]["identity_data"]["email_verified"] is True
    stored = open_auth.sql("select identity_data->'email_verified' from auth.identities where email = %s", email)
    assert stored == [(False,)]


def test_phone_is_verified_in_its_column_alone(open_auth: AuthClient) -> None:
    session = open_auth.post("/signup", {"phone": "+15550009999", "password": PASSWORD}).json()
    assert session["user"]["user_metadata"]["phone_verified"] is False
    assert session["user"]["phone_confirmed_at"]


def test_redirects_with_a_session_have_its_headers(auth: AuthClient) -> None:
    email = new_email()
    auth.post("/signup", {"email": email, "password": PASSWORD})
    answer = auth.get(path_of(auth.letter(email).link))
    assert all(answer.headers[name] for name in SB_HEADERS)
    assert answer.headers["sb-auth-refresh-token-prefix"] in answer.headers["location"]


def test_factor_verification_has_no_session_headers(auth: AuthClient) -> None:
    import pyotp

    person = auth.person()
    factor = person.request("POST", "/factors", {"factor_type": "totp"}).json()
    challenge = person.request("POST", f"/factors/{factor['id']}/challenge").json()
    body = {"challenge_id": challenge["id"], "code": pyotp.TOTP(factor["totp"]["secret"]).now()}
    answer = person.request("POST", f"/factors/{factor['id']}/verify", body)
    assert answer.status_code == 200
    assert not any(name in answer.headers for name in SB_HEADERS)


@pytest.mark.parametrize("challenge_id", ["none", "x" * 36])
def test_challenge_ids_that_are_none(auth: AuthClient, challenge_id: str) -> None:
    person = auth.person()
    factor = person.request("POST", "/factors", {"factor_type": "totp"}).json()
    body = {"challenge_id": challenge_id, "code": "123456"}
    answer = person.request("POST", f"/factors/{factor['id']}/verify", body, headers=NEW)
    status, code, message = error_of(answer)
    assert (status, code) == (400, "bad_json")
    assert message.startswith("Could not parse request body as JSON: uuid: incorrect UUID")


def test_changed_address_keeps_the_metadata_of_the_sign_up(auth: AuthClient) -> None:
    old, new = new_email("old"), new_email("new")
    auth.post("/signup", {"email": old, "password": PASSWORD})
    auth.get(path_of(auth.letter(old).link))
    person = auth.sign_in(old)
    person.request("PUT", "/user", {"email": new})
    for address in (old, new):
        auth.get(path_of(auth.letter(address).link))
    user = auth.sign_in(new).session["user"]
    assert (user["email"], user["user_metadata"]["email"]) == (new, old)
    assert user["identities"][0]["identity_data"]["email"] == new


def test_new_password_voids_a_pending_change(auth: AuthClient) -> None:
    person = auth.person()
    person.request("PUT", "/user", {"email": new_email()})
    assert "email_change_sent_at" in person.request("GET", "/user").json()
    assert "email_change_sent_at" not in person.request("PUT", "/user", {"password": "another one 9"}).json()


def test_admin_sets_a_phone(auth: AuthClient) -> None:
    person = auth.person()
    body = {"phone": "+15550007777", "phone_confirm": True, "aud": "elsewhere"}
    user = auth.admin("PUT", f"/admin/users/{person.id}", body).json()
    assert user["app_metadata"]["providers"] == ["email"]
    assert "phone_verified" not in user["user_metadata"]
    assert (user["phone"], user["aud"]) == ("15550007777", "authenticated")
    assert [one["provider"] for one in user["identities"]] == ["email", "phone"]


def test_soft_deletion_hashes(auth: AuthClient) -> None:
    person = auth.person()
    auth.admin("DELETE", f"/admin/users/{person.id}", {"should_soft_delete": True})
    user = auth.admin("GET", f"/admin/users/{person.id}").json()
    assert [len(user[name]) for name in ("email", "new_email")] == [43, 43]
    assert [len(user[name]) for name in ("phone", "new_phone")] == [15, 15]
    assert "identity_data" not in user["identities"][0]


@pytest.mark.parametrize(
    ("hashed", "password"),
    [
        ("$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHRzYWx0$x6z5pgP3dNP4PJnWi+7Swg", "secret word"),
        (
            "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0Qs"
            "EmYUSDzZvpjeJ9WmXA==$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZ"
            "ilo78198JAdRuid5lQ==",
            "user1password",
        ),
    ],
    ids=["argon2", "firebase"],
)
def test_imported_hashes_sign_in(auth: AuthClient, hashed: str, password: str) -> None:
    email = new_email()
    made = auth.admin("POST", "/admin/users", {"email": email, "password_hash": hashed, "email_confirm": True})
    assert made.status_code == 200
    assert auth.sign_in(email, password).email == email
    assert auth.post(GRANT, {"email": email, "password": f"{password}!"}).status_code == 400


def test_recovery_without_mail_sign_ins_is_refused(start_auth: StartAuth) -> None:
    closed = start_auth(EXTERNAL_EMAIL_ENABLED="false")
    answer = closed.post("/recover", {"email": new_email()}, headers=NEW)
    assert error_of(answer) == (400, "email_provider_disabled", "Email logins are disabled")


def test_audit_log_of_confirmations(auth: AuthClient) -> None:
    email = new_email()
    auth.post("/signup", {"email": email, "password": PASSWORD})
    auth.get(path_of(auth.letter(email).link))
    assert actions_of(auth, email) == [("user_confirmation_requested", "email"), ("user_signedup", "email")]
    auth.post("/otp", {"email": email})
    auth.post("/verify", {"type": "email", "email": email, "token": auth.letter(email).otp})
    assert actions_of(auth, email)[2:] == [("user_recovery_requested", None), ("login", None)]
    invited = new_email()
    auth.admin("POST", "/invite", {"email": invited})
    auth.get(path_of(auth.letter(invited).link))
    assert actions_of(auth, invited) == [("user_signedup", "email")]


def test_refreshing_again_is_in_the_audit_log(auth: AuthClient) -> None:
    person = auth.person()
    for _ in range(3):  # the parent of the active token gives that token again
        assert auth.refresh(person.session["refresh_token"]).status_code == 200
    actions = [action for action, _ in actions_of(auth, person.email)]
    assert (actions.count("token_refreshed"), actions.count("token_revoked")) == (3, 1)


def test_ended_sessions_are_refused_to_admins_endpoints_first(auth: AuthClient) -> None:
    person = auth.person()
    assert error_of(person.request("GET", "/admin/users", headers=NEW))[:2] == (403, "not_admin")
    person.request("POST", "/logout")
    assert error_of(person.request("GET", "/admin/users", headers=NEW))[:2] == (403, "session_not_found")


def test_passkeys_of_others_can_be_listed_where_they_are_off(auth: AuthClient) -> None:
    person = auth.person()
    assert auth.admin("GET", f"/admin/users/{person.id}/passkeys").json() == []
    assert error_of(auth.get("/passkeys", headers=NEW))[:2] == (404, "passkey_disabled")


def test_sso_is_off_before_anything_else(start_auth: StartAuth) -> None:
    guarded = start_auth(
        SECURITY_CAPTCHA_ENABLED="true", SECURITY_CAPTCHA_PROVIDER="turnstile", SECURITY_CAPTCHA_SECRET="x"
    )
    for answer in (
        guarded.post("/sso", {"domain": "x"}, headers=NEW), guarded.get("/sso/saml/metadata", headers=NEW),
        guarded.http.post("/sso/saml/acs", data={"SAMLResponse": "x"}, headers=NEW),
    ):  # fmt: skip
        assert error_of(answer)[:2] == (404, "saml_provider_disabled")


def test_saml_providers_of_a_moved_database(auth: AuthClient) -> None:
    assert auth.admin("GET", "/admin/sso/providers").json() == {"items": []}
    made = "insert into auth.sso_providers (id, resource_id, created_at, updated_at)"
    ((provider,),) = auth.sql(f"{made} values (gen_random_uuid(), 'Station', now(), now()) returning id")
    auth.sql(
        "insert into auth.sso_domains (id, sso_provider_id, domain) values (gen_random_uuid(), %s, 'a.test')", provider
    )
    assert auth.admin("GET", "/admin/sso/providers/resource_station").json()["domains"] == [{"domain": "a.test"}]
    assert auth.admin("DELETE", f"/admin/sso/providers/{provider}").json()["id"] == str(provider)
    for unknown in (str(provider), "x"):
        answer = auth.admin("GET", f"/admin/sso/providers/{unknown}", headers=NEW)
        assert error_of(answer)[:2] == (404, "sso_provider_not_found")


def test_codes_of_kinds_that_do_not_fit_are_expired(auth: AuthClient) -> None:
    for body in (
        {"type": "nonsense", "email": "a@b.co"},
        {"type": "sms", "email": "a@b.co"},
        {"type": "x", "phone": "1555"},
    ):
        assert error_of(auth.post("/verify", {**body, "token": "1"}, headers=NEW))[:2] == (403, "otp_expired")


def test_phone_sign_ins_are_off_before_the_channel_is_wrong(auth: AuthClient, start_auth: StartAuth) -> None:
    body = {"phone": "+15550001234", "channel": "pigeon"}
    assert error_of(auth.post("/otp", body, headers=NEW))[:2] == (400, "phone_provider_disabled")
    twilio = start_auth(EXTERNAL_PHONE_ENABLED="true", SMS_PROVIDER="twilio", SMS_TEST_OTP="15550001234:123456")
    assert error_of(twilio.post("/otp", body, headers=NEW))[:2] == (400, "validation_failed")
    assert twilio.post("/otp", {**body, "channel": "whatsapp"}).status_code == 200
    for _ in range(2):  # a test number's code is good for any number of times
        answer = twilio.post("/verify", {"type": "sms", "phone": "+15550001234", "token": "123456"})
        assert answer.status_code == 200


def test_a_token_without_audience_may_link(start_auth: StartAuth) -> None:
    auth = start_auth(
        SECURITY_MANUAL_LINKING_ENABLED="true", EXTERNAL_GITHUB_ENABLED="true", EXTERNAL_GITHUB_CLIENT_ID="cid",
        EXTERNAL_GITHUB_SECRET="s", EXTERNAL_GITHUB_REDIRECT_URI="http://auth.test/callback",
    )  # fmt: skip
    person = auth.person()
    headers = {"Authorization": f"Bearer {mint(sub=person.id, role='authenticated')}"}
    link = auth.get("/user/identities/authorize?provider=GitHub&skip_http_redirect=true", headers=headers)
    assert link.json()["url"].startswith("https://github.com/login/oauth/authorize?")
    assert "code_challenge" not in link.json()["url"]


def test_providers_that_are_known_and_not_configured(auth: AuthClient) -> None:
    for name, want in (("fly", "provider is not enabled"), ("nobody", "Provider nobody could not be found")):
        answer = auth.get(f"/authorize?provider={name}", headers=NEW)
        assert error_of(answer) == (400, "validation_failed", f"Unsupported provider: {want}")


@pytest.mark.parametrize(
    ("name", "want"),
    [
        ("azure", "https://login.microsoftonline.com/common/oauth2/v2.0/authorize"),
        ("slack_oidc", "https://slack.com/openid/connect/authorize"),
        ("twitch", "https://id.twitch.tv/oauth2/authorize"),
    ],
)
def test_providers_of_fixed_addresses_are_not_asked_for_them(start_auth: StartAuth, name: str, want: str) -> None:
    settings = {"ENABLED": "true", "CLIENT_ID": "cid", "SECRET": "s", "REDIRECT_URI": "http://auth.test/callback"}
    auth = start_auth(**{f"EXTERNAL_{name.upper()}_{key}": value for key, value in settings.items()})
    answer = auth.get(f"/authorize?provider={name}")
    assert (answer.status_code, answer.headers["location"].partition("?")[0]) == (302, want)


def test_what_the_service_says_of_itself(start_auth: StartAuth) -> None:
    document = auth_document(start_auth())
    assert document["id_token_signing_alg_values_supported"] == ["RS256", "HS256", "ES256"]
    assert "offline_access" in document["scopes_supported"]
    assert "registration_endpoint" not in document
    opened = start_auth(OAUTH_SERVER_ENABLED="true", OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION="true")
    assert auth_document(opened)["registration_endpoint"] == "http://auth.test/oauth/clients/register"
    assert opened.get("/settings").json()["saml_private_key_next_configured"] is True


def auth_document(auth: AuthClient) -> dict[str, Any]:
    return dict(auth.get("/.well-known/openid-configuration").json())


def test_an_id_token_links_to_a_caller(auth: AuthClient) -> None:
    body = {"provider": "google", "id_token": "x", "link_identity": True}
    answer = auth.post("/token?grant_type=id_token", body)
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid request")


def test_passkeys_need_the_second_factor(start_auth: StartAuth) -> None:
    auth = start_auth(PASSKEY_ENABLED="true")
    person: Person = auth.person()
    auth.sql(
        "insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)"
        " values (gen_random_uuid(), %s, 'totp', 'verified', now(), now())",
        person.id,
    )
    for method, path in (("POST", "registration/options"), ("POST", "registration/verify"), ("DELETE", str(person.id))):
        answer = person.request(method, f"/passkeys/{path}", {} if method == "POST" else None, headers=NEW)
        assert error_of(answer)[:2] == (403, "insufficient_aal"), path


def test_passkey_errors(start_auth: StartAuth) -> None:
    auth = start_auth(
        PASSKEY_ENABLED="true",
        WEBAUTHN_RP_ID="x.test",
        WEBAUTHN_RP_DISPLAY_NAME="X",
        WEBAUTHN_RP_ORIGINS="http://x.test",
    )
    person = auth.person()

    def verify(body: Json) -> tuple[int, str, str]:
        return error_of(person.request("POST", "/passkeys/registration/verify", body, headers=NEW))

    assert verify({}) == (400, "validation_failed", "challenge_id is required")
    assert verify({"challenge_id": "1"}) == (400, "validation_failed", "credential is required")
    assert verify({"challenge_id": "1", "credential": {}}) == (
        400,
        "validation_failed",
        "challenge_id must be a valid UUID",
    )
    options = person.request("POST", "/passkeys/registration/options").json()
    assert options["options"]["rp"] == {"name": "X", "id": "x.test"}
    assert "excludeCredentials" not in options["options"]
    body = {"challenge_id": options["challenge_id"], "credential": {"id": "x"}}
    assert verify(body) == (400, "webauthn_verification_failed", "Invalid credential response")
    assert verify(body)[1] == "webauthn_challenge_not_found"
    renamed = person.request("PATCH", "/passkeys/x", {"friendly_name": "k"}, headers=NEW)
    assert error_of(renamed) == (404, "validation_failed", "Passkey not found")


def test_a_confirmed_account_keeps_its_time(auth: AuthClient) -> None:
    """A changed address does not confirm an account anew."""
    person, new = auth.person(), new_email()
    auth.sql("update auth.users set email_confirmed_at = now() - interval '1 day' where id = %s", person.id)
    person.request("PUT", "/user", {"email": new})
    for address in (person.email, new):
        auth.get(path_of(auth.letter(address).link))
    ((age,),) = auth.sql("select now() - email_confirmed_at from auth.users where id = %s", person.id)
    assert age > timedelta(hours=23)


@pytest.mark.parametrize(
    ("method", "path", "want"),
    [
        ("POST", "/signup/", 400), ("GET", "/user/", 401), ("GET", "/verify/", 400), ("GET", "/admin/users/", 401),
        ("GET", "/health/", 404), ("GET", "/settings/", 404), ("POST", "/token/", 404), ("POST", "/otp/", 404),
        ("POST", "/recover/", 404), ("POST", "/logout/", 404), ("GET", "/signup//", 404),
    ],
)  # fmt: skip
def test_slash_at_the_end_belongs_to_routers_alone(auth: AuthClient, method: str, path: str, want: int) -> None:
    assert auth.request(method, path).status_code == want


def test_generated_link_asks_for_the_address_first_and_for_a_password_for_new_accounts_only(auth: AuthClient) -> None:
    def refusal(**body: str) -> tuple[int, str, str]:
        return error_of(auth.admin("POST", "/admin/generate_link", body, headers=NEW))

    assert refusal(type="bogus")[2] == "An email address is required"
    assert refusal(type="bogus", email=new_email())[2] == "Invalid email action link type requested: bogus"
    assert refusal(type="signup", email=new_email())[2] == "Signup requires a valid password"
    assert refusal(type="signup", email=auth.person().email)[:2] == (422, "email_exists")
