"""Tokens by mail: recovery, magic link, codes, resending, e-mail change, PKCE, reauthentication, invitation."""

import base64
import hashlib
import re
import secrets
from urllib.parse import urlsplit

import httpx
import pytest

from tests.contract.auth.conftest import StartAuth
from tests.contract.auth.harness import (
    NEW,
    PASSWORD,
    AuthClient,
    Json,
    error_of,
    fragment,
    new_email,
    query,
    wait_until,
)


def follow(auth: AuthClient, email: str) -> str:
    """Open the link of the newest mail; where it leads."""
    answer = auth.get(auth.letter(email).link.removeprefix("http://auth.test"))
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def challenge_pair() -> tuple[str, Json]:
    """A PKCE verifier and the body fields for it."""
    verifier = secrets.token_hex(56)
    digest = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    return verifier, {"code_challenge": digest, "code_challenge_method": "s256"}


def exchange(auth: AuthClient, code: str, verifier: str) -> httpx.Response:
    """Exchange a code for a session."""
    return auth.post("/token?grant_type=pkce", {"auth_code": code, "code_verifier": verifier}, headers=NEW)


def test_recovery_signs_in_and_a_new_password_ends_other_sessions(auth: AuthClient) -> None:
    person = auth.person()
    assert auth.post("/recover", {"email": person.email}).json() == {}
    items = fragment(follow(auth, person.email))
    assert items["type"] == "recovery"
    bearer = {"Authorization": f"Bearer {items['access_token']}"}
    changed = auth.request("PUT", "/user", {"password": "brand new 1"}, headers=bearer)
    assert changed.status_code == 200
    assert error_of(person.request("GET", "/user", headers=NEW))[1] == "session_not_found"
    assert auth.get("/user", headers=bearer).status_code == 200
    auth.sign_in(person.email, "brand new 1")


def test_unknown_address_gets_the_same_response_and_no_mail(auth: AuthClient) -> None:
    stranger = new_email("stranger")
    for path in ("/recover", "/resend"):
        body = {"email": stranger, **({"type": "signup"} if path == "/resend" else {})}
        answer = auth.post(path, body)
        assert (answer.status_code, answer.json()) == (200, {})
    assert auth.mailbox is not None
    assert auth.mailbox.all(stranger) == []


def test_magic_link_and_code(auth: AuthClient) -> None:
    person = auth.person()
    assert auth.post("/otp", {"email": person.email, "create_user": False}).json() == {}
    letter = auth.letter(person.email)
    assert letter.mail["subject"] == "Your sign-in link"
    session = auth.post("/verify", {"type": "email", "email": person.email, "token": letter.otp}).json()
    assert session["user"]["id"] == person.id
    again = auth.post("/verify", {"type": "email", "email": person.email, "token": letter.otp}, headers=NEW)
    assert error_of(again) == (403, "otp_expired", "Token has expired or is invalid")
    auth.post("/magiclink", {"email": person.email})
    assert fragment(follow(auth, person.email))["type"] == "magiclink"


def test_code_for_a_new_address_is_a_confirmation(auth: AuthClient) -> None:
    email = new_email()
    assert auth.post("/otp", {"email": email, "data": {"from": "otp"}}).json() == {}
    letter = auth.letter(email)
    assert letter.mail["subject"] == "Confirm your email address"
    session = auth.post("/verify", {"type": "email", "email": email, "token": letter.otp}).json()
    assert session["user"]["email_confirmed_at"]
    assert session["user"]["user_metadata"]["from"] == "otp"


def test_create_user_false_is_an_error_for_an_unknown_address(auth: AuthClient) -> None:
    want = (422, "otp_disabled", "Signups not allowed for otp")
    for email in (new_email(), "not an address"):
        assert error_of(auth.post("/otp", {"email": email, "create_user": False}, headers=NEW)) == want


def test_token_hash_of_an_own_page(auth: AuthClient) -> None:
    person = auth.person()
    auth.post("/recover", {"email": person.email})
    token_hash = auth.letter(person.email).token_hash
    session = auth.post("/verify", {"type": "recovery", "token_hash": token_hash}).json()
    assert session["user"]["id"] == person.id
    again = auth.post("/verify", {"type": "recovery", "token_hash": token_hash}, headers=NEW)
    assert error_of(again) == (403, "otp_expired", "Email link is invalid or has expired")


