"""Writes row changes to the subscribers that may see them. Writing never blocks, so nothing is awaited here."""

import logging
from collections.abc import Sequence

from emulator.realtime.postgres_changes.matching.checks import VisibilityResult
from emulator.realtime.postgres_changes.matching.deliveries import Delivery, plan_deliveries
from emulator.realtime.postgres_changes.matching.match import MatchedChange
from emulator.realtime.postgres_changes.registry import SubscriptionRegistry
from emulator.realtime.wire import payloads
from emulator.realtime.wire.frames import encode_push

log = logging.getLogger(__name__)


def deliver(registry: SubscriptionRegistry, matched: MatchedChange, result: VisibilityResult | None) -> None:
    """Send a change to those who may see it; without a result their channels fail, so that clients read again."""
    if result is not None:
        try:
            _write(registry, matched.change.kind, plan_deliveries(matched, result))
            return
        except Exception:
            log.exception("a change of %s.%s can't be delivered", matched.table.schema, matched.table.name)
    # A policy or a filter that takes too long, or a table that is gone: the subscribers must know of the gap.
    for subscriber in {one.subscriber: None for one in matched.subscriptions}:
        subscriber.outbound.fail_channel(subscriber.topic)


def _write(registry: SubscriptionRegistry, kind: str, deliveries: Sequence[Delivery]) -> None:
    """Write a change to each of its subscribers; what many get is encoded once, and written behind each topic."""
    frames: dict[tuple[int, str, tuple[int, ...], str], bytes] = {}
    bodies: dict[tuple[tuple[int, ...], str], bytes] = {}
    for one in deliveries:
        subscriber = one.subscriber
        if subscriber not in registry:
            continue
        outbound, topic = subscriber.outbound, subscriber.topic
        ids = () if subscriber.is_legacy else one.ids
        key = (outbound.version, topic, ids, one.data)
        frame = frames.get(key)
        if frame is None:
            body = bodies.get(key[2:])
            if body is None:
                text = one.data if subscriber.is_legacy else payloads.postgres_changes(ids, one.data)
                body = bodies[key[2:]] = text.encode()
            event = kind if subscriber.is_legacy else "postgres_changes"
            frame = frames[key] = encode_push(outbound.version, topic, event, body)
        outbound.write(frame)
