"""What a SAML response must be to be believed."""

import base64
import copy
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from lxml import etree
from signxml.algorithms import DigestAlgorithm, SignatureMethod

from emulator.auth.saml.assertion import EMAIL_FORMAT, TRANSIENT_FORMAT, Assertion
from emulator.auth.saml.metadata import BadMetadata, parse_metadata
from emulator.auth.saml.response import BadResponse, Expected, check_response
from emulator.auth.saml.xml import BadXml, parse
from tests.support.identity_provider import (
    DS,
    ENC,
    ENC11,
    METADATA,
    NAMESPACES,
    SAML,
    IdentityProvider,
    encode,
    make_key,
)

ACS, ENTITY = "https://api.test/sso/saml/acs", "https://api.test/sso/saml/metadata"
NOW = datetime.now(UTC).replace(microsecond=0)
IDP = IdentityProvider("https://idp.test", ACS, ENTITY)
REQUEST = "id-1"


def expected(idp: IdentityProvider = IDP, **changes: Any) -> Expected:
    """What the service waits for."""
    said = {"entity_id": ENTITY, "acs_url": ACS, "request_id": REQUEST, "now": NOW, **changes}
    return Expected(parse_metadata(idp.metadata()), **said)


def respond(**changes: Any) -> str:
    """A response, signed now."""
    return IDP.respond(changes.pop("request_id", REQUEST), now=NOW, **changes)


def refused(encoded: str, **changes: Any) -> str:
    """Why a response is refused."""
    with pytest.raises(BadResponse) as caught:
        check_response(encoded, expected(**changes))
    return str(caught.value)


@pytest.mark.parametrize("whole", [pytest.param(False, id="assertion"), pytest.param(True, id="response")])
def test_a_signed_response_is_read(whole: bool) -> None:
    end = NOW + timedelta(hours=8)
    attributes = {"mail": ["ada@station.test"], "groups": ["a", "b"]}
    found = check_response(respond(whole=whole, attributes=attributes, session_end=end), expected())
    assert (found.user_id, found.email, found.ends_at) == ("ada-17", "ada@station.test", end)
    assert found.values("GROUPS") == ["a", "b"]


def test_an_unsolicited_response_answers_nothing() -> None:
    assert check_response(respond(request_id=""), expected(request_id="")).user_id == "ada-17"
    assert refused(respond(), request_id="") == "answers another request"
    assert refused(respond(request_id="")) == "answers another request"


SKEW, DELAY = timedelta(seconds=181), timedelta(seconds=91)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        pytest.param({"audience": "https://other.test"}, "is for another audience", id="audience"),
        pytest.param({"recipient": "https://other.test"}, "no confirmation of its subject is good", id="recipient"),
        pytest.param({"destination": "https://other.test"}, "is for another address", id="destination"),
        pytest.param({"answers": "id-2"}, "answers another request", id="answers another request"),
        pytest.param({"confirms": "id-2"}, "no confirmation of its subject is good", id="confirms another request"),
        pytest.param({"issuer": "https://other.test"}, "the response has another issuer", id="issuer"),
        pytest.param({"status": "Requester"}, "the status is not success", id="status"),
        pytest.param({"issued": NOW - DELAY}, "was issued at another time", id="issued long ago"),
        pytest.param({"issued": NOW + SKEW}, "was issued at another time", id="issued in the future"),
        pytest.param({"end": NOW - SKEW}, "is no longer valid", id="expired"),
        pytest.param({"not_before": NOW + SKEW}, "is not valid yet", id="not valid yet"),
        pytest.param({"confirmed_until": NOW - SKEW}, "no confirmation of its subject is good", id="confirmed before"),
        pytest.param({"key": "thief"}, "not signed by a certificate of the identity provider", id="another key"),
    ],
)
@pytest.mark.parametrize("whole", [False, True])
def test_what_is_not_for_us_now_is_refused(changes: dict[str, Any], why: str, whole: bool) -> None:
    assert refused(respond(whole=whole, **changes)) == why


def test_nothing_unsigned_is_read() -> None:
    assert refused(encode(IDP.response(REQUEST, now=NOW))) == "nothing is signed"


def signed(*, whole: bool = False) -> etree._Element:
    """A signed response as a tree."""
    return etree.fromstring(base64.b64decode(respond(whole=whole)))


