"""Hooks, by function of the database and by signed request: what they are sent, what their responses do."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from uuid import UUID

import psycopg
import pyotp
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from emulator.auth.conf.settings import AuthSettings
from emulator.settings import SettingsError
from tests.contract.auth.conftest import StartAuth
from tests.contract.auth.harness import (
    NEW,
    PASSWORD,
    AuthClient,
    Json,
    Served,
    base_env,
    error_of,
    new_email,
)
from tests.contract.auth.test_mfa import challenge, enroll

KEY = bytes(range(32))
SECRET = "v1,whsec_" + base64.b64encode(KEY).decode()
GRANT = "/token?grant_type=password"


@dataclass
class Listener:
    """An application's endpoint: keeps what it is sent, responds with what it is given."""

    url: str = ""
    sent: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    answers: list[Response] = field(default_factory=list)

    async def hear(self, request: Request) -> Response:
        self.sent.append((dict(request.headers), await request.body()))
        return self.answers.pop(0) if self.answers else said({})

    def last(self) -> Json:
        sent: Json = json.loads(self.sent[-1][1])
        return sent


def said(body: object, status: int = 200, **headers: str) -> Response:
    return Response(json.dumps(body), status, {"content-type": "application/json", **headers})


@pytest.fixture(scope="module")
def listener() -> Iterator[Listener]:
    made = Listener()
    served = Served(Starlette(routes=[Route("/hook", made.hear, methods=["POST"])]))
    made.url = f"{served.url}/hook"
    yield made
    served.stop()


@pytest.fixture(autouse=True)
def _forgotten(listener: Listener) -> None:
    listener.sent.clear()
    listener.answers.clear()


def hooked(start_auth: StartAuth, uri: str, *names: str, **more: str) -> AuthClient:
    hooks: dict[str, str] = {}
    for name in names:
        hooks |= {f"HOOK_{name}_ENABLED": "true", f"HOOK_{name}_URI": uri, f"HOOK_{name}_SECRETS": SECRET}
    return start_auth(**hooks, **more)


def function(auth: AuthClient, body: str, name: str = "hook") -> str:
    """A function of the application that the auth service may call; its URI."""
    auth.sql(
        f"create or replace function public.{name}(event jsonb) returns jsonb language plpgsql as $$ {body} $$;"
        f"grant execute on function public.{name} to supabase_auth_admin"
    )
    return f"pg-functions://postgres/public/{name}"


def test_claims_by_function(auth: AuthClient, start_auth: StartAuth) -> None:
    """At sign-in and at every refresh; the rest of the response is as without."""
    uri = function(
        auth,
        "begin return jsonb_set(event, '{claims,station}', to_jsonb((event->>'authentication_method') || '-7')); end",
        "add_station",
    )
    service = hooked(start_auth, uri, "CUSTOM_ACCESS_TOKEN")
    person = service.person()
    assert person.claims["station"] == "password-7"
    assert person.claims["sub"] == person.id
    person.session = service.refresh(person.session["refresh_token"]).json()
    assert person.claims["station"] == "token_refresh-7"
    assert person.request("GET", "/user").json()["id"] == person.id