def test_tokens_expire(auth: AuthClient) -> None:
    person = auth.person()
    auth.post("/recover", {"email": person.email})
    letter = auth.letter(person.email)
    auth.sql("update auth.users set recovery_sent_at = now() - interval '25 hours' where id = %s", person.id)
    body = {"type": "recovery", "email": person.email, "token": letter.otp}
    assert error_of(auth.post("/verify", body, headers=NEW))[1] == "otp_expired"
    assert fragment(follow(auth, person.email))["error_code"] == "otp_expired"


def test_a_newer_mail_invalidates_the_older_link(auth: AuthClient) -> None:
    person = auth.person()
    auth.post("/recover", {"email": person.email})
    older = auth.letter(person.email)
    auth.post("/recover", {"email": person.email})
    body = {"type": "recovery", "token_hash": older.token_hash}
    assert error_of(auth.post("/verify", body, headers=NEW))[1] == "otp_expired"


def test_one_mail_a_minute(start_auth: StartAuth) -> None:
    slow = start_auth(SMTP_MAX_FREQUENCY="60s")
    person = slow.person()
    assert slow.post("/recover", {"email": person.email}).status_code == 200
    again = slow.post("/recover", {"email": person.email})
    assert again.status_code == 429
    body = again.json()
    assert body["error_code"] == "over_email_send_rate_limit"
    told = re.fullmatch(r"For security purposes, you can only request this after (\d+) seconds\.", body["msg"])
    assert told is not None
    assert 0 <= int(told.group(1)) < 60


def test_mails_of_the_whole_service_are_limited(start_auth: StartAuth) -> None:
    stingy = start_auth(RATE_LIMIT_EMAIL_SENT="2")
    people = [stingy.person() for _ in range(3)]
    got = [stingy.post("/recover", {"email": person.email}).status_code for person in people]
    assert got == [200, 200, 429]


def test_email_change_needs_both_addresses(auth: AuthClient) -> None:
    person, target = auth.person(), new_email("target")
    answer = person.request("PUT", "/user", {"email": target}).json()
    assert (answer["email"], answer["new_email"]) == (person.email, target)
    assert fragment(follow(auth, target)) == {
        "message": "Confirmation link accepted. Please proceed to confirm link sent to the other email",
        "sb": "",
    }
    assert person.request("GET", "/user").json()["email"] == person.email
    letter = auth.letter(person.email)
    session = auth.post("/verify", {"type": "email_change", "email": person.email, "token": letter.otp}).json()
    user = session["user"]
    assert user["email"] == target
    assert "new_email" not in user
    assert user["identities"][0]["email"] == target
    assert user["identities"][0]["identity_data"]["email_verified"]
    auth.sign_in(target)


def test_first_confirmation_by_code_responds_with_a_message(auth: AuthClient) -> None:
    person, target = auth.person(), new_email("target")
    person.request("PUT", "/user", {"email": target})
    token = auth.letter(target).otp
    answer = auth.post("/verify", {"type": "email_change", "email": target, "token": token}).json()
    assert answer["code"] == "200"
    assert answer["msg"].startswith("Confirmation link accepted.")


def test_one_address_is_enough_when_configured(start_auth: StartAuth) -> None:
    simple = start_auth(MAILER_SECURE_EMAIL_CHANGE_ENABLED="false")
    person, target = simple.person(), new_email("target")
    person.request("PUT", "/user", {"email": target})
    assert simple.mailbox is not None
    assert simple.mailbox.all(person.email) == []
    assert "access_token" in fragment(follow(simple, target))
    assert simple.sign_in(target).id == person.id


def test_email_change_to_a_taken_address(auth: AuthClient) -> None:
    person, other = auth.person(), auth.person()
    want = (422, "email_exists", "A user with this email address has already been registered")
    assert error_of(person.request("PUT", "/user", {"email": other.email.upper()}, headers=NEW)) == want


@pytest.mark.parametrize("kind", ["signup", "magiclink", "recovery"])
def test_pkce_over_mail(auth: AuthClient, kind: str) -> None:
    verifier, pkce = challenge_pair()
    if kind == "signup":
        email = new_email()
        auth.post("/signup", {"email": email, "password": PASSWORD, **pkce})
    else:
        email = auth.person().email
        auth.post("/otp" if kind == "magiclink" else "/recover", {"email": email, **pkce})
    letter = auth.letter(email)
    assert letter.token_hash.startswith("pkce_")
    where = follow(auth, email)
    assert "#" not in where
    code = query(where)["code"]
    assert error_of(exchange(auth, code, "f" * 112)) == (
        400, "bad_code_verifier", "code challenge does not match previously saved code verifier",
    )  # fmt: skip
    done = exchange(auth, code, verifier)
    assert done.status_code == 200
    assert done.json()["user"]["email"] == email
    method = auth.sql(
        "select authentication_method from auth.mfa_amr_claims c join auth.sessions s on s.id = session_id"
        " where s.user_id = %s order by c.created_at desc limit 1",
        done.json()["user"]["id"],
    )
    assert method == [({"signup": "email/signup"}.get(kind, kind),)]
    assert error_of(exchange(auth, code, verifier)) == (
        404, "flow_state_not_found", "invalid flow state, no valid flow state found",
    )  # fmt: skip


