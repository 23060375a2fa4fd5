"""The admin API: users, pagination, audit log, OAuth clients; and the schema that a dump must contain."""

import re
from uuid import uuid4

import pytest

from emulator.paths import CHECKOUT
from tests.contract.auth.conftest import StartAuth
from tests.contract.auth.harness import NEW, PASSWORD, AuthClient, Json, error_of, mint, new_email


def test_only_admins(auth: AuthClient) -> None:
    person = auth.person()
    want = (403, "not_admin", "User not allowed")
    anon = {"Authorization": f"Bearer {mint(role='anon')}", **NEW}
    for method, path in (
        ("GET", "/admin/users"), ("POST", "/admin/users"), ("GET", f"/admin/users/{person.id}"),
        ("PUT", f"/admin/users/{person.id}"), ("DELETE", f"/admin/users/{person.id}"), ("POST", "/invite"),
        ("POST", "/admin/generate_link"), ("GET", "/admin/audit"), ("GET", f"/admin/users/{person.id}/factors"),
        ("POST", "/admin/oauth/clients"),
    ):  # fmt: skip
        assert error_of(person.request(method, path, headers=NEW)) == want, path
        assert error_of(auth.request(method, path, headers=anon)) == want, path
    assert auth.admin("GET", f"/admin/users/{person.id}").json()["email"] == person.email


def test_created_user(auth: AuthClient) -> None:
    email, user_id = new_email(), str(uuid4())
    body = {
        "id": user_id, "email": email, "password": "x", "email_confirm": True, "user_metadata": {"a": 1},
        "app_metadata": {"b": 2}, "role": "crew", "ban_duration": "1h30m",
    }  # fmt: skip
    user = auth.admin("POST", "/admin/users", body).json()
    assert (user["id"], user["role"], user["email"]) == (user_id, "crew", email)
    assert user["user_metadata"] == {"a": 1, "email_verified": True}
    assert user["app_metadata"] == {"provider": "email", "providers": ["email"], "b": 2}
    assert user["identities"][0]["identity_data"] == {
        "sub": user_id, "email": email, "email_verified": False, "phone_verified": False,
    }  # fmt: skip
    assert user["banned_until"]
    assert user["email_confirmed_at"]
    assert "confirmed_at" not in user
    assert auth.admin("GET", f"/admin/users/{user_id}").json()["confirmed_at"]
    assert auth.mailbox is not None
    assert auth.mailbox.all(email) == []


@pytest.mark.parametrize(
    ("body", "want"),
    [
        ({}, "Cannot create a user without either an email or phone"),
        ({"email": "x"}, "Unable to validate email address: invalid format"),
        ({"email": "a@b.co", "id": "1"}, "ID must conform to the uuid v4 format"),
        ({"email": "a@b.co", "id": "00000000-0000-0000-0000-000000000000"}, "ID cannot be a nil uuid"),
        (
            {"email": "a@b.co", "password": "x", "password_hash": "y"},
            "Only a password or a password hash should be provided",
        ),
        ({"email": "a@b.co", "password": "x" * 73}, "bcrypt: password length exceeds 72 bytes"),
        (
            {"email": "a@b.co", "ban_duration": "3d"},
            'invalid format for ban duration: time: invalid duration "3d"',
        ),
    ],
)
def test_creation_errors(auth: AuthClient, body: Json, want: str) -> None:
    assert error_of(auth.admin("POST", "/admin/users", body, headers=NEW)) == (400, "validation_failed", want)


def test_taken_address_is_422_on_creation_and_500_on_change(auth: AuthClient) -> None:
    first, second = auth.person(), auth.person()
    made = auth.admin("POST", "/admin/users", {"email": first.email}, headers=NEW)
    assert error_of(made)[:2] == (422, "email_exists")
    changed = auth.admin("PUT", f"/admin/users/{second.id}", {"email": first.email}, headers=NEW)
    assert error_of(changed) == (500, "unexpected_failure", "Error updating user")


def test_password_hash_is_stored_as_given(auth: AuthClient) -> None:
    email = new_email()
    known = auth.sql("select encrypted_password from auth.users where id = %s", auth.person().id)[0][0]
    auth.admin("POST", "/admin/users", {"email": email, "password_hash": known, "email_confirm": True})
    assert auth.sign_in(email).email == email


