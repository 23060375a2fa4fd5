"""Topics in memory: their subscribers, broadcasts to all of them, presence. No I/O but non-blocking writes.

Public and private topics of one name are different topics. A frame is built once per protocol version and written to
every subscriber as the same buffer.
"""

import itertools
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from emulator.realtime.subscriber import Subscriber
from emulator.realtime.topics.presence import Presence, PresenceDiff, without_refs
from emulator.realtime.wire import payloads
from emulator.realtime.wire.broadcasts import Broadcast
from emulator.realtime.wire.frames import Version, dump, encode
from emulator.realtime.wire.payloads import Meta

TopicKey = tuple[str, bool]  # name without prefix, private


@dataclass(slots=True)
class Topic:
    subscribers: dict[Subscriber, None] = field(default_factory=dict)
    presence: Presence = field(default_factory=Presence)


@dataclass(frozen=True, slots=True)
class PresenceUpdate:
    """One connection tracks or, with `payload` None, untracks; published to the other processes."""

    name: str
    is_private: bool
    connection: str
    key: str = ""
    payload: Meta | None = None
    phx_ref: str = ""


BusMessage = Broadcast | PresenceUpdate


class Hub:
    """All topics of this process. `publish` hands what happened here to the other processes."""

    def __init__(self) -> None:
        self.topics: dict[TopicKey, Topic] = {}
        self.publish: Callable[[BusMessage], None] = lambda _: None
        self.node = secrets.token_hex(4)
        self._numbers = itertools.count(1)

    def next_connection(self) -> str:
        """A name for one joined channel, unique across processes."""
        return f"{self.node}.{next(self._numbers)}"

    def enter(self, subscriber: Subscriber) -> None:
        """A subscriber joins its topic: from now on it gets messages."""
        self._topic(subscriber.name, subscriber.is_private).subscribers[subscriber] = None

    def leave(self, subscriber: Subscriber) -> None:
        """A subscriber leaves its topic; what it tracked is untracked."""
        topic = self.topics.get((subscriber.name, subscriber.is_private))
        if topic is None:
            return
        topic.subscribers.pop(subscriber, None)
        self.untrack(subscriber)
        self._drop_if_empty(subscriber.name, subscriber.is_private)

    def broadcast(self, message: Broadcast, sender: Subscriber | None = None) -> int:
        """Deliver here and publish; the number of subscribers reached here. `sender` is left out."""
        self.publish(message)
        return self.deliver(message, sender)

    def deliver(self, message: Broadcast, sender: Subscriber | None = None) -> int:
        """Write a broadcast to the subscribers of this process, and return how many."""
        topic = self.topics.get((message.name, message.is_private))
        if topic is None:
            return 0
        name = payloads.TOPIC_PREFIX + message.name
        frames: dict[Version, bytes | None] = {}
        count = 0
        for subscriber in tuple(topic.subscribers):
            if subscriber is sender or not subscriber.reads_broadcast:
                continue
            if message.id and _has_received(subscriber, message.id):
                continue
            version = subscriber.outbound.version
            if version not in frames:
                frames[version] = message.frame(version, name)
            frame = frames[version]
            if frame is not None:
                subscriber.outbound.write(frame)
                count += 1
        return count

    def track(self, subscriber: Subscriber, key: str, payload: Meta) -> int:
        """Track a subscriber's meta; returns how many subscribers got the diff."""
        name, is_private, phx_ref = subscriber.name, subscriber.is_private, secrets.token_urlsafe(12)
        return self._publish(PresenceUpdate(name, is_private, subscriber.connection, key, payload, phx_ref))

    def untrack(self, subscriber: Subscriber) -> int:
        topic = self.topics.get((subscriber.name, subscriber.is_private))
        if topic is None or subscriber.connection not in topic.presence.tracked:
            return 0
        return self._publish(PresenceUpdate(subscriber.name, subscriber.is_private, subscriber.connection))

    def _publish(self, update: PresenceUpdate) -> int:
        self.publish(update)
        return self.apply(update)

    def apply(self, update: PresenceUpdate) -> int:
        """Apply an update of this or another process, and send the diff to the subscribers of this one."""
        topic = self._topic(update.name, update.is_private)
        if update.payload is None:
            diff = topic.presence.untrack(update.connection)
        else:
            diff = topic.presence.track(update.connection, update.key, update.payload, update.phx_ref)
        count = self._send_diff(topic, payloads.TOPIC_PREFIX + update.name, update.is_private, diff)
        self._drop_if_empty(update.name, update.is_private)
        return count

    def _send_diff(self, topic: Topic, name: str, is_private: bool, diff: PresenceDiff) -> int:
        if not diff:
            return 0
        body, frames, count = dump(diff.payload()), dict[Version, bytes](), 0
        for subscriber in tuple(topic.subscribers):
            if is_private and not subscriber.reads_presence:
                continue
            count += 1
            version = subscriber.outbound.version
            if subscriber.diff_ref is not None:
                subscriber.outbound.write(encode(version, subscriber.diff_ref, None, name, "presence_diff", body))
                continue
            if version not in frames:
                frames[version] = encode(version, None, None, name, "presence_diff", body)
            subscriber.outbound.write(frames[version])
        return count

    def all_tracked(self) -> list[PresenceUpdate]:
        """Everything that is tracked, as updates."""
        return [
            PresenceUpdate(name, is_private, connection, key, without_refs(meta), str(meta["phx_ref"]))
            for (name, is_private), topic in self.topics.items()
            for connection, (key, meta) in topic.presence.tracked.items()
        ]

    def own_tracked(self) -> list[PresenceUpdate]:
        """What subscribers of this process track."""
        return [one for one in self.all_tracked() if self._is_own(one.connection)]

    def forget(self, node: str) -> None:
        """Another process is gone, and with it its subscribers."""
        self._forget(lambda connection: connection.startswith(f"{node}."))

    def forget_others(self) -> None:
        """No other process is connected."""
        self._forget(lambda connection: not self._is_own(connection))

    def _forget(self, is_gone: Callable[[str], bool]) -> None:
        for update in self.all_tracked():
            if is_gone(update.connection):
                self.apply(PresenceUpdate(update.name, update.is_private, update.connection))

    def _is_own(self, connection: str) -> bool:
        return connection.startswith(f"{self.node}.")

    def presence_state(self, subscriber: Subscriber) -> str:
        """The payload of presence_state for a subscriber."""
        topic = self.topics.get((subscriber.name, subscriber.is_private))
        return dump(topic.presence.state()) if topic is not None else "{}"

    def count_subscribers(self, name: str, is_private: bool) -> int:
        """How many subscribers a topic has in this process."""
        topic = self.topics.get((name, is_private))
        return len(topic.subscribers) if topic is not None else 0

    def _topic(self, name: str, is_private: bool) -> Topic:
        return self.topics.setdefault((name, is_private), Topic())

    def _drop_if_empty(self, name: str, is_private: bool) -> None:
        topic = self.topics.get((name, is_private))
        if topic is not None and not topic.subscribers and not topic.presence.tracked:
            del self.topics[(name, is_private)]


def _has_received(subscriber: Subscriber, identity: str) -> bool:
    """Whether a subscriber has a stored broadcast already; its id is forgotten once the log has brought it."""
    if identity in subscriber.received:
        subscriber.received.discard(identity)
        return True
    if subscriber.received_live is not None:
        subscriber.received_live.add(identity)
    return False
