"""This service as a SAML service provider: its names, its metadata, and the requests that it signs."""

import base64
import zlib
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from urllib.parse import quote, urlsplit
from xml.sax.saxutils import escape, quoteattr

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.x509.oid import NameOID

from emulator.auth.saml.assertion import EMAIL_FORMAT, PERSISTENT_FORMAT
from emulator.auth.saml.xml import DS, METADATA, PROTOCOL, SAML

_POST_BINDING = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"
_ENTITY_FORMAT = "urn:oasis:names:tc:SAML:2.0:nameid-format:entity"
_RSA_SHA256 = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"
METADATA_VALID = timedelta(days=2)
DOWNLOAD_VALID = timedelta(days=5 * 365 + 1)


@dataclass(frozen=True)
class ServiceProvider:
    """Its keys: the second is announced for when the first is replaced."""

    base_url: str
    private_key: str
    next_key: str = ""
    takes_encrypted: bool = False

    @property
    def decryption_keys(self) -> tuple[rsa.RSAPrivateKey, ...]:
        """Those that an identity provider may have encrypted for."""
        return tuple(load_key(key) for key in self._keys) if self.takes_encrypted else ()

    @property
    def _keys(self) -> tuple[str, ...]:
        return (self.private_key, self.next_key) if self.next_key else (self.private_key,)

    @property
    def entity_id(self) -> str:
        """Its name, which is where its metadata is."""
        return f"{self.base_url.rstrip('/')}/sso/saml/metadata"

    @property
    def acs_url(self) -> str:
        """Where responses are posted to (assertion consumer service)."""
        return f"{self.base_url.rstrip('/')}/sso/saml/acs"

    def metadata(self, now: datetime, *, is_download: bool) -> str:
        """An EntityDescriptor."""
        host = urlsplit(self.base_url).hostname or ""
        uses = ("signing", "encryption") if self.takes_encrypted else ("signing",)
        keys = "".join(_key_descriptor(key, host, use) for key in self._keys for use in uses)
        until = _time(now + (DOWNLOAD_VALID if is_download else METADATA_VALID))
        cached = ' cacheDuration="PT1H"' if self.next_key else ""
        formats = "".join(f"<NameIDFormat>{name}</NameIDFormat>" for name in (EMAIL_FORMAT, PERSISTENT_FORMAT))
        return (
            f'<EntityDescriptor xmlns="{METADATA}" validUntil="{until}"{cached} entityID={quoteattr(self.entity_id)}>'
            f'<SPSSODescriptor validUntil="{until}" protocolSupportEnumeration="{PROTOCOL}"'
            f' WantAssertionsSigned="true">{keys}{formats}<AssertionConsumerService Binding="{_POST_BINDING}"'
            f' Location={quoteattr(self.acs_url)} index="1"></AssertionConsumerService>'
            "</SPSSODescriptor></EntityDescriptor>"
        )

    def request_url(self, sign_in_url: str, request_id: str, relay_state: str, name_format: str, now: datetime) -> str:
        """Where the browser asks the identity provider: an AuthnRequest, signed in the query (bindings 3.4)."""
        request = (
            f'<samlp:AuthnRequest xmlns:saml="{SAML}" xmlns:samlp="{PROTOCOL}" ID="{request_id}" Version="2.0"'
            f' IssueInstant="{_time(now)}" Destination={quoteattr(sign_in_url)}'
            f' AssertionConsumerServiceURL={quoteattr(self.acs_url)} ProtocolBinding="{_POST_BINDING}">'
            f'<saml:Issuer Format="{_ENTITY_FORMAT}">{escape(self.entity_id)}</saml:Issuer>'
            f'<samlp:NameIDPolicy Format="{name_format or PERSISTENT_FORMAT}" AllowCreate="true"/>'
            "</samlp:AuthnRequest>"
        )
        packed = zlib.compressobj(9, zlib.DEFLATED, -15)
        deflated = packed.compress(request.encode()) + packed.flush()
        asked = "&".join(
            f"{name}={quote(value, safe='')}"
            for name, value in (
                ("SAMLRequest", base64.b64encode(deflated).decode()), ("RelayState", relay_state),
                ("SigAlg", _RSA_SHA256),
            )
        )  # fmt: skip
        signature = load_key(self.private_key).sign(asked.encode(), padding.PKCS1v15(), hashes.SHA256())
        joined = "&" if "?" in sign_in_url else "?"
        return f"{sign_in_url}{joined}{asked}&Signature={quote(base64.b64encode(signature).decode(), safe='')}"


@lru_cache(maxsize=4)
def load_key(encoded: str) -> rsa.RSAPrivateKey:
    """A key of the settings: PKCS #1 in base64. Raises ValueError."""
    key = serialization.load_der_private_key(base64.b64decode(encoded, validate=True), None)
    if not isinstance(key, rsa.RSAPrivateKey):
        raise ValueError("not an RSA key")
    return key


@lru_cache(maxsize=4)
def _certificate(encoded: str, host: str) -> bytes:
    """The vessel of a public key, the same at every start: an identity provider keeps it."""
    key = load_key(encoded)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"SAML 2.0 Certificate for {host}"[:64])])
    built = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, datetime(1970, 1, 1), datetime(2169, 1, 1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(f"_samlsp.{host}")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    return built.public_bytes(serialization.Encoding.DER)


def _key_descriptor(encoded: str, host: str, use: str) -> str:
    certificate = base64.b64encode(_certificate(encoded, host)).decode()
    return (
        f'<KeyDescriptor use="{use}"><KeyInfo xmlns="{DS}"><X509Data><X509Certificate>{certificate}'
        "</X509Certificate></X509Data></KeyInfo></KeyDescriptor>"
    )


def _time(when: datetime) -> str:
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
