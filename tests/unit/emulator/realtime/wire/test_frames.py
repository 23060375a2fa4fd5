"""Frames of both versions: bytes to values and back, checked against vectors of the official client's serializer."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emulator.realtime.wire.frames import (
    BadFrame,
    FieldTooLong,
    Push,
    UserBroadcast,
    decode_binary,
    decode_text,
    encode,
    encode_user_broadcast,
    parse_version,
    websocket_frame,
)

JSON_PUSH = bytes.fromhex("0301010d02000131327265616c74696d653a726f6f6d68697b2261223a317d")
RAW_PUSH = bytes.fromhex("0301010d02000031327265616c74696d653a726f6f6d6869010203")
JSON_OUT = bytes.fromhex("040d0200017265616c74696d653a726f6f6d68697b2261223a317d")
RAW_OUT = bytes.fromhex("040d020a007265616c74696d653a726f6f6d68697b226964223a2278227d010203")


@pytest.mark.parametrize(
    ("text", "want"),
    [(None, 1), ("", 1), ("1.0.0", 1), ("1.0.7", 1), ("2.0.0", 2), ("3.0.0", None), ("2", None), ("1.1.0", None),
     ("x.y.z", None)],
)  # fmt: skip
def test_versions(text: str | None, want: int | None) -> None:
    assert parse_version(text) == want


@pytest.mark.parametrize(
    ("data", "want"),
    [
        pytest.param(JSON_PUSH, UserBroadcast("1", "2", "realtime:room", "hi", "", b'{"a":1}', True), id="json"),
        pytest.param(RAW_PUSH, UserBroadcast("1", "2", "realtime:room", "hi", "", b"\x01\x02\x03", False), id="raw"),
        pytest.param(b"\x03\0\0\1\1\0\0te", UserBroadcast(None, None, "t", "e", "", b"", False), id="no-refs"),
        pytest.param(b'\x00\1\1\1\1' b"12te[1]", Push("1", "2", "t", "e", b"[1]"), id="push"),
    ],
)  # fmt: skip
def test_binary_frames_are_read(data: bytes, want: object) -> None:
    assert decode_binary(data) == want


@given(st.binary(max_size=64))
def test_any_bytes_are_a_frame_or_a_bad_frame(data: bytes) -> None:
    for decoder in (decode_binary, lambda raw: decode_text(2, raw), lambda raw: decode_text(1, raw)):
        try:
            frame = decoder(data)
        except BadFrame:
            continue
        assert isinstance(frame.topic, str)


@given(st.text(max_size=20), st.text(max_size=20), st.binary(max_size=40))
def test_truncated_frames_are_bad(topic: str, event: str, payload: bytes) -> None:
    fields = [b"1", b"2", topic.encode(), event.encode(), b""]
    data = bytes((3, *map(len, fields), 0)) + b"".join(fields)
    assert decode_binary(data + payload).topic == topic
    with pytest.raises(BadFrame):
        decode_binary(data[:-1])


@pytest.mark.parametrize(
    ("version", "text", "want"),
    [
        pytest.param(2, '["1","2","t","e",{"a":1}]', Push("1", "2", "t", "e", {"a": 1}), id="two"),
        pytest.param(2, '[null,null,"t","e",{},"more"]', Push(None, None, "t", "e", {}), id="more-elements"),
        pytest.param(1, '{"topic":"t","event":"e","payload":{},"ref":"1"}', Push(None, "1", "t", "e", {}), id="one"),
        pytest.param(1, '{"topic":"t","event":"e","payload":{},"ref":"1","join_ref":"2"}',
                     Push("2", "1", "t", "e", {}), id="one-join-ref"),
    ],
)  # fmt: skip
def test_text_frames_are_read(version: int, text: str, want: Push) -> None:
    assert decode_text(version, text.encode()) == want  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", "null", "[]", '["1","2","t","e"]', '["1","2",3,"e",{}]', '[1,2,"t","e",NaN]'])
def test_bad_text_frames(text: str) -> None:
    with pytest.raises(BadFrame):
        decode_text(2, text.encode())


def test_an_object_without_ref_is_bad() -> None:
    with pytest.raises(BadFrame):
        decode_text(1, b'{"topic":"phoenix","event":"heartbeat","payload":{}}')


def test_frames_are_written() -> None:
    assert encode(2, "1", None, "té", "e", "{}") == websocket_frame(0x81, '["1",null,"té","e",{}]'.encode())
    one = encode(1, "1", "2", "t", "e", '{"x":1}')
    assert json.loads(one[2:]) == {"topic": "t", "event": "e", "payload": {"x": 1}, "ref": "2"}
    assert encode_user_broadcast("realtime:room", "hi", "", b'{"a":1}', is_json=True)[2:] == JSON_OUT
    got = encode_user_broadcast("realtime:room", "hi", '{"id":"x"}', b"\x01\x02\x03", is_json=False)
    assert got[2:] == RAW_OUT


@pytest.mark.parametrize(
    ("size", "head"),
    [(0, b"\x81\0"), (125, b"\x81\x7d"), (126, b"\x81\x7e\0\x7e"), (65535, b"\x81\x7e\xff\xff"),
     (65536, b"\x81\x7f\0\0\0\0\0\1\0\0")],
)  # fmt: skip
def test_lengths_of_frames(size: int, head: bytes) -> None:
    assert websocket_frame(0x81, b"x" * size) == head + b"x" * size


@pytest.mark.parametrize(
    ("topic", "event", "meta"), [("t" * 256, "e", ""), ("t", "é" * 128, ""), ("t", "e", "m" * 256)]
)
def test_long_fields_do_not_wrap(topic: str, event: str, meta: str) -> None:
    with pytest.raises(FieldTooLong):
        encode_user_broadcast(topic, event, meta, b"", is_json=True)
