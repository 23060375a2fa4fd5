"""What strangers can't do to an account: keep a key to it, guess its codes, lock its owner out, use up its mails."""

import base64
import json
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.contract.auth.conftest import StartAuth
from tests.contract.auth.harness import NEW, PASSWORD, AuthClient, error_of, mint, new_email

GRANT = "/token?grant_type=password"
STRANGERS = "a stranger's 99"


def signs_in(auth: AuthClient, email: str, password: str) -> bool:
    return auth.post(GRANT, {"email": email, "password": password}).status_code == 200


def open_link(auth: AuthClient, email: str) -> None:
    link = auth.letter(email).link.removeprefix("http://auth.test")
    assert "access_token" in auth.get(link).headers["location"]


def test_the_sign_up_whose_link_is_opened_decides_the_password(auth: AuthClient) -> None:
    email = new_email()
    auth.post("/signup", {"email": email, "password": STRANGERS, "data": {"name": "Mallory"}})
    strangers_link = auth.letter(email).link.removeprefix("http://auth.test")
    auth.post("/signup", {"email": email, "password": PASSWORD, "data": {"name": "Ada"}})
    assert "otp_expired" in auth.get(strangers_link).headers["location"]
    open_link(auth, email)
    assert not signs_in(auth, email, STRANGERS)
    user = auth.sign_in(email).session["user"]
    assert user["user_metadata"]["name"] == "Ada"
    assert user["identities"][0]["identity_data"]["name"] == "Ada"


@pytest.mark.parametrize("path", ["/recover", "/otp", "/magiclink"])
def test_whoever_proves_the_address_takes_over_nothing(auth: AuthClient, path: str) -> None:
    email = new_email()
    auth.post("/signup", {"email": email, "password": STRANGERS, "data": {"name": "Mallory", "admin": True}})
    assert auth.post(path, {"email": email}).status_code == 200
    open_link(auth, email)
    assert not signs_in(auth, email, STRANGERS)
    (metadata,) = auth.sql("select raw_user_meta_data from auth.users where email = %s", email)[0]
    assert set(metadata) == {"sub", "email", "email_verified", "phone_verified"}


def test_a_link_that_is_only_asked_for_changes_nothing(auth: AuthClient) -> None:
    """A stranger who asks for a link, or signs up again, does not change what the first link confirms in the end."""
    email = new_email()
    auth.post("/signup", {"email": email, "password": PASSWORD, "data": {"name": "Ada"}})
    first = auth.sql("select encrypted_password, raw_user_meta_data from auth.users where email = %s", email)
    auth.post("/otp", {"email": email, "data": {"name": "Mallory"}})
    auth.post("/signup", {"email": email, "password": STRANGERS, "data": {"name": "Mallory"}})
    assert auth.sql("select encrypted_password, raw_user_meta_data from auth.users where email = %s", email) == first
    auth.post("/signup", {"email": email, "password": PASSWORD, "data": {"name": "Ada"}})
    open_link(auth, email)
    assert auth.sign_in(email).session["user"]["user_metadata"]["name"] == "Ada"
    assert auth.sql("select count(*) from auth.flow_state where provider_type = 'pending'") == [(0,)]


def test_an_invitation_takes_over_nothing(auth: AuthClient) -> None:
    email = new_email()
    auth.post("/signup", {"email": email, "password": STRANGERS, "data": {"name": "Mallory"}})
    auth.admin("POST", "/invite", {"email": email, "data": {"invited_by": "Chief"}})
    open_link(auth, email)
    assert not signs_in(auth, email, STRANGERS)
    (metadata,) = auth.sql("select raw_user_meta_data from auth.users where email = %s", email)[0]
    assert metadata == {"invited_by": "Chief", "email_verified": True}


def test_what_an_admin_made_is_kept(auth: AuthClient) -> None:
    email = new_email()
    auth.admin("POST", "/admin/users", {"email": email, "password": PASSWORD, "user_metadata": {"unit": 7}})
    auth.post("/signup", {"email": email, "password": STRANGERS, "data": {"unit": 8}})
    open_link(auth, email)
    assert auth.sign_in(email).session["user"]["user_metadata"]["unit"] == 7


def test_ten_wrong_codes_void_a_code_but_not_its_link(auth: AuthClient) -> None:
    person = auth.person()
    auth.post("/otp", {"email": person.email})
    letter = auth.letter(person.email)
    wrong = "1" * len(letter.otp) if letter.otp[0] != "1" else "2" * len(letter.otp)
    body = {"type": "email", "email": person.email}
    for _ in range(10):
        assert auth.post("/verify", {**body, "token": wrong}).status_code == 403
    assert error_of(auth.post("/verify", {**body, "token": letter.otp}, headers=NEW))[:2] == (403, "otp_expired")
    assert auth.post("/verify", {"type": "magiclink", "token_hash": letter.token_hash}).status_code == 200
    auth.post("/otp", {"email": person.email})
    assert auth.post("/verify", {**body, "token": auth.letter(person.email).otp}).status_code == 200