def test_metadata_merges_shallowly_and_null_deletes(auth: AuthClient) -> None:
    person = auth.person(user_metadata={"keep": 1, "drop": 2, "deep": {"a": 1}})
    body = {"user_metadata": {"drop": None, "deep": {"b": 2}}, "app_metadata": {"admin": True}}
    user = auth.admin("PUT", f"/admin/users/{person.id}", body).json()
    assert user["user_metadata"] == {"keep": 1, "deep": {"b": 2}, "email_verified": True}
    assert user["app_metadata"]["admin"] is True
    mine = person.request("PUT", "/user", {"data": {"keep": None}}).json()
    assert mine["user_metadata"] == {"deep": {"b": 2}, "email_verified": True}
    want = (403, "not_admin", "Updating app_metadata requires admin privileges")
    assert error_of(person.request("PUT", "/user", {"app_metadata": {"admin": True}}, headers=NEW)) == want


def test_own_update_ignores_fields_for_admins(auth: AuthClient) -> None:
    person = auth.person()
    person.request("PUT", "/user", {"role": "service_role", "aud": "x", "is_super_admin": True, "banned_until": None})
    row = auth.sql("select role, aud, is_super_admin from auth.users where id = %s", person.id)
    assert row == [("authenticated", "authenticated", None)]


def test_admin_password_signs_out_everywhere(auth: AuthClient) -> None:
    person = auth.person()
    auth.admin("PUT", f"/admin/users/{person.id}", {"password": "set by admin"})
    assert error_of(person.request("GET", "/user", headers=NEW))[1] == "session_not_found"
    auth.sign_in(person.email, "set by admin")
    weak = auth.admin("PUT", f"/admin/users/{person.id}", {"password": "x"}, headers=NEW)
    assert error_of(weak)[:2] == (422, "weak_password")


def test_changed_address_takes_effect_at_once(auth: AuthClient) -> None:
    person, email = auth.person(), new_email()
    user = auth.admin("PUT", f"/admin/users/{person.id}", {"email": email, "email_confirm": True}).json()
    assert user["email"] == email
    assert user["identities"][0]["email"] == person.email  # as it was: the next response has the new one
    after = auth.admin("GET", f"/admin/users/{person.id}").json()
    assert after["identities"][0]["email"] == email
    assert auth.sign_in(email).id == person.id


def test_soft_deletion_leaves_an_anonymous_row(auth: AuthClient) -> None:
    person = auth.person(user_metadata={"name": "Ada"})
    for _ in range(2):
        assert auth.admin("DELETE", f"/admin/users/{person.id}", {"should_soft_delete": True}).json() == {}
    user = auth.admin("GET", f"/admin/users/{person.id}").json()
    assert user["deleted_at"]
    assert person.email not in str(user)
    assert user["user_metadata"] == {}
    assert error_of(
        auth.post("/token?grant_type=password", {"email": person.email, "password": PASSWORD}, headers=NEW)
    )[1] == ("invalid_credentials")
    assert auth.post("/signup", {"email": person.email, "password": PASSWORD}).json()["identities"] != []


def test_unknown_and_malformed_ids(auth: AuthClient) -> None:
    for method in ("GET", "PUT", "DELETE"):
        body: Json | None = {} if method == "PUT" else None
        unknown = auth.admin(method, f"/admin/users/{uuid4()}", body, headers=NEW)
        assert error_of(unknown) == (404, "user_not_found", "User not found")
        malformed = auth.admin(method, "/admin/users/me", body, headers=NEW)
        assert error_of(malformed) == (404, "validation_failed", "user_id must be an UUID")


def test_pages_of_users(start_auth: StartAuth) -> None:
    service = start_auth(JWT_AUD="paging")
    for number in range(5):
        service.admin(
            "POST", "/admin/users", {"email": new_email(f"page{number}"), "user_metadata": {"full_name": f"N {number}"}}
        )
    first = service.admin("GET", "/admin/users?page=1&per_page=2")
    assert first.json()["aud"] == "paging"
    assert len(first.json()["users"]) == 2
    assert first.json()["users"][0]["identities"] is None
    assert first.headers["x-total-count"] == "5"
    assert first.headers["link"] == (
        '</admin/users?page=2&per_page=2>; rel="next", </admin/users?page=3&per_page=2>; rel="last"'
    )
    last = service.admin("GET", "/admin/users?page=3&per_page=2")
    assert len(last.json()["users"]) == 1
    assert last.headers["link"] == '</admin/users?page=3&per_page=2>; rel="last"'
    emails = [user["email"][:5] for user in service.admin("GET", "/admin/users?page=&per_page=").json()["users"]]
    assert emails == ["page4", "page3", "page2", "page1", "page0"]
    ordered = service.admin("GET", "/admin/users?sort=created_at asc&per_page=1")
    assert ordered.json()["users"][0]["email"].startswith("page0")
    assert ordered.headers["link"].startswith("</admin/users?page=2&per_page=1&sort=created_at+asc>")
    assert service.admin("GET", "/admin/users").headers["link"] == '</admin/users?page=1>; rel="last"'
    found = service.admin("GET", "/admin/users?filter=page3").json()["users"]
    assert [user["user_metadata"]["full_name"] for user in found] == ["N 3"]


