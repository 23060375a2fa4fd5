"""What a join asks for, read as tolerantly as the original does."""

import pytest

from emulator.realtime.wire.payloads import JoinOptions, Replay, binding_ids, join_token, parse_join

JOIN_PAYLOADS = [
    pytest.param(None, JoinOptions(), id="nothing"),
    pytest.param({"config": {"private": "TRUE", "broadcast": {"self": "true", "ack": True}}},
                 JoinOptions(is_private=True, broadcast_self=True, broadcast_ack=True), id="texts"),
    pytest.param({"config": {"private": "yes", "broadcast": []}}, JoinOptions(), id="odd"),
    pytest.param({"config": {"postgres_changes": [None]}}, JoinOptions(), id="null-binding"),
    pytest.param({"config": {"presence": {"key": 7, "enabled": True}}},
                 JoinOptions(presence_key="7", presence_enabled=True), id="key"),
    pytest.param({"config": {"broadcast": {"replay": {"since": 1, "limit": 99}}}},
                 JoinOptions(asks_replay=True, replay=Replay(1, 25)), id="replay"),
    pytest.param({"config": {"postgres_changes_options": {"wait": True, "timeout": 90_000}}},
                 JoinOptions(wait_ms=20_000), id="wait"),
    pytest.param({"config": {"broadcast": {"replay": {"since": 1, "limit": None}}}},
                 JoinOptions(asks_replay=True, replay=Replay(1, 25)), id="replay-without-limit"),
    pytest.param({"config": {"broadcast": {"replay": {"since": 10**18}}}},
                 JoinOptions(asks_replay=True, replay_is_invalid=True), id="replay-after-the-year-9999"),
    pytest.param({"config": {"broadcast": {"replay": [1]}}}, JoinOptions(asks_replay=True), id="replay-no-object"),
    pytest.param({}, JoinOptions(bindings=({"schema": "public", "table": "t", "filter": "a=eq.b:c"},), is_legacy=True),
                 id="no-config"),
]  # fmt: skip


@pytest.mark.parametrize(("payload", "want"), JOIN_PAYLOADS)
def test_join_payloads(payload: object, want: JoinOptions) -> None:
    assert parse_join(payload, "realtime:public:t:a=eq.b:c") == want


@pytest.mark.parametrize(
    ("payload", "want"),
    [
        ({"access_token": "a", "user_token": "u"}, "u"),
        ({"access_token": "a"}, "a"),
        ({"access_token": ""}, ""),
        ({"access_token": "sb_publishable_x"}, None),
        ({"access_token": "sb_publishable_x", "user_token": "u"}, None),
        ({"access_token": 7, "user_token": {}}, None),
        ({}, None),
        (None, None),
    ],
)
def test_tokens_of_joins(payload: object, want: str | None) -> None:
    assert join_token(payload) == want


def test_equal_bindings_share_an_id() -> None:
    assert binding_ids([{"a": 1, "b": 2}, {"a": True}, {"b": 2, "a": 1}, {"a": 1}]) == [1, 2, 1, 4]
