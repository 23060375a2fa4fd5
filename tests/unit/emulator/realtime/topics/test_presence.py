"""What subscribers get when connections track and untrack."""

from emulator.realtime.topics.presence import Presence


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
