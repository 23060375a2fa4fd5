"""A SAML identity provider: the outside world, which signs what a test wants it to say."""

import base64
import os
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit
from uuid import uuid4
from zlib import decompress

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.x509.oid import NameOID
from lxml import etree
from signxml.algorithms import CanonicalizationMethod, SignatureMethod
from signxml.signer import XMLSigner

SAML = "urn:oasis:names:tc:SAML:2.0:assertion"
PROTOCOL = "urn:oasis:names:tc:SAML:2.0:protocol"
METADATA = "urn:oasis:names:tc:SAML:2.0:metadata"
DS = "http://www.w3.org/2000/09/xmldsig#"
ENC, ENC11 = "http://www.w3.org/2001/04/xmlenc#", "http://www.w3.org/2009/xmlenc11#"
EMAIL = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"
PERSISTENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"
NAMESPACES = {"saml": SAML, "samlp": PROTOCOL, "ds": DS}


@cache
def make_key(name: str) -> tuple[rsa.RSAPrivateKey, x509.Certificate]:
    """A key with its certificate; made once for each name."""
    key = rsa.generate_private_key(65537, 2048)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = x509.CertificateBuilder(
        subject, subject, key.public_key(), 7, now - timedelta(days=1), now + timedelta(days=30)
    ).sign(key, hashes.SHA256())
    return key, certificate


def pkcs1(name: str) -> str:
    """A key as GOTRUE_SAML_PRIVATE_KEY."""
    der = make_key(name)[0].private_bytes(
        serialization.Encoding.DER, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    )
    return base64.b64encode(der).decode()


def der(certificate: x509.Certificate) -> str:
    """A certificate as metadata has it."""
    return base64.b64encode(certificate.public_bytes(serialization.Encoding.DER)).decode()


def time_text(when: datetime) -> str:
    """As SAML writes a time."""
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def asked(url: str) -> tuple[etree._Element, dict[str, str]]:
    """The AuthnRequest of a redirect, and its query."""
    items = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
    return etree.fromstring(decompress(base64.b64decode(items["SAMLRequest"]), -15)), items


def signed_text(url: str) -> tuple[bytes, bytes]:
    """What the signature of a redirect covers, and the signature."""
    query = urlsplit(url).query
    covered, _, signature = query[query.index("SAMLRequest=") :].partition("&Signature=")
    return covered.encode(), base64.b64decode(unquote(signature))


