"""The metadata of an identity provider: where it is asked, and the certificates of its signatures. Pure."""

import base64
import binascii
import re
from dataclasses import dataclass
from datetime import datetime

from cryptography import x509

from emulator.auth.saml.xml import METADATA, BadXml, Element, find_all, parse, text_of, time_of

REDIRECT_BINDING = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
_DURATION = re.compile(r"P(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})(?:\.\d+)?S)?)?")
MAX_CERTIFICATES = 10


class BadMetadata(ValueError):
    """No metadata of an identity provider; the text is GoTrue's."""


@dataclass(frozen=True)
class IdpMetadata:
    """What a service provider needs of it. `cache_s` is how long it may be kept, 0 for unsaid."""

    entity_id: str
    sign_in_url: str
    certificates: tuple[x509.Certificate, ...]
    valid_until: datetime | None
    cache_s: float


def parse_metadata(document: str) -> IdpMetadata:
    """An EntityDescriptor, alone or as the first identity provider of a list. Raises BadMetadata."""
    try:
        root = parse(document.encode())
        entity = _identity_provider(root)
        roles = find_all(entity, "md:IDPSSODescriptor")
        if not entity.get("entityID"):
            raise BadMetadata("SAML Metadata does not contain an EntityID")
        if not roles:
            raise BadMetadata("SAML Metadata does not contain any IDPSSODescriptor")
        if len(roles) > 1:
            raise BadMetadata("SAML Metadata contains multiple IDPSSODescriptors")
        services = find_all(roles[0], "md:SingleSignOnService")
        url = next((one.get("Location", "") for one in services if one.get("Binding") == REDIRECT_BINDING), "")
        return IdpMetadata(
            entity.get("entityID", ""), url, _certificates(roles[0]), time_of(entity, "validUntil"),
            _seconds(entity.get("cacheDuration", "")),
        )  # fmt: skip
    except (BadXml, UnicodeEncodeError) as error:
        raise BadMetadata(f"SAML Metadata is not valid XML: {error}") from error


def _identity_provider(root: Element) -> Element:
    if root.tag == f"{{{METADATA}}}EntityDescriptor":
        return root
    if root.tag == f"{{{METADATA}}}EntitiesDescriptor":
        for entity in find_all(root, "md:EntityDescriptor"):
            if find_all(entity, "md:IDPSSODescriptor"):
                return entity
        raise BadMetadata("SAML Metadata does not contain any IDPSSODescriptor")
    raise BadMetadata("SAML Metadata is not valid XML: no EntityDescriptor")


def _certificates(role: Element) -> tuple[x509.Certificate, ...]:
    found = []
    for key in find_all(role, "md:KeyDescriptor"):
        if key.get("use", "signing") != "signing":
            continue
        for written in find_all(key, "ds:KeyInfo/ds:X509Data/ds:X509Certificate")[:MAX_CERTIFICATES]:
            try:
                found.append(x509.load_der_x509_certificate(base64.b64decode("".join(text_of(written).split()))))
            except (ValueError, binascii.Error):
                raise BadMetadata("SAML Metadata contains a certificate that can't be read") from None
    return tuple(found[:MAX_CERTIFICATES])


def _seconds(duration: str) -> float:
    """An XML duration of days and less; 0 for another."""
    found = _DURATION.fullmatch(duration)
    if found is None:
        return 0.0
    days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return float(((days * 24 + hours) * 60 + minutes) * 60 + seconds)
