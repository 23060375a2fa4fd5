"""The channel's state machine: events in, effects out; no clock, no socket."""

from dataclasses import replace
from typing import Any

import pytest

from emulator.realtime import errors
from emulator.realtime.channel.machine import step as m
from emulator.realtime.channel.machine import types as t
from emulator.realtime.wire.frames import Push
from emulator.realtime.wire.payloads import JoinOptions, Replay, parse_join
from emulator.realtime.wire.tokens import Member

MEMBER = Member("anon", "{}", "", 100.0)


def joining(**options: Any) -> t.Channel:
    return t.Channel(t.Rules(1000), "realtime:room", "1", "2", JoinOptions(**options), MEMBER, "")


def joined(**options: Any) -> t.Channel:
    return replace(joining(**options), phase="joined")


def kinds(effects: Any) -> list[str]:
    return [one.event if isinstance(one, t.Send) else type(one).__name__ for one in effects]


def push(event: str, payload: object = None) -> Push:
    return Push("1", "9", "realtime:room", event, payload if payload is not None else {})


JOINS = [
    pytest.param({}, [t.Start()], ["phx_reply", "Enter"], id="public"),
    pytest.param({"presence_enabled": True}, [t.Start()], ["phx_reply", "Enter", "PresenceState"], id="presence"),
    pytest.param({"is_private": True}, [t.Start()], ["AskRead"], id="private"),
    pytest.param({"is_private": True}, [t.Start(), t.ReadChecked(True, False)], ["AskRead", "phx_reply", "Enter"],
                 id="allowed"),
    pytest.param({"is_private": True}, [t.Start(), t.ReadChecked(False, False)], ["AskRead", "Close", "phx_reply"],
                 id="denied"),
    pytest.param({"bindings": ({},)}, [t.Start(), t.Subscribed()],
                 ["Subscribe", "phx_reply", "Enter", "Activate", "system"], id="changes"),
    pytest.param({"bindings": ({},)}, [t.Start(), t.Subscribed("no")], ["Subscribe", "phx_reply", "Enter", "system"],
                 id="changes-refused"),
    pytest.param({"bindings": ({},)}, [t.Start(), t.Subscribed(is_late=True), t.Subscribed()],
                 ["Subscribe", "phx_reply", "Enter", "Retry", "Activate", "system"], id="changes-late"),
    pytest.param({"bindings": ({},), "wait_ms": 5}, [t.Start(), t.Subscribed(is_late=True)],
                 ["Subscribe", "Close", "phx_reply"], id="changes-not-waited-for"),
    pytest.param({"is_private": True, "replay": Replay(0, 1)}, [t.Start(), t.ReadChecked(True, True), t.Replayed(())],
                 ["AskRead", "phx_reply", "Enter", "AskReplay", "Deliver"], id="replay"),
    pytest.param({"replication_ready": True}, [t.Start(), t.Replicating(True)],
                 ["phx_reply", "Enter", "AwaitReplication", "system"], id="replication-ready"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "events", "want"), JOINS)
def test_joins(options: dict[str, Any], events: list[Any], want: list[str]) -> None:
    state, got = joining(**options), []
    for event in events:
        state, effects = m.step(state, event)
        got += kinds(effects)
    assert got == want


def test_a_closed_channel_does_nothing() -> None:
    state = m.closed(joined())
    assert m.step(state, push("broadcast")) == (state, ())


@pytest.mark.parametrize(
    ("options", "want"),
    [({}, ["FanOut"]), ({"broadcast_ack": True}, ["FanOut", "phx_reply"])],
    ids=["silent", "ack"],
)
def test_broadcasts(options: dict[str, Any], want: list[str]) -> None:
    assert kinds(m.step(joined(**options), push("broadcast"))[1]) == want


def test_a_private_write_is_asked_once_and_refused_in_silence() -> None:
    state = replace(joined(is_private=True, broadcast_ack=True), grants=t.Grants())
    state, effects = m.step(state, push("broadcast"))
    assert effects == [t.AskWrite("broadcast")]
    denied, _ = m.step(state, t.WriteChecked("broadcast", False))
    assert m.step(denied, push("broadcast"))[1] == ()
    allowed, _ = m.step(state, t.WriteChecked("broadcast", True))
    assert kinds(m.step(allowed, push("broadcast"))[1]) == ["FanOut", "phx_reply"]
    renewed, effects = m.step(allowed, t.TokenRead(MEMBER))
    assert effects == [t.AskRead(False)]
    assert renewed.grants.writes_broadcast is None


def test_tracking_enables_presence_and_makes_up_for_the_check() -> None:
    state = replace(joined(is_private=True), grants=t.Grants(writes_presence=True))
    state, effects = m.step(state, push("presence", {"event": "track"}))
    assert effects == [t.AskRead(True)]
    state, effects = m.step(state, t.ReadChecked(True, True))
    assert effects == [t.Reseat()]
    assert kinds(m.step(state, push("presence", {"event": "track"}))[1]) == ["Track", "phx_reply"]


ENDS = [
    pytest.param(push("phx_leave"), ["phx_reply", "Close", "phx_close"], id="leave"),
    pytest.param(t.Clock(101.0), ["system", "Close", "phx_close"], id="expired"),
    pytest.param(t.Clock(99.0), [], id="not-expired"),
    pytest.param(t.Failed(errors.unknown_error(), is_ours=True), ["Close", "phx_error"], id="our-fault"),
    pytest.param(t.Failed(errors.too_many_messages()), ["system", "Close", "phx_close"], id="their-fault"),
    pytest.param(t.TokenRead(None, errors.token_malformed()), ["system", "Close", "phx_close"], id="bad-token"),
    pytest.param(t.ReadChecked(False, False), ["system", "Close", "phx_close"], id="no-longer"),
]


@pytest.mark.parametrize(("event", "want"), ENDS)
def test_ends(event: Any, want: list[str]) -> None:
    state, effects = m.step(joined(), event)
    assert kinds(effects) == want
    assert (state.phase == "closed") is bool(want)


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
