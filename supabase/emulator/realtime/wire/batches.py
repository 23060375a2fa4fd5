"""The messages of a batch that is broadcast over HTTP, checked by the rules of Ecto's changesets."""

from collections.abc import Mapping
from typing import Any

from emulator.realtime import errors
from emulator.realtime.wire.frames import dump

BLANK = "can't be blank"
INVALID = "is invalid"
TOO_LARGE = "Payload size exceeds tenant limit"
TRUE = (True, "true", "1")
FALSE = (False, "false", "0")


def batch_messages(document: object, max_bytes: int) -> list[dict[str, Any]]:
    """The messages of `{"messages": [{topic, event, payload, private?, id?}]}`; raises errors.Invalid.

    A payload may have `max_bytes` of JSON text.
    """
    body = document if isinstance(document, dict) else {}
    messages = body.get("messages", [])
    if isinstance(messages, dict):
        messages = list(messages.values())  # as a form's `messages[0][topic]` would be read
    if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
        raise errors.Invalid({"messages": [INVALID]})
    if not messages:
        raise errors.Invalid({"messages": [BLANK]})
    problems = [_problems(message, max_bytes) for message in messages]
    if any(problems):
        raise errors.Invalid({"messages": problems})
    return messages


def _problems(message: Mapping[str, Any], max_bytes: int) -> dict[str, list[str]]:
    """What is wrong with a message, by field."""
    found: dict[str, list[str]] = {}
    for name in ("topic", "event"):
        value = message.get(name)
        if value is None or (isinstance(value, str) and not value.strip()):
            found[name] = [BLANK]
        elif not isinstance(value, str):
            found[name] = [INVALID]
    payload = message.get("payload")
    if payload is None or payload == "":
        found["payload"] = [BLANK]
    elif not isinstance(payload, dict):
        found["payload"] = [INVALID]
    elif len(dump(payload).encode()) > max_bytes:
        found["payload"] = [TOO_LARGE]
    if not _is_flag(message.get("private")):
        found["private"] = [INVALID]
    if not (message.get("id") is None or isinstance(message["id"], str)):
        found["id"] = [INVALID]
    return found


def _is_flag(value: object) -> bool:
    return value is None or value == "" or isinstance(value, bool) or value in (*TRUE[1:], *FALSE[1:])
