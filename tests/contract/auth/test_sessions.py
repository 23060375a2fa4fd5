"""Sessions: password sign-in, refresh and its abuse, sign-out scopes, limits, keys, and hostile tokens."""

import base64
import hashlib
import hmac
import json
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import jwt as pyjwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from tests.contract.auth.conftest import StartAuth
from tests.contract.auth.harness import NEW, PASSWORD, SECRET, AuthClient, Json, error_of, mint, new_email

INVALID = (400, "invalid_credentials", "Invalid login credentials")
USED = (400, "refresh_token_already_used", "Invalid Refresh Token: Already Used")


def test_claims_of_an_access_token(auth: AuthClient) -> None:
    person = auth.person()
    claims = person.claims
    header = pyjwt.get_unverified_header(person.session["access_token"])
    assert header == {"alg": "HS256", "typ": "JWT"}
    assert set(claims) == {
        "sub", "aud", "exp", "iat", "email", "phone", "app_metadata", "user_metadata", "role", "aal", "amr",
        "session_id", "is_anonymous",
    }  # fmt: skip
    assert (claims["aud"], claims["role"], claims["aal"]) == ("authenticated", "authenticated", "aal1")
    assert [entry["method"] for entry in claims["amr"]] == ["password"]
    assert claims["exp"] == claims["iat"] + 3600 == person.session["expires_at"]


@pytest.mark.parametrize(
    ("body", "want"),
    [
        ({}, (400, "validation_failed", "missing email or phone")),
        (
            {"email": "a@b.co", "phone": "1"},
            (400, "validation_failed", "Only an email address or phone number should be provided on login."),
        ),
        ({"email": "nobody@example.com", "password": "x"}, INVALID),
        ({"email": "nobody@example.com"}, INVALID),
        ({"phone": "+1555", "password": "x"}, (422, "phone_provider_disabled", "Phone logins are disabled")),
    ],
)
def test_password_errors(auth: AuthClient, body: Json, want: tuple[int, str, str]) -> None:
    assert error_of(auth.post("/token?grant_type=password", body, headers=NEW)) == want


@pytest.mark.parametrize("kind", ["", "nonsense", "client_credentials"])
def test_unknown_grant(auth: AuthClient, kind: str) -> None:
    want = (400, "invalid_credentials", "unsupported_grant_type")
    assert error_of(auth.post(f"/token?grant_type={kind}", {}, headers=NEW)) == want


def test_web3_is_off(auth: AuthClient) -> None:
    answer = auth.post("/token?grant_type=web3", {"chain": "solana"}, headers=NEW)
    assert error_of(answer) == (422, "web3_provider_disabled", "Web3 provider is disabled")


def test_email_in_any_case(auth: AuthClient) -> None:
    person = auth.person()
    assert auth.sign_in(person.email.upper()).id == person.id


def test_password_longer_than_72_bytes_compares_its_beginning(auth: AuthClient) -> None:
    person = auth.person(password="p" * 72)
    assert auth.sign_in(person.email, "p" * 100).id == person.id


def test_ban_is_reported_before_the_password_is_checked(auth: AuthClient) -> None:
    person = auth.person()
    auth.admin("PUT", f"/admin/users/{person.id}", {"ban_duration": "1h"})
    body = {"email": person.email, "password": "wrong"}
    assert error_of(auth.post("/token?grant_type=password", body, headers=NEW)) == (
        400,
        "user_banned",
        "User is banned",
    )
    assert error_of(person.request("GET", "/user", headers=NEW)) == (403, "user_banned", "User is banned")


def test_ban_ends_every_session_for_good(auth: AuthClient) -> None:
    person, other = auth.person(), auth.person()
    again = auth.sign_in(person.email)
    auth.post("/recover", {"email": person.email})
    link = auth.letter(person.email).token_hash
    auth.admin("PUT", f"/admin/users/{person.id}", {"ban_duration": "1h"})
    assert auth.sql("select count(*) from auth.sessions where user_id = %s", person.id) == [(0,)]
    for one in (person, again):
        assert auth.refresh(one.session["refresh_token"], headers=NEW).json()["code"] == "refresh_token_not_found"
        for method, path in (("GET", "/user"), ("PUT", "/user"), ("POST", "/logout"), ("GET", "/reauthenticate")):
            assert error_of(one.request(method, path, headers=NEW)) == (403, "user_banned", "User is banned")
    by_link = auth.post("/verify", {"type": "recovery", "token_hash": link}, headers=NEW)
    assert error_of(by_link) == (403, "user_banned", "User is banned")
    assert other.request("GET", "/user").status_code == 200
    auth.admin("PUT", f"/admin/users/{person.id}", {"ban_duration": "none"})
    assert error_of(person.request("GET", "/user", headers=NEW))[:2] == (403, "session_not_found")
    auth.sign_in(person.email)


