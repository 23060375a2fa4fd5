"""Nobody learns who has an account: not from answers, not from their time. The same work is done, or none before it."""

import re
from collections.abc import Iterator
from typing import Any

import bcrypt
import httpx
import psycopg
import pytest

from tests.contract.auth.conftest import StartAuth
from tests.contract.auth.harness import PASSWORD, AuthClient, Json, new_email, wait_until

ASKING = [
    pytest.param("/recover", {}, id="recover"),
    pytest.param("/otp", {}, id="otp"),
    pytest.param("/otp", {"create_user": False}, id="otp-known-only"),
    pytest.param("/magiclink", {}, id="magiclink"),
    pytest.param("/resend", {"type": "signup"}, id="resend"),
]
WRITTEN = ("users", "identities", "one_time_tokens", "audit_log_entries", "flow_state")


@pytest.fixture(scope="module")
def discreet(start_auth: StartAuth) -> AuthClient:
    """The service as stacks have it: mails after the answer."""
    return start_auth(MAILER_EMAIL_BACKGROUND_SENDING="true")


def _account(auth: AuthClient, kind: str) -> str:
    """The address of an account in that state, untouched by any mail."""
    email = new_email(kind)
    if kind != "unknown":
        made = auth.admin(
            "POST", "/admin/users", {"email": email, "password": PASSWORD, "email_confirm": kind == "known"}
        )
        assert made.status_code == 200, made.text
    return email


@pytest.mark.parametrize(("path", "body"), ASKING)
def test_answer_waits_for_nothing_that_only_an_account_needs(discreet: AuthClient, path: str, body: Json) -> None:
    """The row of the account is locked, so all that would be written has to wait; the answer does not."""
    email = _account(discreet, "unconfirmed" if path == "/resend" else "known")
    with psycopg.connect(discreet.dsn) as holder:
        holder.execute("select from auth.users where email = %s for update", (email,))
        answer = discreet.post(path, {"email": email, **body})
        assert (answer.status_code, answer.json()) == (200, {})
        assert discreet.mailbox is not None
        assert discreet.mailbox.all(email) == []
    box = discreet.mailbox
    wait_until(lambda: box.all(email))


@pytest.fixture
def writes(discreet: AuthClient) -> Iterator[Any]:
    """Counts rows that were written, taken back or not: a sequence does not roll back."""
    discreet.sql("create sequence auth.test_writes")
    discreet.sql(
        "create function auth.test_count() returns trigger language plpgsql security definer"
        " as $$ begin perform nextval('auth.test_writes'); return null; end $$"
    )
    for table in WRITTEN:
        discreet.sql(
            f"create trigger test_count after insert or update on auth.{table}"
            " for each row execute function auth.test_count()"
        )
    yield lambda: discreet.sql("select case when is_called then last_value else 0 end from auth.test_writes")[0][0]
    discreet.sql("drop function auth.test_count cascade")
    discreet.sql("drop sequence auth.test_writes")


@pytest.mark.parametrize(
    "more",
    [
        pytest.param({}, id="plain"),
        pytest.param({"code_challenge": "c" * 43, "code_challenge_method": "s256"}, id="pkce"),
    ],
)
def test_signup_of_a_taken_address_does_the_work_of_a_new_one(discreet: AuthClient, writes: Any, more: Json) -> None:
    counts = []
    for kind in ("unknown", "known"):
        email = _account(discreet, kind)
        before = writes()
        assert discreet.post("/signup", {"email": email, "password": PASSWORD, **more}).status_code == 200
        counts.append(writes() - before)
    assert counts[0] == counts[1] > 3
    assert discreet.sql("select count(*) from auth.users where email like '%%nobody.invalid'") == [(0,)]


def test_every_password_is_compared_once(discreet: AuthClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong one, one for an unknown account, one for an account that has none: bcrypt runs once for each."""
    known, nobody, without = _account(discreet, "known"), _account(discreet, "unknown"), _account(discreet, "known")
    discreet.sql("update auth.users set encrypted_password = null where email = %s", without)
    costs = []
    real = bcrypt.checkpw

    def counting(password: bytes, hashed: bytes) -> bool:
        costs.append(hashed[:7])
        return real(password, hashed)

    monkeypatch.setattr("emulator.auth.crypto.password.bcrypt.checkpw", counting)
    for email in (known, nobody, without):
        refused = discreet.post("/token?grant_type=password", {"email": email, "password": "wrong"})
        assert (refused.status_code, refused.json()["error_code"]) == (400, "invalid_credentials")
    assert costs == [b"$2a$10$"] * 3


TWICE = [
    pytest.param(["/recover", "/recover"], id="recover"),
    pytest.param(["/otp", "/otp"], id="otp"),
    pytest.param(["/magiclink", "/recover"], id="magiclink-recover"),
    pytest.param(["/otp", "/signup"], id="otp-signup"),
    pytest.param(["/signup", "/otp"], id="signup-otp"),
    pytest.param(["/signup", "/signup"], id="signup"),
    pytest.param(["/signup", "/resend"], id="signup-resend"),
    pytest.param(["/resend", "/signup"], id="resend-signup"),
    pytest.param(["/recover", "/signup"], id="recover-signup"),
]


@pytest.fixture(scope="module")
def patient(start_auth: StartAuth) -> AuthClient:
    """One mail a minute."""
    return start_auth(MAILER_EMAIL_BACKGROUND_SENDING="true", SMTP_MAX_FREQUENCY="60s")


@pytest.mark.parametrize("paths", TWICE)
def test_asking_twice_tells_nothing_either(patient: AuthClient, paths: list[str]) -> None:
    """The pause between two mails is kept for every address, known or not."""

    def said(answer: httpx.Response) -> tuple[int, str]:
        return answer.status_code, re.sub(r"\d+ seconds", "N seconds", answer.json().get("msg", ""))

    heard = []
    for kind in ("known", "unconfirmed", "unknown"):
        body = {"email": _account(patient, kind), "password": PASSWORD, "type": "signup"}
        heard.append([said(patient.post(path, body)) for path in paths])
    assert heard[0] == heard[1] == heard[2]
    assert heard[0][0] == (200, "")


def test_mail_after_the_answer_survives_a_refusal(discreet: AuthClient, caplog: pytest.LogCaptureFixture) -> None:
    """What goes wrong after the answer is logged, and the next request is answered."""
    email = _account(discreet, "known")
    with psycopg.connect(discreet.dsn) as holder:
        holder.execute("select from auth.users where email = %s for update", (email,))
        assert discreet.post("/recover", {"email": email}).json() == {}
        holder.execute("delete from auth.users where email = %s", (email,))
    assert discreet.post("/recover", {"email": email}).json() == {}
    assert discreet.mailbox is not None
    assert discreet.mailbox.all(email) == []
    assert "unexpected failure" not in caplog.text
