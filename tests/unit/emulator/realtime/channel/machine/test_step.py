"""The channel's state machine: events in, effects out; no clock, no socket."""

from dataclasses import replace
from typing import Any

import pytest

from emulator.principal import Principal
from emulator.realtime import errors
from emulator.realtime.channel.machine import effects as ef
from emulator.realtime.channel.machine import events as ev
from emulator.realtime.channel.machine import step as m
from emulator.realtime.channel.machine.state import Channel, Grants, Rules
from emulator.realtime.wire.frames import Push
from emulator.realtime.wire.payloads import JoinOptions, Replay

ANON = Principal("anon", {}, 100.0)


def joining(**options: Any) -> Channel:
    return Channel(Rules(1000), "realtime:room", "1", "2", JoinOptions(**options), ANON, "")


def joined(**options: Any) -> Channel:
    return replace(joining(**options), phase="joined")


def kinds(effects: Any) -> list[str]:
    return [one.event if isinstance(one, ef.Send) else type(one).__name__ for one in effects]


def push(event: str, payload: object = None) -> Push:
    return Push("1", "9", "realtime:room", event, payload if payload is not None else {})


JOINS = [
    pytest.param({}, [ev.Start()], ["phx_reply", "EnterTopic"], id="public"),
    pytest.param(
        {"presence_enabled": True}, [ev.Start()], ["phx_reply", "EnterTopic", "SendPresenceState"], id="presence"
    ),
    pytest.param({"is_private": True}, [ev.Start()], ["CheckRead"], id="private"),
    pytest.param(
        {"is_private": True},
        [ev.Start(), ev.ReadChecked(True, False)],
        ["CheckRead", "phx_reply", "EnterTopic"],
        id="allowed",
    ),
    pytest.param(
        {"is_private": True},
        [ev.Start(), ev.ReadChecked(False, False)],
        ["CheckRead", "Close", "phx_reply"],
        id="denied",
    ),
    pytest.param(
        {"bindings": ({},)},
        [ev.Start(), ev.Subscribed()],
        ["Subscribe", "phx_reply", "EnterTopic", "ActivateChanges", "system"],
        id="changes",
    ),
    pytest.param(
        {"bindings": ({},)},
        [ev.Start(), ev.Subscribed("no")],
        ["Subscribe", "phx_reply", "EnterTopic", "system"],
        id="changes-refused",
    ),
    pytest.param(
        {"bindings": ({},)},
        [ev.Start(), ev.Subscribed(is_late=True), ev.Subscribed()],
        ["Subscribe", "phx_reply", "EnterTopic", "RetrySubscribe", "ActivateChanges", "system"],
        id="changes-late",
    ),
    pytest.param(
        {"bindings": ({},), "wait_ms": 5},
        [ev.Start(), ev.Subscribed(is_late=True)],
        ["Subscribe", "Close", "phx_reply"],
        id="changes-not-waited-for",
    ),
    pytest.param(
        {"is_private": True, "replay": Replay(0, 1)},
        [ev.Start(), ev.ReadChecked(True, True), ev.Replayed(())],
        ["CheckRead", "phx_reply", "EnterTopic", "ReadReplay", "SendReplay"],
        id="replay",
    ),
    pytest.param(
        {"replication_ready": True},
        [ev.Start(), ev.Replicating(True)],
        ["phx_reply", "EnterTopic", "AwaitReplication", "system"],
        id="replication-ready",
    ),
]


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


def test_a_private_write_is_checked_once_and_refused_without_a_reply() -> None:
    state = replace(joined(is_private=True, broadcast_ack=True), grants=Grants())
    state, effects = m.step(state, push("broadcast"))
    assert effects == [ef.CheckWrite("broadcast")]
    denied, _ = m.step(state, ev.WriteChecked("broadcast", False))
    assert m.step(denied, push("broadcast"))[1] == ()
    allowed, _ = m.step(state, ev.WriteChecked("broadcast", True))
    assert kinds(m.step(allowed, push("broadcast"))[1]) == ["FanOut", "phx_reply"]
    renewed, effects = m.step(allowed, ev.TokenRead(ANON))
    assert effects == [ef.CheckRead(False)]
    assert renewed.grants.writes_broadcast is None


