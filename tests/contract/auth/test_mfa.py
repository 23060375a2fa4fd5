"""Second factors and passkeys: enrollment, challenges, aal2 and back; with an authenticator in software."""

import base64
import hashlib
import json
import struct
from dataclasses import dataclass, field
from secrets import token_bytes
from typing import Any

import cbor2
import pyotp
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

from tests.contract.auth.conftest import StartAuth
from tests.contract.auth.harness import NEW, AuthClient, Json, Person, error_of, mint

ORIGIN, RP_ID = "http://localhost:3000", "localhost"


def b64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class Authenticator:
    """A security key: ES256, attestation none, resident keys."""

    origin: str = ORIGIN
    credential_id: bytes = field(default_factory=lambda: token_bytes(16))
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    user_handle: str = ""
    count: int = 0

    def _client_data(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": f"webauthn.{kind}", "challenge": challenge, "origin": self.origin}).encode()

    def _authenticator_data(self, flags: int) -> bytes:
        self.count += 1
        return hashlib.sha256(RP_ID.encode()).digest() + bytes([flags]) + struct.pack(">I", self.count)

    def create(self, options: Json) -> Json:
        """navigator.credentials.create()"""
        self.user_handle = options["user"]["id"]
        numbers = self.key.public_key().public_numbers()
        cose = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        attested = bytes(16) + struct.pack(">H", 16) + self.credential_id + cbor2.dumps(cose)
        data = self._authenticator_data(0x45) + attested
        response = {
            "clientDataJSON": b64(self._client_data("create", options["challenge"])),
            "attestationObject": b64(cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})),
            "transports": ["internal"],
        }
        return self._answer(response)

    def get(self, options: Json) -> Json:
        """navigator.credentials.get()"""
        data = self._authenticator_data(0x05)
        client = self._client_data("get", options["challenge"])
        signature = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        response = {
            "clientDataJSON": b64(client), "authenticatorData": b64(data), "signature": b64(signature),
            "userHandle": self.user_handle,
        }  # fmt: skip
        return self._answer(response)

    def _answer(self, response: Json) -> Json:
        own = b64(self.credential_id)
        return {"id": own, "rawId": own, "type": "public-key", "clientExtensionResults": {}, "response": response}


def enroll(person: Person, name: str = "phone app") -> Json:
    answer = person.request("POST", "/factors", {"factor_type": "totp", "friendly_name": name})
    assert answer.status_code == 200, answer.text
    made: Json = answer.json()
    return made


def challenge(person: Person, factor_id: str, body: Any = None) -> Json:
    answer = person.request("POST", f"/factors/{factor_id}/challenge", body)
    assert answer.status_code == 200, answer.text
    made: Json = answer.json()
    return made


def raise_to_aal2(person: Person, name: str = "phone app") -> Json:
    """Enroll, verify, and go on with an aal2 session."""
    factor = enroll(person, name)
    question = challenge(person, factor["id"])
    body = {"challenge_id": question["id"], "code": pyotp.TOTP(factor["totp"]["secret"]).now()}
    answer = person.request("POST", f"/factors/{factor['id']}/verify", body)
    assert answer.status_code == 200, answer.text
    person.session = answer.json()
    return factor