@pytest.mark.parametrize(
    "query", ["page=x", "per_page=-1", "page=1%20or%201=1", "sort=email;drop", "sort=email", "sort=created_at up"]
)
def test_bad_pages(auth: AuthClient, query: str) -> None:
    status, code, message = error_of(auth.admin("GET", f"/admin/users?{query}", headers=NEW))
    assert (status, code) == (400, "validation_failed")
    assert message.startswith(("Bad Pagination Parameters: ", "Bad Sort Parameters: "))


def test_audit_log(auth: AuthClient) -> None:
    person = auth.person(user_metadata={"full_name": "Ada Lovelace"})
    person.request("POST", "/logout")
    found = auth.admin("GET", "/admin/audit?query=author:Ada Lovelace&per_page=5")
    rows = found.json()
    assert [row["payload"]["action"] for row in rows] == ["logout", "login"]
    assert rows[0]["payload"] == {
        "action": "logout", "actor_id": person.id, "actor_name": "Ada Lovelace", "actor_username": person.email,
        "actor_via_sso": False, "log_type": "account",
    }  # fmt: skip
    assert found.headers["x-total-count"] == "2"
    made = auth.admin("GET", "/admin/audit?query=action:user_signedup&per_page=1").json()[0]["payload"]
    assert made["actor_id"] == "00000000-0000-0000-0000-000000000000"
    assert made["actor_username"] == "service_role"
    assert made["traits"]["user_id"]
    wrong = auth.admin("GET", "/admin/audit?query=who:me", headers=NEW)
    assert error_of(wrong) == (400, "validation_failed", "Invalid query scope: who")


def test_oauth_clients(start_auth: StartAuth) -> None:
    service = start_auth(OAUTH_SERVER_ENABLED="true")
    body = {"client_name": "Station board", "redirect_uris": ["https://board.example/cb"]}
    made = service.admin("POST", "/admin/oauth/clients", body)
    client = made.json()
    assert made.status_code == 201
    assert client["client_secret"]
    assert (client["client_type"], client["token_endpoint_auth_method"], client["registration_type"]) == (
        "confidential", "client_secret_basic", "manual",
    )  # fmt: skip
    assert client["grant_types"] == ["authorization_code", "refresh_token"]
    assert client["response_types"] == ["code"]
    path = f"/admin/oauth/clients/{client['client_id']}"
    read = service.admin("GET", path).json()
    assert "client_secret" not in read
    assert read["redirect_uris"] == body["redirect_uris"]
    changed = service.admin("PUT", path, {"client_name": "Board"}).json()
    assert (changed["client_name"], changed["redirect_uris"]) == ("Board", body["redirect_uris"])
    again = service.admin("POST", f"{path}/regenerate_secret").json()
    assert again["client_secret"] not in ("", client["client_secret"])
    listed = service.admin("GET", "/admin/oauth/clients").json()["clients"]
    assert [one["client_id"] for one in listed] == [client["client_id"]]
    assert service.admin("DELETE", path).status_code == 204
    assert error_of(service.admin("GET", path, headers=NEW))[:2] == (404, "oauth_client_not_found")
    stored = service.sql("select client_secret_hash from auth.oauth_clients where id = %s", client["client_id"])
    assert again["client_secret"] not in str(stored)


@pytest.mark.parametrize(
    "body",
    [
        {"client_name": "x", "redirect_uris": []},
        {"client_name": "x"},
        {"redirect_uris": ["https://a.b/c"]},
        {"client_name": "x", "redirect_uris": ["http://public.example/"]},
        {"client_name": "x", "redirect_uris": ["javascript:alert(1)"]},
        {"client_name": "x", "redirect_uris": ["https://a.b/c#d"]},
        {"client_name": "x", "redirect_uris": ["https://a.b/c,https://evil/"]},
        {"client_name": "x", "redirect_uris": ["https://a.b/c"], "grant_types": ["password"]},
        {"client_name": "x", "redirect_uris": ["https://a.b/c"], "token_endpoint_auth_method": "magic"},
    ],
)
def test_oauth_client_errors(start_auth: StartAuth, body: Json) -> None:
    service = start_auth(OAUTH_SERVER_ENABLED="true")
    assert error_of(service.admin("POST", "/admin/oauth/clients", body, headers=NEW))[:2] == (400, "validation_failed")


