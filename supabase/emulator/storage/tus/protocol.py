"""Headers of TUS, and what they may hold. Pure."""

import base64
import binascii
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from emulator.storage.errors import StorageError, invalid_bucket_name, invalid_request, invalid_upload_id
from emulator.storage.wire.names import check_bucket_name, check_key, check_segments

VERSION = "1.0.0"
EXTENSIONS = "creation,creation-with-upload,creation-defer-length,termination,expiration"
CONTENT_TYPE = "application/offset+octet-stream"
TEXT_TYPE = "text/plain;charset=UTF-8"
_EXPOSED = (
    "Authorization, Content-Type, Location, Tus-Extension, Tus-Max-Size, Tus-Resumable, Tus-Version, Upload-Concat, "
    "Upload-Defer-Length, Upload-Length, Upload-Metadata, Upload-Offset, X-HTTP-Method-Override, X-Requested-With, "
    "X-Forwarded-Host, X-Forwarded-Proto, Forwarded"
)
_ALLOWED = f"{_EXPOSED}, Authorization, X-Upsert, Upload-Expires, ApiKey, x-signature"
_ORIGINS = [("access-control-allow-origin", "*"), ("access-control-expose-headers", f"{_EXPOSED},")]
EVERY = [("tus-resumable", VERSION), *_ORIGINS]
_VALUE = re.compile(r"[A-Za-z0-9+/]*={0,2}")
_NUMBER = re.compile(r"0|[1-9]\d{0,15}")
_FORWARDED_HOST = re.compile(r'host="?([^";]+)')
_FORWARDED_PROTO = re.compile(r"proto=(https?)")


class TusError(Exception):
    """A refusal in the protocol's own words. `is_early`: without the headers that let other origins read it."""

    def __init__(self, status: int, text: str, *, is_early: bool = False) -> None:
        super().__init__(text)
        self.status, self.text, self.is_early = status, text, is_early


def preflight(max_size: int) -> list[tuple[str, str]]:
    """The answer to OPTIONS."""
    return [
        *EVERY,
        ("access-control-allow-methods", "POST, HEAD, PATCH, OPTIONS, DELETE"),
        ("access-control-allow-headers", _ALLOWED),
        ("access-control-max-age", "86400"),
        ("tus-version", VERSION),
        ("tus-extension", EXTENSIONS),
        ("tus-max-size", str(max_size)),
    ]


def check_headers(method: str, pairs: Iterable[tuple[str, str]], headers: Mapping[str, str]) -> None:
    """What every request but OPTIONS has to have. Raises TusError."""
    if not headers.get("tus-resumable"):
        raise TusError(412, "Tus-Resumable Required\n", is_early=True)
    invalid = [name for name, value in pairs if not _is_valid(method, name, value)]
    if invalid:
        raise TusError(400, f"Invalid {' '.join(invalid)}\n", is_early=True)


def _is_valid(method: str, name: str, value: str) -> bool:
    match name:
        case "upload-offset" | "upload-length":
            return _NUMBER.fullmatch(value) is not None
        case "upload-defer-length":
            return value == "1"
        case "upload-metadata":
            return parse_metadata(value) is not None
        case "tus-resumable" | "tus-version":
            return value == VERSION
        case "x-forwarded-proto":
            return value in ("http", "https")
        case "upload-concat":
            return value == "partial" or value.startswith("final;")
        case "content-type":
            return method != "PATCH" or value == CONTENT_TYPE
    return True


def parse_metadata(header: str) -> dict[str, str | None] | None:
    """Names and decoded values of an Upload-Metadata header; None for what is none."""
    found: dict[str, str | None] = {}
    for pair in header.split(","):
        name, *values = pair.split(" ")
        if not name or not name.isascii() or name in found or len(values) > 1:
            return None
        if not values or not values[0]:
            found[name] = None
            continue
        if len(values[0]) % 4 or not _VALUE.fullmatch(values[0]):
            return None
        try:
            found[name] = base64.b64decode(values[0]).decode("utf-8", "replace")
        except binascii.Error:
            return None
    return found


def format_metadata(metadata: Mapping[str, str | None]) -> str:
    """The header of some metadata."""
    return ",".join(
        name if value is None else f"{name} {base64.b64encode(value.encode()).decode()}"
        for name, value in metadata.items()
    )


def cache_control(value: str | None) -> str:
    """Seconds become a max-age, everything else no-cache."""
    return f"max-age={value}" if value and re.fullmatch(r"-?\d+", value) else "no-cache"


def user_metadata(metadata: Mapping[str, str | None]) -> Any:
    """The JSON within; None where there is none."""
    text = metadata.get("metadata")
    if not text:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


@dataclass(frozen=True)
class UploadId:
    """What an upload's URL names."""

    bucket: str
    key: str
    version: str

    def encode(self) -> str:
        """The last part of the URL."""
        return base64.urlsafe_b64encode(f"{self.bucket}/{self.key}/{self.version}".encode()).rstrip(b"=").decode()


def named_upload(metadata: Mapping[str, str | None] | None, version: str) -> UploadId:
    """The upload that a creation asks for. Raises StorageError."""
    if metadata is None:
        raise invalid_request("Metadata header is required")
    made = UploadId(metadata.get("bucketName") or "", metadata.get("objectName") or "", version)
    check_upload(made)
    return made


def parse_upload_id(text: str) -> UploadId:
    """Read what `encode` wrote. Raises StorageError."""
    try:
        decoded = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode()
    except (binascii.Error, ValueError) as error:
        raise invalid_upload_id() from error
    bucket, slash, rest = decoded.partition("/")
    key, _, version = rest.rpartition("/")
    if not slash:
        raise invalid_upload_id()
    if not version:
        raise invalid_upload_id("Version not provided")
    found = UploadId(bucket, key, version)
    check_upload(found)
    return found


def check_upload(upload: UploadId) -> None:
    """Raises StorageError for a bucket or key that can't be."""
    try:
        check_bucket_name(upload.bucket)
    except StorageError as error:
        raise invalid_bucket_name() from error
    check_key(upload.key)
    check_segments(upload.bucket, upload.key)


def origin_of(headers: Mapping[str, str], scheme: str, public_url: str) -> str:
    """Protocol and host that the client sees."""
    if public_url:
        parts = urlsplit(public_url)
        return f"{parts.scheme}://{parts.netloc}"
    forwarded = headers.get("forwarded", "")
    host_match, proto_match = _FORWARDED_HOST.search(forwarded), _FORWARDED_PROTO.search(forwarded)
    proto = headers.get("x-forwarded-proto", "")
    proto = proto_match[1] if proto_match else proto if proto in ("http", "https") else scheme
    host = host_match[1] if host_match else headers.get("x-forwarded-host") or headers.get("host", "")
    port = headers.get("x-forwarded-port", "")
    if headers.get("x-forwarded-host") and port.isdecimal() and port not in ("80", "443"):
        host = re.sub(r":\d+$", "", host) + f":{port}"
    return f"{proto}://{host}"
