"""The policy of an upload by form: what its fields have to be. Pure.

https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-HTTPPOSTConstructPolicy.html
"""

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from emulator.storage.errors import StorageError, access_denied, expired_token, invalid_signature

_EXEMPT = frozenset(
    "policy x-amz-signature x-amz-algorithm x-amz-credential x-amz-date x-amz-security-token file".split()
)


@dataclass(frozen=True)
class SizeRange:
    """How large the file may be, in bytes."""

    least: int = 0
    most: int | None = None


def check_policy(encoded: str, fields: Mapping[str, str], bucket: str, now: datetime) -> SizeRange:
    """Hold the fields (by lower-case names) against the policy. Raises StorageError."""
    policy = _decoded(encoded)
    _check_expiry(policy.get("expiration"), now)
    conditions = policy.get("conditions")
    if not isinstance(conditions, list):
        raise invalid_signature("Invalid policy conditions")
    given = {**fields, "bucket": bucket}
    covered, sizes = set(_EXEMPT), SizeRange()
    for condition in conditions:
        if isinstance(condition, list) and len(condition) == 3 and condition[0] == "content-length-range":
            sizes = _size_range(condition)
            continue
        operator, name, wanted = _parsed(condition)
        value = given.get(name, "")
        if not (value == wanted if operator == "eq" else value.startswith(wanted)):
            raise access_denied(f'Policy condition failed: field "{name}"')
        covered.add(name)
    for name in given:
        if name not in covered and not name.startswith("x-ignore-"):
            raise access_denied(f'Policy condition failed: field "{name}" is not covered by the policy')
    return sizes


def _decoded(encoded: str) -> dict[str, Any]:
    try:
        policy = json.loads(base64.b64decode(encoded))
    except (binascii.Error, ValueError, RecursionError) as error:
        raise invalid_signature("Invalid policy") from error
    if not isinstance(policy, dict):
        raise invalid_signature("Invalid policy")
    return policy


def _check_expiry(expiration: object, now: datetime) -> None:
    if not expiration:
        raise invalid_signature("Missing policy expiration")
    try:
        ends_at = datetime.fromisoformat(str(expiration))
    except ValueError as error:
        raise invalid_signature("Invalid policy expiration") from error
    if (ends_at if ends_at.tzinfo else ends_at.replace(tzinfo=UTC)) < now:
        raise expired_token()


def _size_range(condition: list[Any]) -> SizeRange:
    try:
        return SizeRange(int(condition[1]), int(condition[2]))
    except (TypeError, ValueError) as error:
        raise _unsupported() from error


def _parsed(condition: object) -> tuple[str, str, str]:
    if isinstance(condition, dict) and len(condition) == 1:
        ((name, value),) = condition.items()
        return "eq", str(name).lower(), str(value)
    if isinstance(condition, list) and len(condition) == 3:
        operator, name, value = (str(part) for part in condition)
        if operator in ("eq", "starts-with") and name.startswith("$"):
            return operator, name[1:].lower(), value
    raise _unsupported()


def _unsupported() -> StorageError:
    return invalid_signature("Unsupported policy condition")
