"""Signature V4, chunks, policies and XML."""

import base64
import hashlib
import json
from datetime import UTC, datetime

import pytest

from emulator.storage.errors import StorageError
from emulator.storage.s3.chunks import ChunkDecoder
from emulator.storage.s3.policy import SizeRange, check_policy
from emulator.storage.s3.signature import KeyPair, SignedRequest, Verifier, read_signature
from emulator.storage.s3.xml import parse, render

NOW = datetime(2013, 5, 24, tzinfo=UTC)
# The example of AWS's documentation, "Signature Calculations for the Authorization Header", GET Object.
EXAMPLE = {
    "host": "examplebucket.s3.amazonaws.com",
    "range": "bytes=0-9",
    "x-amz-content-sha256": hashlib.sha256(b"").hexdigest(),
    "x-amz-date": "20130524T000000Z",
    "authorization": "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
    "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,"
    "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
}
KEYS = KeyPair("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")


def request(path: str = "/test.txt") -> SignedRequest:
    return SignedRequest("GET", path, {}, EXAMPLE, EXAMPLE["host"])


def test_the_documented_example_is_verified() -> None:
    client = read_signature(EXAMPLE, {}, NOW)
    Verifier(KEYS, "local").verify(client, request())
    with pytest.raises(StorageError, match="does not match"):
        Verifier(KEYS, "local").verify(client, request("/other.txt"))
    with pytest.raises(StorageError, match="Invalid Access Key"):
        Verifier(KeyPair("other", KEYS.secret), "local").verify(client, request())
    with pytest.raises(StorageError, match="Invalid Region"):
        Verifier(KEYS, "local", enforce_region=True).verify(client, request())


@pytest.mark.parametrize(
    ("headers", "query", "code"),
    [
        ({}, {}, "AccessDenied"),
        ({"authorization": "AWS4-HMAC-SHA256 garbage"}, {}, "InvalidSignature"),
        ({}, {"X-Amz-Credential": "a/b/c/s3/aws4_request"}, "InvalidSignature"),
        (
            {},
            {
                "X-Amz-Credential": "a/b/c/s3/aws4_request", "X-Amz-SignedHeaders": "host", "X-Amz-Signature": "0",
                "X-Amz-Date": "20130101T000000Z", "X-Amz-Expires": "60",
            },
            "ExpiredToken",
        ),
    ],
)  # fmt: skip
def test_signatures_that_are_none(headers: dict[str, str], query: dict[str, str | list[str]], code: str) -> None:
    with pytest.raises(StorageError) as refused:
        read_signature(headers, query, NOW)
    assert refused.value.code == code


@pytest.mark.parametrize("step", [1, 3, 1000])
def test_chunks_are_joined_however_they_come(step: int) -> None:
    body = b"5\r\nhello\r\n6\r\n world\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n"
    decoder = ChunkDecoder(None)
    out = b"".join(part for at in range(0, len(body), step) for part in decoder.feed(body[at : at + step]))
    decoder.close()
    assert out == b"hello world"


@pytest.mark.parametrize("body", [b"zz\r\n", b"5\r\nhelloXX", b"99999999\r\n", b"1" * 300, b"5\r\nhel"])
def test_chunks_that_are_none(body: bytes) -> None:
    decoder = ChunkDecoder(None)
    with pytest.raises(StorageError):
        decoder.feed(body)
        decoder.close()


def policy(*conditions: object, expiration: str = "2030-01-01T00:00:00Z") -> str:
    return base64.b64encode(json.dumps({"expiration": expiration, "conditions": conditions}).encode()).decode()


def test_a_policy_bounds_the_form() -> None:
    signed = policy({"bucket": "b"}, ["starts-with", "$key", "a/"], ["content-length-range", 1, 9])
    assert check_policy(signed, {"key": "a/x"}, "b", NOW) == SizeRange(1, 9)
    for fields, bucket in (({"key": "z"}, "b"), ({"key": "a/x", "acl": "public"}, "b"), ({"key": "a/x"}, "c")):
        with pytest.raises(StorageError, match="Policy condition failed"):
            check_policy(signed, fields, bucket, NOW)
    with pytest.raises(StorageError, match="expired"):
        check_policy(policy(expiration="2000-01-01T00:00:00Z"), {}, "b", NOW)
    for rubbish in ("%%%", base64.b64encode(b"[]").decode(), policy(["huh", "$key", "x"])):
        with pytest.raises(StorageError):
            check_policy(rubbish, {"key": "x"}, "b", NOW)


def test_xml_is_escaped_and_read_without_entities() -> None:
    media_type, body = render(
        "Answer", {"Key": "a<&>\x01", "Empty": "", "Left": None, "Item": [{"N": 1}, {"N": 2}]}, None
    )
    assert media_type == "application/xml; charset=utf-8"
    assert body.decode().endswith(
        "<Key>a&lt;&amp;&gt;\ufffd</Key><Empty/><Item><N>1</N></Item><Item><N>2</N></Item></Answer>"
    )
    assert render("Answer", {"Key": "a", "Left": None}, "application/json")[1] == b'{"Answer":{"Key":"a"}}'
    assert parse(b'<Delete xmlns="urn:x"><Object/></Delete>').tag == "Delete"
    bomb = b'<!DOCTYPE a [<!ENTITY b "cccc"><!ENTITY d "&b;&b;">]><a>&d;</a>'
    for rubbish in (bomb, b"<a>", b"", b"\x00"):
        with pytest.raises(StorageError) as refused:
            parse(rubbish)
        assert refused.value.code == "MalformedXML"
