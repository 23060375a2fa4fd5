"""supabase-py's auth client through every flow it has, against the running service."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pyotp
import pytest
from supabase_auth import SyncGoTrueClient, SyncMemoryStorage
from supabase_auth.errors import AuthApiError, AuthWeakPasswordError
from supabase_auth.types import AuthFlowType

from tests.contract.auth.conftest import StartAuth
from tests.contract.auth.harness import PASSWORD, AuthClient, fragment, mint, new_email, query
from tests.contract.auth.test_sessions import es256_key, secret_key

Connect = Callable[..., SyncGoTrueClient]


@pytest.fixture
def opened() -> Iterator[ExitStack]:
    """Closes the clients that a test makes."""
    with ExitStack() as stack:
        yield stack


def connect(opened: ExitStack, auth: AuthClient, role: str, flow: AuthFlowType = "implicit") -> SyncGoTrueClient:
    made = SyncGoTrueClient(
        url=auth.url, storage=SyncMemoryStorage(), flow_type=flow, auto_refresh_token=False,
        headers={"apikey": "anything", "Authorization": f"Bearer {mint(role=role)}"},
    )  # fmt: skip
    opened.callback(made.close)
    return made


@pytest.fixture
def client(opened: ExitStack) -> Connect:
    return lambda auth, flow="implicit": connect(opened, auth, "anon", flow)


@pytest.fixture
def admin(opened: ExitStack) -> Callable[[AuthClient], Any]:
    return lambda auth: connect(opened, auth, "service_role").admin


def test_sign_up_confirm_sign_in_refresh_sign_out(auth: AuthClient, client: Connect) -> None:
    py, email = client(auth), new_email()
    made = py.sign_up({"email": email, "password": PASSWORD, "options": {"data": {"rank": "captain"}}})
    assert made.session is None
    assert made.user is not None
    assert made.user.email == email
    with pytest.raises(AuthApiError) as caught:
        py.sign_in_with_password({"email": email, "password": PASSWORD})
    assert caught.value.code == "email_not_confirmed"
    verified = py.verify_otp({"email": email, "token": auth.letter(email).otp, "type": "signup"})
    assert verified.session is not None
    signed = py.sign_in_with_password({"email": email, "password": PASSWORD})
    assert signed.session is not None
    assert signed.user is not None
    assert signed.user.user_metadata["rank"] == "captain"
    refreshed = py.refresh_session()
    assert refreshed.session is not None
    assert refreshed.session.refresh_token != signed.session.refresh_token
    got = py.get_user()
    assert got is not None
    assert got.user.email == email
    py.sign_out()
    assert py.get_session() is None
    with pytest.raises(AuthApiError) as caught:
        py.get_user(refreshed.session.access_token)
    assert caught.value.code == "session_not_found"


def test_expiring_session_refreshes_by_itself(start_auth: StartAuth, client: Connect) -> None:
    short = start_auth(JWT_EXP="1", MAILER_AUTOCONFIRM="true")
    py = client(short)
    made = py.sign_up({"email": new_email(), "password": PASSWORD})
    assert made.session is not None
    session = py.get_session()
    assert session is not None
    assert session.refresh_token != made.session.refresh_token


def test_errors_have_their_codes(auth: AuthClient, client: Connect) -> None:
    py = client(auth)
    with pytest.raises(AuthWeakPasswordError) as weak:
        py.sign_up({"email": new_email(), "password": "123"})
    assert weak.value.reasons == ["length"]
    with pytest.raises(AuthApiError) as wrong:
        py.sign_in_with_password({"email": new_email(), "password": PASSWORD})
    assert (wrong.value.status, wrong.value.code, wrong.value.message) == (
        400, "invalid_credentials", "Invalid login credentials",
    )  # fmt: skip


def test_magic_link_recovery_and_resend(auth: AuthClient, client: Connect) -> None:
    person, py = auth.person(), client(auth)
    py.sign_in_with_otp({"email": person.email, "options": {"should_create_user": False}})
    verified = py.verify_otp({"email": person.email, "token": auth.letter(person.email).otp, "type": "email"})
    assert verified.user is not None
    assert verified.user.id == person.id
    py.reset_password_for_email(person.email, {"redirect_to": "http://localhost:3000/new"})
    token_hash = auth.letter(person.email).token_hash
    assert py.verify_otp({"token_hash": token_hash, "type": "recovery"}).session is not None
    changed = py.update_user({"password": "brand new 4", "data": {"a": 1}})
    assert changed.user.user_metadata["a"] == 1
    email = new_email()
    py.sign_up({"email": email, "password": PASSWORD})
    before = auth.letter(email).token_hash
    py.resend({"type": "signup", "email": email})
    assert auth.letter(email).token_hash != before


def test_pkce(auth: AuthClient, client: Connect) -> None:
    person, py = auth.person(), client(auth, "pkce")
    py.sign_in_with_otp({"email": person.email})
    where = auth.get(auth.letter(person.email).link.removeprefix("http://auth.test")).headers["location"]
    session = py.exchange_code_for_session({"auth_code": query(where)["code"]})
    assert session.user is not None
    assert session.user.id == person.id


def test_anonymous_upgrade(start_auth: StartAuth, client: Connect) -> None:
    service = start_auth(EXTERNAL_ANONYMOUS_USERS_ENABLED="true")
    py, email = client(service), new_email()
    made = py.sign_in_anonymously({"options": {"data": {"visits": 1}}})
    assert made.user is not None
    assert made.user.is_anonymous
    pending = py.update_user({"email": email})
    assert pending.user.new_email == email
    link = service.letter(email).link.removeprefix("http://auth.test")
    assert "access_token" in fragment(service.get(link).headers["location"])
    got = py.get_user()
    assert got is not None
    assert got.user.email == email
    assert not got.user.is_anonymous


def test_mfa(auth: AuthClient, client: Connect) -> None:
    person, py = auth.person(), client(auth)
    py.sign_in_with_password({"email": person.email, "password": PASSWORD})
    factor = py.mfa.enroll({"factor_type": "totp", "friendly_name": "phone", "issuer": "Muster"})
    assert factor.totp is not None
    assert factor.totp.qr_code.startswith("data:image/svg+xml;utf-8,<?xml")
    level = py.mfa.get_authenticator_assurance_level()
    assert (level.current_level, level.next_level) == ("aal1", "aal1")
    code = pyotp.TOTP(factor.totp.secret).now()
    py.mfa.challenge_and_verify({"factor_id": factor.id, "code": code})
    level = py.mfa.get_authenticator_assurance_level()
    assert (level.current_level, level.next_level) == ("aal2", "aal2")
    assert [one.id for one in py.mfa.list_factors().totp] == [factor.id]
    assert py.mfa.unenroll({"factor_id": factor.id}).id == factor.id


def test_sign_out_scopes(auth: AuthClient, client: Connect) -> None:
    person, here, there = auth.person(), client(auth), client(auth)
    for py in (here, there):
        py.sign_in_with_password({"email": person.email, "password": PASSWORD})
    here.sign_out({"scope": "others"})
    assert here.get_user() is not None
    with pytest.raises(AuthApiError):
        there.get_user()


def test_claims_by_the_key_set(start_auth: StartAuth, client: Connect) -> None:
    service = start_auth(JWT_KEYS=json.dumps([es256_key(), secret_key()]))
    person, py = service.person(), client(service)
    py.sign_in_with_password({"email": person.email, "password": PASSWORD})
    claims = py.get_claims()
    assert claims is not None
    assert claims["claims"]["sub"] == person.id


def test_admin(auth: AuthClient, admin: Callable[[AuthClient], Any]) -> None:
    py, email = admin(auth), new_email()
    made = py.create_user({"email": email, "password": PASSWORD, "email_confirm": True, "user_metadata": {"a": 1}})
    assert made.user.user_metadata["a"] == 1
    assert py.get_user_by_id(made.user.id).user.email == email
    changed = py.update_user_by_id(made.user.id, {"app_metadata": {"role": "chief"}, "ban_duration": "1h"})
    assert changed.user.app_metadata["role"] == "chief"
    assert any(user.id == made.user.id for user in py.list_users(per_page=1000))
    assert py.invite_user_by_email(new_email()).user.invited_at
    link = py.generate_link({"type": "recovery", "email": email})
    assert link.properties.verification_type == "recovery"
    assert link.properties.hashed_token
    py.delete_user(made.user.id)
    with pytest.raises(AuthApiError) as caught:
        py.get_user_by_id(made.user.id)
    assert caught.value.code == "user_not_found"


def test_identities(start_auth: StartAuth, client: Connect) -> None:
    service = start_auth(SECURITY_MANUAL_LINKING_ENABLED="true")
    person, py = service.person(), client(service)
    py.sign_in_with_password({"email": person.email, "password": PASSWORD})
    identities = py.get_user_identities()
    assert [identity.provider for identity in identities.identities] == ["email"]
    with pytest.raises(AuthApiError) as caught:
        py.unlink_identity(identities.identities[0])
    assert caught.value.code == "single_identity_not_deletable"
