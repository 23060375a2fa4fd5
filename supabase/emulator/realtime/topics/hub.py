"""Topics in memory: who sits where, broadcasts to all of them, presence. No I/O but the seats' non-blocking writes.

Public and private topics of one name are different topics. A frame is built once per protocol version and written to
every seat as the same buffer.
"""

import itertools
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from emulator.realtime.subscriber import Seat
from emulator.realtime.topics.presence import Difference, Meta, Presence
from emulator.realtime.wire import payloads
from emulator.realtime.wire.broadcasts import Broadcast
from emulator.realtime.wire.frames import Version, dump, encode

TopicKey = tuple[str, bool]  # name without prefix, private


@dataclass(slots=True)
class Topic:
    """One topic with members."""

    seats: dict[Seat, None] = field(default_factory=dict)
    presence: Presence = field(default_factory=Presence)


@dataclass(frozen=True, slots=True)
class Tracked:
    """A change of presence that other processes must hear of; `payload` None is an untrack."""

    name: str
    is_private: bool
    connection: str
    key: str = ""
    payload: Meta | None = None
    phx_ref: str = ""


Notice = Broadcast | Tracked


def _has(seat: Seat, identity: str) -> bool:
    """Whether a stored broadcast is known at a seat; one is forgotten when the log has brought it."""
    if identity in seat.known:
        seat.known.discard(identity)
        return True
    if seat.heard is not None:
        seat.heard.add(identity)
    return False


def _payload(meta: Meta) -> Meta:
    return {name: value for name, value in meta.items() if name not in ("phx_ref", "phx_ref_prev")}


class Hub:
    """All topics of this process. `publish` hands what happened here to the other processes."""

    def __init__(self) -> None:
        self.topics: dict[TopicKey, Topic] = {}
        self.publish: Callable[[Notice], None] = lambda _: None
        self.node = secrets.token_hex(4)
        self._numbers = itertools.count(1)

    def next_connection(self) -> str:
        """A name for one joined channel, unique across processes."""
        return f"{self.node}.{next(self._numbers)}"

    def enter(self, seat: Seat) -> None:
        """Seat a member."""
        self._topic(seat.name, seat.is_private).seats[seat] = None

    def leave(self, seat: Seat) -> None:
        """Forget a member and what it tracked."""
        topic = self.topics.get((seat.name, seat.is_private))
        if topic is None:
            return
        topic.seats.pop(seat, None)
        self.untrack(seat)
        self._drop_if_empty(seat.name, seat.is_private)

    def broadcast(self, message: Broadcast, sender: Seat | None = None) -> int:
        """Deliver here and publish; the number of members reached here. `sender` is left out."""
        self.publish(message)
        return self.deliver(message, sender)

    def deliver(self, message: Broadcast, sender: Seat | None = None) -> int:
        """Write a broadcast to the members of this process."""
        topic = self.topics.get((message.name, message.is_private))
        if topic is None:
            return 0
        name = payloads.TOPIC_PREFIX + message.name
        frames: dict[Version, bytes | None] = {}
        count = 0
        for seat in tuple(topic.seats):
            if seat is sender or not seat.reads_broadcast or (message.id and _has(seat, message.id)):
                continue
            version = seat.wire.version
            if version not in frames:
                frames[version] = message.frame(version, name)
            frame = frames[version]
            if frame is not None:
                seat.wire.write(frame)
                count += 1
        return count

    def track(self, seat: Seat, key: str, payload: Meta) -> int:
        """Track a member's meta; returns how many members were told."""
        tracked = Tracked(seat.name, seat.is_private, seat.connection, key, payload, secrets.token_urlsafe(12))
        return self._present(tracked)

    def untrack(self, seat: Seat) -> int:
        """Forget a member's meta."""
        topic = self.topics.get((seat.name, seat.is_private))
        if topic is None or seat.connection not in topic.presence.tracked:
            return 0
        return self._present(Tracked(seat.name, seat.is_private, seat.connection))

    def _present(self, tracked: Tracked) -> int:
        self.publish(tracked)
        return self.apply(tracked)

    def apply(self, tracked: Tracked) -> int:
        """Take over a change of presence from here or elsewhere, and tell the members of this process."""
        topic = self._topic(tracked.name, tracked.is_private)
        if tracked.payload is None:
            difference = topic.presence.untrack(tracked.connection)
        else:
            difference = topic.presence.track(tracked.connection, tracked.key, tracked.payload, tracked.phx_ref)
        count = self._tell(topic, payloads.TOPIC_PREFIX + tracked.name, tracked.is_private, difference)
        self._drop_if_empty(tracked.name, tracked.is_private)
        return count

    def _tell(self, topic: Topic, name: str, is_private: bool, difference: Difference) -> int:
        if not difference:
            return 0
        body, frames, count = dump(difference.payload()), dict[Version, bytes](), 0
        for seat in tuple(topic.seats):
            if is_private and not seat.reads_presence:
                continue
            version = seat.wire.version
            if version not in frames:
                frames[version] = encode(version, None, None, name, "presence_diff", body)
            seat.wire.write(frames[version])
            count += 1
        return count

    def all_tracked(self) -> list[Tracked]:
        """Everything that is tracked, as notices."""
        return [
            Tracked(name, is_private, connection, key, _payload(meta), str(meta["phx_ref"]))
            for (name, is_private), topic in self.topics.items()
            for connection, (key, meta) in topic.presence.tracked.items()
        ]

    def own_tracked(self) -> list[Tracked]:
        """What members of this process track."""
        return [one for one in self.all_tracked() if self._is_own(one.connection)]

    def forget(self, node: str) -> None:
        """Another process is gone, and with it its members."""
        self._forget(lambda connection: connection.startswith(f"{node}."))

    def forget_others(self) -> None:
        """No other process can be heard."""
        self._forget(lambda connection: not self._is_own(connection))

    def _forget(self, is_gone: Callable[[str], bool]) -> None:
        for tracked in self.all_tracked():
            if is_gone(tracked.connection):
                self.apply(Tracked(tracked.name, tracked.is_private, tracked.connection))

    def _is_own(self, connection: str) -> bool:
        return connection.startswith(f"{self.node}.")

    def presence_state(self, seat: Seat) -> str:
        """The payload of presence_state for a member."""
        topic = self.topics.get((seat.name, seat.is_private))
        return dump(topic.presence.state()) if topic is not None else "{}"

    def members(self, name: str, is_private: bool) -> int:
        """How many sit here on a topic."""
        topic = self.topics.get((name, is_private))
        return len(topic.seats) if topic is not None else 0

    def _topic(self, name: str, is_private: bool) -> Topic:
        return self.topics.setdefault((name, is_private), Topic())

    def _drop_if_empty(self, name: str, is_private: bool) -> None:
        topic = self.topics.get((name, is_private))
        if topic is not None and not topic.seats and not topic.presence.tracked:
            del self.topics[(name, is_private)]
