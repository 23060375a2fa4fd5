"""Mails that tell of a change: to whom, when, and that one that can't be sent holds up nothing."""

import httpx
import pytest

from tests.contract.auth.conftest import StartAuth
from tests.contract.auth.harness import PASSWORD, AuthClient, Person, new_email
from tests.contract.auth.test_mfa import raise_to_aal2

KINDS = ("PASSWORD_CHANGED", "EMAIL_CHANGED", "PHONE_CHANGED", "IDENTITY_LINKED", "MFA_FACTOR_ENROLLED",
         "MFA_FACTOR_UNENROLLED")  # fmt: skip
ON = {f"MAILER_NOTIFICATIONS_{kind}_ENABLED": "true" for kind in KINDS}
PHONES = {"EXTERNAL_PHONE_ENABLED": "true", "SMS_TEST_OTP": "15550004444:112233,15550005555:445566",
          "SMS_MAX_FREQUENCY": "1ns"}  # fmt: skip


@pytest.fixture(scope="module")
def telling(start_auth: StartAuth) -> AuthClient:
    return start_auth(
        **ON, **PHONES, MAILER_SECURE_EMAIL_CHANGE_ENABLED="false", RATE_LIMIT_EMAIL_SENT="1000",
        MAILER_SUBJECTS_PASSWORD_CHANGED_NOTIFICATION="New password for {{ .Email }}",
    )  # fmt: skip


def subjects(auth: AuthClient, address: str) -> list[str]:
    """Of the mails to an address, oldest first."""
    assert auth.mailbox is not None
    return [mail["subject"] for mail in reversed(auth.mailbox.all(address))]


def set_password(person: Person) -> httpx.Response:
    answer: httpx.Response = person.request("PUT", "/user", {"password": "another-password-9"})
    return answer


def test_password_and_factors(telling: AuthClient) -> None:
    person = telling.person()
    assert set_password(person).status_code == 200
    factor = raise_to_aal2(person)
    raised = raise_to_aal2(person, "second app")
    assert person.request("DELETE", f"/factors/{factor['id']}").status_code == 200
    assert raised["id"] != factor["id"]
    assert subjects(telling, person.email) == [
        f"New password for {person.email}",
        "A new verification method was added to your account",
        "A new verification method was added to your account",
        "A verification method was removed from your account",
    ]
    letter = telling.letter(person.email).mail
    assert "Sign-in verification method totp was removed from your account." in letter["html"]


def test_the_old_address_is_told_of_the_new_one(telling: AuthClient) -> None:
    person, target = telling.person(), new_email()
    assert person.request("PUT", "/user", {"email": target}).status_code == 200
    assert subjects(telling, person.email) == [], "nothing has changed yet"
    token = telling.letter(target).otp
    assert telling.post("/verify", {"type": "email_change", "email": target, "token": token}).status_code == 200
    told = telling.letter(person.email).mail
    assert told["subject"] == "Your email address was changed"
    assert f"was changed from {person.email} to {target}." in told["html"]
    assert subjects(telling, target) == ["Confirm your new email address"]


def test_a_number_is_linked_and_then_changed(telling: AuthClient) -> None:
    person = telling.person()
    for phone, code in (("15550004444", "112233"), ("15550005555", "445566")):
        assert person.request("PUT", "/user", {"phone": phone}).status_code == 200
        verified = telling.post("/verify", {"type": "phone_change", "phone": phone, "token": code})
        assert verified.status_code == 200, verified.text
    assert subjects(telling, person.email) == [
        "A new sign-in method was linked to your account", "Your phone number was changed"
    ]  # fmt: skip
    assert "from 15550004444 to 15550005555." in telling.letter(person.email).mail["html"]


def test_off_by_default(auth: AuthClient) -> None:
    person = auth.person()
    assert set_password(person).status_code == 200
    assert subjects(auth, person.email) == []


def test_a_mail_that_cannot_be_sent_holds_up_nothing(start_auth: StartAuth) -> None:
    for more in ({"SMTP_PORT": "1"}, {"RATE_LIMIT_EMAIL_SENT": "0"}, {"EXTERNAL_EMAIL_AUTHORIZED_ADDRESSES": "a@b.c"}):
        service = start_auth(**ON, **more)
        person = service.person()
        assert set_password(person).status_code == 200, more
        assert service.sign_in(person.email, "another-password-9").session["access_token"]


def test_the_hook_is_told(start_auth: StartAuth) -> None:
    service = start_auth(
        **ON, HOOK_SEND_EMAIL_ENABLED="true", HOOK_SEND_EMAIL_URI="pg-functions://postgres/public/note_mail"
    )
    service.sql(
        "create table if not exists public.noted (event jsonb);"
        "create or replace function public.note_mail(event jsonb) returns jsonb language sql as"
        " $$ insert into public.noted values (event -> 'email_data') returning '{}'::jsonb $$;"
        "grant execute on function public.note_mail to supabase_auth_admin; grant insert, select on public.noted"
        " to supabase_auth_admin"
    )
    person = service.person(password=PASSWORD)
    raise_to_aal2(person)
    [(event,)] = service.sql("select event from public.noted where event ->> 'email_action_type' like 'mfa%%'")
    assert (event["email_action_type"], event["factor_type"]) == ("mfa_factor_enrolled_notification", "totp")
