"""Frames of both protocol versions, bytes to values and back, down to the WebSocket header.

1.0.0 is one JSON object per text frame. 2.0.0 is a JSON array, or a binary frame for what users broadcast: kind 3 from
clients, kind 4 to them. Server frames carry no mask and no compression, so one buffer serves every receiver.
"""

import json
import math
import re
import struct
from dataclasses import dataclass
from typing import Any, Final, Literal

from emulator.json_values import has_more_values, is_deeper

Version = Literal[1, 2]
Ref = Any  # a string or null by the protocol; whatever came is echoed

TEXT: Final = 0x81
BINARY: Final = 0x82
KIND_PUSH: Final = 0
KIND_BROADCAST: Final = 2
KIND_USER_BROADCAST_PUSH: Final = 3
KIND_USER_BROADCAST: Final = 4
MAX_FIELD_BYTES: Final = 255
MAX_UNCHECKED_DEPTH: Final = 20
MAX_VALUES: Final = 100_000  # of one JSON text, about
_SURROGATE: Final = re.compile(rb"\\u[dD][89a-fA-F]")


class BadFrame(Exception):
    """A frame that can't be read: it is dropped, the connection stays."""


class FieldTooLong(Exception):
    """A topic, event or metadata of more than 255 bytes does not fit in a binary frame."""


@dataclass(frozen=True, slots=True)
class Push:
    """What a client sent, in any of the encodings but user broadcasts. A binary one's payload is bytes."""

    join_ref: Ref
    ref: Ref
    topic: str
    event: str
    payload: Any


@dataclass(frozen=True, slots=True)
class UserBroadcast:
    """A broadcast in binary form: `payload` is JSON text or raw bytes."""

    join_ref: Ref
    ref: Ref
    topic: str
    event: str
    metadata: str
    payload: bytes
    is_json: bool


Incoming = Push | UserBroadcast


def parse_version(text: str | None) -> Version | None:
    """The protocol version of the `vsn` parameter; missing means 1, None is a refusal."""
    if text is None or text == "":
        return 1
    parts = text.split(".")
    if len(parts) != 3 or not all(part.isdigit() for part in parts):
        return None
    if parts[:2] == ["1", "0"]:
        return 1
    return 2 if parts[:2] == ["2", "0"] else None


def decode_text(version: Version, data: bytes) -> Push:
    """Read a text frame; raises BadFrame."""
    value = _json(data)
    if version == 2:
        if not isinstance(value, list) or len(value) < 5:
            raise BadFrame("not an array of five")
        join_ref, ref, topic, event, payload = value[:5]
    else:
        if not isinstance(value, dict) or not {"topic", "event", "payload", "ref"} <= value.keys():
            raise BadFrame("not an object with topic, event, payload and ref")
        topic, event, payload, ref = value["topic"], value["event"], value["payload"], value["ref"]
        join_ref = value.get("join_ref")
    if not isinstance(topic, str) or not isinstance(event, str):
        raise BadFrame("topic and event must be strings")
    return Push(join_ref, ref, topic, event, payload)


def decode_binary(data: bytes) -> Incoming:
    """Read a binary frame of protocol 2.0.0: kind 0 or 3; raises BadFrame."""
    kind = data[0] if data else -1
    if kind == KIND_USER_BROADCAST_PUSH:
        (join_ref, ref, topic, event, metadata), payload = _fields(data, 5, 7)
        if metadata:
            _json(metadata.encode())
        is_json = data[6] != 0
        if is_json:
            _json(payload)  # receivers parse it without catching errors
        return UserBroadcast(join_ref or None, ref or None, topic, event, metadata, payload, is_json)
    if kind == KIND_PUSH:
        (join_ref, ref, topic, event), payload = _fields(data, 4, 5)
        return Push(join_ref or None, ref or None, topic, event, payload)
    raise BadFrame(f"unknown kind {kind}")


def _json(data: bytes) -> Any:
    try:
        return parse_json(data)
    except (ValueError, RecursionError) as error:
        raise BadFrame("not JSON") from error


