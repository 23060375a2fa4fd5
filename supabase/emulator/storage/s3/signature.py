"""Signature Version 4: read from a request, computed, compared; also made, for an endpoint that keeps our files. Pure.

https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-authenticating-requests.html
"""

import hashlib
import hmac
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import quote

from emulator.storage.errors import (
    access_denied,
    expired_token,
    invalid_signature,
    signature_does_not_match,
)  # fmt: skip

ALGORITHM = "AWS4-HMAC-SHA256"
UNSIGNED = "UNSIGNED-PAYLOAD"
EMPTY_SHA256 = hashlib.sha256(b"").hexdigest()
_SERVICE = "s3"
_ANY_REGION = ("auto", "us-east-1", "")
_NEVER_SIGNED = frozenset(
    "authorization connection expect from keep-alive max-forwards pragma referer te trailer transfer-encoding upgrade"
    " user-agent x-amzn-trace-id".split()
)


@dataclass(frozen=True)
class Credential:
    """Whose signature it is, and what it is for."""

    access_key: str
    day: str
    region: str
    service: str

    @property
    def scope(self) -> str:
        return f"{self.day}/{self.region}/{self.service}/aws4_request"


@dataclass(frozen=True)
class ClientSignature:
    """What a request says of its signature. `policy`: the signed text of a form."""

    credential: Credential
    signed_headers: Sequence[str]
    signature: str
    stamp: str
    payload_hash: str | None = None
    session_token: str | None = None
    policy: str | None = None


@dataclass(frozen=True)
class SignedRequest:
    """What is signed. `path` is raw, with the gateway's prefix; `query` decoded; `host` as the client sees it."""

    method: str
    path: str
    query: Mapping[str, str | list[str]]
    headers: Mapping[str, str]
    host: str


@dataclass(frozen=True)
class KeyPair:
    """What the service knows of a client."""

    access_key: str
    secret: str


def read_signature(headers: Mapping[str, str], query: Mapping[str, str | list[str]], now: datetime) -> ClientSignature:
    """The signature of a request, in its header or in its query. Raises StorageError."""
    authorization = headers.get("authorization", "")
    if authorization.startswith(f"{ALGORITHM} "):
        return _read_header(authorization, headers)
    if isinstance(query.get("X-Amz-Credential"), str):
        return _read_query({name: value for name, value in query.items() if isinstance(value, str)}, now)
    raise access_denied("Missing signature")


def _read_header(authorization: str, headers: Mapping[str, str]) -> ClientSignature:
    fields = {}
    for field in authorization.removeprefix(ALGORITHM).split(","):
        name, _, value = field.partition("=")
        fields[name.strip()] = value
    found = [fields.get("Credential"), fields.get("SignedHeaders"), fields.get("Signature"), headers.get("x-amz-date")]
    if not all(found):
        raise invalid_signature("Invalid signature format")
    credential, signed, signature, stamp = (str(value) for value in found)
    return ClientSignature(
        _credential(credential), signed.split(";"), signature, stamp, headers.get("x-amz-content-sha256"),
        headers.get("x-amz-security-token"),
    )  # fmt: skip


def _read_query(query: Mapping[str, str], now: datetime) -> ClientSignature:
    names = ("X-Amz-Credential", "X-Amz-SignedHeaders", "X-Amz-Signature", "X-Amz-Date")
    if not all(query.get(name) for name in names):
        raise invalid_signature("Invalid signature format")
    credential, signed, signature, stamp = (query[name] for name in names)
    if query.get("X-Amz-Expires"):
        _check_expiry(stamp, query["X-Amz-Expires"], now)
    return ClientSignature(
        _credential(credential), signed.split(";"), signature, stamp, query.get("X-Amz-Content-Sha256"),
        query.get("X-Amz-Security-Token"),
    )  # fmt: skip


def read_form(fields: Mapping[str, str]) -> ClientSignature:
    """The signature of a POST policy. Raises StorageError."""
    by_name = {name.lower(): value for name, value in fields.items()}
    names = ("x-amz-credential", "x-amz-signature", "x-amz-date", "policy")
    if not all(by_name.get(name) for name in names):
        raise invalid_signature("Invalid signature format")
    credential, signature, stamp, policy = (by_name[name] for name in names)
    token = by_name.get("x-amz-security-token")
    return ClientSignature(_credential(credential), (), signature, stamp, None, token, policy)


def _credential(text: str) -> Credential:
    parts = text.split("/")
    if len(parts) != 5:
        raise invalid_signature("Invalid credentials")
    return Credential(*parts[:4])