def test_totp_from_enrollment_to_aal2_and_back(auth: AuthClient) -> None:
    person = auth.person()
    elsewhere = auth.sign_in(person.email)
    factor = enroll(person)
    assert list(factor) == ["id", "type", "friendly_name", "totp"]
    assert factor["type"] == "totp"
    totp = factor["totp"]
    assert totp["qr_code"].startswith("<svg")
    assert "#" not in totp["qr_code"]
    assert totp["uri"] == (
        f"otpauth://totp/localhost%3A3000:{person.email}?algorithm=SHA1&digits=6&issuer=localhost%3A3000&period=30"
        f"&secret={totp['secret']}"
    )
    assert len(base64.b32decode(totp["secret"])) == 20
    listed = person.request("GET", "/user").json()["factors"]
    assert [(one["status"], one["friendly_name"], one["last_challenged_at"]) for one in listed] == [
        ("unverified", "phone app", None)
    ]
    assert totp["secret"] not in json.dumps(listed)
    question = challenge(person, factor["id"])
    assert set(question) == {"id", "type", "expires_at"}
    wrong = {"challenge_id": question["id"], "code": "000000"}
    answer = person.request("POST", f"/factors/{factor['id']}/verify", wrong, headers=NEW)
    assert error_of(answer) == (422, "mfa_verification_failed", "Invalid TOTP code entered")
    old_refresh = person.session["refresh_token"]
    right = {"challenge_id": question["id"], "code": pyotp.TOTP(totp["secret"]).now()}
    answer = person.request("POST", f"/factors/{factor['id']}/verify", right)
    person.session = answer.json()
    assert person.claims["aal"] == "aal2"
    assert [entry["method"] for entry in person.claims["amr"]] == ["totp", "password"]
    assert error_of(elsewhere.request("GET", "/user", headers=NEW))[1] == "session_not_found"
    assert auth.refresh(old_refresh).json()["refresh_token"] == person.session["refresh_token"]
    replay = person.request("POST", f"/factors/{factor['id']}/verify", right, headers=NEW)
    assert error_of(replay)[:2] == (422, "mfa_ip_address_mismatch")
    assert person.request("DELETE", f"/factors/{factor['id']}").json() == {"id": factor["id"]}
    after = auth.refresh(person.session["refresh_token"]).json()
    person.session = after
    assert person.claims["aal"] == "aal1"
    assert "factors" not in after["user"]


def test_aal1_may_not_do_what_needs_aal2(auth: AuthClient) -> None:
    person = auth.person()
    factor = raise_to_aal2(person)
    half = auth.sign_in(person.email)
    assert half.claims["aal"] == "aal1"
    changed = half.request("PUT", "/user", {"password": "another 123"}, headers=NEW)
    text = "AAL2 session is required to update email or password when MFA is enabled."
    assert error_of(changed) == (401, "insufficient_aal", text)
    assert half.request("PUT", "/user", {"data": {"a": 1}}).status_code == 200
    removed = half.request("DELETE", f"/factors/{factor['id']}", headers=NEW)
    assert error_of(removed) == (422, "insufficient_aal", "AAL2 required to unenroll verified factor")
    more = half.request("POST", "/factors", {"factor_type": "totp", "friendly_name": "second"}, headers=NEW)
    assert error_of(more) == (403, "insufficient_aal", "AAL2 required to enroll a new factor")
    assert person.request("PUT", "/user", {"password": "another 123"}).status_code == 200


def test_challenges_expire_and_are_bound_to_the_address(auth: AuthClient) -> None:
    person = auth.person()
    factor = enroll(person)
    code = pyotp.TOTP(factor["totp"]["secret"]).now()
    question = challenge(person, factor["id"])
    body = {"challenge_id": question["id"], "code": code}
    path = f"/factors/{factor['id']}/verify"
    moved = person.request("POST", path, body, headers={**NEW, "X-Forwarded-For": "203.0.113.9"})
    assert error_of(moved) == (422, "mfa_ip_address_mismatch", "Challenge and verify IP addresses mismatch.")
    auth.sql("update auth.mfa_challenges set created_at = now() - interval '6 minutes' where id = %s", question["id"])
    late = person.request("POST", path, body, headers=NEW)
    assert error_of(late)[:2] == (422, "mfa_challenge_expired")
    gone = person.request("POST", path, body, headers=NEW)
    assert error_of(gone) == (422, "mfa_factor_not_found", "MFA factor with the provided challenge ID not found")


def test_names_limits_and_kinds(start_auth: StartAuth) -> None:
    service = start_auth(MFA_MAX_ENROLLED_FACTORS="2")
    person = service.person()
    enroll(person, "one")
    same = person.request("POST", "/factors", {"factor_type": "totp", "friendly_name": "one"}, headers=NEW)
    text = 'A factor with the friendly name "one" for this user already exists'
    assert error_of(same) == (422, "mfa_factor_name_conflict", text)
    enroll(person, "two")
    third = person.request("POST", "/factors", {"factor_type": "totp", "friendly_name": "three"}, headers=NEW)
    assert error_of(third)[:2] == (422, "too_many_enrolled_mfa_factors")
    for kind, want in (
        ("phone", (422, "mfa_phone_enroll_not_enabled", "MFA enroll is disabled for Phone")),
        ("webauthn", (422, "mfa_webauthn_enroll_not_enabled", "MFA enroll is disabled for WebAuthn")),
        ("sms", (400, "validation_failed", "factor_type needs to be totp, phone, or webauthn")),
    ):
        assert error_of(person.request("POST", "/factors", {"factor_type": kind}, headers=NEW)) == want


