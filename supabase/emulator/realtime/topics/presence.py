"""Who is present on one topic: keys, their metas, and the differences that members are told. Pure.

One connection tracks one meta under its key; several connections may share a key.
"""

from dataclasses import dataclass, field
from typing import Any

Meta = dict[str, Any]
Entries = dict[str, list[Meta]]


@dataclass(frozen=True, slots=True)
class Difference:
    """What changed: metas by key, that came and that went."""

    joins: Entries = field(default_factory=dict)
    leaves: Entries = field(default_factory=dict)

    def payload(self) -> dict[str, Any]:
        """The payload of presence_diff."""
        return {"joins": _wire(self.joins), "leaves": _wire(self.leaves)}

    def __bool__(self) -> bool:
        return bool(self.joins or self.leaves)


@dataclass(slots=True)
class Presence:
    """The state of one topic: by connection, what it tracks under which key."""

    tracked: dict[str, tuple[str, Meta]] = field(default_factory=dict)

    def track(self, connection: str, key: str, payload: Meta, phx_ref: str) -> Difference:
        """Track or update a connection's meta; the same payload again changes nothing."""
        before = self.tracked.get(connection)
        meta = {**payload, "phx_ref": phx_ref}
        if before is None:
            self.tracked[connection] = (key, meta)
            return Difference(joins={key: [meta]})
        old_key, old_meta = before
        if old_key == key and _own(old_meta) == _own(meta):
            return Difference()
        meta["phx_ref_prev"] = old_meta["phx_ref"]
        self.tracked[connection] = (key, meta)
        return Difference(joins={key: [meta]}, leaves={old_key: [old_meta]})

    def untrack(self, connection: str) -> Difference:
        """Forget a connection's meta, if it has one."""
        before = self.tracked.pop(connection, None)
        return Difference(leaves={before[0]: [before[1]]}) if before is not None else Difference()

    def state(self) -> dict[str, Any]:
        """The payload of presence_state."""
        entries: Entries = {}
        for key, meta in self.tracked.values():
            entries.setdefault(key, []).append(meta)
        return _wire(entries)


def _wire(entries: Entries) -> dict[str, Any]:
    return {key: {"metas": metas} for key, metas in entries.items()}


def _own(meta: Meta) -> Meta:
    return {name: value for name, value in meta.items() if name not in ("phx_ref", "phx_ref_prev")}