def test_pkce_code_expires_from_the_request(auth: AuthClient) -> None:
    verifier, pkce = challenge_pair()
    person = auth.person()
    auth.post("/recover", {"email": person.email, **pkce})
    code = query(follow(auth, person.email))["code"]
    auth.sql("update auth.flow_state set created_at = now() - interval '301 seconds' where user_id = %s", person.id)
    assert error_of(exchange(auth, code, verifier))[:2] == (422, "flow_state_expired")


def test_pkce_error_is_in_query_and_fragment(auth: AuthClient) -> None:
    answer = auth.get("/verify?token=pkce_nothing&type=signup&redirect_to=http://localhost:3000/x")
    where = answer.headers["location"]
    assert query(where)["error_code"] == fragment(where)["error_code"] == "otp_expired"
    assert urlsplit(where).path == "/x"


@pytest.mark.parametrize(
    ("path", "want"),
    [
        ("/verify?token=x", "Verify requires a verification type"),
        ("/verify?type=signup", "Verify requires a token or a token hash"),
    ],
)
def test_incomplete_link_is_json(auth: AuthClient, path: str, want: str) -> None:
    assert error_of(auth.get(path, headers=NEW)) == (400, "validation_failed", want)


@pytest.mark.parametrize(
    ("body", "want"),
    [
        ({}, "Verify requires a verification type"),
        ({"type": "signup"}, "Verify requires either a token or a token hash"),
        ({"type": "signup", "token": "1", "token_hash": "2"}, "Verify requires either a token or a token hash"),
        ({"type": "signup", "token_hash": "1", "email": "a@b.co"}, "Only the token_hash and type should be provided"),
        (
            {"type": "signup", "token": "1", "email": "a@b.co", "phone": "1555"},
            "Only an email address or phone number should be provided on verify",
        ),
        ({"type": "sms", "token_hash": "1"}, "Invalid email verification type"),
        ({"type": "sms", "token": "1", "phone": "abc"}, "Invalid phone number format (E.164 required)"),
    ],
)
def test_verify_errors(auth: AuthClient, body: Json, want: str) -> None:
    assert error_of(auth.post("/verify", body, headers=NEW)) == (400, "validation_failed", want)


def test_reauthentication_guards_the_password_of_an_old_session(start_auth: StartAuth) -> None:
    careful = start_auth(SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION="true")
    person = careful.person()
    careful.sql("update auth.sessions set created_at = now() - interval '25 hours' where user_id = %s", person.id)
    change = {"password": "brand new 2"}
    want = (400, "reauthentication_needed", "Password update requires reauthentication")
    assert error_of(person.request("PUT", "/user", change, headers=NEW)) == want
    assert person.request("GET", "/reauthenticate").json() == {}
    letter = careful.letter(person.email)
    assert letter.mail["subject"] == f"{letter.otp} is your verification code"
    wrong = person.request("PUT", "/user", {**change, "nonce": "000000000"}, headers=NEW)
    assert error_of(wrong) == (422, "reauthentication_not_valid", "Nonce has expired or is invalid")
    assert person.request("PUT", "/user", {**change, "nonce": letter.otp}).status_code == 200


def test_current_password_can_be_required(start_auth: StartAuth) -> None:
    careful = start_auth(SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD="true")
    person = careful.person()
    assert error_of(person.request("PUT", "/user", {"password": "brand new 3"}, headers=NEW))[1] == (
        "current_password_required"
    )
    wrong = {"password": "brand new 3", "current_password": "wrong"}
    assert error_of(person.request("PUT", "/user", wrong, headers=NEW))[1] == "current_password_invalid"
    right = {"password": "brand new 3", "current_password": PASSWORD}
    assert person.request("PUT", "/user", right).status_code == 200