def test_factors_of_others_are_not_found(auth: AuthClient) -> None:
    owner, other = auth.person(), auth.person()
    factor = enroll(owner)
    path = f"/factors/{factor['id']}"
    for method, where in (("POST", f"{path}/challenge"), ("POST", f"{path}/verify"), ("DELETE", path)):
        answer = other.request(method, where, {} if method == "POST" else None, headers=NEW)
        assert error_of(answer) == (404, "mfa_factor_not_found", "Factor not found")
    malformed = owner.request("DELETE", "/factors/x", headers=NEW)
    assert error_of(malformed) == (404, "validation_failed", "factor_id must be an UUID")


def test_anonymous_users_have_no_factors(open_auth: AuthClient) -> None:
    session = open_auth.post("/signup", {}).json()
    bearer = {"Authorization": f"Bearer {session['access_token']}", **NEW}
    answer = open_auth.post("/factors", {"factor_type": "totp"}, headers=bearer)
    assert error_of(answer)[:2] == (403, "no_authorization")


def test_phone_factor_by_test_number(start_auth: StartAuth) -> None:
    service = start_auth(
        MFA_PHONE_ENROLL_ENABLED="true", MFA_PHONE_VERIFY_ENABLED="true", SMS_TEST_OTP="15550003333:112233"
    )
    person = service.person()
    factor = person.request("POST", "/factors", {"factor_type": "phone", "phone": "+15550003333"}).json()
    assert factor["phone"] == "+15550003333"
    question = challenge(person, factor["id"], {"channel": "sms"})
    path = f"/factors/{factor['id']}/verify"
    wrong = person.request("POST", path, {"challenge_id": question["id"], "code": "000000"}, headers=NEW)
    assert error_of(wrong) == (422, "mfa_verification_failed", "Invalid MFA Phone code entered")
    person.session = person.request("POST", path, {"challenge_id": question["id"], "code": "112233"}).json()
    assert person.claims["aal"] == "aal2"
    assert person.claims["amr"][0]["method"] == "mfa/phone"


def test_security_key_as_second_factor(start_auth: StartAuth) -> None:
    service = start_auth(MFA_WEB_AUTHN_ENROLL_ENABLED="true", MFA_WEB_AUTHN_VERIFY_ENABLED="true")
    person, device = service.person(), Authenticator()
    factor = person.request("POST", "/factors", {"factor_type": "webauthn", "friendly_name": "key"}).json()
    party = {"rpId": RP_ID, "rpOrigins": [ORIGIN]}
    path = f"/factors/{factor['id']}/verify"
    for kind in ("create", "request"):
        question = challenge(person, factor["id"], {"webauthn": party})
        assert question["webauthn"]["type"] == kind
        options = question["webauthn"]["credential_options"]["publicKey"]
        credential = device.create(options) if kind == "create" else device.get(options)
        body = {"challenge_id": question["id"], "webauthn": {"type": kind, **party, "credential_response": credential}}
        answer = person.request("POST", path, body)
        assert answer.status_code == 200, answer.text
        person.session = answer.json()
        assert person.claims["aal"] == "aal2"
        assert person.claims["amr"][0]["method"] == "mfa/webauthn"
    question = challenge(person, factor["id"], {"webauthn": party})
    stranger = Authenticator(credential_id=device.credential_id).get(
        question["webauthn"]["credential_options"]["publicKey"]
    )
    body = {"challenge_id": question["id"], "webauthn": {"type": "request", "credential_response": stranger}}
    assert error_of(person.request("POST", path, body, headers=NEW))[1] == "webauthn_verification_failed"


@pytest.fixture(scope="module")
def passkeys(start_auth: StartAuth) -> AuthClient:
    return start_auth(PASSKEY_ENABLED="true", WEBAUTHN_RP_ID=RP_ID, WEBAUTHN_RP_ORIGINS=ORIGIN)


def register(person: Person, device: Authenticator) -> Json:
    begun = person.request("POST", "/passkeys/registration/options", {}).json()
    assert begun["options"]["authenticatorSelection"]["residentKey"] == "required"
    assert begun["options"]["attestation"] == "none"
    body = {"challenge_id": begun["challenge_id"], "credential": device.create(begun["options"])}
    answer = person.request("POST", "/passkeys/registration/verify", body)
    assert answer.status_code == 200, answer.text
    made: Json = answer.json()
    return made


