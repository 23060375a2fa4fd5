"""WebAuthn ceremonies: the options that a browser needs, and the verification of its authenticator's response.

A thin layer over the `webauthn` library: JSON in and out, and one error for every kind of invalid response. The library
is large, so it is loaded by the first ceremony.
"""

import json
import logging
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


def _algorithms() -> list[Any]:
    from webauthn.helpers.cose import COSEAlgorithmIdentifier as Cose

    return [Cose.ECDSA_SHA_256, Cose.EDDSA, Cose.RSASSA_PKCS1_v1_5_SHA_256]


@dataclass(frozen=True)
class RelyingParty:
    """The site that credentials are bound to."""

    id: str
    name: str
    origins: tuple[str, ...]


def creation_options(
    party: RelyingParty, user_id: UUID, user_name: str, excluded: Sequence[bytes], *, resident: bool
) -> tuple[Json, str]:
    """Options for a new credential, and the challenge in them (base64url)."""
    import webauthn
    from webauthn.helpers import bytes_to_base64url
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        PublicKeyCredentialDescriptor,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    options = webauthn.generate_registration_options(
        rp_id=party.id,
        rp_name=party.name,
        user_id=str(user_id).encode() if resident else user_id.bytes,
        user_name=user_name,
        user_display_name=user_name,
        timeout=300_000,
        exclude_credentials=[PublicKeyCredentialDescriptor(id=credential) for credential in excluded],
        supported_pub_key_algs=_algorithms(),
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED if resident else ResidentKeyRequirement.PREFERRED,
            user_verification=UserVerificationRequirement.PREFERRED,
        ),
    )
    return json.loads(webauthn.options_to_json(options)), bytes_to_base64url(options.challenge)


def request_options(party: RelyingParty, allowed: Sequence[bytes]) -> tuple[Json, str]:
    """Options for using a credential (any discoverable one if none is named), and the challenge in them."""
    import webauthn
    from webauthn.helpers import bytes_to_base64url
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor, UserVerificationRequirement

    options = webauthn.generate_authentication_options(
        rp_id=party.id,
        timeout=300_000,
        allow_credentials=[PublicKeyCredentialDescriptor(id=credential) for credential in allowed],
        user_verification=UserVerificationRequirement.PREFERRED,
    )
    payload: Json = json.loads(webauthn.options_to_json(options))
    if not allowed:
        payload.pop("allowCredentials", None)
    return payload, bytes_to_base64url(options.challenge)


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
