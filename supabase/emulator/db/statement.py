"""Statements, rows, and the errors of a pipelined connection. Values only: what needs libpq is in pipeline.py."""

from collections.abc import Sequence
from typing import NamedTuple

# Makes a named tuple of its fields: what is made for every request, as its own constructor takes three times as long.
new_tuple = tuple.__new__

Row = tuple[bytes | None, ...]


class Statement(NamedTuple):
    """A statement and its parameters in text format. `key` separates prepared plans (say, per role)."""

    text: str
    parameters: Sequence[bytes | None] = ()
    key: str = ""
    is_prepared: bool = True


class Recurring:
    """A batch that comes again and again, each time with other parameters for `main`.

    Connections know it by its identity. `times`: how often it was sent before they did.
    """

    __slots__ = ("after", "before", "main", "times")

    def __init__(self, before: Sequence[Statement], main: Statement, after: Sequence[Statement] = ()) -> None:
        self.before = tuple(before)
        self.main = main
        self.after = tuple(after)
        self.times = 0

    def filled(self, parameters: Sequence[bytes | None], *besides: Statement) -> tuple[Statement, ...]:
        """The statements, `besides` after `main`."""
        main = self.main
        filled = Statement(main.text, parameters, main.key, main.is_prepared)
        return (*self.before, filled, *besides, *self.after)


class StatementError(Exception):
    """PostgreSQL refused a statement; the fields of its report."""

    def __init__(self, fields: dict[str, str]) -> None:
        super().__init__(fields.get("message_primary", ""))
        self.fields = fields

    @property
    def sqlstate(self) -> str:
        """The five characters that classify the error."""
        return self.fields.get("sqlstate", "")

    @property
    def message(self) -> str:
        """The primary message."""
        return self.fields.get("message_primary", "")

    @property
    def detail(self) -> str | None:
        """DETAIL, if there is one."""
        return self.fields.get("message_detail")

    @property
    def hint(self) -> str | None:
        """HINT, if there is one."""
        return self.fields.get("message_hint")


class ConnectionFailed(Exception):
    """No connection could be made; the text is libpq's."""


class ConnectionLost(Exception):
    """The connection broke while it was in use; the text is libpq's."""


class PoolTimeout(Exception):
    """No connection came free in time."""
