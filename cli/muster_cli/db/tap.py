"""Read the Test Anything Protocol as pgTAP writes it, and say of a file what pg_prove says. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

_PLAN = re.compile(r"1\.\.(\d+)(?:\s*#\s*skip\b\s*(?P<reason>.*))?\s*$", re.IGNORECASE)
_RESULT = re.compile(
    r"(?P<not>not )?ok\b\s*(?P<number>\d+)?\s*-?\s*(?P<title>[^#]*)(?:#\s*(?P<mark>todo|skip)\b.*)?", re.I
)
_BAIL = re.compile(r"Bail out!\s*(?P<reason>.*)", re.IGNORECASE)


@dataclass(frozen=True)
class FileResult:
    """What one file of tests did. `problem` is empty when it passed."""

    planned: int | None
    passed: int
    failed: tuple[int, ...]
    problem: str

    @property
    def total(self) -> int:
        """How many tests ran."""
        return self.passed + len(self.failed)


def read_tap(lines: Iterable[str], error: str = "") -> FileResult:
    """The result of the lines that a file printed; `error` is what ended it early."""
    planned: int | None = None
    passed, number = 0, 0
    failed: list[int] = []
    problem = error
    for line in lines:
        if match := _PLAN.match(line):
            planned = int(match[1])
        elif match := _BAIL.match(line):
            problem = problem or f"Bail out! {match['reason']}"
        elif line.startswith(("ok", "not ok")) and (match := _RESULT.match(line)):
            number += 1
            if match["not"] and (match["mark"] or "").lower() != "todo":
                failed.append(number)
            else:
                passed += 1
    if not problem and planned is None:
        problem = "No plan found in TAP output"
    if not problem and planned != number:
        problem = f"Bad plan. You planned {planned} tests but ran {number}"
    if not problem and failed:
        problem = f"Failed {len(failed)}/{number} subtests"
    return FileResult(planned, passed, tuple(failed), problem)
