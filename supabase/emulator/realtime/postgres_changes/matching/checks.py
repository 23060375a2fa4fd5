"""What PostgreSQL is asked about one row change, and what it answers: values between matching and visibility.py."""

from dataclasses import dataclass, field

from emulator.principal import Principal
from emulator.realtime.postgres_changes.subscriptions.conditions import Comparison
from emulator.realtime.postgres_changes.subscriptions.tables import RoleView, Table
from emulator.realtime.postgres_changes.wal.decoder import Row

TypedText = tuple[str, str]  # an SQL type, and a value's text


@dataclass(slots=True)
class VisibilityCheck:
    """The questions about one change.

    Where policies decide, `key` has the primary key's texts of a row that is there, `deleted` what the log has of one
    that is not; otherwise both are None.
    """

    table: Table
    key: tuple[str, ...] | None
    deleted: Row | None = None
    principals: dict[str, list[Principal]] = field(default_factory=dict)  # by role
    comparisons: set[Comparison] = field(default_factory=set)
    values: set[TypedText] = field(default_factory=set)  # to be printed as JSON


@dataclass(slots=True)
class VisibilityResult:
    """The answers to a check."""

    views: dict[str, RoleView] = field(default_factory=dict)  # by role; a role that does not exist has none
    visible_to: set[Principal] = field(default_factory=set)
    comparisons: dict[Comparison, bool | None] = field(default_factory=dict)
    values: dict[TypedText, str] = field(default_factory=dict)
