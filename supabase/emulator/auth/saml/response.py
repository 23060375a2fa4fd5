"""A response of an identity provider: is it from this one, for us, now, and an answer to what we asked? Pure.

Source: SAML core 2.5, 3.2; web browser SSO profile 4.1.4; GoTrue's library for how much clocks may
differ.
"""

import base64
import binascii
from dataclasses import dataclass
from datetime import datetime, timedelta

from cryptography.hazmat.primitives.asymmetric import rsa

from emulator.auth.saml.assertion import Assertion, Attribute
from emulator.auth.saml.decryption import BadEncryption, decrypt
from emulator.auth.saml.metadata import IdpMetadata
from emulator.auth.saml.signature import BadSignature, signed_part
from emulator.auth.saml.xml import PROTOCOL, BadXml, Element, find, find_all, parse, text_of, time_of

_SUCCESS = "urn:oasis:names:tc:SAML:2.0:status:Success"
_BEARER = "urn:oasis:names:tc:SAML:2.0:cm:bearer"
MAX_ISSUE_DELAY = timedelta(seconds=90)
CLOCK_SKEW = timedelta(seconds=180)
MAX_VALUES = 1000


class BadResponse(ValueError):
    """Not to be believed; the text is for the log."""


@dataclass(frozen=True)
class Expected:
    """What a response must say. `request_id` is "" where the identity provider began, which then answers nothing.

    With `decryption_keys` its assertion may be encrypted for one of them.
    """

    idp: IdpMetadata
    entity_id: str
    acs_url: str
    request_id: str
    now: datetime
    decryption_keys: tuple[rsa.RSAPrivateKey, ...] = ()


def issuer_of(encoded: str) -> str:
    """Who claims to have made a response, before anything is known of it. Raises BadXml, binascii.Error."""
    return text_of(find(parse(base64.b64decode(encoded, validate=True)), "saml:Issuer"))


def check_response(encoded: str, expected: Expected) -> Assertion:
    """The assertion of a SAMLResponse field. Raises BadResponse."""
    try:
        return _check(parse(base64.b64decode("".join(encoded.split()), validate=True)), expected)
    except (BadXml, BadSignature, BadEncryption, binascii.Error) as error:
        raise BadResponse(str(error)) from error


def _check(root: Element, expected: Expected) -> Assertion:
    _require(root.tag == f"{{{PROTOCOL}}}Response", "is no Response")
    certificates, now = expected.idp.certificates, expected.now
    signed = signed_part(root, root, certificates, now)
    response = root if signed is None else signed
    encrypted, plain = find_all(response, "saml:EncryptedAssertion"), find_all(response, "saml:Assertion")
    _require(len(plain) + len(encrypted) == 1, "has not one assertion")
    _require(not encrypted or bool(expected.decryption_keys), "the assertion is encrypted")
    document = decrypt(encrypted[0], expected.decryption_keys) if encrypted else root
    assertion: Element | None = document if encrypted else plain[0]
    if signed is None:
        assertion = signed_part(document, document if encrypted else plain[0], certificates, now)
    if assertion is None:
        raise BadResponse("nothing is signed")
    _check_response(response, expected)
    return _check_assertion(assertion, expected)


def _check_response(response: Element, expected: Expected) -> None:
    status = find(response, "samlp:Status/samlp:StatusCode")
    _require(status is not None and status.get("Value") == _SUCCESS, "the status is not success")
    issuer = text_of(find(response, "saml:Issuer"))
    _require(issuer in ("", expected.idp.entity_id), "the response has another issuer")
    _require(response.get("Destination", expected.acs_url) == expected.acs_url, "is for another address")
    _require(response.get("InResponseTo", "") == expected.request_id, "answers another request")
    _check_issued(response, expected.now)


def _check_issued(element: Element, now: datetime) -> None:
    issued = time_of(element, "IssueInstant")
    _require(issued is not None and now - MAX_ISSUE_DELAY <= issued <= now + CLOCK_SKEW, "was issued at another time")


def _check_assertion(assertion: Element, expected: Expected) -> Assertion:
    now = expected.now
    _require(text_of(find(assertion, "saml:Issuer")) == expected.idp.entity_id, "the assertion has another issuer")
    _check_issued(assertion, now)
    subject, conditions = find(assertion, "saml:Subject"), find(assertion, "saml:Conditions")
    if subject is None or conditions is None:
        raise BadResponse("has no subject or no conditions")
    not_before, not_after = time_of(conditions, "NotBefore"), time_of(conditions, "NotOnOrAfter")
    _require(not_before is None or now + CLOCK_SKEW >= not_before, "is not valid yet")
    _require(not_after is None or now < not_after + CLOCK_SKEW, "is no longer valid")
    restrictions = find_all(conditions, "saml:AudienceRestriction")
    _require(bool(restrictions), "has no audience")
    for restriction in restrictions:
        named = [text_of(one) for one in find_all(restriction, "saml:Audience")]
        _require(expected.entity_id in named, "is for another audience")
    ends = [_confirmed_until(one, expected) for one in find_all(subject, "saml:SubjectConfirmation")]
    confirmed = [end for end in ends if end is not None]
    if not confirmed:
        raise BadResponse("no confirmation of its subject is good")
    return _read(assertion, subject, max(confirmed) + CLOCK_SKEW)


def _confirmed_until(confirmation: Element, expected: Expected) -> datetime | None:
    """Until when a confirmation by its bearer is good for us; None for one that is not."""
    data = find(confirmation, "saml:SubjectConfirmationData")
    if confirmation.get("Method") != _BEARER or data is None:
        return None
    end = time_of(data, "NotOnOrAfter")
    is_ours = data.get("Recipient") == expected.acs_url and data.get("InResponseTo", "") == expected.request_id
    if end is None or not is_ours or expected.now >= end + CLOCK_SKEW or data.get("NotBefore") is not None:
        return None
    return end


def _read(assertion: Element, subject: Element, valid_until: datetime) -> Assertion:
    named = find(subject, "saml:NameID")
    attributes = tuple(
        Attribute(
            one.get("Name", ""), one.get("FriendlyName", ""),
            tuple(text_of(value) for value in find_all(one, "saml:AttributeValue")),
        )
        for one in find_all(assertion, "saml:AttributeStatement/saml:Attribute")
    )  # fmt: skip
    _require(sum(len(one.values) for one in attributes) <= MAX_VALUES, "has too many values")
    statements = find_all(assertion, "saml:AuthnStatement")
    ends = (time_of(one, "SessionNotOnOrAfter") for one in statements)
    return Assertion(
        assertion.get("ID", ""), text_of(named), named.get("Format", "") if named is not None else "", attributes,
        valid_until, next((end for end in ends if end is not None), None),
    )  # fmt: skip


def _require(holds: bool, problem: str) -> None:
    if not holds:
        raise BadResponse(problem)
