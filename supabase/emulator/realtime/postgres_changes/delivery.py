"""Writes row changes to the subscribers that may see them. Writing never blocks, so nothing is awaited here."""

import logging
from collections.abc import Sequence

from emulator.realtime.postgres_changes.matching.checks import VisibilityResult
from emulator.realtime.postgres_changes.matching.deliveries import Delivery, plan_deliveries
from emulator.realtime.postgres_changes.matching.match import MatchedChange
from emulator.realtime.postgres_changes.registry import SubscriptionRegistry
from emulator.realtime.wire import payloads
from emulator.realtime.wire.frames import encode

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
    frames: dict[tuple[int, str, tuple[int, ...], str], bytes] = {}
    for one in deliveries:
        if one.subscriber not in registry:
            continue
        outbound, topic = one.subscriber.outbound, one.subscriber.topic
        key = (outbound.version, topic, () if one.subscriber.is_legacy else one.ids, one.data)
        frame = frames.get(key)
        if frame is None:
            if one.subscriber.is_legacy:
                frame = encode(outbound.version, None, None, topic, kind, one.data)
            else:
                body = payloads.postgres_changes(one.ids, one.data)
                frame = encode(outbound.version, None, None, topic, "postgres_changes", body)
            frames[key] = frame
        outbound.write(frame)
