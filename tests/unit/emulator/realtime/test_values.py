"""Small pure parts: values to JSON, the log's messages, presence, rates, tokens, settings."""

import struct
from datetime import UTC, datetime

import pytest

from emulator.jwt import KeySet, sign
from emulator.realtime.errors import Refused
from emulator.realtime.postgres_changes.rendering.rows import timestamp
from emulator.realtime.postgres_changes.rendering.values import to_json
from emulator.realtime.postgres_changes.wal.decoder import UNCHANGED, Begin, Commit, Decoder, Relation, RowChange
from emulator.realtime.settings import RealtimeSettings
from emulator.realtime.topics.presence import Presence
from emulator.realtime.topics.rates import Burst, Rate
from emulator.realtime.wire.tokens import read_token
from emulator.settings import SettingsError

SECRET = "a-secret-of-at-least-thirty-two-characters"
VALUES = [
    ("int8", "9223372036854775807", "9223372036854775807"),
    ("numeric", "1.500", "1.500"),
    ("numeric", "NaN", '"NaN"'),
    ("float8", "-Infinity", '"-Infinity"'),
    ("float8", "1e-05", "0.00001"),
    ("float4", "1e+20", "100000000000000000000"),
    ("bool", "f", "false"),
    ("json", '{"a": 1}', '{"a": 1}'),
    ("timestamptz", "2024-01-02 03:04:05.12+00", '"2024-01-02T03:04:05.12+00:00"'),
    ("timestamptz", "infinity", '"infinity"'),
    ("timestamptz", "0044-03-15 00:00:00+00 BC", '"0044-03-15T00:00:00+00:00 BC"'),
    ("timestamp", "2024-01-02 03:04:05", '"2024-01-02T03:04:05"'),
    ("bytea", "\\xdead", '"dead"'),
    ("text", 'a"\n', '"a\\"\\n"'),
    ("hstore", "x", None),
    ("_int4", "{1}", None),
]


@pytest.mark.parametrize(("kind", "text", "want"), VALUES)
def test_values(kind: str, text: str, want: str | None) -> None:
    assert to_json(kind, "b", text) == want


def test_timestamps_are_cut_not_rounded() -> None:
    assert timestamp(datetime(2026, 1, 31, 9, 8, 7, 123_999, UTC)) == "2026-01-31T09:08:07.123Z"


def _text(value: str | None) -> bytes:
    return b"n" if value is None else b"t" + struct.pack(">I", len(value)) + value.encode()


def _decoder() -> Decoder:
    decoder = Decoder()
    columns = b"\1id\0" + struct.pack(">Ii", 20, -1) + b"\0body\0" + struct.pack(">Ii", 25, -1)
    relation = decoder.decode(b"R" + struct.pack(">I", 7) + b"public\0t\0d" + struct.pack(">h", 2) + columns)
    assert isinstance(relation, Relation)
    assert [one.name for one in relation.columns] == ["id", "body"]
    return decoder


def test_the_log_is_decoded() -> None:
    decoder, two = _decoder(), struct.pack(">h", 2)
    assert decoder.decode(b"B" + struct.pack(">QqI", 5, 6, 9)) == Begin(5, 6, 9)
    insert = decoder.decode(b"I" + struct.pack(">I", 7) + b"N" + two + _text("1") + _text(None))
    assert isinstance(insert, RowChange)
    assert insert.new == {"id": "1", "body": None}
    assert insert.number == 1
    update = decoder.decode(
        b"U" + struct.pack(">I", 7) + b"K" + two + _text("1") + _text(None) + b"N" + two + _text("2") + b"u"
    )
    assert isinstance(update, RowChange)
    assert update.new == {"id": "2", "body": UNCHANGED}
    assert update.number == 2
    assert update.old == {"id": "1"}, "a key tuple tells nothing of other columns"
    full = decoder.decode(
        b"U" + struct.pack(">I", 7) + b"O" + two + _text("1") + _text("b") + b"N" + two + _text("1") + b"u"
    )
    assert isinstance(full, RowChange)
    assert full.new == {"id": "1", "body": "b"}
    assert full.old_is_full
    delete = decoder.decode(b"D" + struct.pack(">I", 7) + b"K" + two + _text("1") + _text(None))
    assert isinstance(delete, RowChange)
    assert delete.old == {"id": "1"}
    assert not delete.old_is_full
    assert decoder.decode(b"C\0" + struct.pack(">QQq", 5, 8, 6)) == Commit(8, 6)
    assert decoder.decode(b"T" + struct.pack(">iBI", 1, 0, 7)) is None