def _check_expiry(stamp: str, lifetime: str, now: datetime) -> None:
    match = re.match(r"\s*(\d{1,12})", lifetime)
    if match is None:
        raise invalid_signature("Invalid expiration")
    try:
        signed_at = datetime.strptime(stamp, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
        ends_at = signed_at + timedelta(seconds=int(match[1]))
    except (ValueError, OverflowError):
        return
    if ends_at < now:
        raise expired_token()


class Verifier:
    """Compares signatures with those of one key pair. `region` is the service's own."""

    def __init__(self, keys: KeyPair, region: str, *, enforce_region: bool = False) -> None:
        self._keys, self._region, self._enforces_region = keys, region, enforce_region

    def verify(self, client: ClientSignature, request: SignedRequest) -> None:
        """Raises StorageError unless the signature is the one that this key pair makes."""
        key = self._signing_key(client)
        canonical = canonical_request(request, client)
        expected = sign_text(key, client.stamp, client.credential.scope, canonical)
        if not hmac.compare_digest(expected.encode(), client.signature.encode("utf-8", "replace")):
            raise signature_does_not_match()

    def verify_policy(self, client: ClientSignature) -> None:
        """The same for the signed policy of a form."""
        assert client.policy is not None
        expected = hmac.new(self._signing_key(client), client.policy.encode(), hashlib.sha256).hexdigest()
        if not hmac.compare_digest(expected.encode(), client.signature.encode("utf-8", "replace")):
            raise signature_does_not_match()

    def chunk_verifier(self, client: ClientSignature) -> "ChunkVerifier":
        """For the pieces of a streamed body."""
        return ChunkVerifier(self._signing_key(client), client)

    def _signing_key(self, client: ClientSignature) -> bytes:
        credential = client.credential
        if not hmac.compare_digest(credential.access_key.encode(), self._keys.access_key.encode()):
            raise access_denied("Invalid Access Key")
        region = credential.region
        if self._enforces_region and region != self._region:
            raise access_denied("Invalid Region")
        if credential.service != _SERVICE:
            raise access_denied("Invalid Service")
        if region not in (self._region, *_ANY_REGION):
            region = self._region
        return signing_key(self._keys.secret, credential.day, region)


class ChunkVerifier:
    """The chain of signatures over the chunks of a body."""

    def __init__(self, key: bytes, client: ClientSignature) -> None:
        self._key, self._client = key, client
        self._previous = client.signature

    def check(self, signature: str, digest: str) -> None:
        """One chunk by the SHA-256 of its bytes. Raises StorageError."""
        text = "\n".join(
            [
                f"{ALGORITHM}-PAYLOAD",
                self._client.stamp,
                self._client.credential.scope,
                self._previous,
                EMPTY_SHA256,
                digest,
            ]
        )
        expected = hmac.new(self._key, text.encode(), hashlib.sha256).hexdigest()
        if not hmac.compare_digest(expected.encode(), signature.encode("utf-8", "replace")):
            raise signature_does_not_match()
        self._previous = signature


def signing_key(secret: str, day: str, region: str) -> bytes:
    """The key of one day, region and service."""
    key = f"AWS4{secret}".encode()
    for part in (day, region, _SERVICE, "aws4_request"):
        key = hmac.digest(key, part.encode(), "sha256")
    return key


def sign_text(key: bytes, stamp: str, scope: str, canonical: str) -> str:
    """The signature of a canonical request."""
    text = "\n".join([ALGORITHM, stamp, scope, hashlib.sha256(canonical.encode()).hexdigest()])
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


def canonical_request(request: SignedRequest, client: ClientSignature) -> str:
    """What is signed, as text."""
    is_presigned_read = "X-Amz-Signature" in request.query and request.method == "GET"
    payload = UNSIGNED if is_presigned_read or client.payload_hash is None else client.payload_hash
    names = sorted(client.signed_headers)
    lines = [_header_line(name, request) for name in names if name in request.headers or name == "host"]
    return "\n".join(
        [
            request.method,
            request.path or "/",
            canonical_query(request.query),
            *(line for line in lines if line is not None),
            "",
            ";".join(names),
            payload,
        ]
    )


def canonical_query(query: Mapping[str, str | list[str]]) -> str:
    """The query, sorted and encoded."""
    pairs = []
    for name, value in query.items():
        if name != "X-Amz-Signature":
            for single in value if isinstance(value, list) else [value]:
                pairs.append((quote(name, safe="-_.~"), quote(single, safe="-_.~")))
    return "&".join(f"{name}={value}" for name, value in sorted(pairs))


def _header_line(name: str, request: SignedRequest) -> str | None:
    if name in _NEVER_SIGNED:
        return None
    if name == "host":
        return f"host:{request.host}"
    return f"{name}:{' '.join(request.headers[name].split())}"
