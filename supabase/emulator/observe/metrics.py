"""What is counted, for Prometheus: requests, and the text format, which prometheus_client writes.

Counting is a dictionary of ours, because every request pays for it. The library is loaded when the metrics are
first read: a process without a scraper needs neither its memory nor its time at the start.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prometheus_client import Metric

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
BUSY_S, LONG_S = 0.05, 2.0
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


@dataclass
class Durations:
    """How long requests took: how many fell into each bucket (the last holds the rest), and the sum in seconds."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BUCKETS_S) + 1))
    sum_s: float = 0.0


@dataclass
class Requests:
    """HTTP requests by service, method and status; durations by service. Bounded: nothing a client sends is a label."""

    counts: dict[tuple[str, str, int], int] = field(default_factory=dict)
    durations: dict[str, Durations] = field(default_factory=dict)
    in_flight: int = 0
    began_at: float = -BUSY_S  # the newest, in seconds of time.perf_counter

    def is_busy(self) -> bool:
        """Whether requests were begun a moment ago, or wait; a large download does not count for long."""
        since = time.perf_counter() - self.began_at
        return since < BUSY_S or (self.in_flight > 0 and since < LONG_S)

    def add(self, service: str, method: str, status: int, duration_s: float) -> None:
        """Count one that has been answered."""
        key = (service, method if method in METHODS else "other", status)
        self.counts[key] = self.counts.get(key, 0) + 1
        durations = self.durations.get(service)
        if durations is None:
            durations = self.durations[service] = Durations()
        durations.counts[bisect_left(BUCKETS_S, duration_s)] += 1
        durations.sum_s += duration_s

    def collect(self) -> Iterator[Metric]:
        """All of it as metrics."""
        from prometheus_client.core import HistogramMetricFamily

        counts = (((service, method, str(status)), n) for (service, method, status), n in sorted(self.counts.items()))
        labels = ("service", "method", "status")
        yield counters("muster_http_requests_total", "HTTP requests answered", labels, counts)
        timed = HistogramMetricFamily(
            "muster_http_request_duration_seconds", "Time to the end of the answer", labels=["service"]
        )
        for service, durations in sorted(self.durations.items()):
            limits = [*map(str, BUCKETS_S), "+Inf"]
            buckets = list(zip(limits, accumulate(durations.counts), strict=True))
            timed.add_metric([service], buckets, round(durations.sum_s, 6))
        yield timed
        yield gauge("muster_http_requests_in_flight", "HTTP requests being served", self.in_flight)


def gauge(name: str, about: str, value: float) -> Metric:
    """A value that goes up and down."""
    from prometheus_client.core import GaugeMetricFamily

    return GaugeMetricFamily(name, about, value)


def counter(name: str, about: str, value: float) -> Metric:
    """A count. `name` ends with _total."""
    from prometheus_client.core import CounterMetricFamily

    return CounterMetricFamily(name, about, value)


def counters(name: str, about: str, labels: Sequence[str], values: Iterable[tuple[Sequence[str], float]]) -> Metric:
    """Several counts of one name, by the values of their labels."""
    from prometheus_client.core import CounterMetricFamily

    family = CounterMetricFamily(name, about, labels=labels)
    for label_values, value in values:
        family.add_metric(label_values, value)
    return family


@dataclass(frozen=True, eq=False)
class _Collected:
    """What a registry asks for metrics."""

    metrics: Iterable[Metric]

    def collect(self) -> Iterable[Metric]:
        return self.metrics


def to_text(metrics: Iterable[Metric]) -> str:
    """Metrics in the text format."""
    from prometheus_client import CollectorRegistry, generate_latest

    registry = CollectorRegistry()
    registry.register(_Collected(metrics))
    return generate_latest(registry).decode()


def process_text() -> str:
    """This process: processor time, memory, open files, start. Nothing where there is no /proc."""
    from prometheus_client import ProcessCollector

    return to_text(ProcessCollector(registry=None).collect())
