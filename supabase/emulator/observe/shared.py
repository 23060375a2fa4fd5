"""The metrics of several processes behind one port: whichever is asked answers for all, each sample with its process.

Each writes its own to a file of a shared folder now and then while it answers requests (one that answers none has
nothing new), and reads the others' when it is asked. The file of a process that is gone is removed at the next reading.
"""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from emulator.observe.metrics import to_text
from emulator.processes import is_alive

WRITE_EVERY_S = 1.0


class SharedMetrics:
    """The metrics of this process (`read`) and its siblings, which share `folder`."""

    def __init__(self, folder: Path, read: Callable[[], str]) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._folder = folder
        self._read = read
        self._own = folder / f"{os.getpid()}.prom"
        self._written_at = 0.0

    def publish(self) -> None:
        """Called after each request: write the metrics for the others, at most once a second."""
        now = time.monotonic()
        if now - self._written_at >= WRITE_EVERY_S:
            self._written_at = now
            self._write(self._read())

    def text(self) -> str:
        """Every process's metrics, each sample with the label `process`."""
        own = self._read()
        self._write(own)
        return merge({self._own.stem: own, **dict(self._others())})

    def _write(self, text: str) -> None:
        partial = self._own.with_suffix(".partial")
        with suppress(OSError):  # a full disk must not fail a request
            partial.write_text(text, "utf8")
            partial.rename(self._own)

    def _others(self) -> Iterator[tuple[str, str]]:
        for file in sorted(self._folder.glob("*.prom")):
            if file == self._own:
                continue
            with suppress(OSError, ValueError):
                if is_alive(int(file.stem)):
                    yield file.stem, file.read_text("utf8")
                else:
                    file.unlink()


def merge(texts: Mapping[str, str]) -> str:
    """Several texts as one: samples of a name together, under one head, with a label for their process."""
    from prometheus_client import Metric
    from prometheus_client.parser import text_string_to_metric_families

    merged: dict[str, Metric] = {}
    for process, text in texts.items():
        for family in text_string_to_metric_families(text):
            known = merged.setdefault(family.name, Metric(family.name, family.documentation, family.type))
            for sample in family.samples:
                known.samples.append(sample._replace(labels={"process": process, **sample.labels}))
    return to_text(merged.values())