def forged(root: etree._Element, new_id: str = "a-evil") -> etree._Element:
    """The assertion of a response for somebody else, without its signature."""
    evil = copy.deepcopy(root.find("saml:Assertion", NAMESPACES))
    assert evil is not None
    for signature in evil.findall("ds:Signature", NAMESPACES):
        evil.remove(signature)
    evil.set("ID", new_id)
    named = evil.find("saml:Subject/saml:NameID", NAMESPACES)
    assert named is not None
    named.text = "chief"
    return evil


def wrap_beside(root: etree._Element) -> None:
    root.insert(2, forged(root))


def wrap_in_signature(root: etree._Element) -> None:
    real = root.find("saml:Assertion", NAMESPACES)
    assert real is not None
    evil = forged(root)
    root.replace(real, evil)
    found = real.find("ds:Signature", NAMESPACES)
    assert found is not None
    signature = copy.deepcopy(found)
    holder = etree.SubElement(signature, f"{{{DS}}}Object")
    holder.append(real)
    evil.insert(1, signature)


def wrap_in_extensions(root: etree._Element) -> None:
    real = root.find("saml:Assertion", NAMESPACES)
    assert real is not None
    evil = forged(root)
    root.replace(real, evil)
    extensions = etree.Element("{urn:oasis:names:tc:SAML:2.0:protocol}Extensions")
    extensions.append(real)
    root.insert(1, extensions)


def move_signature(root: etree._Element) -> None:
    real = root.find("saml:Assertion", NAMESPACES)
    assert real is not None
    signature = real.find("ds:Signature", NAMESPACES)
    assert signature is not None
    evil = forged(root)
    evil.insert(1, copy.deepcopy(signature))
    advice = etree.SubElement(evil, f"{{{SAML}}}Advice")
    advice.append(real)
    root.append(evil)


def same_id_twice(root: etree._Element) -> None:
    real = root.find("saml:Assertion", NAMESPACES)
    assert real is not None
    root.append(forged(root, str(real.get("ID"))))


def change_name(root: etree._Element) -> None:
    named = root.find("saml:Assertion/saml:Subject/saml:NameID", NAMESPACES)
    assert named is not None
    named.text = "chief"


def refer_to_nothing(root: etree._Element) -> None:
    reference = root.find(".//ds:Reference", NAMESPACES)
    assert reference is not None
    reference.set("URI", "")


def second_signature(root: etree._Element) -> None:
    real = root.find("saml:Assertion", NAMESPACES)
    assert real is not None
    signature = real.find("ds:Signature", NAMESPACES)
    assert signature is not None
    real.append(copy.deepcopy(signature))


@pytest.mark.parametrize(
    "attack",
    [
        wrap_beside, wrap_in_signature, wrap_in_extensions, move_signature, same_id_twice, change_name,
        refer_to_nothing, second_signature,
    ],
    ids=lambda attack: attack.__name__.replace("_", " "),
)  # fmt: skip
def test_a_signature_holds_for_what_it_signed_alone(attack: Any) -> None:
    root = signed()
    attack(root)
    assert refused(encode(root))