def test_invitation(auth: AuthClient) -> None:
    email = new_email()
    user = auth.admin("POST", "/invite", {"email": email, "data": {"crew": "B"}}).json()
    assert user["invited_at"]
    assert user["user_metadata"] == {"crew": "B"}
    assert auth.letter(email).mail["subject"] == "You've been invited"
    items = fragment(follow(auth, email))
    assert items["type"] == "invite"
    bearer = {"Authorization": f"Bearer {items['access_token']}"}
    assert auth.request("PUT", "/user", {"password": PASSWORD}, headers=bearer).status_code == 200
    auth.sign_in(email)
    again = auth.admin("POST", "/invite", {"email": email}, headers=NEW)
    assert error_of(again)[:2] == (422, "email_exists")


@pytest.mark.parametrize("kind", ["signup", "invite", "magiclink", "recovery"])
def test_generated_link_works_and_mails_nothing(auth: AuthClient, kind: str) -> None:
    email = auth.person().email if kind in ("magiclink", "recovery") else new_email()
    body = {"type": kind, "email": email, "redirect_to": "http://localhost:3000/next", "data": {"a": 1}}
    made = auth.admin("POST", "/admin/generate_link", {**body, "password": PASSWORD}).json()
    assert made["verification_type"] == kind
    assert made["redirect_to"] == "http://localhost:3000/next"
    assert auth.mailbox is not None
    assert auth.mailbox.all(email) == []
    assert made["hashed_token"] in made["action_link"]
    where = auth.get(made["action_link"].removeprefix("http://auth.test")).headers["location"]
    assert where.startswith("http://localhost:3000/next#")
    assert fragment(where)["type"] == kind


def test_generated_magic_link_for_a_new_address_is_a_signup(auth: AuthClient) -> None:
    made = auth.admin("POST", "/admin/generate_link", {"type": "magiclink", "email": new_email()}).json()
    assert made["verification_type"] == "signup"
    verified = auth.post("/verify", {"type": "signup", "email": made["email"], "token": made["email_otp"]})
    assert verified.status_code == 200


def test_generated_email_change_links(auth: AuthClient) -> None:
    person, target = auth.person(), new_email("target")
    body = {"email": person.email, "new_email": target}
    current = auth.admin("POST", "/admin/generate_link", {"type": "email_change_current", **body}).json()
    fresh = auth.admin("POST", "/admin/generate_link", {"type": "email_change_new", **body}).json()
    assert "type=email_change&" in current["action_link"]
    assert current["verification_type"] == "email_change_current"
    for link in (current["action_link"], fresh["action_link"]):
        answer = auth.get(link.removeprefix("http://auth.test"))
        assert "error" not in fragment(answer.headers["location"])
    assert auth.sign_in(target).id == person.id


def test_links_carry_the_configured_path(start_auth: StartAuth) -> None:
    mounted = start_auth(MAILER_URLPATHS_RECOVERY="/auth/v1/verify")
    person = mounted.person()
    mounted.post("/recover", {"email": person.email})
    assert mounted.letter(person.email).link.startswith("http://auth.test/auth/v1/verify?token=")


def test_own_subject_and_hostile_metadata(start_auth: StartAuth) -> None:
    """§7.46: what people type into their profile can't add headers or markup to a mail."""
    fancy = start_auth(MAILER_SUBJECTS_RECOVERY="Hello {{ .Data.name }}")
    person = fancy.person(user_metadata={"name": "Eve\r\nBcc: victim@example.com\r\n\r\n<b>x</b>"})
    assert fancy.post("/recover", {"email": person.email}).status_code == 200
    mail = fancy.letter(person.email).mail
    assert mail["subject"] == "Hello Eve Bcc: victim@example.com <b>x</b>"
    assert "bcc" not in [header["name"].lower() for header in mail["headers"]]
    assert fancy.mailbox is not None
    assert fancy.mailbox.all("victim@example.com") == []


def test_background_sending_responds_before_the_mail(start_auth: StartAuth) -> None:
    quick = start_auth(MAILER_EMAIL_BACKGROUND_SENDING="true")
    person = quick.person()
    assert quick.post("/recover", {"email": person.email}).json() == {}
    assert quick.mailbox is not None
    box = quick.mailbox
    wait_until(lambda: box.all(person.email))
    assert quick.letter(person.email).token_hash


def test_restricted_recipients(start_auth: StartAuth) -> None:
    closed = start_auth(EXTERNAL_EMAIL_AUTHORIZED_ADDRESSES="team@example.com")
    other = closed.post("/signup", {"email": new_email(), "password": PASSWORD}, headers=NEW)
    assert error_of(other)[:2] == (400, "email_address_not_authorized")
    assert closed.post("/signup", {"email": "team+x@example.com", "password": PASSWORD}).status_code == 200


