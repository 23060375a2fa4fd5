"""What the command line says: text for people on stderr or stdout, JSON for scripts on stdout alone."""

import errno
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from emulator.paths import IS_INSTALLED

if TYPE_CHECKING:
    from rich.console import Console

# A pipe has no width: what scripts read is never cut.
PIPE_WIDTH = 1000


_PLAIN_OPTIONS = {"style", "markup", "soft_wrap"}  # that make no difference to a line that goes into a file
_FORCING = ("FORCE_COLOR", "TTY_COMPATIBLE")  # what makes rich take a pipe for a terminal


class Stream:
    """Names the command as people call it: ./muster in a checkout, muster where it was installed.

    Lines into a file are written as they are: rich takes 3 MiB and 20 ms, and the log of a stack in the background does
    not need it.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    @cached_property
    def rich(self) -> "Console":
        """What draws on a terminal."""
        from rich.console import Console

        width = None if self.is_terminal else PIPE_WIDTH
        return Console(stderr=self._name == "stderr", highlight=False, width=width)

    @property
    def is_terminal(self) -> bool:
        """Whether a person looks at it."""
        return getattr(sys, self._name).isatty() or any(os.environ.get(name) for name in _FORCING)

    def print(self, *objects: Any, **options: Any) -> None:
        """As rich does."""
        texts = [_as_called(each) if isinstance(each, str) else each for each in objects]
        has_markup = options.get("markup", True) and any("[" in each for each in texts if isinstance(each, str))
        if self.is_terminal or has_markup or options.keys() - _PLAIN_OPTIONS or not all(map(_is_text, texts)):
            self.rich.print(*texts, **options)
        else:
            print(*texts, file=getattr(sys, self._name))


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _as_called(text: str) -> str:
    return text.replace("./muster", "muster") if IS_INSTALLED else text


talk, out = Stream("stderr"), Stream("stdout")

EXIT_FAILED = 1
EXIT_NOT_RUNNING = 3


class UserError(Exception):
    """Something the person at the keyboard can mend; shown as one line, never as a trace."""

    def __init__(self, message: str, exit_code: int = EXIT_FAILED) -> None:
        super().__init__(message)
        self.exit_code = exit_code


def run_command(command: Callable[[], object]) -> int:
    """Run one command for its exit code; people's mistakes are one line, never a trace."""
    try:
        command()
    except UserError as error:
        return _refuse(str(error), error.exit_code)
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        if os.environ.get("MUSTER_LOG_LEVEL", "").lower() == "debug":
            raise
        return _refuse(_explain(error), EXIT_FAILED)
    return 0


def _explain(error: OSError) -> str:
    """What the system refused, in a line that names the file."""
    if error.errno == errno.ENOSPC:
        return "the disk is full: free some space and try again"
    named = [str(name) for name in (error.filename, error.filename2) if name is not None]
    return f"{': '.join(named) or 'the system refused'}: {error.strerror or error}"


def _refuse(message: str, code: int) -> int:
    talk.print(f"muster: {message}", style="red", markup=False, soft_wrap=True)
    return code


def print_json(value: Any) -> None:
    """Write one JSON document to stdout."""
    sys.stdout.write(json.dumps(value, indent=2, default=str) + "\n")


def print_pairs(pairs: Mapping[str, str]) -> None:
    """Write a two-column table; addresses can be opened where the terminal knows how."""
    if not out.is_terminal:
        width = max(map(len, pairs), default=0)
        for name, value in pairs.items():
            out.print(f"{name:<{width}}  {value}", markup=False)
        return
    from rich.style import Style
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2))
    for name, value in pairs.items():
        link = value if value.startswith(("http://", "https://")) else None
        table.add_row(Text(name, "bold"), Text(value, Style(link=link)))
    out.print(table)


def shown_time(text: str | None) -> str:
    """An ISO time as people read it: to the minute, in UTC. A text that is no time stays."""
    try:
        return datetime.fromisoformat(text or "").astimezone(UTC).strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return text or ""


def print_table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Write a table with a header."""
    from rich.table import Table

    table = Table(*columns, box=None, header_style="bold", pad_edge=False)
    for row in rows:
        table.add_row(*["" if cell is None else str(cell) for cell in row])
    out.print(table)