@dataclass
class IdentityProvider:
    """One of them. Fields of a response are arguments of `respond`, all of them what is right unless said otherwise."""

    entity_id: str
    acs_url: str
    audience: str
    key: str = "idp"
    attributes: dict[str, list[str]] = field(default_factory=dict)

    def metadata(self, **more: str) -> str:
        """Its metadata; `more` are attributes of the root."""
        extra = "".join(f' {name}="{value}"' for name, value in more.items())
        return (
            f'<md:EntityDescriptor xmlns:md="{METADATA}" entityID="{self.entity_id}"{extra}>'
            f'<md:IDPSSODescriptor protocolSupportEnumeration="{PROTOCOL}">'
            f'<md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="{DS}"><ds:X509Data><ds:X509Certificate>'
            f"{der(make_key(self.key)[1])}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>"
            '<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"'
            f' Location="{self.entity_id}/sign-in?tenant=1"/></md:IDPSSODescriptor></md:EntityDescriptor>'
        )

    def response(self, request_id: str = "", **changes: Any) -> etree._Element:
        """A response without a signature."""
        now = changes.pop("now", datetime.now(UTC))
        said: dict[str, Any] = {
            "issuer": self.entity_id, "audience": self.audience, "recipient": self.acs_url, "destination": self.acs_url,
            "name_id": "ada-17", "name_format": PERSISTENT, "status": "Success", "attributes": self.attributes,
            "answers": request_id, "confirms": request_id, "issued": now, "id": f"a-{uuid4().hex}",
            "not_before": now - timedelta(seconds=30), "end": now + timedelta(minutes=5), "session_end": None,
            "confirmed_until": now + timedelta(minutes=5), **changes,
        }  # fmt: skip
        statements = "".join(
            f'<saml:Attribute Name="{name}">'
            + "".join(f"<saml:AttributeValue>{value}</saml:AttributeValue>" for value in values)
            + "</saml:Attribute>"
            for name, values in said["attributes"].items()
        )
        in_response = f' InResponseTo="{said["answers"]}"' if said["answers"] else ""
        in_data = f' InResponseTo="{said["confirms"]}"' if said["confirms"] else ""
        ending = f' SessionNotOnOrAfter="{time_text(said["session_end"])}"' if said["session_end"] else ""
        return etree.fromstring(
            f'<samlp:Response xmlns:samlp="{PROTOCOL}" xmlns:saml="{SAML}" ID="r-{uuid4().hex}" Version="2.0"'
            f' IssueInstant="{time_text(said["issued"])}" Destination="{said["destination"]}"{in_response}>'
            f"<saml:Issuer>{said['issuer']}</saml:Issuer><samlp:Status><samlp:StatusCode"
            f' Value="urn:oasis:names:tc:SAML:2.0:status:{said["status"]}"/></samlp:Status>'
            f'<saml:Assertion ID="{said["id"]}" Version="2.0" IssueInstant="{time_text(said["issued"])}">'
            f"<saml:Issuer>{said['issuer']}</saml:Issuer><saml:Subject>"
            f'<saml:NameID Format="{said["name_format"]}">{said["name_id"]}</saml:NameID>'
            '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">'
            f'<saml:SubjectConfirmationData NotOnOrAfter="{time_text(said["confirmed_until"])}"'
            f' Recipient="{said["recipient"]}"{in_data}/></saml:SubjectConfirmation></saml:Subject>'
            f'<saml:Conditions NotBefore="{time_text(said["not_before"])}" NotOnOrAfter="{time_text(said["end"])}">'
            f"<saml:AudienceRestriction><saml:Audience>{said['audience']}</saml:Audience></saml:AudienceRestriction>"
            f'</saml:Conditions><saml:AuthnStatement AuthnInstant="{time_text(now)}"{ending}/>'
            f"<saml:AttributeStatement>{statements}</saml:AttributeStatement></saml:Assertion></samlp:Response>".encode()
        )

    def sign(self, root: etree._Element, *, key: str = "", whole: bool = False, **options: Any) -> etree._Element:
        """The response with a signature of its assertion, or of the whole."""
        private, certificate = make_key(key or self.key)
        options.setdefault("signature_algorithm", SignatureMethod.RSA_SHA256)
        signer = XMLSigner(c14n_algorithm=CanonicalizationMethod.EXCLUSIVE_XML_CANONICALIZATION_1_0, **options)
        part = root if whole else root.find(f"{{{SAML}}}Assertion")
        assert part is not None
        pem = certificate.public_bytes(serialization.Encoding.PEM).decode()
        signed = signer.sign(part, key=private, cert=pem, reference_uri=f"#{part.get('ID')}", id_attribute="ID")
        if whole:
            return signed
        root.replace(part, signed)
        return root

    def encrypt(
        self,
        root: etree._Element,
        key: str,
        *,
        content: str = f"{ENC11}aes256-gcm",
        wrapping: str = f"{ENC}rsa-oaep-mgf1p",
    ) -> etree._Element:
        """The response with its assertion encrypted for the owner of a key."""
        part = root.find(f"{{{SAML}}}Assertion")
        assert part is not None
        plain, secret, start = etree.tostring(part), os.urandom(32), os.urandom(16)
        if content.endswith("gcm"):
            value = start[:12] + AESGCM(secret).encrypt(start[:12], plain, None)
        else:
            length = 16 - len(plain) % 16
            encryptor = Cipher(algorithms.AES(secret), modes.CBC(start)).encryptor()
            value = start + encryptor.update(plain + os.urandom(length - 1) + bytes([length])) + encryptor.finalize()
        oaep = padding.OAEP(padding.MGF1(hashes.SHA1()), hashes.SHA1(), None)
        method = padding.PKCS1v15() if wrapping.endswith("1_5") else oaep
        wrapped = make_key(key)[0].public_key().encrypt(secret, method)
        made = etree.fromstring(
            f'<saml:EncryptedAssertion xmlns:saml="{SAML}" xmlns:xenc="{ENC}" xmlns:ds="{DS}"><xenc:EncryptedData>'
            f'<xenc:EncryptionMethod Algorithm="{content}"/><ds:KeyInfo><xenc:EncryptedKey>'
            f'<xenc:EncryptionMethod Algorithm="{wrapping}"/><xenc:CipherData><xenc:CipherValue>'
            f"{base64.b64encode(wrapped).decode()}</xenc:CipherValue></xenc:CipherData></xenc:EncryptedKey></ds:KeyInfo>"
            f"<xenc:CipherData><xenc:CipherValue>{base64.b64encode(value).decode()}</xenc:CipherValue>"
            "</xenc:CipherData></xenc:EncryptedData></saml:EncryptedAssertion>"
        )
        root.replace(part, made)
        return root

    def respond(self, request_id: str = "", *, key: str = "", whole: bool = False, **changes: Any) -> str:
        """The SAMLResponse field of a signed response."""
        return encode(self.sign(self.response(request_id, **changes), key=key, whole=whole))


def encode(root: etree._Element | bytes) -> str:
    """A SAMLResponse field."""
    return base64.b64encode(root if isinstance(root, bytes) else etree.tostring(root)).decode()