def test_ban_by_sql_works_as_one_by_the_admin(auth: AuthClient) -> None:
    """The session is still there: a procedure of the application only set the column."""
    person = auth.person()
    auth.sql("update auth.users set banned_until = now() + interval '1 hour' where id = %s", person.id)
    refreshed = auth.refresh(person.session["refresh_token"], headers=NEW)
    assert error_of(refreshed) == (400, "user_banned", "Invalid Refresh Token: User Banned")
    assert error_of(person.request("GET", "/user", headers=NEW)) == (403, "user_banned", "User is banned")


def test_weak_password_is_reported_after_signing_in(auth: AuthClient, start_auth: StartAuth) -> None:
    strict = start_auth(PASSWORD_MIN_LENGTH="30")
    person = auth.person()
    session = strict.post("/token?grant_type=password", {"email": person.email, "password": PASSWORD}).json()
    assert session["weak_password"] == {
        "message": "Password should be at least 30 characters.", "reasons": ["length"],
    }  # fmt: skip


def test_refresh_rotates_within_the_session(auth: AuthClient) -> None:
    person = auth.person()
    answer = auth.refresh(person.session["refresh_token"])
    fresh = answer.json()
    assert fresh["refresh_token"] != person.session["refresh_token"]
    assert len(fresh["refresh_token"]) == 12
    claims = pyjwt.decode(fresh["access_token"], options={"verify_signature": False})
    assert claims["session_id"] == person.claims["session_id"]
    assert claims["amr"] == person.claims["amr"]
    assert answer.headers["sb-auth-refresh-token-reuse"] == "false"
    assert "sb-auth-refresh-token-rotated" not in answer.headers
    rows = auth.sql(
        "select token, revoked, parent from auth.refresh_tokens where session_id = %s order by id", claims["session_id"]
    )
    assert rows == [
        (person.session["refresh_token"], True, None),
        (fresh["refresh_token"], False, person.session["refresh_token"]),
    ]


def test_parent_of_the_active_token_gets_that_token_again(auth: AuthClient) -> None:
    """A client that lost the response asks again."""
    old = auth.person().session["refresh_token"]
    first, second = auth.refresh(old).json(), auth.refresh(old).json()
    assert first["refresh_token"] == second["refresh_token"]


def test_replayed_token_revokes_its_family(auth: AuthClient) -> None:
    person = auth.person()
    first = person.session["refresh_token"]
    second = auth.refresh(first).json()["refresh_token"]
    third = auth.refresh(second).json()["refresh_token"]
    assert error_of(auth.refresh(first, headers=NEW)) == USED
    assert error_of(auth.refresh(third, headers=NEW)) == USED
    live = auth.sql(
        "select count(*) from auth.refresh_tokens where not revoked and session_id = %s", person.claims["session_id"]
    )
    assert live == [(0,)]
    assert person.request("GET", "/user").status_code == 200


def test_reuse_interval(start_auth: StartAuth) -> None:
    lenient = start_auth(SECURITY_REFRESH_TOKEN_REUSE_INTERVAL="10")
    person = lenient.person()
    first = person.session["refresh_token"]
    second = lenient.refresh(first).json()["refresh_token"]
    lenient.refresh(second)
    again = lenient.refresh(first)
    assert again.status_code == 200
    lenient.refresh(again.json()["refresh_token"])
    lenient.sql("update auth.refresh_tokens set updated_at = now() - interval '11 seconds' where token = %s", first)
    assert error_of(lenient.refresh(first, headers=NEW)) == USED


def test_without_rotation_the_family_stays_valid(start_auth: StartAuth) -> None:
    lax = start_auth(SECURITY_REFRESH_TOKEN_ROTATION_ENABLED="false")
    first = lax.person().session["refresh_token"]
    second = lax.refresh(first).json()["refresh_token"]
    third = lax.refresh(second).json()["refresh_token"]
    assert error_of(lax.refresh(first, headers=NEW)) == USED
    assert lax.refresh(third).status_code == 200