def test_phone_by_test_number(start_auth: StartAuth) -> None:
    phones = start_auth(EXTERNAL_PHONE_ENABLED="true", SMS_TEST_OTP="15550001111:123456,15550002222:654321")
    assert phones.post("/otp", {"phone": "+15550001111"}).json() == {}
    wrong = phones.post("/verify", {"type": "sms", "phone": "+15550001111", "token": "111111"}, headers=NEW)
    assert error_of(wrong) == (403, "otp_expired", "Token has expired or is invalid")
    session = phones.post("/verify", {"type": "sms", "phone": "+15550001111", "token": "123456"}).json()
    assert session["user"]["phone"] == "15550001111"
    assert session["user"]["phone_confirmed_at"]
    bearer = {"Authorization": f"Bearer {session['access_token']}"}
    changing = phones.request("PUT", "/user", {"phone": "+15550002222"}, headers=bearer).json()
    assert (changing["phone"], changing["new_phone"]) == ("15550001111", "15550002222")
    changed = phones.post("/verify", {"type": "phone_change", "phone": "15550002222", "token": "654321"}).json()
    assert changed["user"]["phone"] == "15550002222"
    want = (422, "sms_send_failed")
    assert error_of(phones.post("/otp", {"phone": "+15559999999"}, headers=NEW))[:2] == want


def test_anonymous_user_becomes_permanent(auth: AuthClient, start_auth: StartAuth) -> None:
    service = start_auth(EXTERNAL_ANONYMOUS_USERS_ENABLED="true")
    session = service.post("/signup", {}).json()
    bearer, email = {"Authorization": f"Bearer {session['access_token']}"}, new_email()
    early = service.request("PUT", "/user", {"password": PASSWORD}, headers={**bearer, **NEW})
    assert error_of(early)[:2] == (422, "validation_failed")
    pending = service.request("PUT", "/user", {"email": email}, headers=bearer).json()
    assert pending["new_email"] == email
    assert pending["is_anonymous"] is True
    assert "access_token" in fragment(follow(service, email))
    user = service.get("/user", headers=bearer).json()
    assert (user["email"], user["is_anonymous"], user["id"]) == (email, False, session["user"]["id"])
    assert user["app_metadata"] == {"provider": "email", "providers": ["email"]}
    assert service.request("PUT", "/user", {"password": PASSWORD}, headers=bearer).status_code == 200
    assert auth.sign_in(email).id == user["id"]


def test_no_response_contains_a_one_time_token(auth: AuthClient) -> None:
    """A one-time token leaves by mail only."""
    email = new_email()
    answers = [auth.post("/signup", {"email": email, "password": PASSWORD})]
    letters = [auth.letter(email)]
    for path, body in (("/resend", {"type": "signup", "email": email}), ("/recover", {"email": email})):
        answers.append(auth.post(path, body))
        letters.append(auth.letter(email))
    for answer in answers:
        for letter in letters:
            assert letter.otp not in answer.text
            assert letter.token_hash not in answer.text
        assert str(dict(answer.headers)).count("token") == 0


def test_smtp_server_without_authentication(start_auth: StartAuth) -> None:
    named = start_auth(SMTP_USER="somebody", SMTP_PASS="something", SMTP_SENDER_NAME="Station, 4 <x>")
    person = named.person()
    assert named.post("/recover", {"email": person.email}).json() == {}
    sender = named.letter(person.email).mail["from"]
    assert sender == {"name": "Station, 4 <x>", "address": "auth@example.org"}


def test_without_audience_and_group(start_auth: StartAuth) -> None:
    """The minimum of variables, as the client libraries' own suites set it."""
    bare = start_auth(JWT_AUD="", JWT_DEFAULT_GROUP_NAME="", MAILER_AUTOCONFIRM="true")
    session = bare.post("/signup", {"email": new_email(), "password": PASSWORD}).json()
    assert (session["user"]["aud"], session["user"]["role"]) == ("", "")
    bearer = {"Authorization": f"Bearer {session['access_token']}"}
    assert bare.get("/user", headers=bearer).json()["id"] == session["user"]["id"]
    assert bare.refresh(session["refresh_token"]).status_code == 200
    assert bare.admin("GET", "/admin/users").json()["users"][0]["id"] == session["user"]["id"]
