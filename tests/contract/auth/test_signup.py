"""Signing up: by e-mail with and without confirmation, by phone, anonymously; repeated, disabled, malformed."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit
from uuid import uuid4

import pytest

from tests.contract.auth.conftest import StartAuth
from tests.contract.auth.harness import NEW, PASSWORD, AuthClient, Json, error_of, fragment, new_email


def test_new_address_gets_a_mail_and_no_session(auth: AuthClient) -> None:
    email = new_email()
    answer = auth.post("/signup", {"email": email.upper(), "password": PASSWORD, "data": {"full_name": "Ada"}})
    assert answer.status_code == 200
    user = answer.json()
    assert "access_token" not in user
    assert (user["email"], user["role"], user["aud"]) == (email, "authenticated", "authenticated")
    assert "email_confirmed_at" not in user
    assert user["confirmation_sent_at"]
    assert user["app_metadata"] == {"provider": "email", "providers": ["email"]}
    assert user["user_metadata"] == {
        "full_name": "Ada", "sub": user["id"], "email": email, "email_verified": False, "phone_verified": False,
    }  # fmt: skip
    assert [(one["provider"], one["id"], one["email"]) for one in user["identities"]] == [("email", user["id"], email)]
    letter = auth.letter(email)
    assert letter.mail["subject"] == "Confirm your email address"
    assert letter.mail["from"]["address"] == "auth@example.org"
    assert letter.otp in letter.mail["html"]
    assert letter.token_hash in letter.mail["text"]


def test_confirmation_link_signs_in_and_works_once(auth: AuthClient) -> None:
    email = new_email()
    auth.post("/signup?redirect_to=http://localhost:3000/welcome", {"email": email, "password": PASSWORD})
    link = auth.letter(email).link
    assert link.startswith("http://auth.test/verify?token=")
    path = link.removeprefix("http://auth.test")
    followed = auth.get(path)
    assert followed.status_code == 303
    where = followed.headers["location"]
    assert followed.text == f'<a href="{where.replace("&", "&amp;")}">See Other</a>.\n\n', "Go's note for browsers"
    assert where.startswith("http://localhost:3000/welcome#access_token=")
    items = fragment(where)
    assert list(items) == [
        "access_token", "expires_at", "expires_in", "refresh_token", "sb", "token_type", "type",
    ]  # fmt: skip
    assert (items["type"], items["token_type"], items["sb"]) == ("signup", "bearer", "")
    user = auth.get("/user", headers={"Authorization": f"Bearer {items['access_token']}"}).json()
    assert user["email_confirmed_at"]
    assert user["user_metadata"]["email_verified"] is True
    assert user["identities"][0]["identity_data"]["email_verified"] is True
    again = auth.get(path)
    assert again.status_code == 303
    assert fragment(again.headers["location"]) == {
        "error": "access_denied", "error_code": "otp_expired",
        "error_description": "Email link is invalid or has expired", "sb": "",
    }  # fmt: skip


def test_unconfirmed_account_cant_sign_in(auth: AuthClient) -> None:
    email = new_email()
    first = auth.post("/signup", {"email": email, "password": PASSWORD, "data": {"kept": True}}).json()
    second = auth.post("/signup", {"email": email, "password": "another one 9", "data": {"kept": False}}).json()
    assert second["id"] == first["id"]
    assert second["user_metadata"]["kept"] is True
    login = {"email": email, "password": PASSWORD}
    want = (400, "email_not_confirmed", "Email not confirmed")
    assert error_of(auth.post("/token?grant_type=password", login, headers=NEW)) == want
    stolen = {"email": email, "password": "another one 9"}
    assert error_of(auth.post("/token?grant_type=password", stolen, headers=NEW))[1] == "invalid_credentials"


@pytest.fixture
def confirmed_by_trigger(auth: AuthClient) -> Iterator[str]:
    """The domain whose addresses a trigger of the project confirms before the row is there."""
    auth.sql(
        "create function auth.test_confirm() returns trigger language plpgsql as"
        " $$ begin new.email_confirmed_at := now(); return new; end $$"
    )
    auth.sql(
        "create trigger test_confirm before insert on auth.users for each row"
        " when (new.email like '%%@known.example') execute function auth.test_confirm()"
    )
    yield "known.example"
    auth.sql("drop function auth.test_confirm cascade")


def test_an_account_that_a_trigger_confirms_gets_a_session_and_no_mail(
    auth: AuthClient, confirmed_by_trigger: str
) -> None:
    """The service looks at the row as the triggers left it; others still confirm their address."""
    assert auth.mailbox is not None
    email = f"{uuid4().hex}@{confirmed_by_trigger}"
    session = auth.post("/signup", {"email": email, "password": PASSWORD}).json()
    assert session["access_token"]
    assert session["user"]["email_confirmed_at"]
    assert "confirmation_sent_at" not in session["user"]
    assert auth.mailbox.all(email) == []
    assert auth.sign_in(email).email == email
    again = auth.post("/signup", {"email": email, "password": "another one 9"}).json()
    assert again["identities"] == []
    assert "access_token" not in again
    other = new_email()
    assert "access_token" not in auth.post("/signup", {"email": other, "password": PASSWORD}).json()
    assert auth.letter(other).mail["subject"] == "Confirm your email address"


def test_a_sign_in_link_for_an_account_that_a_trigger_confirms(auth: AuthClient, confirmed_by_trigger: str) -> None:
    """It is mailed at once, and signs in."""
    email = f"{uuid4().hex}@{confirmed_by_trigger}"
    assert auth.post("/otp", {"email": email}).json() == {}
    code = {"email": email, "token": auth.letter(email).otp, "type": "email"}
    assert auth.post("/verify", code).json()["user"]["email"] == email


def test_taken_address_looks_like_a_new_one(auth: AuthClient) -> None:
    person = auth.person()
    before = len(auth.mailbox.all(person.email)) if auth.mailbox else 0
    taken = auth.post("/signup", {"email": person.email, "password": PASSWORD, "data": {"a": 1}}).json()
    fresh = auth.post("/signup", {"email": new_email(), "password": PASSWORD, "data": {"a": 1}}).json()
    assert taken["identities"] == []
    assert taken["role"] == ""
    assert taken["id"] != person.id
    assert set(taken) == set(fresh)
    assert auth.mailbox is not None
    assert len(auth.mailbox.all(person.email)) == before
    actions = auth.sql(
        "select payload ->> 'action' from auth.audit_log_entries where payload ->> 'actor_id' = %s", person.id
    )
    assert ("user_repeated_signup",) in actions


def test_taken_address_is_an_error_under_autoconfirm(open_auth: AuthClient) -> None:
    email = new_email()
    assert open_auth.post("/signup", {"email": email, "password": PASSWORD}).json()["access_token"]
    again = open_auth.post("/signup", {"email": email, "password": PASSWORD}, headers=NEW)
    assert error_of(again) == (422, "user_already_exists", "User already registered")


def test_either_autoconfirm_flag_makes_it_an_error(start_auth: StartAuth, auth: AuthClient) -> None:
    mixed = start_auth(SMS_AUTOCONFIRM="true")
    person = auth.person()
    answer = mixed.post("/signup", {"email": person.email, "password": PASSWORD}, headers=NEW)
    assert error_of(answer)[1] == "user_already_exists"


def test_session_of_autoconfirmed_signup(open_auth: AuthClient) -> None:
    answer = open_auth.post("/signup", {"email": new_email(), "password": PASSWORD})
    session = answer.json()
    assert list(session)[:5] == ["access_token", "token_type", "expires_in", "expires_at", "refresh_token"]
    assert (session["token_type"], session["expires_in"]) == ("bearer", 3600)
    assert answer.headers["sb-auth-user-id"] == session["user"]["id"]
    assert answer.headers["content-type"] == "application/json"


def test_phone_signup(open_auth: AuthClient) -> None:
    session = open_auth.post("/signup", {"phone": "+1 555 0100 200", "password": PASSWORD}).json()
    assert session["user"]["phone"] == "15550100200"
    assert session["user"]["phone_confirmed_at"]
    assert session["user"]["app_metadata"] == {"provider": "phone", "providers": ["phone"]}
    login = {"phone": "+15550100200", "password": PASSWORD}
    assert open_auth.post("/token?grant_type=password", login).json()["user"]["id"] == session["user"]["id"]


def test_anonymous_signup(open_auth: AuthClient, auth: AuthClient) -> None:
    session = open_auth.post("/signup", {"data": {"seen": "intro"}}).json()
    user = session["user"]
    assert user["is_anonymous"] is True
    assert user["email"] == ""
    assert user["identities"] == []
    assert user["user_metadata"] == {"seen": "intro"}
    assert user["app_metadata"] == {}
    want = (422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled")
    assert error_of(auth.post("/signup", {}, headers=NEW)) == want


def test_signup_can_be_closed(start_auth: StartAuth) -> None:
    closed = start_auth(DISABLE_SIGNUP="true", EXTERNAL_ANONYMOUS_USERS_ENABLED="true")
    want = (422, "signup_disabled", "Signups not allowed for this instance")
    assert error_of(closed.post("/signup", {"email": new_email(), "password": PASSWORD}, headers=NEW)) == want
    assert error_of(closed.post("/signup", {}, headers=NEW)) == want
    assert error_of(closed.post("/otp", {"email": new_email()}, headers=NEW)) == want


CHALLENGE = "a" * 43


@pytest.mark.parametrize(
    ("body", "want"),
    [
        pytest.param({"email": "a@b.co"}, (400, "validation_failed", "Signup requires a valid password"), id="none"),
        pytest.param(
            {"email": "a@b.co", "password": ""},
            (400, "validation_failed", "Signup requires a valid password"),
            id="empty",
        ),
        pytest.param(
            {"email": "a@b.co", "password": "12345"},
            (422, "weak_password", "Password should be at least 6 characters."),
            id="short",
        ),
        pytest.param(
            {"email": "a@b.co", "password": "x" * 73},
            (400, "validation_failed", "Password cannot be longer than 72 characters"),
            id="73-bytes",
        ),
        pytest.param(
            {"email": "a@b.co", "password": "é" * 37},
            (400, "validation_failed", "Password cannot be longer than 72 characters"),
            id="74-bytes-37-letters",
        ),
        pytest.param(
            {"email": "a@b.co", "phone": "1555", "password": PASSWORD},
            (400, "validation_failed", "Only an email address or phone number should be provided on signup."),
            id="both",
        ),
        pytest.param(
            {"email": "not-an-email", "password": PASSWORD},
            (400, "validation_failed", "Unable to validate email address: invalid format"),
            id="malformed",
        ),
        pytest.param(
            {"email": "a@b.co\r\nBcc: c@d.co", "password": PASSWORD},
            (400, "validation_failed", "Unable to validate email address: invalid format"),
            id="header-injection",
        ),
        pytest.param(
            {"email": "x" * 251 + "@b.co", "password": PASSWORD},
            (400, "validation_failed", "An email address is too long"),
            id="long",
        ),
        pytest.param(
            {"phone": "12", "password": PASSWORD},
            (400, "phone_provider_disabled", "Phone signups are disabled"),
            id="phone-off",
        ),
        pytest.param(
            {"email": "a@b.co", "password": PASSWORD, "code_challenge": CHALLENGE},
            (400, "validation_failed", "PKCE flow requires code_challenge_method and code_challenge"),
            id="half-pkce",
        ),
        pytest.param(
            {"email": "a@b.co", "password": PASSWORD, "code_challenge": "abc", "code_challenge_method": "s256"},
            (400, "validation_failed", "code challenge has to be between 43 and 128 characters"),
            id="short-challenge",
        ),
        pytest.param(
            {"email": "a@b.co", "password": PASSWORD, "code_challenge": "!" * 43, "code_challenge_method": "s256"},
            (
                400,
                "validation_failed",
                "code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes",
            ),
            id="odd-challenge",
        ),
    ],
)
def test_errors(auth: AuthClient, body: dict[str, str], want: tuple[int, str, str]) -> None:
    assert error_of(auth.post("/signup", body, headers=NEW)) == want


def test_nulls_are_absent_and_unknown_keys_ignored(auth: AuthClient) -> None:
    body: Json = {
        "EMAIL": new_email(), "password": PASSWORD, "data": None, "phone": None, "channel": None,
        "code_challenge": None, "code_challenge_method": None, "gotrue_meta_security": {}, "unknown": [1],
    }  # fmt: skip
    assert auth.post("/signup", body).status_code == 200


def test_required_characters(start_auth: StartAuth) -> None:
    strict = start_auth(PASSWORD_MIN_LENGTH="10", PASSWORD_REQUIRED_CHARACTERS=r"abc:0123456789:\:!")
    answer = strict.post("/signup", {"email": new_email(), "password": "zzz"}, headers=NEW)
    assert answer.json() == {
        "code": "weak_password",
        "message": "Password should be at least 10 characters. "
        "Password should contain at least one character of each: abc, 0123456789, :!.",
        "weak_password": {"reasons": ["length", "characters"]},
    }
    old = strict.post("/signup", {"email": new_email(), "password": "zzzzzzzzzzzz"})
    assert old.json()["error_code"] == "weak_password"
    assert old.json()["weak_password"] == {"reasons": ["characters"]}
    assert old.headers["x-sb-error-code"] == "weak_password"


def test_mass_assignment_has_no_effect(auth: AuthClient) -> None:
    email = new_email()
    body = {
        "email": email, "password": PASSWORD, "role": "service_role", "aud": "x", "is_super_admin": True, "id": "1",
        "email_confirm": True, "email_confirmed_at": "2020-01-01T00:00:00Z", "app_metadata": {"admin": True},
        "data": {"email_verified": True, "sub": "someone", "email": "victim@example.com", "role": "service_role"},
    }  # fmt: skip
    user = auth.post("/signup", body).json()
    assert (user["role"], user["aud"]) == ("authenticated", "authenticated")
    assert user["app_metadata"] == {"provider": "email", "providers": ["email"]}
    assert user["user_metadata"]["email_verified"] is False
    assert user["user_metadata"]["sub"] == user["id"]
    assert user["user_metadata"]["email"] == email
    row = auth.sql("select is_super_admin, email_confirmed_at, role, aud from auth.users where id = %s", user["id"])
    assert row == [(None, None, "authenticated", "authenticated")]


def test_row_is_as_gotrue_needs_it(auth: AuthClient) -> None:
    user = auth.post("/signup", {"email": new_email(), "password": PASSWORD}).json()
    row = auth.sql(
        "select instance_id::text, phone, recovery_token, email_change, email_change_token_new,"
        " email_change_token_current, phone_change, phone_change_token, reauthentication_token,"
        " email_change_confirm_status, encrypted_password like '$2a$04$%%', is_super_admin"
        " from auth.users where id = %s",
        user["id"],
    )
    assert row == [("00000000-0000-0000-0000-000000000000", None, "", "", "", "", "", "", "", 0, True, None)]
    token = auth.sql("select token_type::text, relates_to from auth.one_time_tokens where user_id = %s", user["id"])
    assert token == [("confirmation_token", user["email"])]


def test_failed_mail_rolls_the_signup_back(start_auth: StartAuth) -> None:
    broken = start_auth(SMTP_PORT="1")
    email = new_email()
    answer = broken.post("/signup", {"email": email, "password": PASSWORD}, headers=NEW)
    assert error_of(answer) == (500, "unexpected_failure", "Error sending confirmation email")
    assert broken.sql("select count(*) from auth.users where email = %s", email) == [(0,)]


def test_concurrent_signups_make_one_account(open_auth: AuthClient) -> None:
    email = new_email()
    with ThreadPoolExecutor(4) as threads:
        body = {"email": email, "password": PASSWORD}
        answers = list(threads.map(lambda _: open_auth.post("/signup", body), range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 422, 422, 422]
    assert open_auth.sql("select count(*) from auth.users where email = %s", email) == [(1,)]


def test_trailing_slash_unknown_path_and_wrong_method(auth: AuthClient) -> None:
    assert auth.post("/signup/", {"email": new_email(), "password": PASSWORD}).status_code == 200
    missing = auth.get("/nothing")
    assert (missing.status_code, missing.text) == (404, "404 page not found\n")
    wrong = auth.get("/signup")
    assert (wrong.status_code, wrong.text, wrong.headers["allow"]) == (405, "", "POST")
    assert auth.request("HEAD", "/verify").headers["allow"] == "GET, POST"
    assert error_of(auth.request("DELETE", "/user", headers=NEW))[:2] == (401, "no_authorization")
    assert error_of(auth.get("/admin/nothing", headers=NEW))[:2] == (401, "no_authorization")


def test_redirect_is_kept_only_when_allowed(auth: AuthClient) -> None:
    for asked, want in (("http://localhost:9/deep?x=1", "localhost:9"), ("https://evil.example/", "localhost:3000")):
        email = new_email()
        auth.post(f"/signup?redirect_to={asked}", {"email": email, "password": PASSWORD})
        target = auth.get(auth.letter(email).link.removeprefix("http://auth.test")).headers["location"]
        assert urlsplit(target).netloc == want
