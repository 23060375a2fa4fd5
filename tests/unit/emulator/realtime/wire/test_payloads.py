"""What a join asks for, read as tolerantly as the original does."""

import pytest

from emulator.realtime.wire.payloads import JoinOptions, Replay, parse_join

JOIN_PAYLOADS = [
    pytest.param(None, JoinOptions(), id="nothing"),
    pytest.param({"config": {"private": "TRUE", "broadcast": {"self": "true", "ack": True}}},
                 JoinOptions(is_private=True, broadcast_self=True, broadcast_ack=True), id="texts"),
    pytest.param({"config": {"private": "yes", "broadcast": []}}, JoinOptions(), id="odd"),
    pytest.param({"config": {"postgres_changes": [None]}}, JoinOptions(), id="null-binding"),
    pytest.param({"config": {"presence": {"key": 7, "enabled": True}}},
                 JoinOptions(presence_key="7", presence_enabled=True), id="key"),
    pytest.param({"config": {"broadcast": {"replay": {"since": 1, "limit": 99}}}}, JoinOptions(replay=Replay(1, 25)),
                 id="replay"),
    pytest.param({"config": {"postgres_changes_options": {"wait": True, "timeout": 90_000}}},
                 JoinOptions(wait_ms=20_000), id="wait"),
    pytest.param({"access_token": "a", "user_token": "u"}, JoinOptions(token="u"), id="tokens"),
]  # fmt: skip


@pytest.mark.parametrize(("payload", "want"), JOIN_PAYLOADS)
def test_join_payloads(payload: object, want: JoinOptions) -> None:
    assert parse_join(payload) == want
