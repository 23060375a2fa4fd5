"""The numbers of several processes behind one port: whoever is asked tells those of all, each with its process.

Each writes its own to a file of a shared folder now and then while it answers requests (one that answers none has no
news), and reads the others' when it is asked. A process that is gone takes its file with it at the next reading.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from emulator.processes import is_alive

WRITE_EVERY_S = 1.0


class SharedMetrics:
    """The numbers of this process (`read`) and its siblings, which share `folder`."""

    def __init__(self, folder: Path, read: Callable[[], str]) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._folder = folder
        self._read = read
        self._own = folder / f"{os.getpid()}.prom"
        self._written_at = 0.0

    def note(self) -> None:
        """Called after each request: leave the numbers for the others, at most once a second."""
        now = time.monotonic()
        if now - self._written_at >= WRITE_EVERY_S:
            self._written_at = now
            self._write(self._read())

    def text(self) -> str:
        """Every process's numbers, each sample with the label `process`."""
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


def merge(texts: dict[str, str]) -> str:
    """Several texts as one: samples of a name together, under one head, with a label for whose they are. Pure."""
    heads: dict[str, list[str]] = {}
    samples: dict[str, list[str]] = {}
    for process, text in texts.items():
        name = ""
        for line in text.splitlines():
            if line.startswith("# "):
                name = line.split(" ", 3)[2]
                known = heads.setdefault(name, [])
                if line not in known:
                    known.append(line)
            elif line:
                samples.setdefault(name, []).append(_labelled(line, process))
    return "".join(f"{line}\n" for name, head in heads.items() for line in (*head, *samples.get(name, ())))


def _labelled(line: str, process: str) -> str:
    name, brace, rest = line.partition("{")
    if brace:
        return f'{name}{{process="{process}",{rest}'
    name, _, value = line.partition(" ")
    return f'{name}{{process="{process}"}} {value}'
