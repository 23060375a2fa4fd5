"""What became of SQL files that were run: how many, and the statement that was refused."""

import textwrap
from dataclasses import dataclass

_LONGEST_IN_LINE = 100


@dataclass(frozen=True)
class Failure:
    """A statement that was refused. `statement` is its text, `number` counts from 0, `line` in the file from 1."""

    file: str
    message: str
    statement: str = ""
    number: int | None = None
    line: int | None = None
    sqlstate: str = ""
    detail: str | None = None
    hint: str | None = None

    def __str__(self) -> str:
        where = self.file if self.line is None else f"{self.file}, line {self.line}"
        state = f" (SQLSTATE {self.sqlstate})" if self.sqlstate else ""
        more = "".join(f"; {text}" for text in (self.detail, self.hint) if text)
        if self.statement:
            more += f"; in: {textwrap.shorten(self.statement, _LONGEST_IN_LINE, placeholder=' ...')}"
        return f"{where}: {self.message}{state}{more}"


@dataclass(frozen=True)
class Step:
    """How many files were run, and what stopped it."""

    applied: int = 0
    failed: Failure | None = None


class ScriptError(Exception):
    """A file can't be applied. What it did in its last transaction is undone."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure))
        self.failure = failure
