"""WebAuthn ceremonies: the options that a browser needs, and the verification of its authenticator's response.

A thin layer over the `webauthn` library: JSON in and out, and one error for every kind of invalid response. The library
is large, so it is loaded by the first ceremony.
"""

import base64
import logging
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any
from uuid import UUID

from emulator.auth.errors import webauthn_verification_failed

if TYPE_CHECKING:
    from webauthn.authentication.verify_authentication_response import VerifiedAuthentication
    from webauthn.registration.verify_registration_response import VerifiedRegistration

log = logging.getLogger("emulator.auth")
Json = dict[str, Any]
TIMEOUT_MS = 300_000


CHALLENGE_BYTES = 32
# What GoTrue's library offers, in its order: ECDSA, RSA PKCS #1 and RSA PSS with SHA-256 to -512, Ed25519.
ALGORITHMS = (-7, -35, -36, -257, -258, -259, -37, -38, -39, -8)


def _algorithms() -> list[Any]:
    """Those that can be verified here: all but ECDSA with SHA-384, which the library lacks."""
    from webauthn.helpers.cose import COSEAlgorithmIdentifier as Cose

    return [Cose(number) for number in ALGORITHMS if number in {one.value for one in Cose}]


@dataclass(frozen=True)
class RelyingParty:
    """The site that credentials are bound to."""

    id: str
    name: str
    origins: tuple[str, ...]


def creation_options(
    party: RelyingParty, user_id: UUID, names: tuple[str, str], excluded: Sequence[bytes], *, resident: bool
) -> tuple[Json, str]:
    """Options for a new credential, and the challenge in them (base64url). `names`: of the account, and for people.

    A passkey has to be discoverable (`resident`); for a second factor GoTrue asks for nothing.
    """
    challenge = _challenge()
    selection = {"residentKey": "required", "userVerification": "preferred"} if resident else {}
    options: Json = {
        "rp": {"name": party.name, "id": party.id},
        "user": {"name": names[0], "displayName": names[1], "id": _base64url(str(user_id).encode())},
        "challenge": challenge,
        "pubKeyCredParams": [{"type": "public-key", "alg": number} for number in ALGORITHMS],
        "timeout": TIMEOUT_MS,
        "authenticatorSelection": selection,
    }
    if excluded:
        options["excludeCredentials"] = [{"type": "public-key", "id": _base64url(one)} for one in excluded]
    return options | ({"attestation": "none"} if resident else {}), challenge


def request_options(party: RelyingParty, allowed: Sequence[bytes], verification: str = "") -> tuple[Json, str]:
    """Options for using a credential (any discoverable one if none is named), and the challenge in them."""
    challenge = _challenge()
    options: Json = {"challenge": challenge, "timeout": TIMEOUT_MS, "rpId": party.id}
    if allowed:
        options["allowCredentials"] = [{"type": "public-key", "id": _base64url(one)} for one in allowed]
    return options | ({"userVerification": verification} if verification else {}), challenge


def _challenge() -> str:
    return _base64url(secrets.token_bytes(CHALLENGE_BYTES))


def _base64url(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def is_wellformed(credential: Json) -> bool:
    """Whether a browser could have sent this: its parts can be parsed, be they right or wrong."""
    from webauthn.helpers import (
        base64url_to_bytes,
        parse_attestation_object,
        parse_authentication_credential_json,
        parse_authenticator_data,
        parse_client_data_json,
        parse_registration_credential_json,
    )

    try:
        response = credential["response"]
        parse_client_data_json(base64url_to_bytes(response["clientDataJSON"]))
        if "attestationObject" in response:
            parse_attestation_object(parse_registration_credential_json(credential).response.attestation_object)
        else:
            used = parse_authentication_credential_json(credential)
            parse_authenticator_data(used.response.authenticator_data)
    except Exception:  # the library lets CBOR's and the parsers' own errors through
        return False
    return True


def verify_creation(credential: Json, challenge: str, party: RelyingParty) -> "VerifiedRegistration":
    """The new credential; raises webauthn_verification_failed."""
    import webauthn
    from webauthn.helpers import base64url_to_bytes

    try:
        return webauthn.verify_registration_response(
            credential=credential,
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=party.id,
            expected_origin=list(party.origins),
            supported_pub_key_algs=_algorithms(),
        )
    except Exception as error:  # the library lets CBOR's and the parsers' own errors through
        log.info("a WebAuthn registration was not accepted: %s", error)
        raise webauthn_verification_failed() from error


def verify_request(
    credential: Json, challenge: str, party: RelyingParty, public_key: bytes, sign_count: int
) -> "VerifiedAuthentication":
    """A use of a known credential; raises webauthn_verification_failed."""
    import webauthn
    from webauthn.helpers import base64url_to_bytes

    try:
        return webauthn.verify_authentication_response(
            credential=credential,
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=party.id,
            expected_origin=list(party.origins),
            credential_public_key=public_key,
            credential_current_sign_count=sign_count,
        )
    except Exception as error:  # as above
        log.info("a WebAuthn authentication was not accepted: %s", error)
        raise webauthn_verification_failed() from error


def credential_id(credential: Json) -> bytes:
    """The id of the credential in a browser's response; raises webauthn_verification_failed."""
    from webauthn.helpers import base64url_to_bytes

    raw = credential.get("rawId") or credential.get("id")
    try:
        return base64url_to_bytes(raw) if isinstance(raw, str) else b""
    except ValueError as error:
        raise webauthn_verification_failed() from error


def enum_text(value: object) -> str:
    """A value of the library's enumerations as text; some of them are text already."""
    return str(value.value) if isinstance(value, Enum) else str(value)


def transports(credential: Json) -> list[str]:
    """How the authenticator can be reached (usb, nfc, internal ...), as it says."""
    response = credential.get("response")
    given = response.get("transports") if isinstance(response, dict) else None
    return [item for item in given if isinstance(item, str)][:8] if isinstance(given, list) else []