def test_parallel_refreshes_agree(auth: AuthClient) -> None:
    token = auth.person().session["refresh_token"]
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: auth.refresh(token), range(8)))
    assert [answer.status_code for answer in answers] == [200] * 8
    assert len({answer.json()["refresh_token"] for answer in answers}) == 1


@pytest.mark.parametrize(
    ("token", "want"),
    [
        ("", (400, "validation_failed", "Refresh token is not valid")),
        ("UPPERCASE123", (400, "validation_failed", "Refresh token is not valid")),
        ("' or 1=1 --", (400, "validation_failed", "Refresh token is not valid")),
        ("abcdefghijkl", (400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found")),
    ],
)
def test_unknown_refresh_tokens(auth: AuthClient, token: str, want: tuple[int, str, str]) -> None:
    assert error_of(auth.refresh(token, headers=NEW)) == want


@pytest.mark.parametrize(
    ("setting", "age", "want"),
    [
        ({"SESSIONS_TIMEBOX": "1h"}, "created_at = now() - interval '61 minutes'", "Session Expired"),
        (
            {"SESSIONS_INACTIVITY_TIMEOUT": "10m"},
            "refreshed_at = (now() - interval '11 minutes') at time zone 'utc'",
            "Session Expired (Inactivity)",
        ),
        ({}, "not_after = now() - interval '1 second'", "Session Expired"),
    ],
)
def test_session_limits(start_auth: StartAuth, setting: dict[str, str], age: str, want: str) -> None:
    service = start_auth(**setting)
    person = service.person()
    token = service.refresh(person.session["refresh_token"]).json()["refresh_token"]
    service.sql(f"update auth.sessions set {age} where user_id = %s", person.id)
    assert error_of(service.refresh(token, headers=NEW)) == (400, "session_expired", f"Invalid Refresh Token: {want}")


def test_one_session_per_user(start_auth: StartAuth) -> None:
    single = start_auth(SESSIONS_SINGLE_PER_USER="true")
    older = single.person()
    newer = single.sign_in(older.email)
    text = "Invalid Refresh Token: Session Expired (Revoked by Newer Login)"
    assert error_of(single.refresh(older.session["refresh_token"], headers=NEW)) == (400, "session_expired", text)
    assert single.refresh(newer.session["refresh_token"]).status_code == 200


@pytest.mark.parametrize(
    ("scope", "alive"),
    [("", (False, False)), ("global", (False, False)), ("local", (False, True)), ("others", (True, False))],
)
def test_sign_out_scopes(auth: AuthClient, scope: str, alive: tuple[bool, bool]) -> None:
    """§4.11 signs out locally; the other scopes are the client library's."""
    first = auth.person()
    second = auth.sign_in(first.email)
    answer = first.request("POST", "/logout", params={"scope": scope} if scope else {})
    assert (answer.status_code, answer.content) == (204, b"")
    for person, lives in ((first, alive[0]), (second, alive[1])):
        got = person.request("GET", "/user", headers=NEW)
        if lives:
            assert got.status_code == 200
        else:
            text = "Session from session_id claim in JWT does not exist"
            assert error_of(got) == (403, "session_not_found", text)
            assert auth.refresh(person.session["refresh_token"]).status_code == 400


def test_unknown_scope(auth: AuthClient) -> None:
    answer = auth.person().request("POST", "/logout?scope=mine", headers=NEW)
    assert error_of(answer) == (400, "validation_failed", 'Unsupported logout scope "mine"')


def unsigned(claims: Json) -> str:
    """A token that says it needs no signature."""
    parts = ({"alg": "none", "typ": "JWT"}, claims)
    return ".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in parts) + "."


def test_invalid_tokens(auth: AuthClient) -> None:
    person = auth.person()
    claims, good = person.claims, person.session["access_token"]
    head, payload, signature = good.split(".")
    forged = json.loads(base64.urlsafe_b64decode(payload + "=="))
    forged["role"] = "service_role"
    tampered = base64.urlsafe_b64encode(json.dumps(forged).encode()).rstrip(b"=").decode()
    bad = {
        "none": unsigned(claims),
        "tampered": f"{head}.{tampered}.{signature}",
        "other secret": mint("another-secret-of-more-than-32-characters", **claims),
        "expired": mint(**{**claims, "exp": int(time.time()) - 1}),
        "not yet": mint(**{**claims, "nbf": int(time.time()) + 60}),
        "two parts": "a.b",
        "garbage": "a.b.c",
        "no signature": f"{head}.{payload}.",
        "other algorithm": pyjwt.encode(claims, SECRET + SECRET, "HS512"),
    }
    for name, token in bad.items():
        for method, path in (("GET", "/user"), ("GET", "/admin/users"), ("POST", "/logout")):
            answer = auth.request(method, path, headers={"Authorization": f"Bearer {token}", **NEW})
            assert error_of(answer)[:2] == (403, "bad_jwt"), (name, path)
            assert answer.json()["message"].startswith("invalid JWT: unable to parse or verify signature, "), name


@pytest.mark.parametrize("header", [None, "", "Bearer", "Basic abc", "Bearer a b", "token"])
def test_missing_or_malformed_header(auth: AuthClient, header: str | None) -> None:
    headers = NEW if header is None else {**NEW, "Authorization": header}
    want = (401, "no_authorization", "This endpoint requires a valid Bearer token")
    for path in ("/user", "/admin/users"):
        assert error_of(auth.get(path, headers=headers)) == want


def test_claims_that_name_no_user(auth: AuthClient) -> None:
    person = auth.person()
    aud = {"aud": "authenticated", "role": "authenticated"}
    cases: list[tuple[Json, tuple[int, str, str]]] = [
        (aud, (403, "bad_jwt", "invalid claim: missing sub claim")),
        ({**aud, "sub": "me"}, (400, "bad_jwt", "invalid claim: sub claim must be a UUID")),
        ({**aud, "sub": str(uuid4())}, (403, "user_not_found", "User from sub claim in JWT does not exist")),
        (
            {**aud, "sub": person.id, "session_id": "mine"},
            (403, "bad_jwt", "invalid claim: session_id claim must be a UUID"),
        ),
        (
            {**aud, "sub": person.id, "session_id": str(uuid4())},
            (403, "session_not_found", "Session from session_id claim in JWT does not exist"),
        ),
        (
            {**aud, "sub": person.id, "session_id": auth.person().claims["session_id"]},
            (403, "session_not_found", "Session from session_id claim in JWT does not exist"),
        ),
        (
            {**aud, "sub": person.id, "aud": "elsewhere"},
            (200, "", ""),
        ),
    ]
    for claims, want in cases:
        answer = auth.get("/user", headers={"Authorization": f"Bearer {mint(**claims)}", **NEW})
        if want[0] == 200:
            assert answer.status_code == 200
        else:
            assert error_of(answer) == want
    wrong = auth.get("/user", headers={**person.bearer, "X-JWT-AUD": "elsewhere", **NEW})
    assert error_of(wrong) == (400, "validation_failed", "Token audience doesn't match request audience")


def test_token_of_a_deleted_user(auth: AuthClient) -> None:
    person = auth.person()
    assert auth.admin("DELETE", f"/admin/users/{person.id}").status_code == 200
    assert error_of(person.request("GET", "/user", headers=NEW))[:2] == (403, "user_not_found")
    assert error_of(auth.refresh(person.session["refresh_token"], headers=NEW))[1] == "refresh_token_not_found"


def es256_key() -> Json:
    key: Json = json.loads(ECAlgorithm.to_jwk(ec.generate_private_key(ec.SECP256R1())))
    return {**key, "kid": "es", "alg": "ES256", "use": "sig", "key_ops": ["sign", "verify"]}


def rs256_key() -> Json:
    key: Json = json.loads(RSAAlgorithm.to_jwk(rsa.generate_private_key(65537, 2048)))
    return {**key, "kid": "rs", "alg": "RS256", "use": "sig", "key_ops": ["sign", "verify"]}


def secret_key() -> Json:
    encoded = base64.urlsafe_b64encode(SECRET.encode()).rstrip(b"=").decode()
    return {"kty": "oct", "k": encoded, "alg": "HS256", "key_ops": ["verify"]}


@pytest.mark.parametrize("make", [es256_key, rs256_key])
def test_signing_keys_and_their_public_set(start_auth: StartAuth, make: Any) -> None:
    key = make()
    service = start_auth(JWT_KEYS=json.dumps([key, secret_key()]), JWT_ISSUER="http://auth.test")
    answer = service.get("/.well-known/jwks.json")
    keys = answer.json()["keys"]
    assert answer.headers["cache-control"] == "public, max-age=600"
    assert [one["kid"] for one in keys] == [key["kid"]]
    assert keys[0]["key_ops"] == ["verify"]
    assert not {"d", "p", "q", "k"} & set(keys[0])
    person = service.person()
    token = person.session["access_token"]
    assert pyjwt.get_unverified_header(token) == {"alg": key["alg"], "kid": key["kid"], "typ": "JWT"}
    public = pyjwt.PyJWK(keys[0])
    claims = pyjwt.decode(token, public.key, algorithms=[key["alg"]], audience="authenticated")
    assert claims["iss"] == "http://auth.test"
    assert person.request("GET", "/user").status_code == 200


def test_key_confusion(start_auth: StartAuth) -> None:
    """A public key is no shared secret: HS256 over its text is not accepted, with and without its kid."""
    key = rs256_key()
    service = start_auth(JWT_KEYS=json.dumps([key, secret_key()]))
    person = service.person()
    public = pyjwt.PyJWK(service.get("/.well-known/jwks.json").json()["keys"][0]).key
    pem = public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    payload = base64.urlsafe_b64encode(json.dumps(person.claims).encode()).rstrip(b"=").decode()
    for extra in ({}, {"kid": "rs"}):
        header = json.dumps({"alg": "HS256", "typ": "JWT", **extra}).encode()
        head = base64.urlsafe_b64encode(header).rstrip(b"=").decode()
        mac = hmac.new(pem, f"{head}.{payload}".encode(), hashlib.sha256).digest()
        forged = f"{head}.{payload}.{base64.urlsafe_b64encode(mac).rstrip(b'=').decode()}"
        answer = service.get("/user", headers={"Authorization": f"Bearer {forged}", **NEW})
        assert error_of(answer)[:2] == (403, "bad_jwt")


def test_plain_secret_has_an_empty_key_set(auth: AuthClient) -> None:
    assert auth.get("/.well-known/jwks.json").json() == {"keys": []}


def test_both_error_bodies(auth: AuthClient) -> None:
    new = auth.get("/user", headers={"X-Supabase-Api-Version": "2024-01-01"})
    assert new.json() == {"code": "no_authorization", "message": "This endpoint requires a valid Bearer token"}
    assert new.headers["x-supabase-api-version"] == "2024-01-01"
    for header in ({}, {"X-Supabase-Api-Version": "2023-12-31"}, {"X-Supabase-Api-Version": "soon"}):
        old = auth.get("/user", headers=header)
        assert old.json() == {
            "code": 401, "error_code": "no_authorization", "msg": "This endpoint requires a valid Bearer token",
        }  # fmt: skip
        assert "x-supabase-api-version" not in old.headers
        assert old.headers["x-sb-error-code"] == "no_authorization"


@pytest.mark.parametrize(
    ("body", "want"),
    [
        (b"", "unexpected end of JSON input"),
        (b"{", "unexpected end of JSON input"),
        (b'{"email":5}', "json: cannot unmarshal number into Go struct field SignupParams.email of type string"),
        (b'{"email":["a"]}', "json: cannot unmarshal array into Go struct field SignupParams.email of type string"),
        (
            b'{"data":"x"}',
            "json: cannot unmarshal string into Go struct field SignupParams.data of type map[string]interface {}",
        ),
        (b"[]", "json: cannot unmarshal array into Go value of type api.SignupParams"),
        (b'{"email":"a@b.co"}{}', "invalid character '{' after top-level value"),
        (b"{'a':1}", "invalid character '\\'' looking for beginning of object key string"),
        (b'{"data":{"a":NaN}}', "invalid character 'N' looking for beginning of value"),
        (b'{"data":{"a":"\\u0000"}}', "unsupported Unicode escape sequence \\u0000"),
        (b'{"data":' + b"[" * 5000 + b"]" * 5000 + b"}", "exceeded max depth"),
    ],
)
def test_bodies_that_go_does_not_accept(auth: AuthClient, body: bytes, want: str) -> None:
    answer = auth.http.post("/signup", content=body, headers=NEW)
    assert error_of(answer) == (400, "bad_json", f"Could not parse request body as JSON: {want}")


def test_body_of_more_than_a_megabyte(auth: AuthClient) -> None:
    answer = auth.http.post("/signup", content=b'{"email":"' + b"x" * 1024 * 1024 + b'"}', headers=NEW)
    text = "Request body too large (max 1048576 bytes)"
    assert error_of(answer) == (413, "request_entity_too_large", text)


def test_half_surrogates_are_replaced(open_auth: AuthClient) -> None:
    body = b'{"email":"%s","password":"%s","data":{"name":"\\ud800"}}' % (new_email().encode(), PASSWORD.encode())
    answer = open_auth.http.post("/signup", content=body)
    assert answer.json()["user"]["user_metadata"]["name"] == "\ufffd"


def test_client_addresses_are_limited_when_a_header_names_them(start_auth: StartAuth) -> None:
    service = start_auth(RATE_LIMIT_HEADER="X-Forwarded-For", RATE_LIMIT_VERIFY="1")
    body = {"type": "signup", "token": "1", "email": "a@b.co"}
    here = {**NEW, "X-Forwarded-For": "203.0.113.1, 10.0.0.1"}
    got = [service.post("/verify", body, headers=here).status_code for _ in range(31)]
    assert got == [403] * 30 + [429]  # the burst is GoTrue's 30, whatever the rate
    want = (429, "over_request_rate_limit", "Request rate limit reached")
    assert error_of(service.post("/verify", body, headers=here)) == want
    elsewhere = {**NEW, "X-Forwarded-For": "203.0.113.2"}
    assert service.post("/verify", body, headers=elsewhere).status_code == 403
    assert service.post("/verify", body).status_code == 403


def test_password_failures_of_one_account_are_limited(start_auth: StartAuth) -> None:
    service = start_auth(RATE_LIMIT_PASSWORD_FAILURES="3/1h")
    person, other = service.person(), service.person()
    guess = {"email": person.email, "password": "wrong"}
    got = [service.post("/token?grant_type=password", guess).status_code for _ in range(4)]
    assert got == [400, 400, 400, 429]
    right = {"email": person.email.upper(), "password": PASSWORD}
    assert service.post("/token?grant_type=password", right).status_code == 429
    service.sign_in(other.email)


def test_user_agent_and_address_are_stored(auth: AuthClient) -> None:
    person = auth.person()
    headers = {"X-Forwarded-For": "not-an-address, 2001:db8::1", "User-Agent": "Station tablet"}
    auth.refresh(person.session["refresh_token"], headers=headers)
    got = auth.sql("select host(ip), user_agent from auth.sessions where user_id = %s", person.id)
    assert got == [("2001:db8::1", "Station tablet")]


def test_rows_seeded_by_sql_can_sign_in(auth: AuthClient) -> None:
    """What SQL seeds do: auth.users and auth.identities with pgcrypto's bcrypt."""
    email, user_id = new_email("seed"), str(uuid4())
    auth.sql(
        "insert into auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at,"
        " raw_app_meta_data, raw_user_meta_data, created_at, updated_at, confirmation_token, recovery_token,"
        " email_change, email_change_token_new) values ('00000000-0000-0000-0000-000000000000', %s,"
        " 'authenticated', 'authenticated', %s, extensions.crypt(%s, extensions.gen_salt('bf', 4)), now(),"
        """ '{"provider":"email","providers":["email"]}', '{}', now(), now(), '', '', '', '')""",
        user_id, email, PASSWORD,
    )  # fmt: skip
    auth.sql(
        "insert into auth.identities (provider_id, user_id, identity_data, provider, created_at, updated_at)"
        " values (%s, %s, jsonb_build_object('sub', %s::text, 'email', %s::text), 'email', now(), now())",
        user_id, user_id, user_id, email,
    )  # fmt: skip
    session = auth.sign_in(email)
    assert session.id == user_id
    assert session.session["user"]["identities"][0]["email"] == email


def test_functions_of_the_schema_read_the_claims(auth: AuthClient) -> None:
    person = auth.person()
    got = auth.sql(
        "select set_config('request.jwt.claims', %s, false) is null, auth.uid()::text, auth.role(), auth.email(),"
        " auth.jwt() ->> 'aal'",
        json.dumps(person.claims),
    )
    assert got[0][1:] == (person.id, "authenticated", person.email, "aal1")
