"""Neither responses nor their times tell who has an account: the same work is done, or none before the response."""

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
def protected(start_auth: StartAuth) -> AuthClient:
    """The service as stacks configure it: mails after the response."""
    return start_auth(MAILER_EMAIL_BACKGROUND_SENDING="true")


def _account(auth: AuthClient, kind: str) -> str:
    """The address of an account in that state, to which no mail was sent."""
    email = new_email(kind)
    if kind != "unknown":
        made = auth.admin(
            "POST", "/admin/users", {"email": email, "password": PASSWORD, "email_confirm": kind == "known"}
        )
        assert made.status_code == 200, made.text
    return email


@pytest.mark.parametrize(("path", "body"), ASKING)
def test_response_does_not_wait_for_the_work_of_an_account(protected: AuthClient, path: str, body: Json) -> None:
    """The row of the account is locked, so whatever is written has to wait; the response does not."""
    email = _account(protected, "unconfirmed" if path == "/resend" else "known")
    with psycopg.connect(protected.dsn) as holder:
        holder.execute("select from auth.users where email = %s for update", (email,))
        answer = protected.post(path, {"email": email, **body})
        assert (answer.status_code, answer.json()) == (200, {})
        assert protected.mailbox is not None
        assert protected.mailbox.all(email) == []
    box = protected.mailbox
    wait_until(lambda: box.all(email))


@pytest.fixture
def writes(protected: AuthClient) -> Iterator[Any]:
    """Counts rows that were written, rolled back or not: a sequence does not roll back."""
    protected.sql("create sequence auth.test_writes")
    protected.sql(
        "create function auth.test_count() returns trigger language plpgsql security definer"
        " as $$ begin perform nextval('auth.test_writes'); return null; end $$"
    )
    for table in WRITTEN:
        protected.sql(
            f"create trigger test_count after insert or update on auth.{table}"
            " for each row execute function auth.test_count()"
        )
    yield lambda: protected.sql("select case when is_called then last_value else 0 end from auth.test_writes")[0][0]
    protected.sql("drop function auth.test_count cascade")
    protected.sql("drop sequence auth.test_writes")


@pytest.mark.parametrize(
    "more",
    [
        pytest.param({}, id="plain"),
        pytest.param({"code_challenge": "c" * 43, "code_challenge_method": "s256"}, id="pkce"),
    ],
)
def test_signup_of_a_taken_address_does_the_work_of_a_new_one(protected: AuthClient, writes: Any, more: Json) -> None:
    counts = []
    for kind in ("unknown", "known"):
        email = _account(protected, kind)
        before = writes()
        assert protected.post("/signup", {"email": email, "password": PASSWORD, **more}).status_code == 200
        counts.append(writes() - before)
    assert counts[0] == counts[1] > 3
    assert protected.sql("select count(*) from auth.users where email like '%%nobody.invalid'") == [(0,)]


def test_every_password_is_compared_once(protected: AuthClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong one, one for an unknown account, one for an account that has none: bcrypt runs once for each."""
    known, nobody, without = _account(protected, "known"), _account(protected, "unknown"), _account(protected, "known")
    protected.sql("update auth.users set encrypted_password = null where email = %s", without)
    costs = []
    real = bcrypt.checkpw

    def counting(password: bytes, hashed: bytes) -> bool:
        costs.append(hashed[:7])
        return real(password, hashed)

    monkeypatch.setattr("bcrypt.checkpw", counting)
    for email in (known, nobody, without):
        refused = protected.post("/token?grant_type=password", {"email": email, "password": "wrong"})
        assert (refused.status_code, refused.json()["error_code"]) == (400, "invalid_credentials")
    assert costs == [b"$2a$04$"] * 3


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
def test_second_request_tells_nothing_either(patient: AuthClient, paths: list[str]) -> None:
    """The interval between two mails holds for every address, known or not."""

    def said(answer: httpx.Response) -> tuple[int, str]:
        return answer.status_code, re.sub(r"\d+ seconds", "N seconds", answer.json().get("msg", ""))

    heard = []
    for kind in ("known", "unconfirmed", "unknown"):
        body = {"email": _account(patient, kind), "password": PASSWORD, "type": "signup"}
        heard.append([said(patient.post(path, body)) for path in paths])
    assert heard[0] == heard[1] == heard[2]
    assert heard[0][0] == (200, "")


def test_work_after_the_response_survives_an_error(protected: AuthClient, caplog: pytest.LogCaptureFixture) -> None:
    """What fails after the response is logged, and the next request is served."""
    email = _account(protected, "known")
    with psycopg.connect(protected.dsn) as holder:
        holder.execute("select from auth.users where email = %s for update", (email,))
        assert protected.post("/recover", {"email": email}).json() == {}
        holder.execute("delete from auth.users where email = %s", (email,))
    assert protected.post("/recover", {"email": email}).json() == {}
    assert protected.mailbox is not None
    assert protected.mailbox.all(email) == []
    assert "unexpected failure" not in caplog.text