def parse_json(data: bytes) -> Any:
    """A JSON text that any receiver can read; raises ValueError or RecursionError.

    Stricter than json.loads: UTF-8 only, no unpaired surrogate (browsers close a connection that brings one), no NaN or
    infinite number, and no deeper than it can be written again; and no more than MAX_VALUES values: a few megabytes of
    brackets would keep everybody waiting.
    """
    if has_more_values(data, MAX_VALUES):
        raise ValueError("too many values")
    value = json.loads(data.decode(), parse_constant=_no_constant, parse_float=_finite)
    if b"\\" in data and _SURROGATE.search(data):
        dump(value).encode()
    if is_deeper(data, MAX_UNCHECKED_DEPTH):
        dump(value)
    return value


def _no_constant(name: str) -> None:
    raise ValueError(name)  # NaN and Infinity are Python's, not JSON's


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(text)
    return number


def _fields(data: bytes, count: int, start: int) -> tuple[list[str], bytes]:
    if len(data) < start:
        raise BadFrame("header cut short")
    fields = []
    for length in data[1 : count + 1]:
        if start + length > len(data):
            raise BadFrame("field cut short")
        try:
            fields.append(data[start : start + length].decode())
        except UnicodeDecodeError as error:
            raise BadFrame("field is not UTF-8") from error
        start += length
    return fields, data[start:]


def dump(value: Any) -> str:
    """JSON text as every frame carries it: compact, UTF-8 kept."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def websocket_frame(first_byte: int, payload: bytes) -> bytes:
    """A whole unmasked WebSocket frame."""
    return _frame_head(first_byte, len(payload)) + payload


def _frame_head(first_byte: int, size: int) -> bytes:
    if size < 126:
        return bytes((first_byte, size))
    return struct.pack(">BBH", first_byte, 126, size) if size < 65536 else struct.pack(">BBQ", first_byte, 127, size)


def encode(version: Version, join_ref: Ref, ref: Ref, topic: str, event: str, payload: str) -> bytes:
    """A text frame for one version; `payload` is JSON text already."""
    if version == 2:
        head = f"[{dump(join_ref)},{dump(ref)},{dump(topic)},{dump(event)},"
        return websocket_frame(TEXT, (head + payload + "]").encode())
    head = f'{{"topic":{dump(topic)},"event":{dump(event)},"payload":'
    return websocket_frame(TEXT, f'{head}{payload},"ref":{dump(ref)}}}'.encode())


def encode_push(version: Version, topic: str, event: str, payload: bytes) -> bytes:
    """As `encode` without refs, for a payload that many topics share."""
    if version == 2:
        head, tail = f"[null,null,{dump(topic)},{dump(event)},".encode(), b"]"
    else:
        head, tail = f'{{"topic":{dump(topic)},"event":{dump(event)},"payload":'.encode(), b',"ref":null}'
    return b"".join((_frame_head(TEXT, len(head) + len(payload) + len(tail)), head, payload, tail))


def encode_binary_broadcast(topic: str, event: str, payload: bytes) -> bytes:
    """A kind 2 frame (protocol 2.0.0): what came as bytes in a frame of kind 0; raises FieldTooLong."""
    fields = [topic.encode(), event.encode()]
    lengths = [len(field) for field in fields]
    if max(lengths) > MAX_FIELD_BYTES:
        raise FieldTooLong
    return websocket_frame(BINARY, b"".join((bytes((KIND_BROADCAST, *lengths)), *fields, payload)))


def encode_user_broadcast(topic: str, event: str, metadata: str, payload: bytes, *, is_json: bool) -> bytes:
    """A kind 4 frame (protocol 2.0.0); raises FieldTooLong: then send a text frame."""
    fields = [topic.encode(), event.encode(), metadata.encode()]
    lengths = [len(field) for field in fields]
    if max(lengths) > MAX_FIELD_BYTES:
        raise FieldTooLong
    body = b"".join((bytes((KIND_USER_BROADCAST, *lengths, int(is_json))), *fields, payload))
    return websocket_frame(BINARY, body)
