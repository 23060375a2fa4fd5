"""What the command line says: text for people on stderr or stdout, JSON for scripts on stdout alone."""

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

# A pipe has no width: what scripts read is never cut.
PIPE_WIDTH = 1000
talk = Console(stderr=True, highlight=False, width=None if sys.stderr.isatty() else PIPE_WIDTH)
out = Console(highlight=False, width=None if sys.stdout.isatty() else PIPE_WIDTH)

EXIT_FAILED = 1
EXIT_NOT_RUNNING = 3


class UserError(Exception):
    """Something the person at the keyboard can mend; shown as one line, never as a trace."""

    def __init__(self, message: str, exit_code: int = EXIT_FAILED) -> None:
        super().__init__(message)
        self.exit_code = exit_code


def print_json(value: Any) -> None:
    """Write one JSON document to stdout."""
    sys.stdout.write(json.dumps(value, indent=2, default=str) + "\n")


def print_pairs(pairs: Mapping[str, str]) -> None:
    """Write a two-column table."""
    table = Table.grid(padding=(0, 2))
    for name, value in pairs.items():
        table.add_row(f"[bold]{name}[/bold]", value)
    out.print(table)


def print_table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Write a table with a header."""
    table = Table(*columns, box=None, header_style="bold", pad_edge=False)
    for row in rows:
        table.add_row(*["" if cell is None else str(cell) for cell in row])
    out.print(table)
