"""Presence on one topic: keys, their metas, and the diffs that subscribers get.

One connection tracks one meta under its key; several connections may share a key.
"""

from dataclasses import dataclass, field
from typing import Any

from emulator.realtime.wire.payloads import Meta

Entries = dict[str, list[Meta]]


@dataclass(frozen=True, slots=True)
class PresenceDiff:
    """What changed: metas by key, that came and that went."""

    joins: Entries = field(default_factory=dict)
    leaves: Entries = field(default_factory=dict)

    def payload(self) -> dict[str, Any]:
        """The payload of presence_diff."""
        return {"joins": _with_metas(self.joins), "leaves": _with_metas(self.leaves)}

    def __bool__(self) -> bool:
        return bool(self.joins or self.leaves)


@dataclass(slots=True)
class Presence:
    """The state of one topic: by connection, what it tracks under which key."""

    tracked: dict[str, tuple[str, Meta]] = field(default_factory=dict)

    def track(self, connection: str, key: str, payload: Meta, phx_ref: str) -> PresenceDiff:
        """Track or update a connection's meta; the same payload again changes nothing."""
        before = self.tracked.get(connection)
        meta = {**payload, "phx_ref": phx_ref}
        if before is None:
            self.tracked[connection] = (key, meta)
            return PresenceDiff(joins={key: [meta]})
        old_key, old_meta = before
        if old_key == key and without_refs(old_meta) == without_refs(meta):
            return PresenceDiff()
        meta["phx_ref_prev"] = old_meta["phx_ref"]
        self.tracked[connection] = (key, meta)
        return PresenceDiff(joins={key: [meta]}, leaves={old_key: [old_meta]})

    def untrack(self, connection: str) -> PresenceDiff:
        before = self.tracked.pop(connection, None)
        return PresenceDiff(leaves={before[0]: [before[1]]}) if before is not None else PresenceDiff()

    def state(self) -> dict[str, Any]:
        """The payload of presence_state."""
        entries: Entries = {}
        for key, meta in self.tracked.values():
            entries.setdefault(key, []).append(meta)
        return _with_metas(entries)


def _with_metas(entries: Entries) -> dict[str, Any]:
    return {key: {"metas": metas} for key, metas in entries.items()}


def without_refs(meta: Meta) -> Meta:
    """What the client itself tracked."""
    return {name: value for name, value in meta.items() if name not in ("phx_ref", "phx_ref_prev")}