def test_a_signed_response_cannot_be_added_to() -> None:
    root = signed(whole=True)
    wrap_beside(root)
    assert refused(encode(root)) == "not signed by a certificate of the identity provider"


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"signature_algorithm": SignatureMethod.RSA_SHA1}, id="SHA-1"),
        pytest.param({"digest_algorithm": DigestAlgorithm.SHA1}, id="digest by SHA-1"),
    ],
)
def test_weak_algorithms_are_refused(options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("signxml.signer.XMLSigner.check_deprecated_methods", lambda _: None)
    root = IDP.sign(IDP.response(REQUEST, now=NOW), **options)
    assert refused(encode(root)) == "not signed by a certificate of the identity provider"


def test_a_mac_with_the_public_key_is_no_signature() -> None:
    root = signed()
    method = root.find(".//ds:SignatureMethod", NAMESPACES)
    assert method is not None
    method.set("Algorithm", "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256")
    assert refused(encode(root)) == "not signed by a certificate of the identity provider"


def test_the_key_of_the_response_counts_for_nothing() -> None:
    """A thief's certificate within the signature is not the identity provider's."""
    assert make_key("thief")[1] != make_key("idp")[1]
    assert refused(respond(key="thief")) == "not signed by a certificate of the identity provider"


def test_a_comment_cuts_no_text_in_two() -> None:
    """CVE-2017-11427: `ada@station.test<!-- -->.evil.test` is one name for the signature, and here."""
    root = IDP.sign(IDP.response(REQUEST, now=NOW, name_id="ada-17.evil"))
    text = etree.tostring(root).replace(b"ada-17.evil", b"ada-17<!-- -->.evil")
    assert check_response(encode(text), expected()).user_id == "ada-17.evil"


BOMB = b'<!DOCTYPE r [<!ENTITY a "' + b"x" * 1000 + b'"><!ENTITY b "' + b"&a;" * 1000 + b'">]><r>&b;&b;&b;</r>'


@pytest.mark.parametrize(
    ("document", "why"),
    [
        pytest.param(BOMB, "not well-formed", id="entities"),
        pytest.param(b'<!DOCTYPE r SYSTEM "file:///etc/passwd"><r/>', "has a document type", id="external type"),
        pytest.param(b'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>', "has a document type",
                     id="file"),
        pytest.param(b'<r><?xml-stylesheet href="x"?></r>', "has a processing instruction or an entity", id="PI"),
        pytest.param(b"<r ID='1'><s Id='1'/></r>", "has an id twice", id="same id"),
        pytest.param(b"<r>" * 5000, "not well-formed", id="deep"),
        pytest.param(b"", "not well-formed", id="empty"),
        pytest.param(b"\xff\xfe\x00", "not well-formed", id="no text"),
        pytest.param('<?xml version="1.0" encoding="utf-16"?><!DOCTYPE r [<!ENTITY a "x">]><r>&a;</r>'.encode("utf-16"),
                     "has a document type", id="another encoding"),
    ],
)  # fmt: skip
def test_xml_is_read_without_what_is_dangerous(document: bytes, why: str) -> None:
    with pytest.raises(BadXml, match=why):
        parse(document)


@pytest.mark.parametrize("encoded", ["", "%%%", "PHI+", encode(b"<r/>"), encode(b"<!DOCTYPE r><r/>")])
def test_what_is_no_response_is_refused(encoded: str) -> None:
    assert refused(encoded)


OURS = (make_key("sp")[0], make_key("sp next")[0])


def encrypted(key: str = "sp", *, sign: bool = True, whole: bool = False, **options: Any) -> etree._Element:
    """A response whose assertion is encrypted; signed before, or around it."""
    root = IDP.response(REQUEST, now=NOW)
    if sign and not whole:
        root = IDP.sign(root)
    root = IDP.encrypt(root, key, **options)
    return IDP.sign(root, whole=True) if whole else root


@pytest.mark.parametrize("content", [f"{ENC11}aes256-gcm", f"{ENC}aes256-cbc"])
@pytest.mark.parametrize(("key", "whole"), [("sp", False), ("sp next", False), ("sp", True)])
def test_an_encrypted_assertion_is_read_where_it_is_allowed(content: str, key: str, whole: bool) -> None:
    root = encrypted(key, whole=whole, content=content)
    assert check_response(encode(root), expected(decryption_keys=OURS)).user_id == "ada-17"
    assert refused(encode(root)) == "the assertion is encrypted"


def flip_last(root: etree._Element) -> None:
    """Another last byte of the content."""
    value = root.findall(".//{http://www.w3.org/2001/04/xmlenc#}CipherValue")[-1]
    content = bytearray(base64.b64decode(value.text or ""))
    content[-1] ^= 0x80
    value.text = base64.b64encode(content).decode()


@pytest.mark.parametrize("content", [f"{ENC11}aes256-gcm", f"{ENC}aes256-cbc"])
def test_what_was_changed_or_is_for_others_says_nothing_more(content: str) -> None:
    """One answer for a wrong key, a wrong padding and no assertion."""
    changed = encrypted(content=content)
    flip_last(changed)
    for root in (changed, encrypted("thief", content=content)):
        assert refused(encode(root), decryption_keys=OURS) == "can't be decrypted"


@pytest.mark.parametrize(
    "options",
    [
        {"wrapping": f"{ENC}rsa-1_5"}, {"content": f"{ENC}aes128-cbc"}, {"content": f"{ENC}tripledes-cbc"},
        {"wrapping": f"{ENC11}rsa-oaep-of-mine"},
    ],
)  # fmt: skip
def test_other_ways_to_encrypt_are_refused(options: dict[str, Any]) -> None:
    assert refused(encode(encrypted(**options)), decryption_keys=OURS) == "can't be decrypted"


def test_encryption_is_no_signature() -> None:
    """Anybody has the public key."""
    assert refused(encode(encrypted(sign=False)), decryption_keys=OURS) == "nothing is signed"
    both = encrypted()
    both.append(forged(signed()))
    assert refused(encode(both), decryption_keys=OURS) == "has not one assertion"
    empty = etree.SubElement(IDP.response(REQUEST, now=NOW), f"{{{SAML}}}EncryptedAssertion").getparent()
    assert empty is not None
    empty.remove(empty[2])
    assert refused(encode(empty), decryption_keys=OURS) == "has no data"


def assertion(
    name_format: str = "", attributes: dict[str, list[str]] | None = None, name: str = "Ada@X.test"
) -> Assertion:
    """What a response with that name and those attributes says."""
    said = {"name_format": name_format, "attributes": attributes or {}, "name_id": name}
    return check_response(respond(**said), expected())


def test_who_a_person_is() -> None:
    """The subject-id before the name; a name that changes each time is nobody's."""
    assert assertion(EMAIL_FORMAT).user_id == "ada@x.test"
    assert assertion(EMAIL_FORMAT).email == "Ada@X.test"
    assert assertion(TRANSIENT_FORMAT).user_id == ""
    subject = {"urn:oasis:names:tc:SAML:attribute:subject-id": ["ada@scope"]}
    assert assertion(TRANSIENT_FORMAT, subject).user_id == "ada@scope"
    assert assertion("", {"Mail": ["", "second@x.test"]}).email == "second@x.test"


def test_attributes_become_claims() -> None:
    keys = {
        "name": {"name": "displayName"}, "rank": {"names": ["title", "rank"], "default": "none"},
        "groups": {"name": "memberOf", "array": True}, "station": {"name": "st", "default": 4},
        "absent": {"name": "no"},
    }  # fmt: skip
    said = assertion("", {"DISPLAYNAME": ["Ada"], "rank": ["Captain", "x"], "memberOf": ["a", "", "b"]})
    assert said.mapped({"keys": keys}) == {"name": "Ada", "rank": "Captain", "groups": ["a", "b"], "station": 4}
    assert said.mapped({}) == {}


def test_metadata_is_read() -> None:
    known = parse_metadata(IDP.metadata(validUntil="2040-01-01T00:00:00Z", cacheDuration="PT1H30M"))
    assert (known.entity_id, known.sign_in_url) == ("https://idp.test", "https://idp.test/sign-in?tenant=1")
    assert known.certificates == (make_key("idp")[1],)
    assert known.valid_until == datetime(2040, 1, 1, tzinfo=UTC)
    assert known.cache_s == 5400
    listed = f'<md:EntitiesDescriptor xmlns:md="{METADATA}">{IDP.metadata()}</md:EntitiesDescriptor>'
    assert parse_metadata(listed).entity_id == "https://idp.test"


@pytest.mark.parametrize(
    ("document", "why"),
    [
        ("", "not valid XML"),
        ("<r/>", "no EntityDescriptor"),
        (IDP.metadata().replace(' entityID="https://idp.test"', ""), "does not contain an EntityID"),
        (IDP.metadata().replace("IDPSSODescriptor", "SPSSODescriptor"), "does not contain any IDPSSODescriptor"),
        (IDP.metadata(validUntil="soon"), "validUntil is no time"),
        (IDP.metadata().replace("<ds:X509Certificate>", "<ds:X509Certificate>AAAA"), "certificate that can't be read"),
        (f"<!DOCTYPE r>{IDP.metadata()}", "has a document type"),
    ],
)
def test_bad_metadata_is_refused(document: str, why: str) -> None:
    with pytest.raises(BadMetadata, match=why):
        parse_metadata(document)
