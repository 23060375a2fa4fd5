"""Assertions that were encrypted for this service. Pure.

What is wrong with one is never told apart to its sender: with CBC that would be an oracle.
Source: XML Encryption Syntax and Processing 1.1, sections 5.2, 5.5; SAML core 2.3.4.
"""

import base64
import binascii
from collections.abc import Callable, Sequence

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from emulator.auth.saml.xml import DS, SAML, BadXml, Element, find, find_all, parse, text_of

_ENC, _ENC11 = "http://www.w3.org/2001/04/xmlenc#", "http://www.w3.org/2009/xmlenc11#"
_DIGESTS: dict[str, Callable[[], hashes.HashAlgorithm]] = {
    f"{DS}sha1": hashes.SHA1, f"{_ENC}sha256": hashes.SHA256, f"{_ENC}sha512": hashes.SHA512,
    "": hashes.SHA1,
}  # fmt: skip
_MASKS: dict[str, Callable[[], hashes.HashAlgorithm]] = {
    f"{_ENC11}mgf1sha1": hashes.SHA1, f"{_ENC11}mgf1sha256": hashes.SHA256, f"{_ENC11}mgf1sha512": hashes.SHA512,
    "": hashes.SHA1,
}  # fmt: skip
_GCM = {f"{_ENC11}aes{bits}-gcm": bits // 8 for bits in (128, 192, 256)}
_CBC = {f"{_ENC}aes{bits}-cbc": bits // 8 for bits in (128, 192, 256)}
_BLOCK = 16


class BadEncryption(ValueError):
    """Not encrypted for this service, or by an algorithm that we don't take."""


def decrypt(encrypted: Element, keys: Sequence[rsa.RSAPrivateKey]) -> Element:
    """The assertion within an EncryptedAssertion, as a document of its own. Raises BadEncryption."""
    data = find(encrypted, "xenc:EncryptedData")
    if data is None:
        raise BadEncryption("has no data")
    wrapped = find_all(data, "ds:KeyInfo/xenc:EncryptedKey") + find_all(encrypted, "xenc:EncryptedKey")
    if len(wrapped) != 1:
        raise BadEncryption("has not one key")
    for key in keys:
        try:
            root = parse(_content(data, _content_key(wrapped[0], key)))
        except (ValueError, BadXml, InvalidTag, binascii.Error):
            continue
        if root.tag == f"{{{SAML}}}Assertion":
            return root
    raise BadEncryption("can't be decrypted")


def _algorithm(element: Element) -> str:
    method = find(element, "xenc:EncryptionMethod")
    return method.get("Algorithm", "") if method is not None else ""


def _value(element: Element) -> bytes:
    return base64.b64decode("".join(text_of(find(element, "xenc:CipherData/xenc:CipherValue")).split()), validate=True)


def _content_key(wrapped: Element, key: rsa.RSAPrivateKey) -> bytes:
    """By RSA-OAEP alone: RSA 1.5 can be asked for the key bit by bit."""
    named = _algorithm(wrapped)
    if named not in (f"{_ENC}rsa-oaep-mgf1p", f"{_ENC11}rsa-oaep"):
        raise BadEncryption(f"the key is encrypted by {named}")
    method = find(wrapped, "xenc:EncryptionMethod")
    digest = find(method, "ds:DigestMethod") if method is not None else None
    mask = find(method, "xenc11:MGF") if method is not None else None
    hashed = _DIGESTS.get(digest.get("Algorithm", "") if digest is not None else "")
    masked = _MASKS.get(mask.get("Algorithm", "") if mask is not None else "")
    if hashed is None or masked is None:
        raise BadEncryption("the key is encrypted by an unknown digest")
    return key.decrypt(_value(wrapped), padding.OAEP(padding.MGF1(masked()), hashed(), None))


def _content(data: Element, key: bytes) -> bytes:
    named, value = _algorithm(data), _value(data)
    if _GCM.get(named) == len(key):
        return AESGCM(key).decrypt(value[:12], value[12:], None)
    if _CBC.get(named) != len(key) or len(value) < 2 * _BLOCK or len(value) % _BLOCK:
        raise BadEncryption(f"is encrypted by {named}")
    decryptor = Cipher(algorithms.AES(key), modes.CBC(value[:_BLOCK])).decryptor()
    plain = decryptor.update(value[_BLOCK:]) + decryptor.finalize()
    if not 1 <= plain[-1] <= _BLOCK:
        raise BadEncryption("the padding is wrong")
    return plain[: -plain[-1]]