def test_disabled_features(auth: AuthClient) -> None:
    person = auth.person()
    for got, want in (
        (auth.post("/sso", {"domain": "x"}, headers=NEW), (404, "saml_provider_disabled", "SAML 2.0 is disabled")),
        (auth.admin("GET", "/admin/oauth/clients", headers=NEW), (404, "feature_disabled", "OAuth server is disabled")),
        (auth.get("/scim/v2/Users", headers=NEW), (404, "feature_disabled", "SCIM server is disabled")),
        (person.request("GET", "/passkeys", headers=NEW), (404, "passkey_disabled", "Passkeys are disabled")),
        (
            person.request("GET", "/user/identities/authorize?provider=github", headers=NEW),
            (404, "manual_linking_disabled", "Manual linking is disabled"),
        ),
    ):
        assert error_of(got) == want


def test_health_and_settings(auth: AuthClient) -> None:
    assert auth.get("/health").json()["name"] == "GoTrue"
    settings = auth.get("/settings").json()
    assert settings["external"]["email"] is True
    assert settings["external"]["github"] is False
    assert (settings["disable_signup"], settings["mailer_autoconfirm"], settings["saml_enabled"]) == (
        False, False, False,
    )  # fmt: skip
    assert auth.get("/.well-known/openid-configuration").json()["jwks_uri"].endswith("/.well-known/jwks.json")


TABLES_OF_OLD = {
    "audit_log_entries", "flow_state", "identities", "instances", "mfa_amr_claims", "mfa_challenges", "mfa_factors",
    "one_time_tokens", "refresh_tokens", "saml_providers", "saml_relay_states", "schema_migrations", "sessions",
    "sso_domains", "sso_providers", "users",
}  # fmt: skip


def test_schema_is_gotrues(auth: AuthClient) -> None:
    owners = auth.sql(
        "select relname, relkind, pg_get_userbyid(relowner), relrowsecurity from pg_class"
        " where relnamespace = 'auth'::regnamespace and relkind in ('r', 'S', 'i')"
    )
    assert {row[2] for row in owners} == {"supabase_auth_admin"}
    tables = {row[0]: row[3] for row in owners if row[1] in ("r", b"r")}
    assert len(tables) == 23
    assert {name for name, closed in tables.items() if closed} == TABLES_OF_OLD
    types = auth.sql(
        "select t.typname, array_agg(e.enumlabel::text order by e.enumsortorder), pg_get_userbyid(t.typowner)"
        " from pg_type t join pg_enum e on e.enumtypid = t.oid"
        " where t.typnamespace = 'auth'::regnamespace group by 1, 3"
    )
    assert {row[2] for row in types} == {"supabase_auth_admin"}
    assert len(types) == 9
    assert {name: labels for name, labels, _ in types}["factor_type"] == ["totp", "webauthn", "phone"]
    versions = {row[0] for row in auth.sql("select version from auth.schema_migrations")}
    assert len(versions) == 77
    assert {"00", "20171026211738", "20221114143410", "20260625000000"} <= versions
    functions = auth.sql(
        "select proname, provolatile::text, prosecdef, pg_get_userbyid(proowner) from pg_proc"
        " where pronamespace = 'auth'::regnamespace order by 1"
    )
    assert functions == [(name, "s", False, "supabase_auth_admin") for name in ("email", "jwt", "role", "uid")]


def test_api_roles_can_not_read_the_tables(auth: AuthClient) -> None:
    got = auth.sql(
        "select count(*) from pg_class, unnest(array['anon', 'authenticated', 'service_role']) as r (role)"
        " where relnamespace = 'auth'::regnamespace and relkind = 'r'"
        " and has_table_privilege(r.role, oid, 'select, insert, update, delete')"
    )
    assert got == [(0,)]


def test_sql_on_auth_stays_in_the_models() -> None:
    """Only models/ may name the tables."""
    folder = CHECKOUT / "supabase" / "emulator" / "auth"
    names_a_table = re.compile(r"(from|into|update|join)\s+auth\.\w+|\bselect\b.*\bfrom\b", re.IGNORECASE)
    offenders = [
        str(path.relative_to(folder))
        for path in folder.rglob("*.py")
        if not {"models", "migrations"} & set(path.parts)
        and names_a_table.search(_without_prose(path.read_text("utf8")))
    ]
    assert offenders == []


def _without_prose(source: str) -> str:
    """The code without docstrings and imports, which also contain the word "from"."""
    code = re.sub(r'"""[\s\S]*?"""', "", source)
    return "\n".join(line for line in code.splitlines() if "import" not in line)