def test_wrong_codes_of_a_factor_are_limited(auth: AuthClient) -> None:
    person = auth.person()
    factor = person.request("POST", "/factors", {"factor_type": "totp"}).json()["id"]
    challenge = person.request("POST", f"/factors/{factor}/challenge").json()["id"]
    body = {"challenge_id": challenge, "code": "abcdef"}
    codes = [error_of(person.request("POST", f"/factors/{factor}/verify", body, headers=NEW))[1] for _ in range(11)]
    assert codes == ["mfa_verification_failed"] * 10 + ["over_request_rate_limit"]


def test_guesses_from_elsewhere_do_not_lock_the_owner_out(start_auth: StartAuth) -> None:
    auth = start_auth(RATE_LIMIT_PASSWORD_FAILURES="2/5m")
    person = auth.person()

    def attempt(password: str, network: int) -> int:
        headers = {"X-Forwarded-For": f"198.51.{network}.7"}
        return auth.post(GRANT, {"email": person.email, "password": password}, headers=headers).status_code

    assert [attempt("wrong", 1) for _ in range(3)] == [400, 400, 429]
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda number: attempt("wrong", number), range(2, 22)))
    assert attempt(PASSWORD, 1) == 429
    begun = time.monotonic()
    answer = auth.post(GRANT, {"email": person.email, "password": PASSWORD})  # from where its owner signed in before
    assert answer.status_code == 200
    assert time.monotonic() - begun < 5


def test_made_up_addresses_use_up_their_share_of_the_mails_only(start_auth: StartAuth) -> None:
    auth = start_auth(RATE_LIMIT_EMAIL_SENT="4", RATE_LIMIT_EMAIL_UNCONFIRMED_PERCENT="50")
    person = auth.person()
    statuses = [auth.post("/signup", {"email": new_email(), "password": PASSWORD}).status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
    assert auth.post("/recover", {"email": person.email}).status_code == 200
    assert auth.letter(person.email).link


@pytest.mark.parametrize("alg", [["HS256"], {}, None, 5])
def test_a_strange_algorithm_is_a_bad_token(auth: AuthClient, alg: object) -> None:
    head, _, rest = mint(sub="x").partition(".")
    assert head
    header = base64.urlsafe_b64encode(json.dumps({"alg": alg}).encode()).rstrip(b"=").decode()
    answer = auth.get("/user", headers={**NEW, "Authorization": f"Bearer {header}.{rest}"})
    assert error_of(answer)[:2] == (403, "bad_jwt")


def test_the_audience_header_is_the_admins(auth: AuthClient) -> None:
    person = auth.person()
    body = {"email": person.email, "password": PASSWORD}
    answer = auth.post("/signup", body, headers={"X-JWT-AUD": "other"})
    assert (answer.status_code, answer.json()["identities"]) == (200, [])
    assert auth.post("/signup", body, headers={"X-JWT-AUD": "x" * 300}).status_code == 200
    assert person.request("GET", "/user", headers={"X-JWT-AUD": "other"}).status_code == 400
    assert auth.admin("GET", "/admin/users", headers={"X-JWT-AUD": "other"}).json() == {"users": [], "aud": "other"}
    assert auth.admin("GET", "/admin/users", headers={"X-JWT-AUD": "x" * 300}).status_code == 400


@pytest.mark.parametrize(
    ("body", "status"), [(b"a=1&" * 200, 400), (b"a=" + b"%41" * 30_000, 413), (b"type=" + b"x" * 100, 400)]
)
def test_long_forms_are_refused_unread(auth: AuthClient, body: bytes, status: int) -> None:
    headers = {"content-type": "application/x-www-form-urlencoded"}
    assert auth.http.post("/token?grant_type=password", content=body, headers=headers).status_code == status


def test_a_code_for_a_new_number_is_sent_when_numbers_are_confirmed_at_once(start_auth: StartAuth) -> None:
    auth = start_auth(EXTERNAL_PHONE_ENABLED="true", SMS_AUTOCONFIRM="true", SMS_TEST_OTP="15550001111:246810")
    assert auth.post("/otp", {"phone": "+15550001111"}).json() == {"message_id": "test-otp"}
    session = auth.post("/verify", {"type": "sms", "phone": "+15550001111", "token": "246810"}).json()
    assert session["user"]["phone"] == "15550001111"