@pytest.mark.parametrize(
    ("body", "want"),
    [
        pytest.param("begin return '{}'; end", (500, "output claims field is missing"), id="nothing"),
        pytest.param(
            "begin return event #- '{claims,sub}'; end",
            (500, "output claims do not conform to the expected schema: \n- (root): sub is required\n"),
            id="no-sub",
        ),
        pytest.param("begin return '[1]'; end", (500, "Error unmarshaling JSON output."), id="list"),
        pytest.param("begin raise exception 'secret detail'; end", (500, "Error running hook URI: {uri}"), id="raises"),
        pytest.param(
            'begin return \'{"error": {"http_code": 403, "message": "Not at night"}}\'; end',
            (403, "Not at night"),
            id="refuses",
        ),
        pytest.param(
            "begin perform pg_sleep(9); return event; end",
            (500, "Error running hook URI: {uri}"),
            id="slow",
        ),
    ],
)
def test_bad_claims_make_no_session(
    auth: AuthClient, start_auth: StartAuth, body: str, want: tuple[int, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if "pg_sleep" in body:
        monkeypatch.setattr("emulator.auth.hooks.pgfunc.TIMEOUT_S", 0.2)
    uri = function(auth, body, "bad_claims")
    service = hooked(start_auth, uri, "CUSTOM_ACCESS_TOKEN")
    email = new_email()
    service.admin("POST", "/admin/users", {"email": email, "password": PASSWORD, "email_confirm": True})
    answer = service.post(GRANT, {"email": email, "password": PASSWORD}, headers=NEW)
    assert (answer.status_code, answer.json()["message"]) == (want[0], want[1].replace("{uri}", uri))
    left = service.sql(
        "select count(*) from auth.sessions s join auth.users u on u.id = s.user_id where u.email = %s", email
    )
    assert left == [(0,)]
    assert service.get("/health").status_code == 200


def test_request_is_signed(start_auth: StartAuth, listener: Listener) -> None:
    """Standard Webhooks: HMAC-SHA256 over id, time and body, once for every secret."""
    other = "v1,whsec_" + base64.b64encode(KEY[::-1]).decode()
    service = start_auth(
        HOOK_BEFORE_USER_CREATED_ENABLED="true", HOOK_BEFORE_USER_CREATED_URI=listener.url,
        HOOK_BEFORE_USER_CREATED_SECRETS=f"{SECRET}|{other}",
    )  # fmt: skip
    email = new_email()
    assert service.post("/signup", {"email": email, "password": PASSWORD, "data": {"a": "é"}}).status_code == 200
    headers, body = listener.sent[-1]
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    want = [
        "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode() for key in (KEY, KEY[::-1])
    ]
    assert headers["webhook-signature"].split(", ") == want
    assert abs(time.time() - int(headers["webhook-timestamp"])) < 60
    sent = json.loads(body)
    assert sent["metadata"]["name"] == "before-user-created"
    assert sent["metadata"]["ip_address"]
    assert (sent["user"]["email"], sent["user"]["user_metadata"]["a"]) == (email, "é")
    assert PASSWORD not in body.decode()
    assert "encrypted_password" not in sent["user"]


@pytest.mark.parametrize("background", ["false", "true"])
def test_new_accounts_can_be_rejected(start_auth: StartAuth, listener: Listener, background: str) -> None:
    """By every endpoint that creates one but the admin's. The hook is not called for known addresses."""
    service = hooked(
        start_auth, listener.url, "BEFORE_USER_CREATED", EXTERNAL_ANONYMOUS_USERS_ENABLED="true",
        MAILER_EMAIL_BACKGROUND_SENDING=background,
    )  # fmt: skip
    email = new_email()
    doors: list[tuple[str, Json]] = [
        ("/signup", {"email": email, "password": PASSWORD}), ("/signup", {}), ("/otp", {"email": email}),
        ("/magiclink", {"email": email}),
    ]  # fmt: skip
    for path, body in doors:
        listener.answers = [said({"error": {"http_code": 400, "message": "Only from a station"}})]
        answer = service.post(path, body, headers={**NEW, "X-Forwarded-For": "192.0.2.1"})
        assert (answer.status_code, answer.json()["message"]) == (400, "Only from a station"), path
    assert service.sql("select count(*) from auth.users where email = %s", email) == [(0,)]
    listener.sent.clear()
    known = service.person()
    service.post("/signup", {"email": known.email, "password": PASSWORD})
    assert listener.sent == []


@pytest.mark.parametrize(
    ("answer", "want"),
    [
        pytest.param(
            Response("<p>", 200, {"content-type": "text/html"}), (400, "hook_payload_invalid_content_type"), id="html"
        ),
        pytest.param(Response(b"", 200), (400, "hook_payload_invalid_content_type"), id="no-type"),
        pytest.param(said("x" * 300_000), (422, "hook_payload_over_size_limit"), id="huge"),
        pytest.param(
            Response("{", 200, {"content-type": "application/json"}), (500, "unexpected_failure"), id="broken"
        ),
        pytest.param(said({}, 500), (500, "unexpected_failure"), id="500"),
        pytest.param(said({"error": {"message": "m", "http_code": 7}}), (500, "unexpected_failure"), id="odd-status"),
        pytest.param(Response(status_code=204), (200, ""), id="nothing"),
    ],
)
def test_responses_of_an_endpoint(
    start_auth: StartAuth, listener: Listener, answer: Response, want: tuple[int, str]
) -> None:
    service = hooked(start_auth, listener.url, "BEFORE_USER_CREATED")
    listener.answers = [answer]
    got = service.post("/signup", {"email": new_email(), "password": PASSWORD}, headers=NEW)
    assert (got.status_code, got.json().get("code", "")) == want


def test_redirects_of_an_endpoint_are_followed(start_auth: StartAuth, listener: Listener) -> None:
    service = hooked(start_auth, listener.url, "BEFORE_USER_CREATED")
    refusal = said({"error": {"http_code": 403, "message": "moved here"}})
    listener.answers = [said({}, 307, location=listener.url), refusal]
    answer = service.post("/signup", {"email": new_email(), "password": PASSWORD}, headers=NEW)
    assert error_of(answer) == (403, "unknown", "moved here")
    assert "x-sb-error-code" not in answer.headers


def test_endpoint_with_retry_after_is_called_again(start_auth: StartAuth, listener: Listener) -> None:
    service = hooked(start_auth, listener.url, "BEFORE_USER_CREATED")
    listener.answers = [said({}, 503, **{"retry-after": "true"})]
    assert service.post("/signup", {"email": new_email(), "password": PASSWORD}).status_code == 200
    assert len(listener.sent) == 2
    assert listener.sent[0][1] == listener.sent[1][1]


def test_unreachable_endpoint(start_auth: StartAuth) -> None:
    service = hooked(start_auth, "http://127.0.0.1:9/hook", "BEFORE_USER_CREATED")
    got = service.post("/signup", {"email": new_email(), "password": PASSWORD}, headers=NEW)
    assert error_of(got) == (422, "hook_timeout_after_retry", "Failed to reach hook after maximum retries")


def test_after_user_created(start_auth: StartAuth, listener: Listener) -> None:
    """Called when it is committed: an error is the response's, but the account stays. Not for a session at once."""
    service, email = hooked(start_auth, listener.url, "AFTER_USER_CREATED"), new_email()
    listener.answers = [said({"error": {"message": "no"}})]
    answer = service.post("/signup", {"email": email, "password": PASSWORD}, headers=NEW)
    assert error_of(answer) == (500, "unexpected_failure", "Error invoking hook")
    assert [(UUID(listener.last()["user"]["id"]),)] == service.sql("select id from auth.users where email = %s", email)
    listener.sent.clear()
    at_once = hooked(start_auth, listener.url, "AFTER_USER_CREATED", MAILER_AUTOCONFIRM="true")
    assert at_once.post("/signup", {"email": new_email(), "password": PASSWORD}).json()["access_token"]
    assert listener.sent == []


def test_password_attempts(auth: AuthClient, start_auth: StartAuth) -> None:
    """The documented use: a function that counts failures rejects further attempts, right or wrong, and signs out."""
    auth.sql(
        "create table if not exists public.failures (user_id uuid); grant all on public.failures to supabase_auth_admin"
    )
    uri = function(
        auth,
        """begin
          if not (event->'valid')::boolean then insert into public.failures values ((event->>'user_id')::uuid); end if;
          if (select count(*) from public.failures f where f.user_id = (event->>'user_id')::uuid) >= 2 then
            return '{"decision": "reject", "should_logout_user": true}';
          end if;
          return '{"decision": "continue"}';
        end""",
        "count_failures",
    )
    service = hooked(start_auth, uri, "PASSWORD_VERIFICATION_ATTEMPT")
    person = service.person()
    wrong = {"email": person.email, "password": "wrong"}
    plain = (400, "invalid_credentials", "Invalid login credentials")
    refused = (400, "invalid_credentials", "Further password verification attempts will be rejected.")
    assert error_of(service.post(GRANT, wrong, headers=NEW)) == plain
    assert person.request("GET", "/user").status_code == 200
    assert error_of(service.post(GRANT, wrong, headers=NEW)) == refused
    assert person.request("GET", "/user").status_code == 403
    assert error_of(service.post(GRANT, {**wrong, "password": PASSWORD}, headers=NEW)) == refused
    assert error_of(service.post(GRANT, {"email": new_email(), "password": "wrong"}, headers=NEW)) == plain


def test_second_factor_attempts(start_auth: StartAuth, listener: Listener) -> None:
    service = hooked(start_auth, listener.url, "MFA_VERIFICATION_ATTEMPT")
    person = service.person()
    factor = enroll(person)
    path, asked = f"/factors/{factor['id']}/verify", challenge(person, factor["id"])["id"]
    listener.answers = [said({"decision": "continue"})]
    wrong = person.request("POST", path, {"challenge_id": asked, "code": "000000"}, headers=NEW)
    assert error_of(wrong)[:2] == (422, "mfa_verification_failed")
    sent = listener.last()
    assert (sent["valid"], sent["factor_id"], sent["user_id"]) == (False, factor["id"], person.id)
    listener.answers = [said({"decision": "reject", "message": "Too many"})]
    right = {"challenge_id": asked, "code": pyotp.TOTP(factor["totp"]["secret"]).now()}
    assert error_of(person.request("POST", path, right, headers=NEW)) == (403, "mfa_verification_rejected", "Too many")
    assert listener.last()["valid"] is True
    assert service.sql("select count(*) from auth.sessions where user_id = %s", person.id) == [(0,)]


def test_mails_by_the_hook(start_auth: StartAuth, listener: Listener) -> None:
    """What it is sent is enough to sign in; no mail is sent."""
    service = hooked(start_auth, listener.url, "SEND_EMAIL")
    email = new_email()
    service.post("/signup?redirect_to=http://localhost:3000/in", {"email": email, "password": PASSWORD})
    data = listener.last()["email_data"]
    assert (data["email_action_type"], data["redirect_to"]) == ("signup", "http://localhost:3000/in")
    assert listener.last()["user"]["identities"][0]["identity_data"]["email"] == email
    session = service.post("/verify", {"type": "email", "email": email, "token": data["token"]}).json()
    assert session["user"]["email"] == email
    for path, kind in (("/recover", "recovery"), ("/magiclink", "magiclink")):
        service.post(path, {"email": email})
        data = listener.last()["email_data"]
        assert data["email_action_type"] == kind
        opened = service.post("/verify", {"type": kind, "token_hash": data["token_hash"]})
        assert opened.status_code == 200, opened.text
    assert service.mailbox is not None
    assert service.mailbox.all(email) == []
    listener.answers = [said({"error": {"http_code": 503, "message": "Mail is down"}})]
    assert service.post("/recover", {"email": email}, headers=NEW).json()["message"] == "Mail is down"


def test_change_of_address_by_the_hook(start_auth: StartAuth, listener: Listener) -> None:
    """One call for both mails; the hashes are crossed, as in GoTrue."""
    service = hooked(start_auth, listener.url, "SEND_EMAIL")
    person, address = service.person(), new_email("new")
    listener.sent.clear()
    person.request("PUT", "/user", {"email": address})
    assert len(listener.sent) == 1
    data = listener.last()["email_data"]
    assert data["email_action_type"] == "email_change"
    first = service.post("/verify", {"type": "email_change", "token": data["token"], "email": person.email})
    assert first.json()["code"] == "200"
    second = service.post("/verify", {"type": "email_change", "token_hash": data["token_hash"]})
    assert second.json()["user"]["email"] == address


def test_text_messages_by_the_hook(start_auth: StartAuth, listener: Listener) -> None:
    """With it any number can sign in."""
    service = hooked(start_auth, listener.url, "SEND_SMS", EXTERNAL_PHONE_ENABLED="true", SMS_MAX_FREQUENCY="1ns")
    assert service.post("/otp", {"phone": "+1 555 000 7777"}).json() == {}
    sms = listener.last()["sms"]
    assert sms["phone"] == "15550007777"
    assert len(sms["otp"]) == 6
    session = service.post("/verify", {"type": "sms", "phone": "+15550007777", "token": sms["otp"]})
    assert session.json()["user"]["phone"] == "15550007777"


@pytest.mark.parametrize(
    ("uri", "secrets"),
    [
        pytest.param("", SECRET, id="none"),
        pytest.param("ftp://example.com/x", SECRET, id="scheme"),
        pytest.param("http://example.com/x", SECRET, id="plain-http-elsewhere"),
        pytest.param("http://169.254.169.254/latest", SECRET, id="metadata-service"),
        pytest.param("https://example.com/x", "", id="no-secret"),
        pytest.param("https://example.com/x", "whsec_short", id="bad-secret"),
        pytest.param("pg-functions://postgres/public/x; drop table y", "", id="injection"),
        pytest.param("pg-functions://postgres/x", "", id="no-schema"),
    ],
)
def test_unusable_hooks_are_errors_at_start(uri: str, secrets: str) -> None:
    env = base_env(
        "http://auth.test", "postgresql://x", HOOK_SEND_EMAIL_ENABLED="true", HOOK_SEND_EMAIL_URI=uri,
        HOOK_SEND_EMAIL_SECRETS=secrets,
    )  # fmt: skip
    with pytest.raises(SettingsError, match="GOTRUE_HOOK_SEND_EMAIL"):
        AuthSettings.from_env(env)


def test_function_that_may_not_be_called(auth: AuthClient, start_auth: StartAuth) -> None:
    """The operator has to grant it; the error names the hook, not the database's error."""
    with psycopg.connect(auth.dsn, autocommit=True) as connection:
        connection.execute("create function public.forbidden(event jsonb) returns jsonb language sql as 'select event'")
        connection.execute("revoke execute on function public.forbidden from public")
    uri = "pg-functions://postgres/public/forbidden"
    service = hooked(start_auth, uri, "BEFORE_USER_CREATED")
    got = service.post("/signup", {"email": new_email(), "password": PASSWORD}, headers=NEW)
    assert error_of(got) == (500, "unexpected_failure", f"Error running hook URI: {uri}")