def test_passkey_signs_in(passkeys: AuthClient) -> None:
    person, device = passkeys.person(), Authenticator()
    made = register(person, device)
    begun = passkeys.post("/passkeys/authentication/options").json()
    assert "allowCredentials" not in begun["options"]
    body = {"challenge_id": begun["challenge_id"], "credential": device.get(begun["options"])}
    session = passkeys.post("/passkeys/authentication/verify", body).json()
    signed_in = Person(person.email, session, passkeys)
    assert signed_in.id == person.id
    assert signed_in.claims["amr"][0]["method"] == "passkey"
    replay = passkeys.post("/passkeys/authentication/verify", body, headers=NEW)
    assert error_of(replay)[1] == "webauthn_challenge_not_found"
    listed = person.request("GET", "/passkeys").json()
    assert [one["id"] for one in listed] == [made["id"]]
    assert listed[0]["last_used_at"]


def test_passkeys_are_named_and_removed_by_their_owner(passkeys: AuthClient) -> None:
    person, other = passkeys.person(), passkeys.person()
    made = register(person, Authenticator())
    path = f"/passkeys/{made['id']}"
    assert person.request("PATCH", path, {"friendly_name": "Engine 4"}).json()["friendly_name"] == "Engine 4"
    assert person.request("PATCH", path, {"friendly_name": ""}, headers=NEW).status_code == 400
    assert other.request("DELETE", path).status_code == 404
    assert passkeys.admin("GET", f"/admin/users/{person.id}/passkeys").json()[0]["id"] == made["id"]
    assert person.request("DELETE", path).status_code == 204
    assert person.request("GET", "/passkeys").json() == []
    second = register(person, Authenticator())
    assert passkeys.admin("DELETE", f"/admin/users/{person.id}/passkeys/{second['id']}").status_code == 204


def test_invalid_passkeys(passkeys: AuthClient) -> None:
    person, device = passkeys.person(), Authenticator()
    register(person, device)
    cases = {
        "stranger": Authenticator(),
        "other origin": Authenticator("https://evil.example", device.credential_id, device.key),
        "other key": Authenticator(credential_id=device.credential_id),
        "other handle": Authenticator(
            credential_id=device.credential_id, key=device.key, user_handle=b64(b"x"), count=9
        ),
    }
    for name, forger in cases.items():
        begun = passkeys.post("/passkeys/authentication/options").json()
        body = {"challenge_id": begun["challenge_id"], "credential": forger.get(begun["options"])}
        answer = passkeys.post("/passkeys/authentication/verify", body, headers=NEW)
        assert error_of(answer)[:2] == (400, "webauthn_verification_failed"), name
    for credential in ({}, {"id": 5}, {"rawId": "?"}, {"response": "x"}):
        begun = passkeys.post("/passkeys/authentication/options").json()
        body = {"challenge_id": begun["challenge_id"], "credential": credential}
        answer = passkeys.post("/passkeys/authentication/verify", body, headers=NEW)
        assert error_of(answer)[:2] == (400, "webauthn_verification_failed")


def test_registration_belongs_to_the_user_who_started_it(passkeys: AuthClient) -> None:
    person, other = passkeys.person(), passkeys.person()
    begun = person.request("POST", "/passkeys/registration/options", {}).json()
    body = {"challenge_id": begun["challenge_id"], "credential": Authenticator().create(begun["options"])}
    answer = other.request("POST", "/passkeys/registration/verify", body, headers=NEW)
    assert error_of(answer)[1] == "webauthn_challenge_not_found"
    anonymous = {"Authorization": f"Bearer {mint(role='anon')}", **NEW}
    assert passkeys.post("/passkeys/registration/options", {}, headers=anonymous).status_code == 403


def test_admins_see_and_remove_factors(auth: AuthClient) -> None:
    person = auth.person()
    factor = raise_to_aal2(person)
    path = f"/admin/users/{person.id}/factors"
    assert [one["id"] for one in auth.admin("GET", path).json()] == [factor["id"]]
    renamed = auth.admin("PUT", f"{path}/{factor['id']}", {"friendly_name": "lost phone"}).json()
    assert renamed["friendly_name"] == "lost phone"
    assert auth.admin("DELETE", f"{path}/{factor['id']}").json()["id"] == factor["id"]
    assert auth.admin("GET", path).json() == []