def test_presence_of_connections_under_one_key() -> None:
    presence = Presence()
    assert presence.track("c1", "k", {"a": 1}, "r1").payload() == {
        "joins": {"k": {"metas": [{"a": 1, "phx_ref": "r1"}]}}, "leaves": {},
    }  # fmt: skip
    assert not presence.track("c1", "k", {"a": 1}, "r2")
    changed = presence.track("c1", "k", {"a": 2}, "r3")
    assert changed.joins["k"] == [{"a": 2, "phx_ref": "r3", "phx_ref_prev": "r1"}]
    assert changed.leaves["k"][0]["a"] == 1
    presence.track("c2", "k", {}, "r4")
    assert [meta["phx_ref"] for meta in presence.state()["k"]["metas"]] == ["r3", "r4"]
    assert presence.untrack("c2").leaves["k"][0]["phx_ref"] == "r4"
    assert not presence.untrack("c2")


def test_rates_are_averages_over_a_minute() -> None:
    rate = Rate(10)
    assert rate.add(599, 0.0)
    assert not rate.add(1, 59.0)
    assert rate.per_s(59.0) == 10
    assert rate.add(1, 60.0)
    assert rate.per_s(200.0) == 0
    burst = Burst(2, 30.0)
    assert burst.add(0)
    assert burst.add(1)
    assert not burst.add(29)
    assert burst.add(60)
    assert all(Burst(0, 30.0).add(0) for _ in range(9))


TOKENS = [
    ({"role": "anon", "exp": 100}, "Token has expired 50 seconds ago"),
    ({"role": "anon"}, "Fields `role` and `exp` are required in JWT"),
    ({"role": 1, "exp": 999}, "Fields `role` and `exp` are required in JWT"),
    ({"role": "anon", "exp": "soon"}, "Token expiration time is invalid"),
    ({"role": "anon", "exp": True}, "Token expiration time is invalid"),
]


@pytest.mark.parametrize(("claims", "want"), TOKENS)
def test_tokens_are_refused(claims: dict[str, object], want: str) -> None:
    with pytest.raises(Refused) as refused:
        read_token(sign(claims, SECRET), KeySet.parse(SECRET), 150.0)
    assert refused.value.text == want


def test_a_token_is_a_member() -> None:
    member = read_token(f" {sign({'role': 'r', 'exp': 200, 'sub': 's'}, SECRET)}\n", KeySet.parse(SECRET), 150.0)
    assert (member.role, member.subject, member.expires_at) == ("r", "s", 200.0)


@pytest.mark.parametrize(
    "wrong",
    [
        {"API_JWT_SECRET": ""},
        {"PORT": "many"},
        {"POLICY_RECHECK_S": "soon"},
        {"API_JWT_JWKS": '{"keys": [{"kty": "?"}]}'},
    ],
    ids=lambda wrong: next(iter(wrong)),
)
def test_unusable_settings_are_named(wrong: dict[str, str]) -> None:
    with pytest.raises(SettingsError, match=next(iter(wrong))):
        RealtimeSettings.from_env({"API_JWT_SECRET": "x" * 32, **wrong})


def test_settings_are_the_container_s() -> None:
    settings = RealtimeSettings.from_env({"API_JWT_SECRET": "x" * 32, "TENANT_MAX_CHANNELS_PER_CLIENT": "7"})
    assert settings.limits.channels_per_connection == 7
    assert settings.limits.broadcast_bytes == 3_000_500