def test_tracking_enables_presence_and_checks_read_permission() -> None:
    state = replace(joined(is_private=True), grants=Grants(writes_presence=True))
    state, effects = m.step(state, push("presence", {"event": "track"}))
    assert effects == [ef.CheckRead(True)]
    state, effects = m.step(state, ev.ReadChecked(True, True))
    assert effects == [ef.UpdateSubscriber()]
    assert kinds(m.step(state, push("presence", {"event": "track"}))[1]) == ["phx_reply", "Track"]


def test_presence_is_answered_before_it_is_told_to_others() -> None:
    assert kinds(m.step(joined(), push("presence", {"event": "untrack"}))[1]) == ["phx_reply", "Untrack"]
    for payload in ({"type": "presence"}, "track", None):
        effects = m.step(joined(), Push("1", "9", "realtime:room", "presence", payload))[1]
        assert effects == [ef.Send("phx_reply", '{"status":"ok","response":{}}', "9")], "no event: nothing happens"


@pytest.mark.parametrize("event", [None, 7, {}, "dance"])
def test_presence_events_that_are_not_known_are_refused(event: object) -> None:
    effects = m.step(joined(), push("presence", {"event": event}))[1]
    assert effects == [ef.Send("phx_reply", '{"status":"error","response":{}}', "9")]


def test_a_new_token_subscribes_to_changes_again() -> None:
    state, effects = m.step(joined(bindings=({},)), ev.TokenRead(ANON))
    assert effects == [ef.UpdateSubscriber(), ef.Subscribe(None)]
    assert kinds(m.step(state, ev.Subscribed())[1]) == ["ActivateChanges", "system"]


@pytest.mark.parametrize(
    ("event", "want"),
    [
        pytest.param(ev.ReadChecked(True, True), None, id="both"),
        pytest.param(ev.ReadChecked(True, False), "You no longer have permission to read", id="one"),
        pytest.param(ev.ReadChecked(False, False), "You do not have permissions to read", id="none"),
    ],
)
def test_a_new_token_may_cost_permissions(event: ev.ReadChecked, want: str | None) -> None:
    state, _ = m.step(replace(joined(is_private=True), grants=Grants()), ev.TokenRead(ANON))
    state, effects = m.step(state, event)
    if want is None:
        assert effects == [ef.UpdateSubscriber()]
    else:
        assert isinstance(effects[0], ef.Send)
        assert want in effects[0].payload


def test_a_replay_needs_permission_to_read_broadcasts() -> None:
    state, _ = m.step(joining(is_private=True, asks_replay=True, replay=Replay(0, 1)), ev.Start())
    assert kinds(m.step(state, ev.ReadChecked(False, True))[1]) == ["Close", "phx_reply"]


ENDS = [
    pytest.param(push("phx_leave"), ["phx_reply", "Close", "phx_close"], id="leave"),
    pytest.param(ev.Tick(101.0), ["system", "Close", "phx_close"], id="expired"),
    pytest.param(ev.Tick(99.0), [], id="not-expired"),
    pytest.param(ev.Failed(errors.unknown_error(), is_server_fault=True), ["Close", "phx_error"], id="our-fault"),
    pytest.param(ev.Failed(errors.too_many_messages()), ["system", "Close", "phx_close"], id="their-fault"),
    pytest.param(ev.TokenRead(None, errors.token_malformed()), ["system", "Close", "phx_close"], id="bad-token"),
    pytest.param(ev.ReadChecked(False, False), ["system", "Close", "phx_close"], id="no-longer"),
]


@pytest.mark.parametrize(("event", "want"), ENDS)
def test_ends(event: Any, want: list[str]) -> None:
    state, effects = m.step(joined(), event)
    assert kinds(effects) == want
    assert (state.phase == "closed") is bool(want)
