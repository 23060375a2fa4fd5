"""Numbers for Prometheus: requests counted and timed, and the text format they are read in. Pure but for the clock.

https://prometheus.io/docs/instrumenting/exposition_formats/ (version 0.0.4)
"""

import os
import time
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
BUCKETS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
Labels = Mapping[str, object]


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

    def add(self, service: str, method: str, status: int, duration_s: float) -> None:
        """Count one that has been answered."""
        key = (service, method if method in METHODS else "other", status)
        self.counts[key] = self.counts.get(key, 0) + 1
        durations = self.durations.get(service)
        if durations is None:
            durations = self.durations[service] = Durations()
        durations.counts[bisect_left(BUCKETS_S, duration_s)] += 1
        durations.sum_s += duration_s

    def text(self, prefix: str = "muster") -> str:
        """All of it in the text format."""
        name, timed = f"{prefix}_http_requests_total", f"{prefix}_http_request_duration_seconds"
        lines = [*_head(name, "counter", "HTTP requests answered")]
        lines += [
            sample(name, number, {"service": service, "method": method, "status": status})
            for (service, method, status), number in sorted(self.counts.items())
        ]
        lines += _head(timed, "histogram", "Time to the end of the answer")
        for service, durations in sorted(self.durations.items()):
            lines += _histogram(timed, service, durations)
        in_flight = f"{prefix}_http_requests_in_flight"
        return "\n".join([*lines, *gauge(in_flight, self.in_flight, "HTTP requests being served")]) + "\n"


def _histogram(name: str, service: str, durations: Durations) -> Iterable[str]:
    total = 0
    for limit, number in zip((*BUCKETS_S, "+Inf"), durations.counts, strict=True):
        total += number
        yield sample(f"{name}_bucket", total, {"service": service, "le": limit})
    yield sample(f"{name}_sum", round(durations.sum_s, 6), {"service": service})
    yield sample(f"{name}_count", total, {"service": service})


def sample(name: str, value: object, labels: Labels | None = None) -> str:
    """One line; label values are escaped."""
    written = ",".join(f'{label}="{_escape(str(said))}"' for label, said in (labels or {}).items())
    return f"{name}{{{written}}} {value}" if written else f"{name} {value}"


def gauge(name: str, value: object, about: str, kind: str = "gauge") -> list[str]:
    """A number without labels, with its head."""
    return [*_head(name, kind, about), sample(name, value)]


def _head(name: str, kind: str, about: str) -> list[str]:
    return [f"# HELP {name} {about}", f"# TYPE {name} {kind}"]


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


_STARTED_AT = time.time()


def process_text() -> str:
    """This process: processor time, memory, open files, start, by the names that Prometheus' clients use."""
    times = os.times()
    lines = gauge("process_cpu_seconds_total", times.user + times.system, "Processor time used", "counter")
    lines += gauge("process_start_time_seconds", round(_STARTED_AT, 3), "When the process started")
    try:
        with open("/proc/self/statm", encoding="ascii") as statm:
            resident = int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        open_files = len(os.listdir("/proc/self/fd"))
    except OSError:  # no Linux
        return "\n".join(lines) + "\n"
    lines += gauge("process_resident_memory_bytes", resident, "Resident memory")
    lines += gauge("process_open_fds", open_files, "Open file descriptors")
    return "\n".join(lines) + "\n"
