"""Print the seconds that this Python takes for a few thousand calls, the best of many times.

Run by virtualenv.py with each Python it may use. It fails where a module is missing that the product needs.
"""

import ctypes  # noqa: F401
import os
import ssl  # noqa: F401
import sys
import venv  # noqa: F401
import zlib  # noqa: F401
from time import perf_counter
from typing import Self

CORES, TIMES = 4, 30


class Node:
    """A tree that is grown and measured by calls, loops and attributes, as most of a program is."""

    def __init__(self, name: str, parts: list[Self]) -> None:
        self.name, self.parts = name, parts

    def size(self) -> int:
        return len(self.name) + sum(part.size() for part in self.parts)


def grow(depth: int) -> Node:
    return Node(f"node-{depth}", [grow(depth - 1) for _ in range(3)] if depth else [])


def timed() -> float:
    start = perf_counter()
    grow(6).size()
    return perf_counter() - start


def best() -> float:
    """The shortest time, seconds, on any of the first cores: one may be slow for a second, when a neighbor uses it."""
    if not hasattr(os, "sched_setaffinity"):
        return min(timed() for _ in range(TIMES))
    times = []
    for core in sorted(os.sched_getaffinity(0))[:CORES]:
        os.sched_setaffinity(0, {core})
        times += [timed() for _ in range(TIMES)]
    return min(times)


if __name__ == "__main__":
    sys.stdout.write(f"{best()}\n")
