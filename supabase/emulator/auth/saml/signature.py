"""Which part of a response an identity provider has signed. Pure.

Only what signxml returns is read on: the canonical bytes that the signature covers, parsed again. Where the signature
is, and what it refers to, is fixed, so that a signed part can't be moved beside a forged one.
Source: XML Signature Syntax and Processing; SAML core 5.4.
"""

from collections.abc import Sequence
from datetime import datetime

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from lxml import etree
from signxml.algorithms import DigestAlgorithm, SignatureMethod
from signxml.exceptions import SignXMLException
from signxml.verifier import SignatureConfiguration, XMLVerifier

from emulator.auth.saml.xml import BadXml, Element, find, find_all, parse

_METHODS = frozenset({
    SignatureMethod.RSA_SHA256, SignatureMethod.RSA_SHA384, SignatureMethod.RSA_SHA512,
    SignatureMethod.ECDSA_SHA256, SignatureMethod.ECDSA_SHA384, SignatureMethod.ECDSA_SHA512,
})  # fmt: skip
_DIGESTS = frozenset({DigestAlgorithm.SHA256, DigestAlgorithm.SHA384, DigestAlgorithm.SHA512})
_TRANSFORMS = (
    "http://www.w3.org/2000/09/xmldsig#enveloped-signature",
    "http://www.w3.org/2001/10/xml-exc-c14n#",
    "http://www.w3.org/2001/10/xml-exc-c14n#WithComments",
)


class BadSignature(ValueError):
    """The part has no signature, or none of the identity provider."""


def signed_part(
    root: Element, part: Element, certificates: Sequence[x509.Certificate], now: datetime
) -> Element | None:
    """`part` (the root, or its child) as it was signed; None when it has no signature. Raises BadSignature."""
    signatures = find_all(part, "ds:Signature")
    if not signatures:
        return None
    if len(signatures) > 1:
        raise BadSignature("two signatures")
    _check_reference(signatures[0], part.get("ID") or "")
    config = SignatureConfiguration(
        location="./" if part is root else f"./{part.tag}/", expect_references=1,
        signature_methods=_METHODS, digest_algorithms=_DIGESTS, verification_time=now, ignore_ambiguous_key_info=True,
    )  # fmt: skip
    document = etree.tostring(root)
    for certificate in certificates:
        try:
            found = XMLVerifier().verify(document, x509_cert=certificate, id_attribute="ID", expect_config=config)
        except (SignXMLException, etree.LxmlError, UnsupportedAlgorithm, ValueError, TypeError, LookupError):
            continue
        if isinstance(found, list):
            raise BadSignature("several references")
        try:
            signed = parse(bytes(found.signed_data))
        except BadXml as error:
            raise BadSignature(str(error)) from error
        if signed.tag == part.tag and signed.get("ID") == part.get("ID"):
            return signed
    raise BadSignature("not signed by a certificate of the identity provider")


def _check_reference(signature: Element, signed_id: str) -> None:
    """One reference, to the element that the signature is in, by the transforms of SAML alone."""
    references = find_all(signature, "ds:SignedInfo/ds:Reference")
    if not signed_id or len(references) != 1 or references[0].get("URI") != f"#{signed_id}":
        raise BadSignature("refers to something else")
    transforms = [one.get("Algorithm") for one in find_all(references[0], "ds:Transforms/ds:Transform")]
    if any(name not in _TRANSFORMS for name in transforms) or len(transforms) > len(_TRANSFORMS):
        raise BadSignature("has another transform")
    if find(signature, "ds:Object") is not None:
        raise BadSignature("has an object")
