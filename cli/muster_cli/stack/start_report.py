"""What a start did: written by the process that serves, read by the command that waits for it and by status."""

import json
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from emulator.db.failure import Failure, Step

FILE = "start.json"


@dataclass(frozen=True)
class StartReport:
    """One start of a stack."""

    migrations: Step = Step()
    seeds: Step = Step()
    warnings: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    buckets: tuple[str, ...] = field(default=())

    @property
    def failure(self) -> Failure | None:
        """What stopped the migrations or the seeds."""
        return self.migrations.failed or self.seeds.failed


def write_report(home: Path, report: StartReport) -> None:
    """Leave it in the state folder."""
    partial = home / f"{FILE}.partial"
    partial.write_text(json.dumps(asdict(report), indent=2), "utf8")
    partial.rename(home / FILE)


def read_report(home: Path) -> dict[str, Any]:
    """The report of the last start as JSON has it; empty while there is none."""
    with suppress(OSError, ValueError):
        found: dict[str, Any] = json.loads((home / FILE).read_text("utf8"))
        return found
    return {}


def clear_report(home: Path) -> None:
    """Forget the last start."""
    (home / FILE).unlink(missing_ok=True)
